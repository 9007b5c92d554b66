"""The one sentence that says what to do now."""

from __future__ import annotations

from companion.games.cassa_grande.state import Phase, State, faces_up
from companion.language import later
from companion.rules import Event
from companion.score import Facts


def prompt(state: State) -> Event:
    """What the table waits for, as an event with its sentence."""
    setup = state.setup
    match state.phase:
        case Phase.DEAL:
            return Event("now_deal", {"each": len(setup.cards) // setup.players})
        case Phase.PLACE:
            return _to_lay(state)
        case Phase.SWAP:
            return Event("now_swap", {"seat": state.turn})
        case Phase.TURN_OVER:
            return Event("now_turn_over")
        case Phase.OVER:
            return Event("now_over")


def _to_lay(state: State) -> Event:
    facts: Facts = {"seat": state.turn, "side": later("up") if faces_up(state) else later("down")}
    if not state.layout and state.setup.rounds > 1:
        return Event("now_first_card_of_round", {**facts, "number": len(state.rounds) + 1})
    if not state.layout:
        return Event("now_first_card", facts)
    if state.hand(state.turn).waiting:
        return Event("now_digit", facts)
    return Event("now_card", facts)
