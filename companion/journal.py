"""The history of one play: what was put in, never what came out of it. The state is a fold over the entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from companion.rules import Event, Refusal, Rules, Seat, write_seat
from companion.score import ScoreLine, ScoreSheet
from companion.wording import listed

MoveT = TypeVar("MoveT")
StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")


# Python 3.11 and 3.12 cannot make a frozen, slotted, generic dataclass through a subscript: write Played(move), never
# Played[Move](move).
@dataclass(frozen=True, slots=True)
class Played(Generic[MoveT]):
    """A move was made at the table."""

    move: MoveT


@dataclass(frozen=True, slots=True)
class Undone:
    """The last entry that still holds was taken back."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The table overrules the program: a seat's result is changed by so many points."""

    seat: Seat
    points: int
    reason: str


Entry = Played[MoveT] | Undone | Adjusted


@dataclass(frozen=True, slots=True)
class Journal(Generic[SetupT, MoveT]):
    """One play of a game. `names` maps seats to players' names; a seat without one goes by its letter."""

    game: str
    setup: SetupT
    names: Mapping[Seat, str] = field(default_factory=dict)
    entries: tuple[Entry[MoveT], ...] = ()

    @property
    def revision(self) -> int:
        """How many entries the journal has."""
        return len(self.entries)


@dataclass(frozen=True, slots=True)
class Refused:
    """The first entry that cannot hold, counted from 0, and why."""

    entry: int
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Replay(Generic[StateT]):
    """Where a play stands after its journal, or before the first refused entry.

    `sheets` are the game's, the last one with all adjustments; `events` tell what the moves that hold have meant.
    """

    state: StateT
    sheets: tuple[ScoreSheet, ...]
    events: tuple[Event, ...]
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class _Step(Generic[StateT]):
    """The state after an entry, and what that entry alone has brought; undo drops the step."""

    state: StateT
    events: tuple[Event, ...] = ()
    adjusted: Adjusted | None = None


def replay(rules: Rules[SetupT, StateT, MoveT], journal: Journal[SetupT, MoveT]) -> Replay[StateT]:
    """Fold the entries into a state. Raises: SetupError."""
    seats = rules.seats(journal.setup)
    steps: list[_Step[StateT]] = [_Step(rules.new(journal.setup))]
    refused = None
    for number, entry in enumerate(journal.entries):
        refusal = _entry_refusal(rules, seats, steps, entry)
        if refusal is not None:
            refused = Refused(number, refusal)
            break
        if isinstance(entry, Undone):
            steps.pop()
        else:
            steps.append(_following(rules, steps[-1].state, entry))
    state = steps[-1].state
    *earlier, result = rules.score(state)
    adjusted = result.with_lines(
        ScoreLine(step.adjusted.seat, step.adjusted.points, "adjusted", {"reason": step.adjusted.reason})
        for step in steps
        if step.adjusted
    )
    events = tuple(event for step in steps for event in step.events)
    return Replay(state, (*earlier, adjusted), events, refused)


def _entry_refusal(
    rules: Rules[SetupT, StateT, MoveT], seats: tuple[Seat, ...], steps: list[_Step[StateT]], entry: Entry[MoveT]
) -> Refusal | None:
    match entry:
        case Played(move):
            return rules.refusal(steps[-1].state, move)
        case Undone():
            return Refusal("nothing_to_undo") if len(steps) == 1 else None
        case Adjusted(seat):
            letters = listed(tuple(map(write_seat, seats)))
            return None if seat in seats else Refusal("no_such_seat", {"letter": write_seat(seat), "seats": letters})


def _following(rules: Rules[SetupT, StateT, MoveT], state: StateT, entry: Played[MoveT] | Adjusted) -> _Step[StateT]:
    if isinstance(entry, Adjusted):
        return _Step(state, adjusted=entry)
    return _Step(*rules.apply(state, entry.move))
