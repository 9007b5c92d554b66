"""The layout as if seen from straight above: where its grid lies in a picture, and parts of it drawn anew.

Grid frame: one unit is the distance from card to card, x to the right and y down; spot (0, 0) fills the square from
(0, 0) to (1, 1). Picture frame: pixels, x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sight import Sighting

LEAST_CARDS = 4
"""Fewer cards do not show how a grid lies."""

Plane = NDArray[np.float64]
"""(3, 3): the homography from the grid to the picture."""

Box = tuple[float, float, float, float]
"""Left, top, width and height in the grid frame."""


def plane(sightings: Sequence[Sighting]) -> Plane | None:
    """Where the grid lies, by the middles of the cards that were seen; None where they do not show it."""
    spots = np.array([sighting.spot[::-1] for sighting in sightings], np.float64).reshape(-1, 2) + 0.5
    corners = np.array([sighting.corners for sighting in sightings], np.float64).reshape(-1, 4, 2)
    if len(spots) < LEAST_CARDS or np.linalg.matrix_rank(spots - spots.mean(axis=0)) < 2:
        return None
    found, _ = cv2.findHomography(spots, _middles(corners))
    return None if found is None else np.asarray(found, np.float64)


def seen_from_above(image: NDArray[np.uint8], lies: Plane, box: Box, unit_px: int) -> NDArray[np.uint8]:
    """A part of the grid, (height, width, 3) uint8 RGB, for a picture (H, W, 3) uint8 BGR; a unit has `unit_px`."""
    left, top, width, height = box
    size = max(1, round(width * unit_px)), max(1, round(height * unit_px))
    # The middle of the first pixel lies half a pixel in.
    to_grid = np.array([[1 / unit_px, 0, left + 0.5 / unit_px], [0, 1 / unit_px, top + 0.5 / unit_px], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(image, lies @ to_grid, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(warped, cv2.COLOR_BGR2RGB), np.uint8)


def _middles(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the diagonals of quadrilaterals (N, 4, 2) cross, (N, 2): in a slanted view too, a card's true middle."""
    ends = np.concatenate([corners, np.ones((*corners.shape[:2], 1))], axis=2)
    one, other = np.cross(ends[:, 0], ends[:, 2]), np.cross(ends[:, 1], ends[:, 3])
    meets = np.cross(one, other)
    return np.asarray(meets[:, :2] / meets[:, 2:], np.float64)
