"""Six-sided dice on any table: the pips of each top face, or a question."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sight import Outcome, Point
from vision import bodies
from vision.facecheck import Evidence, one, weigh
from vision.pipfaces import Face, candidates
from vision.pips import MAX_PIPS, Image, Pip, find, sample

LONG_SIDE_PX = 1280
"""Photographs are looked at in this size: the pips of a die of a fiftieth of the picture are still seen."""

MIN_DIE_CONFIDENCE = 0.3
CLEAR_CONFIDENCE = 0.8
RIGHT_ANGLE = 1.15
"""Two faces of one die: the squares of their aspects add up to no more than 1, and a little for measuring."""

LONE_CONTRAST = 40
MAX_LONE = 6
SIZE_RANGE = 1.6
"""Dice of one photograph are about as large as each other."""

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
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4


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


def read(image: Image) -> DieReading:
    """Read the dice of a photograph: (H, W, 3) uint8, BGR, upright."""
    scale = LONG_SIDE_PX / max(image.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    pips = find(picture)
    faces = _faces(picture, pips)
    empty = bodies.table(picture)
    overlooked = _overlooked(picture, empty, faces) or _lone_pips(empty, pips, faces)
    dice = sorted((_die(face, confidence, scale) for face, confidence in faces), key=lambda die: die.centre)
    return _judge(tuple(dice), overlooked, crowded=len(pips) == MAX_PIPS)


def _judge(dice: tuple[Die, ...], overlooked: bool, *, crowded: bool) -> DieReading:
    if not dice:
        return DieReading(
            Outcome.UNREADABLE, (), "No die is seen; take the photograph from closer, or type the number."
        )
    if min(die.confidence for die in dice) < CLEAR_CONFIDENCE:
        return DieReading(Outcome.ASK, dice, "A die is not sure; look at it and type its number.")
    if crowded:
        return DieReading(Outcome.ASK, dice, "The table has too many spots; lay the dice on a plainer place.")
    if overlooked:
        return DieReading(Outcome.ASK, dice, "Something beside the dice could not be read; check that none is missing.")
    return DieReading(Outcome.CLEAR, dice)


def _overlooked(picture: Image, empty: Image, faces: list[tuple[Face, float]]) -> bool:
    """Whether something of a die's size lies on a plain table and was not read."""
    if not faces:
        return False
    die_area = float(np.median([face.side**2 for face, _ in faces]))
    for body in bodies.find(picture, empty):
        read_here = sum(body.holds(*face.centre) for face, _ in faces)
        unread = read_here == 0 and body.compact and 0.35 * die_area < body.area < 2.6 * die_area
        # A stripe of the table that passes under a die is no heap of dice.
        stripe = max(body.box[2:]) > 0.5 * min(picture.shape[:2])
        if unread or (read_here > 0 and not stripe and body.area > (1.7 * read_here + 1.3) * die_area):
            return True
    return False


def _lone_pips(empty: Image, pips: list[Pip], faces: list[tuple[Face, float]]) -> bool:
    """Whether spots like the pips that were read lie away from every die.

    Many of them are the table's own pattern, unless they stand on something other than the table.
    """
    if not faces:
        return False
    own = [pips[index] for face, _ in faces for index in face.pips]
    low, high = 0.75 * min(pip.diameter for pip in own), 1.3 * max(pip.diameter for pip in own)
    lone, on_a_body = 0, 0
    for pip in pips:
        away = all(np.linalg.norm(pip.centre - face.centre) > 1.05 * face.side for face, _ in faces)
        fits = low < pip.diameter < high and pip.aspect > 0.75 and pip.contrast > LONE_CONTRAST
        if away and fits and _like_any(pip, own):
            here = sample(empty, pip.centre[:, None] / bodies.SHRINK)[0]
            lone += 1
            on_a_body += bool(np.abs(pip.body - here).max() > LONE_CONTRAST)
    return on_a_body > 0 or 0 < lone <= MAX_LONE


