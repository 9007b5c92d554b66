"""Faces of dice: which pips lie on one face, how that face lies in the picture, and how well the pattern holds.

A face has its own frame: its centre is (0, 0), its corner pips are at (±1, ±1), its edges at ±2. An affine map
takes that frame to the picture; perspective within one die is too small to matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.pips import Pip, Vector

EDGE = 2.0

PLACES = np.array([(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (1, 0), (0, -1), (0, 1)], np.float64)
"""Where a pip may be: the middle, four corners, two pairs of middles of opposite sides."""

PATTERNS = {
    1: ((0,),),
    2: ((1, 3), (2, 4)),
    3: ((0, 1, 3), (0, 2, 4)),
    4: ((1, 2, 3, 4),),
    5: ((0, 1, 2, 3, 4),),
    6: ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 7, 8)),
}
"""The places of each value; a two, three or six may lie either way."""

PLACE_TOLERANCE = 0.36


@dataclass(frozen=True, slots=True)
class Face:
    """A face that shows `value`: `pips` are indices of the spots; `frame` (2, 3) maps the face's frame to the picture.

    `residual` is how far the pips lie from their places, in the face's frame.
    """

    value: int
    pips: frozenset[int]
    frame: Vector
    residual: float

    @property
    def centre(self) -> Vector:
        """Its middle (2,), in pixels."""
        return np.asarray(self.frame[:, 2])

    @property
    def corners(self) -> Vector:
        """Its four corners (4, 2), in pixels."""
        return self.at(EDGE * PLACES[1:5])

    @property
    def side(self) -> float:
        """Mean length of an edge in pixels."""
        return float(2 * EDGE * np.sqrt(abs(np.linalg.det(self.frame[:, :2]))))

    @property
    def aspect(self) -> float:
        """Smaller over larger stretch of the square; 1 is seen straight on."""
        axes = np.linalg.svd(self.frame[:, :2], compute_uv=False)
        return float(axes[1] / axes[0])

    def at(self, points: Vector) -> Vector:
        """Points (N, 2) of the face's frame, in pixels."""
        return np.asarray(points @ self.frame[:, :2].T + self.frame[:, 2])

    def inverse(self, points: Vector) -> Vector:
        """Points (N, 2) of the picture, in the face's frame."""
        return np.asarray(np.linalg.solve(self.frame[:, :2], (points - self.frame[:, 2]).T).T)


def candidates(pips: list[Pip]) -> Iterator[Face]:
    """Every face of two to six pips that some spots of like size and colour may be."""
    centres = np.array([pip.centre for pip in pips]).reshape(-1, 2)
    pairs = _alike_pairs(pips, centres)
    yield from _fours(pips, centres, pairs)
    for pair in pairs:
        yield from _twos(pips, centres, pair)


def _alike_pairs(pips: list[Pip], centres: Vector) -> list[tuple[int, int]]:
    """Pairs of like spots as far from each other as the ends of a face's diagonal may be."""
    sizes = np.array([pip.diameter for pip in pips])
    colours = np.array([pip.colour for pip in pips]).reshape(-1, 3)
    bodies = np.array([pip.body for pip in pips]).reshape(-1, 3)
    contrasts = np.array([pip.contrast for pip in pips])
    pairs = []
    for i in range(len(pips)):
        reach = np.linalg.norm(centres - centres[i], axis=1) / np.sqrt(sizes * sizes[i])
        ratio = sizes / sizes[i]
        apart = np.maximum(np.abs(colours - colours[i]).max(axis=1), np.abs(bodies - bodies[i]).max(axis=1))
        alike = (reach > 1.8) & (reach < 5.2) & (ratio > 0.62) & (ratio < 1.62)
        alike &= apart < 0.5 * np.minimum(contrasts, contrasts[i]) + 18
        pairs += [(i, int(j)) for j in np.flatnonzero(alike) if j > i]
    return pairs


