"""Platforms of Casa Grande as art: coloured card with a hole in each square and a frame round each marked one.

Pictures are (H, W, 3) uint8, BGR.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]
Squares = Sequence[tuple[int, int]]

COLOURS: dict[str, Colour] = {
    "gray": (158, 150, 142),
    "orange": (48, 124, 232),
    "purple": (168, 84, 122),
    "beige": (150, 196, 222),
}

HOLE = 0.2
"""A hole's radius, as a share of a square's side."""

FRAME = (0.12, 0.24)
"""A frame's outer and inner edge, from the square's own edge, as shares of its side."""

_PAPER: Colour = (255, 255, 255)
_HOLE: Colour = (40, 40, 40)
_FRAME: Colour = (250, 250, 250)
_EDGE: Colour = (60, 60, 60)


def platform(squares: Squares, marked: Squares, colour: str, pitch: int) -> Pixels:
    """A platform from above, its squares `pitch` px wide, on white; `squares` are (row, column) from (0, 0)."""
    height, width = (1 + max(spot[axis] for spot in squares) for axis in (0, 1))
    picture = np.full((height * pitch, width * pitch, 3), _PAPER, np.uint8)
    for row, column in squares:
        top, left = row * pitch, column * pitch
        picture[top : top + pitch, left : left + pitch] = COLOURS[colour]
        middle = left + pitch // 2, top + pitch // 2
        if (row, column) in marked:
            outer, inner = (round(share * pitch) for share in FRAME)
            cv2.rectangle(picture, (left + outer, top + outer), (left + pitch - outer, top + pitch - outer), _FRAME, -1)
            corner, end = (left + inner, top + inner), (left + pitch - inner, top + pitch - inner)
            cv2.rectangle(picture, corner, end, COLOURS[colour], -1)
        else:
            cv2.circle(picture, middle, round(HOLE * pitch), _HOLE, -1, cv2.LINE_AA)
    _outline(picture, squares, pitch)
    return picture


def _outline(picture: Pixels, squares: Squares, pitch: int) -> None:
    """A thin line where to cut."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    for row, column in squares:
        inside[row * pitch : (row + 1) * pitch, column * pitch : (column + 1) * pitch] = 255
    rim = inside - cv2.erode(inside, np.ones((3, 3), np.uint8), borderValue=0)
    picture[rim > 0] = _EDGE
