"""The one sentence that says what to do now."""

from __future__ import annotations

from companion.games.casa_grande.state import Phase, State
from companion.rules import Event


def prompt(state: State) -> Event:
    """What the table waits for, as an event with its sentence."""
    match state.phase:
        case Phase.ROLL:
            return Event("now_roll", {"seat": state.turn})
        case Phase.STEP:
            return Event("now_step", {"seat": state.turn, "pips": state.pips})
        case Phase.BLOCK:
            return Event("now_block", {"seat": state.turn})
        case Phase.FLOOR:
            return Event("now_floor", {"seat": state.turn})
        case Phase.OVER:
            return Event("now_over")
