"""Colours as a camera's light does not change them much: logarithms of linear light.

Colour arrays are (..., 3) float32: the logarithm of intensity, and how much redder and how much bluer than green it is,
as logarithms too. A lamp of another strength or colour adds a constant; shade takes from the first alone.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.float32]

_DARK = 0.012
"""Light that is always there: below it a camera shows noise rather than colour."""

_MIX = np.array([[1 / 3, 1 / 3, 1 / 3], [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], np.float32)
"""From logarithms of blue, green, red to intensity, red against green, blue against green."""


@cache
def _table() -> NDArray[np.float32]:
    value = np.arange(256) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.log(linear + _DARK).astype(np.float32)


def colours(image: NDArray[np.uint8]) -> Colours:
    """An (H, W, 3) BGR picture as colours."""
    return np.asarray(cv2.transform(_table()[image], _MIX), np.float32)


def change(before: Colours, after: Colours, seen: NDArray[np.bool_]) -> Colours:
    """What another light adds to every colour, (3,): the median over the pixels that are seen in both."""
    if not seen.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.median((after - before)[seen], axis=0), np.float32)