def _like_any(pip: Pip, own: list[Pip]) -> bool:
    return any(np.abs(pip.colour - other.colour).max() < 50 for other in own)


def _die(face: Face, confidence: float, scale: float) -> Die:
    corners = [(float(x) / scale, float(y) / scale) for x, y in face.corners]
    return Die(face.value, (corners[0], corners[1], corners[2], corners[3]), confidence)


def _faces(picture: Image, pips: list[Pip]) -> list[tuple[Face, float]]:
    """The faces that explain the most pips, each pip in one face, and how sure each is."""
    found = [(face, weigh(picture, face, pips)) for face in candidates(pips)]
    ranked = sorted(((face, _confidence(seen)) for face, seen in found), key=_rank, reverse=True)
    chosen: list[tuple[Face, float]] = []
    for face, confidence in ranked:
        if confidence > MIN_DIE_CONFIDENCE and not any(_overlap(face, other) for other, _ in chosen):
            chosen.append((face, confidence))
    used = {index for face, _ in chosen for index in face.pips}
    for index in range(len(pips)):
        single = None if index in used else one(picture, pips, index)
        if single is None:
            continue
        confidence = _confidence(weigh(picture, single, pips))
        if confidence > MIN_DIE_CONFIDENCE and not any(_overlap(single, other) for other, _ in chosen):
            chosen.append((single, confidence))
    return _tops(_of_one_size(chosen))


def _of_one_size(faces: list[tuple[Face, float]]) -> list[tuple[Face, float]]:
    """Without doubtful faces that are much smaller or larger than every sure one: letters, coins, stains."""
    sides = [face.side for face, confidence in faces if confidence >= CLEAR_CONFIDENCE]
    if not sides:
        return faces
    low, high = min(sides) / SIZE_RANGE, max(sides) * SIZE_RANGE
    return [(face, sure) for face, sure in faces if sure >= CLEAR_CONFIDENCE or low < face.side < high]


def _tops(faces: list[tuple[Face, float]]) -> list[tuple[Face, float]]:
    """Without side faces: of two neighbours at a right angle, the one that is seen more squarely is the top.

    Neighbours that are seen about as squarely as each other are both doubtful.
    """
    sure = {id(face): confidence for face, confidence in faces}
    for face, _ in faces:
        for other, _ in faces:
            near = np.linalg.norm(face.centre - other.centre) < 0.65 * (face.side + other.side)
            if face is other or not near or face.aspect**2 + other.aspect**2 > RIGHT_ANGLE:
                continue
            if face.aspect < other.aspect - 0.1:
                sure[id(face)] = 0.0
            elif face.aspect < other.aspect + 0.1:
                sure[id(face)] = min(sure[id(face)], 0.5)
    return [(face, sure[id(face)]) for face, _ in faces if sure[id(face)] > 0]


def _rank(candidate: tuple[Face, float]) -> float:
    face, confidence = candidate
    return (confidence >= CLEAR_CONFIDENCE) + confidence * (1 + 0.25 * face.value) / 4


def _confidence(seen: Evidence) -> float:
    """Of the weakest evidence; each is mapped to 1 where it never misleads and to 0 where it says nothing."""
    return min(
        _ramp(seen.margin, 0.1, 0.6),
        _ramp(seen.even, 0.6, 0.9),
        _ramp(seen.edges, 0.2, 0.75),
        _ramp(seen.fit, 0.4, 0.7),
        _ramp(seen.upright, 0.55, 0.8),
        seen.alone,
    )


def _ramp(value: float, low: float, high: float) -> float:
    return float(np.clip((value - low) / (high - low), 0, 1))


def _overlap(face: Face, other: Face) -> bool:
    apart = np.linalg.norm(face.centre - other.centre)
    return bool(apart < 0.45 * (face.side + other.side) * 0.9) or bool(face.pips & other.pips)
