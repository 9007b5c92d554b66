"""How long a play takes. Time comes in as a `Moment`; nothing here looks at a clock.

Durations count on the monotonic clock, so that a wall clock that jumps does no harm; the wall clock only dates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from companion.journal import Standing
from companion.kept import Kept
from companion.rules import Seat


@dataclass(frozen=True, slots=True)
class Moment:
    """Now: seconds of a clock that never goes back, and the date and time of day with its time zone."""

    monotonic_s: float
    wall: datetime


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Active time since the last entry. It runs since `since_s`, or stands while that is None."""

    since_s: float | None
    before_s: float = 0.0

    def seconds(self, now: Moment) -> float:
        """Active seconds until now."""
        return self.before_s if self.since_s is None else self.before_s + max(0.0, now.monotonic_s - self.since_s)

    def stopped(self, now: Moment) -> Stopwatch:
        """It stands from now on."""
        return Stopwatch(None, self.seconds(now))

    def started(self, now: Moment) -> Stopwatch:
        """It runs from now on, where it stood."""
        return Stopwatch(now.monotonic_s, self.before_s) if self.since_s is None else self


@dataclass(frozen=True, slots=True)
class Times:
    """What the clocks of a play show, in seconds.

    `play_s` is all active time, with what went into turns that were undone. `seat_s` is each seat's own, without it:
    an undone turn gives its time back. `turn_s` is the present turn's. None of them runs while `paused`, nor while a
    question about a move waits for its answer. `left_s` is what is left of the present turn's limit, down to 0; None
    where there is no limit, or while nobody is at turn.
    """

    play_s: float
    seat_s: dict[int, float]
    turn_s: float
    paused: bool
    left_s: float | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """What the clocks showed at the last entry, and whose run on from there."""

    play_s: float
    seat_s: Mapping[Seat, float]
    turn_s: float
    acting: tuple[Seat, ...]

    def at(self, watch: Stopwatch, now: Moment, limit_s: float = 0.0, *, paused: bool = False) -> Times:
        """What they show now; a turn's limit of 0 is none. `paused`: people have stopped them."""
        running = watch.seconds(now)
        seat_s = {seat: spent + running * (seat in self.acting) for seat, spent in self.seat_s.items()}
        turn_s = self.turn_s + running
        left_s = max(0.0, limit_s - turn_s) if limit_s and self.acting else None
        return Times(self.play_s + running, seat_s, turn_s, paused, left_s)


def counted(
    seats: Sequence[Seat],
    acting: tuple[Seat, ...],
    standing: Standing[Any, Any],
    kept: Sequence[Kept[Any]],
) -> Counted:
    """The clocks at the last entry. `acting` is whose time runs on; `kept` are all entries of the journal."""
    spent = {step.number: sum(kept[number].spent_s for number in step.put_in) for step in standing.steps}
    seat_s = dict.fromkeys(seats, 0.0)
    for step in standing.steps:
        for seat in step.waited_for:
            seat_s[seat] += spent[step.number]
    this_turn = takewhile(lambda step: step.number >= 0 and step.waited_for == acting, reversed(standing.steps))
    turn_s = sum((spent[step.number] for step in this_turn), 0.0)
    return Counted(sum(each.spent_s for each in kept), seat_s, turn_s, acting)
