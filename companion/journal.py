"""The history of one play: what was put in, never what came out of it. The state is a fold over the entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Generic, TypeVar

from companion.entries import MOST_POINTS, Adjusted, Amended, Entry, Played, Undone
from companion.rules import SEAT_LETTERS, Event, IllegalMove, Refusal, Rules, Seat, write_seat
from companion.score import ScoreLine, ScoreSheet
from companion.wording import listed

__all__ = [
    "Adjusted", "Amended", "Entry", "Journal", "Played", "Refused", "Replay", "Standing", "Step", "TakenBack", "Undone",
    "following", "gathered", "refusal", "replay", "sheets", "stand", "standing_before",
]  # fmt: skip

MoveT = TypeVar("MoveT")
StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")


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
class Step(Generic[StateT, MoveT]):
    """The state after an entry that holds, and what that entry alone has brought.

    `number` is the entry's, from 0; the step before the first entry has -1 and no entry. `put_in` are the numbers of
    all entries whose time is this step's: more than one when it was taken back and put in again. `waited_for` are the
    seats that were at turn before it, and whose time that is. `waived` is the rule that was broken by agreement.
    """

    state: StateT
    events: tuple[Event, ...] = ()
    entry: Played[MoveT] | Adjusted | None = None
    number: int = -1
    put_in: tuple[int, ...] = ()
    waited_for: tuple[Seat, ...] = ()
    waived: Refusal | None = None

    @property
    def adjusted(self) -> Adjusted | None:
        """How the table has overruled the program, if that is what it did."""
        return self.entry if isinstance(self.entry, Adjusted) else None


@dataclass(frozen=True, slots=True)
class TakenBack(Generic[MoveT]):
    """An entry that was undone, and the numbers of the entries whose time it had."""

    entry: Entry[MoveT]
    put_in: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Amendment(Generic[StateT, MoveT]):
    """An amendment that holds, and the steps before it."""

    entry: Amended[MoveT]
    before: tuple[Step[StateT, MoveT], ...]


@dataclass(frozen=True, slots=True)
class Standing(Generic[StateT, MoveT]):
    """Where a play stands after `revision` entries: a stack of steps that undo shortens.

    `taken_back` holds what was undone and could be put in again, the next one last.
    """

    steps: tuple[Step[StateT, MoveT], ...]
    taken_back: tuple[TakenBack[MoveT], ...] = ()
    revision: int = 0
    amendments: tuple[Amendment[StateT, MoveT], ...] = ()

    @property
    def state(self) -> StateT:
        """The state now."""
        return self.steps[-1].state

    @property
    def undoable(self) -> int:
        """How many entries can be taken back."""
        return len(self.steps) - 1 + len(self.amendments)

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
        case Played(move, agreed):
            return rules.refusal(standing.state, move, agreed)
        case Amended():
            steps = _amended(rules, standing, entry)
            return steps if isinstance(steps, Refusal) else None
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
    # What is put in again is still to be had in part; anything else is another course of the play.
    again = next((last for last in standing.taken_back[-1:] if last.entry == entry), None)
    left = standing.taken_back[:-1] if again else ()
    put_in = (*again.put_in, number) if again else (number,)
    at_turn = rules.to_act(standing.state)
    match entry:
        case Undone():
            return _taken_back(standing)
        case Amended():
            steps = _amended(rules, standing, entry)
            if isinstance(steps, Refusal):
                raise IllegalMove(steps)
            amendments = (*standing.amendments, Amendment(entry, standing.steps))
            return Standing(steps, left, number + 1, amendments)
        case Adjusted():
            step: Step[StateT, MoveT] = Step(standing.state, (), entry, number, put_in, at_turn)
        case Played(move, agreed):
            waived = rules.refusal(standing.state, move) if agreed else None
            state, events = rules.apply(standing.state, move, agreed)
            step = Step(state, events, entry, number, put_in, at_turn, waived)
    return Standing((*standing.steps, step), left, number + 1, standing.amendments)


def _taken_back(standing: Standing[StateT, MoveT]) -> Standing[StateT, MoveT]:
    """One entry less: the last one that holds, be it a step or an amendment of several."""
    last, amendments = standing.steps[-1], standing.amendments
    if amendments and len(amendments[-1].before) == len(standing.steps):
        taken = TakenBack(amendments[-1].entry)
        steps, amendments = amendments[-1].before, amendments[:-1]
    elif last.entry is None:
        raise IllegalMove(Refusal("nothing_to_undo"))
    else:
        taken, steps = TakenBack(last.entry, last.put_in), standing.steps[:-1]
    return Standing(steps, (*standing.taken_back, taken), standing.revision + 1, amendments)


def _amended(
    rules: Rules[SetupT, StateT, MoveT], standing: Standing[StateT, MoveT], amended: Amended[MoveT]
) -> tuple[Step[StateT, MoveT], ...] | Refusal:
    """The steps with the other move, or why they cannot hold."""
    first = amended.position + 1
    if first not in range(1, len(standing.steps)) or not isinstance(standing.steps[first].entry, Played):
        return Refusal("nothing_to_amend")
    other = replace(standing.steps[first], entry=Played(amended.move, amended.agreed))
    steps = list(standing.steps[:first])
    for old in (other, *standing.steps[first + 1 :]):
        state = steps[-1].state
        if not isinstance(old.entry, Played):
            steps.append(replace(old, state=state))
            continue
        move, why = old.entry.move, rules.refusal(state, old.entry.move)
        agreed = amended.agreed or old.entry.agreed or (old is not other and why is not None and why.about_turns)
        if wrong := rules.refusal(state, move, agreed):
            return wrong
        state, events = rules.apply(state, move, agreed)
        steps.append(replace(old, state=state, events=events, waived=why))
    return tuple(steps)


def gathered(steps: Iterable[Step[StateT, MoveT]]) -> Iterator[tuple[Step[StateT, MoveT], ...]]:
    """The steps in order, each by itself; adjustments of one seat for one reason in a row are together."""

    def told_together(step: Step[StateT, MoveT]) -> tuple[int, str] | int:
        return (step.adjusted.seat, step.adjusted.reason) if step.adjusted else step.number

    return (tuple(group) for _, group in groupby(steps, told_together))


def sheets(rules: Rules[SetupT, StateT, MoveT], standing: Standing[StateT, MoveT]) -> tuple[ScoreSheet, ...]:
    """The game's score sheets, the last one with all adjustments, those that are `gathered` as one line."""
    *earlier, result = rules.score(standing.state)
    lines = (_adjusted_line(group) for group in gathered(step for step in standing.steps if step.entry is not None))
    return (*earlier, result.with_lines(line for line in lines if line is not None))


def _adjusted_line(group: tuple[Step[StateT, MoveT], ...]) -> ScoreLine | None:
    adjusted = [step.adjusted for step in group if step.adjusted is not None]
    if not adjusted:
        return None
    points = sum(each.points for each in adjusted)
    return ScoreLine(adjusted[0].seat, points, "adjusted", {"reason": adjusted[0].reason})


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
