"""Casa Grande's rules: the functions of `companion.rules.Rules`.

Source: rule digest, all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.errors import SetupError
from companion.games.casa_grande import building, floors, scoring
from companion.games.casa_grande.course import apply_legal
from companion.games.casa_grande.moves import Built, Done, Floored, Move, Rolled, Stepped, read, write
from companion.games.casa_grande.setup import Setup, problems, read_setup, write_setup
from companion.games.casa_grande.state import FIRST_BONUS, Phase, Player, State
from companion.rules import Event, IllegalMove, Refusal, Seat
from companion.score import ScoreSheet

__all__ = [
    "apply", "legal_moves", "new", "read", "read_setup", "refusal", "rematch", "roll", "score", "seats", "to_act",
    "write", "write_setup",
]  # fmt: skip

PIPS = range(1, 7)

_WAITS_FOR = {
    Phase.ROLL: (Rolled,),
    Phase.STEP: (Stepped,),
    Phase.BLOCK: (Built,),
    Phase.FLOOR: (Floored, Done),
    Phase.OVER: (),
}


def new(setup: Setup) -> State:
    """The state before the first roll. Raises: SetupError, naming everything that is wrong."""
    if found := problems(setup):
        raise SetupError(found)
    platforms = tuple(piece.count for piece in setup.pieces)
    players = tuple(
        Player(seat, space, FIRST_BONUS, 0, setup.blocks, platforms)
        for seat, space in zip(setup.seats, setup.corners, strict=True)
    )
    return State(setup, Phase.ROLL, setup.first, players)


def seats(setup: Setup) -> tuple[Seat, ...]:
    """The seats that take part, clockwise."""
    return setup.seats


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat at turn, which also rolls; none when the play is over."""
    return () if state.phase is Phase.OVER else (state.turn,)


def refusal(state: State, move: Move, agreed: bool = False) -> Refusal | None:
    """Why the move is not allowed now, or None. The only place where that is decided."""
    if state.phase is Phase.OVER:
        return Refusal("over")
    if move.seat not in state.setup.seats:
        return Refusal("no_such_seat_here", {"players": state.setup.players})
    if not isinstance(move, _WAITS_FOR[state.phase]):
        return Refusal(f"{state.phase}_first", {"seat": state.turn})
    if move.seat != state.turn:
        return Refusal("turn", {"seat": state.turn})
    match move:
        case Rolled(_, pips):
            return None if pips in PIPS else Refusal("pips", {"pips": pips})
        case Stepped(seat, bought):
            points = state.player(seat).bonus
            return (
                None if 0 <= bought <= points else Refusal("points", {"seat": seat, "bought": bought, "points": points})
            )
        case Built():
            return building.refusal(state, move, agreed)
        case Floored():
            return floors.refusal(state, move, agreed)
        case Done():
            return None


def legal_moves(state: State) -> Iterator[Move]:
    """The moves that are allowed now, one at a time."""
    seat = state.turn
    match state.phase:
        case Phase.ROLL:
            yield from (Rolled(seat, pips) for pips in PIPS)
        case Phase.STEP:
            yield from (Stepped(seat, bought) for bought in range(state.player(seat).bonus + 1))
        case Phase.BLOCK:
            yield from building.legal_moves(state, seat)
        case Phase.FLOOR:
            yield Done(seat)
            yield from floors.legal_moves(state, seat)
        case Phase.OVER:
            return


def apply(state: State, move: Move, agreed: bool = False) -> tuple[State, tuple[Event, ...]]:
    """The state after the move, and what the move meant. Raises: IllegalMove."""
    if wrong := refusal(state, move, agreed):
        raise IllegalMove(wrong)
    return apply_legal(state, move)


def score(state: State) -> tuple[ScoreSheet, ...]:
    """One sheet: every payment so far; the bonus scale breaks ties."""
    return (scoring.sheet(state),)


def roll(state: State, pips: int) -> Rolled | None:
    """The roll that the table waits for, or None."""
    return Rolled(state.turn, pips) if state.phase is Phase.ROLL else None


def rematch(state: State, _winners: tuple[Seat, ...]) -> Setup:
    """The same people again; the next seat clockwise begins, for the rules say nothing of it."""
    return replace(state.setup, first=(state.setup.first + 1) % state.setup.players)
