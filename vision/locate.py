"""Card candidates: quadrilaterals of about a card's size, from several cheap masks of one picture.

No mask is right on every table, and none has to be: `vision.lattice` keeps the candidates that agree with each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision import quads
from vision.cardmap import CardFinder
from vision.quads import Quads

WORKING_SIDE_PX = 1000
"""The picture's longer side while cards are looked for."""

MIN_FILL = 0.86
"""A card's contour fills at least this share of its quadrilateral."""

CORNER_TOLERANCES = (0.02, 0.035, 0.05, 0.07)
"""How far a contour may run beside its quadrilateral, in contour lengths: the strictest that leaves four corners."""

MIN_SIDE_SHARE, MAX_SIDE_SHARE = 0.022, 0.4
"""A card's mean side, as a share of the picture's longer side."""

MAX_ASPECT = 2.6
"""Longest over shortest side of one candidate: a square seen from 45 degrees, with a margin."""

SAME_PLACE, SAME_SIZE = 0.15, 1.1
"""Candidates whose centres differ by less than this share of a side, and their sides by less than this factor, are
one."""

TELLING_MASKS = 4
"""Where the card finder saw the cards, so many masks are enough to find their edges."""

FEW_CARDS = 5
CLOSER = 0.65
"""At least so many cards, within this share of the picture's longer side, are looked at again from closer by."""

FINDER_VOTES = 2
"""The card finder's word counts as much as so many masks."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What may be cards.

    `quads` (N, 4, 2) float32 px of the full picture; `votes` (N,): how many masks showed each; `seen` (N,) bool:
    whether the card finder saw a card there, whatever its face.
    """

    quads: Quads
    votes: NDArray[np.int64]
    seen: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.quads)

    def enlarged(self, factor: float) -> Candidates:
        """The same in a picture so many times as large."""
        return Candidates(((self.quads + 0.5) * factor - 0.5).astype(np.float32), self.votes, self.seen)

    def moved(self, x: int, y: int) -> Candidates:
        """The same in a picture of which this one is a part that begins at (x, y)."""
        return Candidates(self.quads + np.array([x, y], np.float32), self.votes, self.seen)

    def only(self, chosen: NDArray[np.integer] | NDArray[np.bool_]) -> Candidates:
        """Some of them, by index or by mask."""
        return Candidates(self.quads[chosen], self.votes[chosen], self.seen[chosen])