def _fours(pips: list[Pip], centres: Vector, pairs: list[tuple[int, int]]) -> Iterator[Face]:
    """Faces with four corner pips: two diagonals that halve each other."""
    if not pairs:
        return
    ends = np.array(pairs)
    middles = centres[ends].mean(axis=1)
    lengths = np.linalg.norm(centres[ends[:, 0]] - centres[ends[:, 1]], axis=1)
    for first, (a, c) in enumerate(pairs):
        near = np.linalg.norm(middles - middles[first], axis=1) < 0.09 * lengths[first]
        near &= (lengths > 0.55 * lengths[first]) & (lengths < 1.8 * lengths[first])
        for second in np.flatnonzero(near):
            if second <= first:
                continue
            b, d = pairs[second]
            corners = centres[[a, b, c, d]]
            frame = _frame(PLACES[1:5], corners)
            face = _fill(pips, centres, frame, a)
            if face is not None and face.value >= 4:
                yield face


def _twos(pips: list[Pip], centres: Vector, pair: tuple[int, int]) -> Iterator[Face]:
    """A two or three from its diagonal; the tilt is taken from the shape of the pips, if they are large enough."""
    shape = (pips[pair[0]].shape + pips[pair[1]].shape) / 2
    size = np.sqrt(abs(np.linalg.det(shape)))
    trust = np.clip((size - 4) / 8, 0, 1)
    shape = trust * shape / size + (1 - trust) * np.eye(2)
    first, last = np.linalg.solve(shape, centres[list(pair)].T).T
    half = (last - first) / 2
    across = np.array([-half[1], half[0]])
    middle = (first + last) / 2
    corners = np.stack([middle - half, middle + across, middle + half, middle - across]) @ shape.T
    face = _fill(pips, centres, _frame(PLACES[1:5], corners), pair[0])
    if face is not None and face.value in (2, 3) and face.side / size < 2 * 9:
        yield face


def _frame(places: Vector, points: Vector) -> Vector:
    """The affine map (2, 3) from places (N, 2) to points (N, 2), by least squares."""
    design = np.column_stack([places, np.ones(len(places))])
    return np.asarray(np.linalg.lstsq(design, points, rcond=None)[0].T)


def _fill(pips: list[Pip], centres: Vector, frame: Vector, first: int) -> Face | None:
    """The face that all spots like its `first` make within its pips' square, or None when they are no pattern."""
    axes = np.linalg.svd(frame[:, :2], compute_uv=False)
    if axes[1] < 0.45 * axes[0]:
        return None
    local = np.linalg.solve(frame[:, :2], (centres - frame[:, 2]).T).T
    inside = np.flatnonzero((np.abs(local) < 1.5).all(axis=1))
    area = abs(np.linalg.det(frame[:, :2]))
    inside = np.array([i for i in inside if _may_be_pip(pips[i], pips[first], area)], int)
    if not 2 <= len(inside) <= 6:
        return None
    gaps = np.linalg.norm(local[inside][:, None] - PLACES[None], axis=2)
    nearest, distance = gaps.argmin(axis=1), gaps.min(axis=1)
    if distance.max() > PLACE_TOLERANCE:
        return None
    taken = tuple(sorted(nearest.tolist()))
    if taken not in PATTERNS[len(inside)]:
        return None
    if len(inside) > 3:
        frame = _frame(PLACES[nearest], centres[inside])
        local = np.linalg.solve(frame[:, :2], (centres[inside] - frame[:, 2]).T).T
        distance = np.linalg.norm(local - PLACES[nearest], axis=1)
    return Face(len(inside), frozenset(int(i) for i in inside), frame, float(distance.max()))


def _may_be_pip(pip: Pip, own: Pip, area: float) -> bool:
    """Whether a spot's size suits a face (`area`: of a quarter of its pips' square) and it stands out as `own` does."""
    size = abs(np.linalg.det(pip.shape)) / area
    alike = 0.5 * own.diameter < pip.diameter < 1.6 * own.diameter and pip.contrast > 0.4 * own.contrast
    ink, own_ink = pip.colour - pip.body, own.colour - own.body
    return bool(0.05 < size < 0.5 and alike and ink @ own_ink > 0)
