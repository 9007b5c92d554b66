"""Six-sided dice on any table: the number on each top face, or a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.language import _
from companion.sight import Outcome, Point
from vision.dicemap import DiceFinder, Face

CLEAR_CONFIDENCE = 0.9
SURELY_A_DIE, PERHAPS_A_DIE = 0.6, 0.35
"""How likely a top face must be to be read, and to be asked about."""
BESIDE = 1.3
"""What is perhaps a die, so near to a sure one in sides of it, is a side face of that one."""
MIN_FACE = 0.4
"""Dice of one photograph are about as large as each other: what is smaller than this share of the largest is none."""

Image = NDArray[np.uint8]
_Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its value, its top face's corners in pixels of the picture, and how likely the value is right."""

    value: int
    corners: _Corners
    confidence: float

    @property
    def centre(self) -> Point:
        """The middle of the top face."""
        return sum(x for x, _y in self.corners) / 4, sum(y for _x, y in self.corners) / 4


@dataclass(frozen=True, slots=True)
class DieReading:
    """All dice of a picture, from left to right; `reason` is one sentence when the outcome is not `CLEAR`."""

    outcome: Outcome
    dice: tuple[Die, ...]
    reason: str | None = None

    @property
    def values(self) -> tuple[int, ...]:
        """What the dice show, from left to right."""
        return tuple(die.value for die in self.dice)


@cache
def _finder() -> DiceFinder:
    return DiceFinder()


def read(image: Image) -> DieReading:
    """Read the dice of a photograph: (H, W, 3) uint8, BGR, upright.

    Raises:
        ModelError: the dice finder's network is missing or damaged.
    """
    return judge(_finder().faces(image))


def judge(faces: list[Face]) -> DieReading:
    """What the faces of a picture, the likeliest first, come to."""
    sure = [face for face in faces if face.chance >= SURELY_A_DIE]
    largest = max((face.side for face in sure), default=0.0)
    sure = [face for face in sure if face.side >= MIN_FACE * largest]
    perhaps = [face for face in faces if PERHAPS_A_DIE <= face.chance < SURELY_A_DIE]
    perhaps = [face for face in perhaps if face.side >= MIN_FACE * largest and not _beside(face, sure)]
    known = [face for face in sure + perhaps if int(np.argmax(face.shows)) > 0]
    overlooked = any(int(np.argmax(face.shows)) == 0 for face in sure)
    dice = tuple(sorted((_die(face) for face in known), key=lambda die: die.centre))
    if not dice:
        return DieReading(
            Outcome.UNREADABLE, (), _("No die is seen; take the photograph from closer, or type the number.")
        )
    if min(die.confidence for die in dice) < CLEAR_CONFIDENCE:
        return DieReading(Outcome.ASK, dice, _("A die is not sure; look at it and type its number."))
    if overlooked:
        return DieReading(
            Outcome.ASK, dice, _("Something beside the dice could not be read; check that none is missing.")
        )
    return DieReading(Outcome.CLEAR, dice)


def _beside(face: Face, sure: list[Face]) -> bool:
    return any(np.hypot(face.x - other.x, face.y - other.y) < BESIDE * other.side for other in sure)


def _die(face: Face) -> Die:
    value = 1 + int(np.argmax(face.shows[1:]))
    reach = face.side / np.sqrt(2)
    ways = face.turn + np.pi / 4 + np.pi / 2 * np.arange(4)
    corners = [(float(face.x + reach * np.cos(way)), float(face.y + reach * np.sin(way))) for way in ways]
    confidence = face.shows[value] * (1.0 if face.chance >= SURELY_A_DIE else face.chance)
    return Die(value, (corners[0], corners[1], corners[2], corners[3]), confidence)
