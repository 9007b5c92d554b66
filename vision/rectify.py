"""Cards seen from straight above: each one's own four edges found, then its picture warped to a small square.

Canonical squares are `CROP_PX` wide; the card spans the middle, with `MARGIN_PX` of its surroundings on every side.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import quads
from vision.locate import strongest
from vision.quads import Quads

CROP_PX, MARGIN_PX = 64, 6
"""Side of a crop, and where the card's edge lies in it: a card spans 52 px."""

_PATCH_PX, _EDGE_PX = 96, 17
"""Side of a patch for edge search, and where the card's edge is expected in it: a card spans 62 px."""

_REACH_PX, _MAX_SLOPE = 8, 0.16
"""An edge is looked for this far from where it is expected, and turned by up to this slope (9 degrees)."""

_EDGE_STEP, _FULL_STEP = 5, 16
"""Grey levels across two pixels from which on a step counts as an edge, and at which it counts in full: a strong print
must not outweigh a faint but unbroken edge."""

_FULL = 2 * (_FULL_STEP - _EDGE_STEP)
"""What a step in full is worth: whole numbers, of which halves are whole too."""

_WORTH = np.asarray(np.clip(np.arange(256), _EDGE_STEP, _FULL_STEP) - _EDGE_STEP, np.uint8)
"""What half of that is for every step."""

_ALONG, _WINDOW_PX = slice(_EDGE_PX + 5, _PATCH_PX - _EDGE_PX - 5, 2), 2 * _EDGE_PX + 1
"""The rows where a left edge is sampled, and the columns that the search needs, from the patch's left."""

MIN_SUPPORT, MAX_GROWTH = 0.2, 1.2
"""A refined card has at least so much edge on its weakest side, and its side grew or shrank by less than this
factor."""


