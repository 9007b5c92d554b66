"""What lies on the table in a state, as somebody above it sees it: the face, or a card's back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from companion.games.cassa_grande.state import Card, Phase, State, box, cells
from companion.rules import Seat
from companion.sight import GAP, UNKNOWN, Spot

Laid = Mapping[Spot, str]
"""Cell to the face that shows there, or `UNKNOWN` where a card lies face down; in the order of play."""


def table(state: State) -> Laid:
    """What shows on each cell; the last round's cards lie open once the play is over.

    A card that lies face down shows its back, though the program may know its face.
    """
    if state.phase == Phase.OVER:
        return opened(state, state.rounds[-1].rows)
    return dict(zip(cells(state), _shown(state), strict=True))


def opened(state: State, rows: Sequence[str]) -> Laid:
    """What shows once the cards of this round have been turned over in place: the grid's rows as seat A reads them."""
    top, left, _, _ = box(cells(state))
    return {(top + r, left + c): face for r, row in enumerate(rows) for c, face in enumerate(row) if face != GAP}


def _shown(state: State) -> list[str]:
    """The face of each card that lies face up, `UNKNOWN` for the others (variants A and C)."""
    variants = state.setup.variants
    if "A" in variants:
        return [card.face for card in state.layout]
    if "C" not in variants:
        return [UNKNOWN for _ in state.layout]
    turns = table_turns(state)
    return [card.face if turn % 2 else UNKNOWN for card, turn in zip(state.layout, turns, strict=True)]


def table_turns(state: State) -> list[int]:
    """In which turn of the table each card was laid, from 1."""
    turns = [1] * bool(state.layout)
    for earlier, later in pairwise(state.layout):
        turns.append(turns[-1] + (_order(state, later) <= _order(state, earlier)))
    return turns


def _order(state: State, card: Card) -> int:
    seats: tuple[Seat, ...] = state.setup.seats
    return (seats.index(card.seat) - seats.index(state.starter)) % len(seats)
