"""Pips: round spots that stand out from an even body, brighter or darker, of any colour and size.

All pictures are (H, W, 3) uint8, BGR; coordinates are pixels of the picture given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Vector = NDArray[np.float64]

KERNEL_PX = 15
"""A spot is seen on the level of the pyramid where it is narrower than this."""

LEVELS = 4
MAX_PIPS = 150
"""More spots than these are a table's pattern, and would take long."""

MIN_CONTRAST = 22
MIN_AREA_PX = 10
PEAK_SHARES = (0.38, 0.62)
"""A spot is what stands out this much of its brightest point: glossy pips need the less, close ones the more."""

MIN_ASPECT = 0.3
MIN_FILL = 0.8
"""Share of its own ellipse that a spot's pixels cover; less is no ellipse."""

_RING = np.stack(
    [np.cos(np.linspace(0, 2 * np.pi, 24, endpoint=False)), np.sin(np.linspace(0, 2 * np.pi, 24, endpoint=False))]
)


@dataclass(frozen=True, slots=True)
class Pip:
    """One spot: its centre (2,), the shape (2, 2) that maps the unit circle onto its outline, and two colours (3,).

    `ring_spread` is how uneven the body is around it, in grey levels.
    """

    centre: Vector
    shape: Vector
    colour: Vector
    body: Vector
    ring_spread: float

    @property
    def diameter(self) -> float:
        """Mean diameter in pixels."""
        return float(2 * np.sqrt(abs(np.linalg.det(self.shape))))

    @property
    def aspect(self) -> float:
        """Smaller over larger axis."""
        axes = np.linalg.svd(self.shape, compute_uv=False)
        return float(axes[1] / axes[0])

    @property
    def contrast(self) -> float:
        """Distance of the two colours, the largest of three channels."""
        return float(np.abs(self.colour - self.body).max())


def find(image: Image) -> list[Pip]:
    """All spots of a picture, the strongest first; of spots on top of each other, the strongest only."""
    found: list[Pip] = []
    level = image
    for number in range(LEVELS):
        scale = image.shape[1] / level.shape[1]
        # Smaller ones were seen better on the level before.
        least = MIN_AREA_PX if number == 0 else 16
        found += [_scaled(pip, scale) for pip in _on_level(level, least)]
        if min(level.shape[:2]) < 8 * KERNEL_PX:
            break
        level = np.asarray(cv2.pyrDown(level), np.uint8)
    return _strongest(found)[:MAX_PIPS]


def _on_level(image: Image, least_area: float) -> Iterator[Pip]:
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (KERNEL_PX, KERNEL_PX))
    around = cv2.getStructuringElement(cv2.MORPH_RECT, (9, 9))
    for operation in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
        blue, green, red = cv2.split(cv2.morphologyEx(image, operation, kernel))
        strength = cv2.max(blue, cv2.max(green, red))
        peak = cv2.dilate(strength, around)
        for share in PEAK_SHARES:
            least = np.maximum(cv2.convertScaleAbs(peak, alpha=share), np.uint8(MIN_CONTRAST))
            spots = cv2.compare(strength, least, cv2.CMP_GT)
            yield from _components(image, np.asarray(spots, np.uint8), least_area)


def _components(image: Image, spots: NDArray[np.uint8], least_area: float) -> Iterator[Pip]:
    """The connected parts of a mask (H, W) that are as large as a pip of this level and as round."""
    _, labels, stats, centres = cv2.connectedComponentsWithStats(spots, connectivity=4)
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    good = (area >= least_area) & (longer <= KERNEL_PX + 3) & (shorter >= 0.35 * longer)
    good &= area > 0.5 * width * height
    good[0] = False
    if good.any():
        yield from _ellipses(
            image, np.asarray(labels, np.int32), good, np.asarray(area, np.int32), np.asarray(centres, np.float64)
        )


def _ellipses(
    image: Image, labels: NDArray[np.int32], good: NDArray[np.bool_], area: NDArray[np.int32], centres: Vector
) -> Iterator[Pip]:
    """Of the good components, those that fill an ellipse and stand on an even body."""
    y, x = np.nonzero(good[labels])
    of = labels[y, x]
    dx, dy = x - centres[of, 0], y - centres[of, 1]
    spread = np.empty((len(good), 2, 2))
    for row, column, product in ((0, 0, dx * dx), (0, 1, dx * dy), (1, 0, dx * dy), (1, 1, dy * dy)):
        spread[:, row, column] = np.bincount(of, product, len(good)) / np.maximum(area, 1)
    index = np.flatnonzero(good)
    spread = spread[index] + np.eye(2) / 12
    values, vectors = np.linalg.eigh(spread)
    axes = 2 * np.sqrt(np.maximum(values, 1e-6))
    filled = area[index] / (np.pi * axes.prod(axis=1))
    fine = (axes[:, 0] > MIN_ASPECT * axes[:, 1]) & (filled > MIN_FILL)
    shapes = ((vectors * axes[:, None]) @ vectors.transpose(0, 2, 1))[fine]
    middles = centres[index[fine]][:, :, None]
    cores = np.median(sample(image, middles + 0.55 * shapes @ _RING[:, ::3]), axis=1)
    rings = sample(image, middles + 1.2 * shapes @ _RING + _RING)
    bodies = np.median(rings, axis=1)
    uneven = np.sort(np.abs(rings - bodies[:, None]).max(axis=2), axis=1)[:, _RING.shape[1] // 2]
    contrast = np.abs(cores - bodies).max(axis=1)
    for i in np.flatnonzero(contrast > np.maximum(MIN_CONTRAST, 2.0 * uneven)):
        yield Pip(middles[i, :, 0], shapes[i], cores[i], bodies[i], float(uneven[i]))


def sample(image: Image, at: Vector) -> NDArray[np.float64]:
    """Colours (..., N, 3) at the points (..., 2, N), the nearest pixel of each."""
    x = np.clip(np.rint(at[..., 0, :]), 0, image.shape[1] - 1).astype(np.intp)
    y = np.clip(np.rint(at[..., 1, :]), 0, image.shape[0] - 1).astype(np.intp)
    return image[y, x].astype(np.float64)


def _scaled(pip: Pip, scale: float) -> Pip:
    if scale == 1:
        return pip
    return Pip((pip.centre + 0.5) * scale - 0.5, pip.shape * scale, pip.colour, pip.body, pip.ring_spread)


def _strongest(found: list[Pip]) -> list[Pip]:
    """Of spots of like size on top of each other, the strongest; a die on a plain table is a spot too, and stays."""
    found.sort(key=lambda pip: pip.contrast * pip.aspect**2 * pip.diameter**0.5, reverse=True)
    centres = np.array([pip.centre for pip in found]).reshape(-1, 2)
    sizes = np.array([pip.diameter for pip in found])
    free = np.ones(len(found), bool)
    kept: list[Pip] = []
    for number, pip in enumerate(found):
        if free[number]:
            kept.append(pip)
            near = np.linalg.norm(centres - pip.centre, axis=1) < 0.5 * np.maximum(sizes, pip.diameter)
            free &= ~(near & (sizes < 1.8 * pip.diameter) & (sizes > pip.diameter / 1.8))
    return kept