class Pyramid:
    """A picture, (H, W, 3) uint8 BGR, halved as often as needed, so that small crops are warped without aliasing."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._levels = [image]

    def warped(self, quad: Quads, size: int, margin: float) -> NDArray[np.uint8]:
        """(size, size, 3) uint8: the quadrilateral (4, 2) px spans it but for `margin` px on each side."""
        level = max(0, int(np.floor(np.log2(max(float(quads.sides(quad)), 1.0) / (size - 2 * margin)))))
        while len(self._levels) <= level:
            last = self._levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        image = self._levels[level]
        scale = np.array([image.shape[1], image.shape[0]]) / np.array(self._levels[0].shape[1::-1])
        source = ((quad + 0.5) * scale - 0.5).astype(np.float32)
        far = size - margin
        target = np.array([[margin, margin], [far, margin], [far, far], [margin, far]], np.float32) - 0.5
        transform = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(
            image, transform, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(warped, np.uint8)

    def crops(self, cards: Quads) -> NDArray[np.uint8]:
        """(N, 64, 64, 3) uint8 BGR: what the digit reader reads."""
        found = [self.warped(quad, CROP_PX, MARGIN_PX) for quad in cards]
        return np.array(found, np.uint8).reshape(-1, CROP_PX, CROP_PX, 3)


def _steps(patches: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How strong an edge runs down, and across, each pixel of (N, 96, 96, 3) patches: two (N, 96, 96), 0 to `_FULL`."""
    count = len(patches)
    # One tall picture: what blurs over a seam lies outside the search.
    lab = cv2.cvtColor(patches.reshape(count * _PATCH_PX, _PATCH_PX, 3), cv2.COLOR_BGR2LAB)
    lab = cv2.copyMakeBorder(cv2.GaussianBlur(lab, (3, 3), 0), 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    across = strongest(cv2.absdiff(lab[1:-1, :-2], lab[1:-1, 2:]))
    down = strongest(cv2.absdiff(lab[:-2, 1:-1], lab[2:, 1:-1]))
    shape = (count, _PATCH_PX, _PATCH_PX)
    return _ridges(across, (5, 1)).reshape(shape), _ridges(down, (1, 5)).reshape(shape)


def _ridges(steps: NDArray[np.uint8], across: tuple[int, int]) -> NDArray[np.uint8]:
    """What steps are worth; half as much where a stronger step is near across the edge, so that the very edge wins."""
    crest = cv2.compare(steps, cv2.dilate(steps, np.ones(across[::-1], np.uint8)), cv2.CMP_GE)
    worth = cv2.LUT(steps, _WORTH)
    return np.asarray(cv2.add(worth, cv2.bitwise_and(worth, crest)), np.uint8)


def _search_lines() -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """All lines tried for a left edge: flat indices of S samples in a window, (S, K), and offset, slope, penalty."""
    along = np.arange(_PATCH_PX)[_ALONG]
    offsets, slopes = np.arange(-_REACH_PX, _REACH_PX + 1), np.linspace(-_MAX_SLOPE, _MAX_SLOPE, 11)
    offset, slope = (a.ravel() for a in np.meshgrid(offsets, slopes, indexing="ij"))
    middle = (_PATCH_PX - 1) / 2
    column = np.rint(_EDGE_PX + offset + slope * (along[:, None] - middle)).astype(np.int64)
    penalty = 0.5 * (offset / _REACH_PX) ** 2 + 0.15 * (slope / _MAX_SLOPE) ** 2
    index = np.arange(len(along))[:, None] * _WINDOW_PX + column
    return index, offset.astype(np.float64), slope.astype(np.float64), np.asarray(penalty, np.float64)


_LINES, _OFFSETS, _SLOPES, _PENALTIES = _search_lines()


def _left_edges(steps: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(offset, slope, support 0..1), each (N,), of the best left edge in (N, 96, 96) maps of steps across it."""
    window = steps[:, _ALONG, :_WINDOW_PX].astype(np.uint16).reshape(len(steps), -1)
    support = window[:, _LINES].sum(axis=1, dtype=np.uint16) / (len(_LINES) * _FULL)
    best = np.argmax(support - _PENALTIES, axis=1)
    return _OFFSETS[best], _SLOPES[best], support[np.arange(len(steps)), best]


def _sides_of(patches: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each patch's sides (left, top, right, bottom) as homogeneous lines, (N, 4, 3), and their support, (N, 4)."""
    vertical, horizontal = _steps(patches)
    across, down = vertical, horizontal.transpose(0, 2, 1)
    middle = (_PATCH_PX - 1) / 2
    lines, supports = [], []
    for k, steps in enumerate((across, down, across[:, :, ::-1], down[:, :, ::-1])):
        offset, slope, support = _left_edges(steps)
        start = _EDGE_PX + offset - slope * middle
        one = np.ones_like(start)
        line = [one, -slope, -start] if k < 2 else [-one, -slope, _PATCH_PX - 1 - start]
        lines.append(np.stack(line if k % 2 == 0 else [line[1], line[0], line[2]], axis=1))
        supports.append(support)
    return np.stack(lines, axis=1), np.stack(supports, axis=1)


def refined(pyramid: Pyramid, cards: Quads) -> tuple[Quads, NDArray[np.float64]]:
    """Each card's own four edges.

    `cards` (N, 4, 2) px are guesses, right to about an eighth of a side. Returns the refined corners, (N, 4, 2), and
    the support of the four sides, (N, 4), 0 (no edge) to 1 (an unbroken one): left, top, right, bottom. A guess whose
    sides cannot make a card (too bent, or with too little support) is returned as it is.
    """
    if not len(cards):
        return np.empty((0, 4, 2), np.float32), np.empty((0, 4))
    patches = np.array([pyramid.warped(quad, _PATCH_PX, _EDGE_PX + 0.5) for quad in cards])
    lines, support = _sides_of(patches)
    meets = np.cross(lines, np.roll(lines, -1, axis=1))
    found = (meets[..., :2] / meets[..., 2:]).astype(np.float32)
    side = _PATCH_PX - 1 - 2 * _EDGE_PX
    good = (support.min(axis=1) > MIN_SUPPORT) & (np.abs(np.log(quads.sides(found) / side)) < np.log(MAX_GROWTH))
    return np.array([_moved(quad, f) if g else quad for quad, f, g in zip(cards, found, good, strict=True)]), support


def _moved(quad: Quads, found: Quads) -> Quads:
    """Corners found in the patch of a quadrilateral, (4, 2), in picture pixels."""
    far = _PATCH_PX - 1 - _EDGE_PX
    square = np.array([[_EDGE_PX, _EDGE_PX], [far, _EDGE_PX], [far, far], [_EDGE_PX, far]], np.float32)
    back = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(found.reshape(1, 4, 2), back)[0], np.float32)
