"""Colours as a camera's light does not change them much: logarithms of linear light.

Colour arrays are (..., 3) float32: the logarithm of intensity, and how much redder and how much bluer than green it is,
as logarithms too. A lamp of another strength or colour adds a constant; shade takes from the first alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.float32]

_DARK = 0.012
"""Light that is always there: below it a camera shows noise rather than colour."""

_ROUNDS = 6

_CALM = np.diag([0.0, 1.0, 1.0, 1.0, 1.0, 1.0])
"""Keeps the field even where little is seen."""

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


@dataclass(frozen=True, eq=False, slots=True)
class Field:
    """What another light adds to the colours over the board: a smooth function of x and y, `terms` (6, 3)."""

    terms: NDArray[np.float64]
    scale: float

    def at(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> Colours:
        """What is added at places in mm, (...) each, as (..., 3)."""
        return np.asarray(_terms(x / self.scale, y / self.scale) @ self.terms, np.float32)


def same(scale: float = 1.0) -> Field:
    """The light itself: nothing is added."""
    return Field(np.zeros((6, 3)), scale)


def field(x: NDArray[np.floating], y: NDArray[np.floating], added: NDArray[np.floating], scale: float) -> Field:
    """The field that fits what is added (N, 3) at places (N,) in mm, without those that something else changed."""
    terms = _terms(x / scale, y / scale)
    weight = np.ones(len(x))
    found: NDArray[np.float64] = np.zeros((6, 3))
    for _ in range(_ROUNDS):
        heavy = terms * weight[:, None]
        found = np.asarray(np.linalg.solve(heavy.T @ terms + _CALM, heavy.T @ added), np.float64)
        off = np.abs(added - terms @ found).max(axis=1)
        weight = 1 / (1 + (off / max(float(np.median(off)), 0.02)) ** 2)
    return Field(found, scale)


def _terms(x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).astype(np.float64)
