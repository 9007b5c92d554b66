"""When the table is still, and what several readings of it say together.

Pure: pictures in, verdicts out. Hands move, lamps flicker and daylight fades; only the first of these is a reason to
wait. What the readings of a still scene say together is `vote`'s matter.
"""

from __future__ import annotations

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Picture
from vision.vote import vote

__all__ = ["Gate", "Scene", "moved", "shrunk", "vote"]

STILL_S = 1.5
"""Longer than a hand rests between two pieces of one move."""

WIDTH_PX = 160
"""Of the small picture: a card of a whole layout is still some 6 px wide, and the noise of a pixel is gone."""

CHANGED = 9.0
"""Grey levels, of 255, by which a pixel of the small picture must differ to have changed."""

CHANGED_PIXELS = 8
"""Fewer are noise."""

SATURATED = 245.0
"""From this grey level on, light that was brighter still cannot be told."""

GLARING = 200.0
"""From this grey level on, a part of what a pixel of the small picture covers may be too bright to tell."""

FOLLOW = 0.25
"""How much of each still picture the reference takes over, beside the light, which it takes over whole."""


class Scene(StrEnum):
    """What a picture shows, compared with those before it."""

    MOVING = "moving"
    SETTLING = "settling"
    """Nothing moves, but not for long."""
    STILL = "still"
    CHANGED = "changed"
    """Still, for the first time since something moved."""


class Gate:
    """Waits while hands move.

    The first scene it sees is what the table has been all along: it becomes `STILL`, not `CHANGED`.
    """

    def __init__(self, still_s: float = STILL_S) -> None:
        self._still_s = still_s
        self._reference: NDArray[np.float32] | None = None
        self._since_s = 0.0
        self._moved = False

    def see(self, picture: Picture) -> Scene:
        """What this picture shows; pictures come in the order in which they were taken."""
        small = shrunk(picture.image)
        reference = self._reference
        if reference is None or reference.shape != small.shape or moved(reference, small):
            self._moved = self._moved or reference is not None
            self._reference = small
            self._since_s = picture.at_s
            return Scene.MOVING
        self._reference = followed(reference, small)
        if picture.at_s - self._since_s < self._still_s:
            return Scene.SETTLING
        changed, self._moved = self._moved, False
        return Scene.CHANGED if changed else Scene.STILL


def shrunk(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A picture (H, W, 3) uint8 BGR as a small blurred grey one, (h, `WIDTH_PX`) float32."""
    height = max(1, round(image.shape[0] * WIDTH_PX / image.shape[1]))
    small = cv2.resize(image, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3)), np.float32)


def moved(before: NDArray[np.float32], after: NDArray[np.float32]) -> bool:
    """Whether something other than the light differs between two small pictures, (h, w) float32.

    The light may differ from row to row: a lamp that flickers draws bands, as a sensor is read row by row.
    """
    expected = np.minimum(before * light(before, after), 255.0)
    # Where something glares, it may have followed the light, in part or not at all.
    glaring = np.maximum(before, after) >= GLARING
    least = np.where(glaring, np.minimum(before, expected), expected)
    most = np.where(before >= SATURATED, 255.0, np.where(glaring, np.maximum(before, expected), expected))
    change = np.maximum(least - after, after - most)
    return int(np.count_nonzero(change > CHANGED)) >= CHANGED_PIXELS


def followed(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float32]:
    """The reference after one more still picture, (h, w) float32: in its light, and a little more like it.

    Where either is too bright to tell, the new picture counts alone.
    """
    lit = before * light(before, after)
    told = np.maximum(before, after) < SATURATED
    return np.where(told, lit + FOLLOW * (after - lit), after).astype(np.float32)


def light(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float32]:
    """How many times as bright each row is in the second of two small pictures, (h, 1) float32."""
    told = np.maximum(before, after) < SATURATED
    bright = after.sum(axis=1, keepdims=True, where=told) + 1.0
    return np.asarray(bright / (before.sum(axis=1, keepdims=True, where=told) + 1.0), np.float32)
