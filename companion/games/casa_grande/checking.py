"""A whole turn played at once, and held against what somebody wrote of it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.casa_grande import rules
from companion.games.casa_grande.board import is_corner
from companion.games.casa_grande.moves import Built, Floored, Move, Stepped
from companion.games.casa_grande.state import Phase, State
from companion.rules import Event, Refusal, Seat


@dataclass(frozen=True, slots=True)
class Stated:
    """What was written of a turn; None where nothing was.

    `compensated` is the seat and its points, or () where nobody was; `bonus` and `lire` are all seats' after the turn.
    """

    stays: bool = False
    block_level: int | None = None
    floor_level: int | None = None
    pay: int | None = None
    compensated: tuple[Seat, int] | tuple[()] | None = None
    bonus: tuple[int, ...] | None = None
    lire: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Meant:
    """What a turn came to: its pay for a platform, and who was compensated with how many points."""

    pay: int = 0
    compensated: tuple[Seat, int] | tuple[()] = ()


def play(
    state: State, seat: Seat, moves: tuple[Move, ...], stated: Stated
) -> tuple[State, tuple[Event, ...], Refusal | None]:
    """The state after a turn and what it meant, or why it is refused, be it by a rule or by what was written of it."""
    before = state
    told: list[Event] = []
    for move in moves:
        if refused := _course_refusal(state, before, move) or rules.refusal(state, move):
            return state, tuple(told), refused
        state, events = rules.apply(state, move)
        told += events
        if refused := _level_refusal(state, move, stated):
            return state, tuple(told), refused
    refused = _end_refusal(state, before, seat, stated) or _sums_refusal(state, meant(tuple(told)), stated)
    return state, tuple(told), refused


def meant(events: tuple[Event, ...]) -> Meant:
    """What the events of one turn came to."""
    pay = sum(int(event.facts["lire"]) for event in events if event.name == "floored")
    compensated: tuple[Seat, int] | tuple[()] = ()
    for event in events:
        if event.name == "compensated":
            compensated = int(event.facts["seat"]), int(event.facts["points"])
    return Meant(pay, compensated)


def _course_refusal(state: State, before: State, move: Move) -> Refusal | None:
    """A turn that ended on a corner goes no further, whatever was written."""
    if state.turns == before.turns:
        return None
    return None if isinstance(move, Stepped) else Refusal("corner_ends", {"seat": move.seat})


def _level_refusal(state: State, move: Move, stated: Stated) -> Refusal | None:
    match move:
        case Built(seat, plot) if stated.block_level is not None:
            top = state.top(plot)
            is_level, said = top.level if top else 0, stated.block_level
        case Floored(seat, _, squares) if stated.floor_level is not None:
            plot, is_level, said = squares[0], state.floors[-1].level, stated.floor_level
        case _:
            return None
    facts = {"seat": seat, "row": plot[0], "column": plot[1], "level": is_level, "said": said}
    return None if is_level == said else Refusal("said_level", facts, (plot,))


def _end_refusal(state: State, before: State, seat: Seat, stated: Stated) -> Refusal | None:
    if stated.stays and not is_corner(state.player(seat).space):
        return Refusal("stays_off_corner", {"seat": seat})
    if state.turns == before.turns and state.phase is not Phase.OVER:
        return Refusal(f"{state.phase}_first", {"seat": seat})
    return None


def _sums_refusal(state: State, came_to: Meant, stated: Stated) -> Refusal | None:
    if stated.pay is not None and stated.pay != came_to.pay:
        return Refusal("said_pay", {"lire": came_to.pay, "said": stated.pay})
    if stated.compensated is not None and stated.compensated != came_to.compensated:
        return _compensation(came_to.compensated, stated.compensated)
    for player in state.players:
        if stated.bonus is not None and stated.bonus[player.seat] != player.bonus:
            facts = {"seat": player.seat, "points": player.bonus, "said": stated.bonus[player.seat]}
            return Refusal("said_bonus", facts)
        if stated.lire is not None and stated.lire[player.seat] != player.lire:
            return Refusal("said_lire", {"seat": player.seat, "lire": player.lire, "said": stated.lire[player.seat]})
    return None


def _compensation(is_due: tuple[Seat, int] | tuple[()], said: tuple[Seat, int] | tuple[()]) -> Refusal:
    if is_due:
        seat, points = is_due
        return Refusal("said_compensation", {"seat": seat, "points": points})
    return Refusal("said_none_due", {"seat": said[0] if said else 0})
