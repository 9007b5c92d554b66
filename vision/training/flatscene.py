"""A table seen from straight above, on which things are laid one over another with their shadows.

`FlatScene.label` says for each pixel which thing is seen there: 0 the table, 1..250 a card, THING anything else.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.photolight import blurred
from vision.training.tables import Field, Picture

THING = 255
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shadow:
    """How a thing's shadow falls: its shift and softness in mm, and how dark it is (0..1)."""

    shift_mm: tuple[float, float]
    soft_mm: float
    dark: float

    def of_height(self, height_mm: float) -> Shadow:
        """The shadow of a thing `height_mm` times as high as a card lies."""
        x, y = self.shift_mm
        return Shadow((x * height_mm, y * height_mm), self.soft_mm * height_mm, self.dark)


@dataclass(slots=True)
class FlatScene:
    """The canvas: `scale` px per mm, `origin` the table point (mm) of the pixel (0, 0)."""

    picture: Picture
    label: NDArray[np.uint8]
    scale: float
    origin: tuple[float, float]
    shadow: Shadow

    def px(self, table_mm: Points) -> Points:
        """Table points (N, 2) in canvas pixels."""
        return np.asarray((table_mm - np.array(self.origin)) * self.scale)

    def lay_card(self, face: Picture, alpha: Picture, corners_mm: Points, label: int, height: float = 1.0) -> None:
        """Lay a face (h, w, 3) with its outline alpha (h, w) so that its corners come to lie at corners_mm (4, 2)."""
        corners = self.px(corners_mm)
        low = np.floor(corners.min(axis=0)).astype(int) - 1
        high = np.ceil(corners.max(axis=0)).astype(int) + 2
        side = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        shrink = max(side) / max(face.shape[:2])
        if shrink < 0.7:
            face = np.asarray(cv2.resize(face, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
            alpha = np.asarray(cv2.resize(alpha, face.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
        h, w = face.shape[:2]
        source = np.array([[0, 0], [w, 0], [w, h]], np.float32) - 0.5
        move = cv2.getAffineTransform(source, (corners[:3] - low).astype(np.float32))
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        patch = cv2.warpAffine(face, move, size, borderMode=cv2.BORDER_REPLICATE)
        outline = cv2.warpAffine(alpha, move, size)
        self.stamp(np.asarray(patch, np.uint8), np.asarray(outline, np.uint8), (low[0], low[1]), label, height)

    def stamp(self, patch: Picture, alpha: NDArray[np.uint8], at: tuple[int, int], label: int, height: float) -> None:
        """Put a patch (h, w, 3) with alpha (h, w) at the canvas pixel `at` (x, y), its shadow first."""
        self._cast(alpha, at, height)
        window, inner = self._windows(at, alpha.shape)
        a = alpha[inner]
        share = (a[..., None] / np.float32(255)).astype(np.float32)
        under = self.picture[window]
        self.picture[window] = (under * (1 - share) + patch[inner] * share).astype(np.uint8)
        self.label[window][a > 127] = label

    def _cast(self, alpha: NDArray[np.uint8], at: tuple[int, int], height: float) -> None:
        shadow = self.shadow.of_height(height)
        sigma = max(0.4, shadow.soft_mm * self.scale)
        pad = int(np.ceil(2.5 * sigma)) + 1
        dark = cv2.copyMakeBorder(alpha, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
        dark = blurred(dark.astype(np.float32), sigma)
        shift = np.round(np.array(shadow.shift_mm) * self.scale).astype(int)
        window, inner = self._windows((at[0] - pad + shift[0], at[1] - pad + shift[1]), dark.shape)
        keep: Field = 1 - dark[inner] * np.float32(shadow.dark / 255)
        self.picture[window] = (self.picture[window] * keep[..., None]).astype(np.uint8)

    def _windows(self, at: tuple[int, int], shape: tuple[int, ...]) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """The canvas window that a patch at `at` covers, and the part of the patch that falls on the canvas."""
        height, width = self.label.shape
        left, top = max(0, at[0]), max(0, at[1])
        right, bottom = min(width, at[0] + shape[1]), min(height, at[1] + shape[0])
        right, bottom = max(left, right), max(top, bottom)
        inner = (slice(top - at[1], bottom - at[1]), slice(left - at[0], right - at[0]))
        return (slice(top, bottom), slice(left, right)), inner
