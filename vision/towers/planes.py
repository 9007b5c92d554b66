"""A picture of a board with towers, seen straight from above, level by level.

A plane is a square of `PLOT_PX` pixels a plot, (side * PLOT_PX, side * PLOT_PX): what the picture shows at a height
over the plots. It is right where something lies at that height, and elsewhere it shows what lies behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sight import Spot
from vision.towers import light
from vision.towers.light import Colours, Field, same
from vision.towers.pose import Floats, View
from vision.towers.register import straight

PLOT_PX = 24

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Block:
    """A body on a plot, as far as it hides others: its half width, underside and top in mm."""

    plot: Spot
    half: float
    bottom: float
    top: float


@dataclass(eq=False, slots=True)
class Planes:
    """One picture, (H, W, 3) uint8 BGR, with the view of the board in it; planes are made when they are asked for.

    `lamp` is what its light adds to the colours, against the light of the first picture; it is taken off.
    """

    image: NDArray[np.uint8]
    view: View
    pitch: float
    side: int
    lamp: Field = field(default_factory=same)
    _planes: dict[float, Colours] = field(default_factory=dict)
    _lamp: list[Colours] = field(default_factory=list)

    def at(self, height: float) -> Colours:
        """The plane at a height in mm, (N, N, 3)."""
        key = round(height, 3)
        if key not in self._planes:
            end = self.side * self.pitch
            flat = straight(self.image, self.view, (0.0, end, 0.0, end), height, PLOT_PX / self.pitch)
            self._planes[key] = light.colours(flat) - self._added()
        return self._planes[key]

    def area(self, area: tuple[float, float, float, float], height: float, px_per_mm: float) -> Colours:
        """Any other part of a level: area is (x from, x to, y from, y to) in mm."""
        colours = light.colours(straight(self.image, self.view, area, height, px_per_mm))
        ys, xs = ((np.arange(n) + 0.5) / px_per_mm for n in colours.shape[:2])
        return colours - self.lamp.at(*np.meshgrid(xs + area[0], ys + area[2]))

    def _added(self) -> Colours:
        if not self._lamp:
            at = (np.arange(self.side * PLOT_PX) + 0.5) * self.pitch / PLOT_PX
            self._lamp.append(self.lamp.at(*np.meshgrid(at, at)))
        return self._lamp[0]

    def inside(self, height: float) -> bool:
        """Whether the whole plane lies in the picture."""
        end = self.side * self.pitch
        corners = self.view.project(np.array([(x, y, height) for x in (0.0, end) for y in (0.0, end)]))
        limits = np.array(self.image.shape[1::-1]) - 1
        return bool(((corners >= 0) & (corners <= limits)).all())


def hidden(view: View, blocks: Iterable[Block], height: float, pitch: float, side: int) -> Mask:
    """What bodies hide of the plane at a height, (N, N) bool."""
    mask = np.zeros((side * PLOT_PX, side * PLOT_PX), np.uint8)
    eye = view.centre
    for block in blocks:
        if block.top > height + 1e-6:
            shape = cv2.convexHull(_shadow(eye, block, height, pitch).astype(np.float32))
            cv2.fillConvexPoly(mask, np.round(shape * (PLOT_PX / pitch) * 16 - 8).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask > 0


def _shadow(eye: Floats, block: Block, height: float, pitch: float) -> Floats:
    """The corners of a body, each where the camera sees it on the plane, (8, 2) mm."""
    row, column = block.plot
    x, y = (column + 0.5) * pitch, (row + 0.5) * pitch
    corners = np.array([(x - block.half, y - block.half), (x + block.half, y - block.half),
                        (x + block.half, y + block.half), (x - block.half, y + block.half)])  # fmt: skip
    ends = [
        eye[:2] + (corners - eye[:2]) * (eye[2] - height) / max(eye[2] - max(level, height), 1.0)
        for level in (block.bottom, block.top)
    ]
    return np.concatenate(ends)


def composed(parts: dict[float, NDArray[Any]], heights: Mapping[Spot, float]) -> NDArray[Any]:
    """One picture of all plots, each taken from the plane of its own height; `parts` holds these planes."""
    first = next(iter(parts.values()))
    whole = np.zeros_like(first)
    for plot, height in heights.items():
        whole[patch(plot)] = parts[height][patch(plot)]
    return whole


def patch(plot: Spot) -> tuple[slice, slice]:
    """Where a plot lies in a plane."""
    row, column = plot
    return slice(row * PLOT_PX, (row + 1) * PLOT_PX), slice(column * PLOT_PX, (column + 1) * PLOT_PX)
