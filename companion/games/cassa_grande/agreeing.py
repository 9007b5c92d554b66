"""A card that was laid against the rules, and the table plays on with it.

What keeps the play fair may be waived: whose turn it is, that a card touches another, where the first one lies, that a
comma waits, that a card lies face up, and that a card is swapped first. What the program needs to say which cards lie
where, and to add them up, may not.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.pieces import COMMA
from companion.games.cassa_grande.state import Card, Phase, State
from companion.games.cassa_grande.tabletop import table_turns
from companion.rules import Refusal
from companion.sight import UNKNOWN


def at_turn(state: State, move: Placed) -> State:
    """The state in which the seat that laid this card was at turn: nobody swaps before, and it may have begun."""
    skipped = state.skipped
    if state.phase is Phase.SWAP:
        skipped = (*skipped, state.layout[-1].cell)
    starter = state.starter if state.layout else move.seat
    state = replace(state, phase=Phase.PLACE, turn=move.seat, starter=starter, skipped=skipped)
    lying = (*state.layout, Card(move.cell, move.seat, move.face))
    return replace(state, table_turn=table_turns(replace(state, layout=lying))[-1])


def refusal(state: State, move: Placed) -> Refusal | None:
    """Why this seat cannot have laid a card now, whosever turn it is, or None."""
    if state.phase not in (Phase.PLACE, Phase.SWAP):
        return Refusal(f"{state.phase}_first", {"seat": state.turn})
    if move.seat not in state.setup.seats:
        return Refusal("turn", {"seat": state.turn})
    hand = state.hand(move.seat)
    if hand.size or (hand.waiting and move.face in (COMMA, UNKNOWN)):
        return None
    return Refusal("empty_hand", {"seat": move.seat})