def working_copy(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """The picture at working size, (h, w, 3) uint8 BGR, and the factor from its pixels to those of the full picture."""
    factor = max(image.shape[:2]) / WORKING_SIDE_PX
    if factor <= 1:
        return image, 1.0
    size = (max(1, round(image.shape[1] / factor)), max(1, round(image.shape[0] / factor)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def masks(image: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Binary masks, (h, w) uint8 of 0 and 255, in which some cards stand alone, filled; the most telling first.

    `image` is (h, w, 3) uint8 BGR at working size.
    """
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), (0, 0), 1.2)
    light, green_red, blue_yellow = cv2.split(lab)
    near, far = max(image.shape[:2]) // 14, max(image.shape[:2]) // 6
    gradient = strongest(cv2.morphologyEx(lab, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    yield _lighter(light, near)
    yield _threshold(gradient, 12, cv2.THRESH_BINARY_INV)
    yield _threshold(gradient, 6, cv2.THRESH_BINARY_INV)
    yield _lighter(255 - light, near)
    yield _threshold(gradient, 24, cv2.THRESH_BINARY_INV)
    yield _lighter(light, far)
    for channel in (green_red, blue_yellow):
        spread = cv2.normalize(channel, np.empty_like(channel), 0, 255, cv2.NORM_MINMAX)
        yield _threshold(spread, 0, cv2.THRESH_BINARY + cv2.THRESH_OTSU)


def _lighter(channel: MatLike, reach: int) -> NDArray[np.uint8]:
    """What is lighter than its surroundings within about `reach` px."""
    kind = cv2.ADAPTIVE_THRESH_MEAN_C
    return np.asarray(cv2.adaptiveThreshold(channel, 255, kind, cv2.THRESH_BINARY, reach | 1, -6), np.uint8)


def _threshold(channel: MatLike, level: float, kind: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.threshold(channel, level, 255, kind)[1], np.uint8)


def strongest(image: MatLike) -> NDArray[np.uint8]:
    """The highest of three channels, (h, w) uint8. OpenCV's maximum is many times faster here than numpy's."""
    first, second, third = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(first, second), third), np.uint8)


def outlines(mask: NDArray[np.uint8]) -> Quads:
    """The card-like quadrilaterals of a mask, (N, 4, 2) float32 px of the mask."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    longer = max(mask.shape)
    low, high = (longer * MIN_SIDE_SHARE) ** 2, (longer * MAX_SIDE_SHARE) ** 2
    found = []
    for contour in contours:
        if len(contour) < 4:
            continue
        area = cv2.contourArea(contour)
        if not 0.7 * low < area < high:
            continue
        _, (width, height), _ = cv2.minAreaRect(contour)
        if area < 0.6 * width * height or max(width, height) > MAX_ASPECT * min(width, height):
            continue
        hull = cv2.convexHull(contour)
        if len(hull) < 5 or area < 0.75 * cv2.contourArea(hull):
            continue
        quad = _four_corners(hull)
        if quad is not None and MIN_FILL < area / max(cv2.contourArea(quad), 1.0) < 1 / MIN_FILL:
            found.append(quad)
    return quads.clockwise(np.array(found, np.float32)) if found else np.empty((0, 4, 2), np.float32)


def _four_corners(hull: MatLike) -> Quads | None:
    """The corners (4, 2) of a hull that is nearly a quadrilateral, or None."""
    length = cv2.arcLength(hull, closed=True)
    for tolerance in CORNER_TOLERANCES:
        corners = cv2.approxPolyDP(hull, tolerance * length, closed=True)
        if len(corners) <= 4:
            return np.asarray(corners, np.float32).reshape(4, 2) if len(corners) == 4 else None
    return None


def merged(found: Sequence[Quads], seen: Quads) -> Candidates:
    """One candidate for each group of quadrilaterals that mark the same shape: the group's mean.

    `seen` (M, 4, 2) are the card finder's; they mark candidates and are not among them unless in `found` too.
    """
    every = np.concatenate([np.empty((0, 4, 2), np.float32), *found])
    if not len(every):
        return Candidates(every, np.empty(0, np.int64), np.empty(0, np.bool_))
    centres, sides = quads.centres(every), quads.sides(every)
    leader = np.full(len(every), -1)
    for i in np.argsort(-sides, kind="stable"):
        if leader[i] < 0:
            near = np.hypot(*(centres - centres[i]).T) < SAME_PLACE * sides[i]
            leader[near & (leader < 0) & (sides > sides[i] / SAME_SIZE)] = i
    _, group, votes = np.unique(leader, return_inverse=True, return_counts=True)
    total = np.zeros((len(votes), 4, 2), np.float64)
    np.add.at(total, group, quads.started_like(every, every[leader]))
    shapes = (total / votes[:, None, None]).astype(np.float32)
    return Candidates(shapes, votes.astype(np.int64), np.asarray(_same_card(shapes, seen).any(axis=1)))


def joined(sure: Candidates, seen: Quads) -> Candidates:
    """The candidates where the card finder saw a card, and its own quadrilaterals where no mask showed one.

    The masks' edges are sharper than the finder's; the finder knows a card from a square of a tablecloth.
    """
    agreed = sure.only(sure.seen)
    alone = seen[~_same_card(sure.quads, seen).any(axis=0)]
    return Candidates(
        np.concatenate([agreed.quads, alone]),
        np.concatenate([agreed.votes + FINDER_VOTES, np.full(len(alone), FINDER_VOTES)]),
        np.ones(len(agreed) + len(alone), np.bool_),
    )


def _same_card(shapes: Quads, seen: Quads) -> NDArray[np.bool_]:
    """Which of N shapes (their outline, or a border printed on them) are which of the finder's M cards, (N, M)."""
    size = quads.sides(seen)[None]
    far = np.linalg.norm(quads.centres(shapes)[:, None] - quads.centres(seen)[None], axis=2)
    ratio = quads.sides(shapes)[:, None] / size
    return np.asarray((far < 0.22 * size) & (ratio > 0.72) & (ratio < 1.2))


class Locator:
    """Finds card candidates: by the card finder's network and by masks.

    Raises:
        ModelError: the network's file is missing or damaged.
    """

    def __init__(self) -> None:
        self._finder = CardFinder()

    def attempts(self, image: NDArray[np.uint8]) -> Iterator[Candidates]:
        """Sets of candidates for a picture, (H, W, 3) uint8 BGR, in its own pixels.

        First what network and masks agree on; the same from closer by when the cards are small in the picture; then
        what the masks showed, and all that any of them did.
        """
        whole = _Look(image, self._finder)
        yield whole.agreed()
        part = whole.closer()
        if part is not None:
            rows, columns = part
            yield _Look(image[part], self._finder).agreed().moved(columns.start, rows.start)
        yield from whole.thorough()


class _Look:
    """One look at a picture, or a part of one."""

    def __init__(self, image: NDArray[np.uint8], finder: CardFinder) -> None:
        self._shape = image.shape
        small, self._factor = working_copy(image)
        found = finder.candidates(small)
        self._seen = quads.clockwise(np.array([quad for quad, _ in found], np.float32).reshape(-1, 4, 2))
        self._masks = masks(small)
        self._outlined: list[Quads] = []

    def agreed(self) -> Candidates:
        """What the finder saw, with the edges of the most telling masks."""
        self._outlined += [outlines(mask) for mask in islice(self._masks, TELLING_MASKS)]
        return joined(merged(self._outlined, self._seen), self._seen).enlarged(self._factor)

    def thorough(self) -> Iterator[Candidates]:
        """What all masks showed; then that and what the finder saw."""
        outlined = [*self._outlined, *map(outlines, self._masks)]
        yield merged(outlined, self._seen).enlarged(self._factor)
        yield merged([*outlined, self._seen], self._seen).enlarged(self._factor)

    def closer(self) -> tuple[slice, slice] | None:
        """The part of the picture (rows, columns) that holds the cards, when a closer look is worth while."""
        if len(self._seen) < FEW_CARDS:
            return None
        middles = quads.centres(self._seen) * self._factor
        room = 2.5 * float(np.median(quads.sides(self._seen))) * self._factor
        # The median card stands fast when spare cards or strangers lie far off.
        spread = np.abs(middles - np.median(middles, axis=0))
        near = middles[(spread <= 3 * np.median(spread, axis=0) + room).all(axis=1)]
        if not len(near):
            return None
        low, high = near.min(axis=0) - room, near.max(axis=0) + room
        height, width = self._shape[:2]
        left, top = np.maximum(low, 0).astype(int)
        right, bottom = np.minimum(high, (width, height)).astype(int)
        if max(right - left, bottom - top) > CLOSER * max(height, width):
            return None
        return slice(int(top), int(bottom)), slice(int(left), int(right))
