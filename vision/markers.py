"""Printed ArUco markers: where a board's corners are, and how large a millimetre is.

Source: S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial markers under
occlusion" (2014); OpenCV's `aruco` module.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Corners = NDArray[np.float32]
"""(4, 2) px, clockwise from the marker's own top left."""

CORNERS = (0, 1, 2, 3)
"""The ids at a board's corners, clockwise from the far left, as seat A sees them."""

SCALE = 10
"""The id of the marker that tells the scale of a sheet of paper."""

SCALE_MM = 50.0
"""The side of the scale marker's black square."""

CORNER_MM = 25.0
"""The side of a corner marker's black square."""

MODULES = 6
"""Squares along a marker's side: four of its pattern and a black rim."""


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def drawn(number: int, side: int) -> Pixels:
    """A marker as (side, side) uint8, black and white, without the white margin that it needs round it."""
    exact = cv2.aruco.generateImageMarker(_dictionary(), number, MODULES)
    return np.asarray(cv2.resize(exact, (side, side), interpolation=cv2.INTER_NEAREST), np.uint8)


def found(image: Pixels) -> dict[int, Corners]:
    """The markers in a picture, (H, W, 3) uint8 BGR or (H, W) grey, by id; one that is seen twice is left out."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _rejected = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(image)
    if not len(corners):
        return {}
    numbers = [int(number) for number in np.ravel(ids)]
    seen = zip(numbers, corners, strict=True)
    return {number: np.asarray(quad, np.float32).reshape(4, 2) for number, quad in seen if numbers.count(number) == 1}
