"""A camera's picture made ready for a screen: small, and with its channels in the screen's order."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

LONG_SIDE_PX = 640
"""The longer side of what is shown at most: enough for any of our screens, and given to it in under a millisecond."""


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One picture to be shown.

    `pixels` (h, w, 3) uint8 RGB, rows from top to bottom; `image` (H, W, 3) uint8 BGR, as the camera gave it and not
    to be drawn on: places in a reading are pixels of this one.
    """

    pixels: NDArray[np.uint8]
    image: NDArray[np.uint8]


def glimpse(image: NDArray[np.uint8]) -> Glimpse:
    """A picture (H, W, 3) uint8 BGR made ready; a small one keeps its size."""
    height, width = image.shape[:2]
    factor = min(1.0, LONG_SIDE_PX / max(height, width))
    size = max(1, round(width * factor)), max(1, round(height * factor))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if factor < 1 else image
    return Glimpse(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB), np.uint8), image)
