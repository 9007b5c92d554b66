"""What was seen on a table: sightings with beliefs in, one reading out.

Nothing here knows how light becomes a belief; `vision` does. Nothing here takes an argmax: a reading keeps each
card's probabilities so that a person, or the rules, can still overrule it. What the readings mean in a play is for
`companion.proposal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

MoveT = TypeVar("MoveT")

GAP = "."
"""A node of the grid where no card lies; in a belief, that no card lies there."""

UNKNOWN = "?"
"""A card whose face is not known: it lies face down, or it cannot be told."""

OTHER = "*"
"""A belief's key for "a thing that is not a face of this game" (a hand, a coin, another deck)."""

Spot = tuple[int, int]
"""(row, column), both from 0, as the seat at the picture's bottom edge reads them: top to bottom, left to right."""

Point = tuple[float, float]
"""(x, y) in pixels of the upright picture, x to the right, y down."""


class Outcome(StrEnum):
    """What a reading may be used for."""

    CLEAR = "clear"
    ASK = "ask"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card that was seen: where it lies and what it may be.

    `corners` are its four corners, clockwise in the picture from the one nearest to the grid's top left.
    `belief` maps faces (and `UNKNOWN` for a card's back, `OTHER` for no face of this game) to probabilities; sum 1.
    Where it holds `GAP`, a card may or may not lie there; that spot may lie outside the rows.
    """

    spot: Spot
    corners: tuple[Point, Point, Point, Point]
    belief: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """One photograph of a layout, read.

    `rows` hold one character a node (a face, `GAP` or `UNKNOWN`); empty when no layout was found.
    `doubtful` are the spots that a person should look at, the most doubtful first.
    `reason` is one sentence for the person when the outcome is not `CLEAR`.
    `finished` tells that these are exactly the cards of a deck in a full frame: only then is there a total.
    `origin` is the cell of the play at which the rows begin, where the reader has followed the cards; None otherwise.
    `explained` is what a reader that knows the play found to explain the picture; None when it leaves that to the game.
    """

    outcome: Outcome
    rows: tuple[str, ...]
    doubtful: tuple[Spot, ...]
    sightings: tuple[Sighting, ...]
    reason: str | None = None
    finished: bool = False
    origin: Spot | None = None
    explained: Proposal[Any] | None = None


class Match(StrEnum):
    """How a reading fits the play."""

    SETTLED = "settled"
    """The table shows what the play expects: nothing has changed."""

    CLEAR = "clear"
    """Exactly one explanation, and a sure one."""

    AMBIGUOUS = "ambiguous"
    """A few explanations, or one that is not sure."""

    UNEXPLAINED = "unexplained"
    """No move explains the spots named."""

    UNREADABLE = "unreadable"
    """The table cannot be seen."""


@dataclass(frozen=True, slots=True)
class Option(Generic[MoveT]):
    """One explanation: moves in their order of play, and the spots that they change.

    `confidence`, 0 to 1, is that of the weakest changed spot.
    """

    moves: tuple[MoveT, ...]
    confidence: float
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Proposal(Generic[MoveT]):
    """What a reading is taken to mean. Spots are the play's own.

    `options` come the likeliest first; `spots` are those to look at; `reason` is one sentence for the people at the
    table, or None.
    """

    match: Match
    options: tuple[Option[MoveT], ...] = ()
    spots: tuple[Spot, ...] = ()
    reason: str | None = None
