"""Things that lie on a plain table: where something differs from the table around it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

SHRINK = 4
MIN_DIFFERENCE = 30
MAX_COVER = 0.2
"""When more of the picture differs from its surroundings, the table is not plain and nothing can be said."""

DISC_FILL = 0.83
"""Share of its smallest circle that a coin fills; a die from above, rounded as it may be, fills less."""


@dataclass(frozen=True, slots=True)
class Body:
    """One thing: its box (left, top, width, height) and area, in pixels; what is only a shadow does not count.

    `compact`: neither long and thin, nor a disc as a coin is.
    """

    box: tuple[int, int, int, int]
    area: float
    compact: bool

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in its box."""
        left, top, width, height = self.box
        return left <= x <= left + width and top <= y <= top + height


def table(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The table without the things on it: the picture's large-scale median, `SHRINK` times smaller."""
    small = _small(image)
    tiny = cv2.resize(small, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.medianBlur(tiny, 21), small.shape[1::-1]), np.uint8)


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(image, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA), np.uint8)


def find(image: NDArray[np.uint8], empty: NDArray[np.uint8]) -> list[Body]:
    """The things in a picture (H, W, 3) uint8, BGR, on its `empty` table; none when that has a pattern."""
    small = _small(image)
    blue, green, red = cv2.split(cv2.absdiff(small, empty))
    _, differs = cv2.threshold(cv2.max(blue, cv2.max(green, red)), MIN_DIFFERENCE, 255, cv2.THRESH_BINARY)
    if cv2.countNonZero(differs) > MAX_COVER * differs.size:
        return []
    differs[_shadow(small, empty)] = 0
    outlines, _ = cv2.findContours(differs, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [_body(np.asarray(outline, np.int32)) for outline in outlines if len(outline) > 8]


def _shadow(picture: NDArray[np.uint8], empty: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the table is only darker, by the same share in each colour."""
    share = (picture.astype(np.float32) + 4) / (empty.astype(np.float32) + 4)
    low, high = share.min(axis=2), share.max(axis=2)
    return np.asarray((low > 0.35) & (high < 1) & (high - low < 0.12))


def _body(outline: NDArray[np.int32]) -> Body:
    left, top, width, height = cv2.boundingRect(outline)
    area = cv2.contourArea(outline) + len(outline) / 2 + 1
    _, radius = cv2.minEnclosingCircle(outline)
    disc = area / (np.pi * (radius + 0.5) ** 2)
    _, (long, short), _ = cv2.minAreaRect(outline)
    thin = area < 0.6 * (long + 1) * (short + 1) or min(long, short) + 1 < 0.45 * (max(long, short) + 1)
    box = (SHRINK * left, SHRINK * top, SHRINK * width, SHRINK * height)
    return Body(box, float(area * SHRINK**2), bool(disc < DISC_FILL and not thin))
