"""Cassa Grande's rules: the functions of `companion.rules.Rules`.

Source: rule digest, "Play", "Variants", "Tournament" and "Decided where the source is silent".
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import SetupError
from companion.games.cassa_grande import agreeing, dealing, placing, swapping, turning
from companion.games.cassa_grande.course import apply_legal, start_round
from companion.games.cassa_grande.moves import Dealt, Move, Placed, Swapped, TurnedOver, read, write
from companion.games.cassa_grande.scoring import FIRST_ROUND, round_sheets, standing
from companion.games.cassa_grande.setup import Setup, problems, read_setup, write_setup
from companion.games.cassa_grande.state import Phase, State
from companion.rules import Event, IllegalMove, Refusal, Seat
from companion.score import ScoreSheet

__all__ = [
    "apply", "legal_moves", "new", "read", "read_setup", "refusal", "score", "seats", "to_act", "write", "write_setup",
]  # fmt: skip


def new(setup: Setup) -> State:
    """The state before the first move. Raises: SetupError, naming everything that is wrong."""
    if found := problems(setup):
        raise SetupError(found)
    return start_round(setup, setup.first, ())


def seats(setup: Setup) -> tuple[Seat, ...]:
    """The seats that take part, clockwise: A to D, or A and C when two play."""
    return setup.seats


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat that lays or swaps a card; none while cards are dealt or turned over, or when the play is over."""
    return (state.turn,) if state.phase in (Phase.PLACE, Phase.SWAP) else ()


def refusal(state: State, move: Move, agreed: bool = False) -> Refusal | None:
    """Why the move is not allowed now, or None. The only place where that is decided."""
    match move:
        case Placed():
            return _agreed_refusal(state, move) if agreed else _placing_refusal(state, move)
        case Swapped():
            return _phase_refusal(state, move) or swapping.refusal(state, move, agreed)
        case Dealt():
            return _phase_refusal(state, move) or dealing.refusal(state, move)
        case TurnedOver():
            return _phase_refusal(state, move) or turning.refusal(state, move, agreed)


def _placing_refusal(state: State, move: Placed) -> Refusal | None:
    wrong = _phase_refusal(state, move)
    if wrong is None or not wrong.about_turns or agreeing.refusal(state, move) is not None:
        return wrong or placing.refusal(state, move)
    # Whose turn it is comes last: whoever waives that has waived nothing else.
    return placing.refusal(agreeing.at_turn(state, move), move) or wrong


def _agreed_refusal(state: State, move: Placed) -> Refusal | None:
    if state.phase is Phase.OVER:
        return Refusal("over")
    return agreeing.refusal(state, move) or placing.refusal(agreeing.at_turn(state, move), move, agreed=True)


def _phase_refusal(state: State, move: Move) -> Refusal | None:
    waits_for = {Phase.PLACE: Placed, Phase.SWAP: Swapped, Phase.DEAL: Dealt, Phase.TURN_OVER: TurnedOver}
    if state.phase == Phase.OVER:
        return Refusal("over")
    if not isinstance(move, waits_for[state.phase]):
        return Refusal(f"{state.phase}_first", {"seat": state.turn})
    if isinstance(move, Placed | Swapped) and move.seat != state.turn:
        return Refusal("turn", {"seat": state.turn}, about_turns=True)
    return None


def legal_moves(state: State) -> Iterator[Move]:
    """The moves that are allowed now, one at a time.

    Of the deals only the unseen one is listed. Grids to turn over are all listed, but they are too many to exhaust.
    """
    match state.phase:
        case Phase.PLACE:
            yield from placing.legal_moves(state)
        case Phase.SWAP:
            yield from swapping.legal_moves(state)
        case Phase.DEAL:
            yield dealing.unseen(state)
        case Phase.TURN_OVER:
            yield from turning.legal_moves(state)


def apply(state: State, move: Move, agreed: bool = False) -> tuple[State, tuple[Event, ...]]:
    """The state after the move, and what the move meant. Raises: IllegalMove."""
    if wrong := refusal(state, move, agreed):
        raise IllegalMove(wrong)
    if agreed and isinstance(move, Placed):
        state = agreeing.at_turn(state, move)
    return apply_legal(state, move)


def score(state: State) -> tuple[ScoreSheet, ...]:
    """A sheet for each finished round; in a tournament the standing comes last."""
    setup, sheets = state.setup, round_sheets(state)
    if setup.rounds > 1:
        return (*sheets, standing(setup, sheets))
    return sheets or (ScoreSheet(FIRST_ROUND, setup.seats, lower_wins="D" in setup.variants),)
