"""How sharp a picture is, for whoever turns a lens or moves a camera: larger is sharper, for one and the same scene."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

OVEREXPOSED = 250
MOST_OVEREXPOSED = 0.2
"""With a larger share of white pixels than this the light is too strong."""


MIDDLE = (480, 640)
"""(rows, columns) px that are measured of a large picture: as many as a preview has, in under five milliseconds."""


def middle(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The middle of a picture (H, W, 3), at its full size: a reduced one hides that it is slightly out of focus."""
    top, left = (max(0, (side - wanted) // 2) for side, wanted in zip(picture.shape[:2], MIDDLE, strict=True))
    return picture[top : top + MIDDLE[0], left : left + MIDDLE[1]]


def sharpness(picture: NDArray[np.uint8]) -> float:
    """The mean squared gradient of a picture (H, W, 3) uint8, RGB or BGR, its brightness taken out.

    Source: Tenenbaum's focus measure ("Tenengrad"), with the Sobel operator.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    # Whole numbers and OpenCV's own sum of squares: each picture of a preview is measured on the screen's thread.
    squares = sum(cv2.norm(cv2.Sobel(grey, cv2.CV_16S, dx, dy), cv2.NORM_L2SQR) for dx, dy in ((1, 0), (0, 1)))
    return float(squares / grey.size / max(cv2.mean(grey)[0], 1.0) ** 2 * 100)


def overexposed(picture: NDArray[np.uint8]) -> bool:
    """Whether too much of a picture (H, W, 3) uint8 is white."""
    white = cv2.inRange(picture, (OVEREXPOSED,) * 3, (255,) * 3)
    return cv2.countNonZero(white) > MOST_OVEREXPOSED * white.size
