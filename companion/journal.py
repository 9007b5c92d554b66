"""The history of one play: what was put in, never what came out of it. The state is a fold over the entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from companion.rules import SEAT_LETTERS, Event, Refusal, Rules, Seat, write_seat
from companion.score import ScoreLine, ScoreSheet
from companion.wording import listed

MoveT = TypeVar("MoveT")
StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")

MOST_POINTS = 10**12 - 1
"""By which an adjustment may change a result: a journal's line has twelve digits for it."""


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
class Step(Generic[StateT]):
    """The state after an entry that holds, and what that entry alone has brought.

    `number` is the entry's, from 0; the step before the first entry has -1.
    """

    state: StateT
    events: tuple[Event, ...] = ()
    adjusted: Adjusted | None = None
    number: int = -1


@dataclass(frozen=True, slots=True)
class Standing(Generic[StateT, MoveT]):
    """Where a play stands after `revision` entries: a stack of steps that undo shortens.

    `taken_back` holds what was undone and could be put in again, the next one last.
    """

    steps: tuple[Step[StateT], ...]
    taken_back: tuple[Entry[MoveT], ...] = ()
    revision: int = 0

    @property
    def state(self) -> StateT:
        """The state now."""
        return self.steps[-1].state

    @property
    def undoable(self) -> int:
        """How many entries can be taken back."""
        return len(self.steps) - 1

    @property
    def events(self) -> tuple[Event, ...]:
        """What all that holds has meant."""
        return tuple(event for step in self.steps for event in step.events)


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


def standing_before(rules: Rules[SetupT, StateT, MoveT], setup: SetupT) -> Standing[StateT, MoveT]:
    """Where a play stands before its first entry. Raises: SetupError."""
    return Standing((Step(rules.new(setup)),))


def refusal(
    rules: Rules[SetupT, StateT, MoveT], setup: SetupT, standing: Standing[StateT, MoveT], entry: Entry[MoveT]
) -> Refusal | None:
    """Why the entry cannot follow, or None."""
    match entry:
        case Played(move):
            return rules.refusal(standing.state, move)
        case Undone():
            return None if standing.undoable else Refusal("nothing_to_undo")
        case Adjusted(seat, points):
            seats = rules.seats(setup)
            if seat not in seats:
                letter = write_seat(seat) if seat in range(len(SEAT_LETTERS)) else str(seat)
                return Refusal("no_such_seat", {"letter": letter, "seats": listed(tuple(map(write_seat, seats)))})
            return None if abs(points) <= MOST_POINTS else Refusal("too_many_points", {"most": MOST_POINTS})


def following(
    rules: Rules[SetupT, StateT, MoveT], journal: Journal[SetupT, MoveT], standing: Standing[StateT, MoveT]
) -> Standing[StateT, MoveT]:
    """Where the play stands after the next entry of its journal, which is not refused."""
    number = standing.revision
    entry = journal.entries[number]
    match entry:
        case Undone():
            taken = journal.entries[standing.steps[-1].number]
            return Standing(standing.steps[:-1], (*standing.taken_back, taken), number + 1)
        case Adjusted():
            step = Step(standing.state, adjusted=entry, number=number)
        case Played(move):
            step = Step(*rules.apply(standing.state, move), number=number)
    # What is put in again is still to be had in part; anything else is another course of the play.
    again = standing.taken_back[-1:] == (entry,)
    return Standing((*standing.steps, step), standing.taken_back[:-1] if again else (), number + 1)


def sheets(rules: Rules[SetupT, StateT, MoveT], standing: Standing[StateT, MoveT]) -> tuple[ScoreSheet, ...]:
    """The game's score sheets, the last one with all adjustments."""
    *earlier, result = rules.score(standing.state)
    adjusted = (step.adjusted for step in standing.steps if step.adjusted)
    lines = (ScoreLine(each.seat, each.points, "adjusted", {"reason": each.reason}) for each in adjusted)
    return (*earlier, result.with_lines(lines))


def replay(rules: Rules[SetupT, StateT, MoveT], journal: Journal[SetupT, MoveT]) -> Replay[StateT]:
    """Fold the entries into a state. Raises: SetupError."""
    standing, refused = stand(rules, journal)
    return Replay(standing.state, sheets(rules, standing), standing.events, refused)


def stand(
    rules: Rules[SetupT, StateT, MoveT],
    journal: Journal[SetupT, MoveT],
    standing: Standing[StateT, MoveT] | None = None,
) -> tuple[Standing[StateT, MoveT], Refused | None]:
    """Where the play stands after all entries, or before the first refused one; `standing` is where to go on from.

    Raises: SetupError.
    """
    standing = standing or standing_before(rules, journal.setup)
    for number in range(standing.revision, journal.revision):
        wrong = refusal(rules, journal.setup, standing, journal.entries[number])
        if wrong is not None:
            return standing, Refused(number, wrong)
        standing = following(rules, journal, standing)
    return standing, None
