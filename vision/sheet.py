"""A photographed sheet of paper with the printed scale marker: seen from straight above, and what lies on it.

All measures of a rectified sheet are in mm from the marker's top left corner; its picture has `PX_PER_MM`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import markers

Pixels = NDArray[np.uint8]
Mask = NDArray[np.uint8]
"""(H, W) uint8, 255 inside."""

PX_PER_MM = 5.0

LARGEST_MM = 600.0
"""No more of a picture than this is looked at, each way."""

FROM_PAPER = 11.0
"""What differs from the paper by this much in CIE L*a*b* lies on it."""

LIT_MM = 60.0
"""Light changes over the paper more slowly than this."""

QUIET_MM = 10.0
"""So far round the marker nothing else is looked for: its white rim, and the line along which it was cut."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rectified sheet.

    `picture` is (H, W, 3) uint8, BGR; `things` are the filled outlines of what lies on it, one mask each.
    """

    picture: Pixels
    things: tuple[Mask, ...]


def rectified(image: Pixels) -> Sheet | None:
    """The sheet in a picture, (H, W, 3) uint8 BGR; None when the scale marker is not seen."""
    quad = markers.found(image).get(markers.SCALE)
    if quad is None:
        return None
    side = markers.SCALE_MM
    plane = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    to_mm = np.asarray(cv2.getPerspectiveTransform(quad, plane), np.float64)
    left, top, width, height = _reach(to_mm, image.shape[:2])
    shift = np.array([[PX_PER_MM, 0, -left * PX_PER_MM], [0, PX_PER_MM, -top * PX_PER_MM], [0, 0, 1]])
    size = round(width * PX_PER_MM), round(height * PX_PER_MM)
    view = shift @ to_mm
    picture = np.asarray(cv2.warpPerspective(image, view, size, flags=cv2.INTER_AREA), np.uint8)
    whole = np.full(image.shape[:2], 255, np.uint8)
    seen = np.asarray(cv2.warpPerspective(whole, view, size, flags=cv2.INTER_NEAREST), np.uint8)
    place = round(-left * PX_PER_MM), round(-top * PX_PER_MM)
    return Sheet(picture, tuple(_things(picture, seen, place)))


def _reach(to_mm: NDArray[np.float64], shape: tuple[int, ...]) -> tuple[float, float, float, float]:
    """Left, top, width and height of what the picture shows of the sheet's plane, in mm."""
    height, width = shape
    corners = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float32)
    seen = cv2.perspectiveTransform(corners, to_mm)[0]
    middle = markers.SCALE_MM / 2
    low = np.maximum(seen.min(axis=0), middle - LARGEST_MM / 2)
    high = np.minimum(seen.max(axis=0), middle + LARGEST_MM / 2)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _things(picture: Pixels, seen: Mask, marker: tuple[int, int]) -> list[Mask]:
    """Filled outlines of what differs from the paper round it, largest first."""
    differs = _differing(picture, marker)
    side, quiet = round(markers.SCALE_MM * PX_PER_MM), round(QUIET_MM * PX_PER_MM)
    x, y = marker
    cv2.rectangle(differs, (x - quiet, y - quiet), (x + side + quiet, y + side + quiet), 0, -1)
    paper = _paper(np.where(differs == 0, seen, np.uint8(0)), marker)
    lying = cv2.morphologyEx(cv2.bitwise_and(differs, paper), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(lying, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        mask = np.zeros(differs.shape, np.uint8)
        cv2.drawContours(mask, [contour], -1, 255, -1)
        found.append(mask)
    return found


def _differing(picture: Pixels, marker: tuple[int, int]) -> Mask:
    """Where the colour is not that of the paper as it is lit there."""
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    x, y = marker
    gap = round(markers.SCALE_MM * PX_PER_MM * 0.05)
    rim = lab[max(0, y - 2 * gap) : y - gap // 2, max(0, x) : x + round(markers.SCALE_MM * PX_PER_MM)]
    white = np.median(rim.reshape(-1, 3), axis=0) if rim.size else np.array([90.0, 0.0, 0.0])
    lit = _light(np.asarray(lab[..., 0], np.float32))
    off = np.dstack([0.7 * (lab[..., 0] - lit), lab[..., 1] - white[1], lab[..., 2] - white[2]])
    far = np.linalg.norm(cv2.GaussianBlur(off, (0, 0), 1.5), axis=2)
    return np.where(far > FROM_PAPER, 255, 0).astype(np.uint8)


def _light(lightness: NDArray[np.float32]) -> NDArray[np.float32]:
    """How light bare paper would be: the brightest round about, smoothly."""
    small = cv2.resize(lightness, None, fx=1 / PX_PER_MM, fy=1 / PX_PER_MM, interpolation=cv2.INTER_AREA)
    reach = round(LIT_MM) | 1
    bright = cv2.GaussianBlur(cv2.dilate(cv2.medianBlur(small, 5), np.ones((reach, reach))), (0, 0), LIT_MM / 3)
    size = lightness.shape[1], lightness.shape[0]
    return np.asarray(cv2.resize(bright, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _paper(bare: Mask, marker: tuple[int, int]) -> Mask:
    """The sheet with all that lies on it: the hull of the bare paper that the marker lies on."""
    _count, labels = cv2.connectedComponents(bare)
    side = round(markers.SCALE_MM * PX_PER_MM)
    middle = labels[max(0, marker[1] + side // 2), max(0, marker[0] + side // 2)]
    points = cv2.findNonZero((labels == middle).astype(np.uint8))
    paper = np.zeros(bare.shape, np.uint8)
    if middle and points is not None:
        cv2.fillConvexPoly(paper, cv2.convexHull(points), 255)
    return paper
