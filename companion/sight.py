"""What was seen on a table: sightings with beliefs in, one reading out.

Nothing here knows how light becomes a belief; `vision` does. Nothing here takes an argmax: a reading keeps each
card's probabilities so that a person, or the rules, can still overrule it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

GAP = "."
"""A node of the grid where no card lies."""

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
    """

    outcome: Outcome
    rows: tuple[str, ...]
    doubtful: tuple[Spot, ...]
    sightings: tuple[Sighting, ...]
    reason: str | None = None
    finished: bool = False
