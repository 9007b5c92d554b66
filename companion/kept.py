"""What is kept of a play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from companion.journal import Entry, Journal
from companion.rules import Seat
from companion.score import ScoreSheet

MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class Kept(Generic[MoveT]):
    """An entry, when it was made, and the active seconds since the entry before; pauses do not count.

    `wall` has a time zone.
    """

    entry: Entry[MoveT]
    wall: datetime
    spent_s: float


@dataclass(frozen=True, slots=True)
class SavedPlay:
    """A play as a list of plays shows it.

    `finished` is None while it goes on; `left` says that it was laid aside and is not offered. `totals` and `ranks`
    are empty until it is finished. `play_s` is the active time, with what was undone. Dates are in UTC.
    """

    id: str
    game: str
    seats: tuple[Seat, ...]
    names: Mapping[Seat, str]
    started: datetime
    finished: datetime | None
    left: bool
    revision: int
    play_s: float
    totals: Mapping[Seat, int]
    ranks: Mapping[Seat, int]
    note: str


@dataclass(frozen=True, slots=True)
class KeptRoll:
    """A roll of the die: the play it belongs to, if any, the pips, where it came from, and when (in UTC)."""

    play: str | None
    pips: int
    source: str
    wall: datetime


@dataclass(frozen=True, slots=True)
class WholePlay:
    """All that is kept of one play, as it goes out and in. Its result is not among it: a replay makes it again."""

    id: str
    journal: Journal[Any, Any]
    kept: tuple[Kept[Any], ...]
    started: datetime
    finished: datetime | None = None
    note: str = ""
    rolls: tuple[KeptRoll, ...] = ()


class Keeping(Protocol):
    """Where entries are kept: `companion.store.Store`. Each call is on disk when it returns, or raises StoreError."""

    def append(self, play: str, number: int, kept: Sequence[Kept[Any]], result: ScoreSheet | None = None) -> None:
        """Keeps all entries or none; with a result the play is finished, without it is not (any more)."""
        ...

    def rolled(self, play: str | None, pips: int, source: str, wall: datetime) -> None:
        """Logs a roll of the die."""
        ...
