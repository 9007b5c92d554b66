"""A camera over a table: which pixel a point of the table falls on, and back.

Table frame: millimetres, x to the right and y towards the seat at the bottom edge, origin in the layout's middle.
Picture frame: pixels, x to the right, y down; a pixel's middle has whole coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TableCamera:
    """A pinhole with radial distortion, `distance_mm` from `target`, the point of the table in the picture's middle."""

    width: int
    height: int
    focal_px: float
    distance_mm: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    target: tuple[float, float]
    k1: float = 0.0
    k2: float = 0.0

    @property
    def homography(self) -> NDArray[np.float64]:
        """(3, 3): table mm to the normalised picture before distortion."""
        turn = _about_z(self.roll_deg) @ _about_x(self.tilt_deg) @ _about_z(self.azimuth_deg)
        target = np.array([*self.target, 0.0])
        shift = np.array([0.0, 0.0, self.distance_mm]) - turn @ target
        return np.column_stack([turn[:, 0], turn[:, 1], shift])

    @property
    def middle(self) -> NDArray[np.float64]:
        """The principal point, px."""
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    def project(self, table_mm: Points) -> Points:
        """Table points (N, 2) mm to picture points (N, 2) px."""
        flat = np.column_stack([table_mm, np.ones(len(table_mm))]) @ self.homography.T
        ray = flat[:, :2] / flat[:, 2:]
        return np.asarray(self.focal_px * ray * self._stretch(ray) + self.middle)

    def unproject(self, picture_px: Points) -> Points:
        """Picture points (N, 2) px to table points (N, 2) mm; the distortion is undone by fixed-point steps."""
        bent = (picture_px - self.middle) / self.focal_px
        ray = bent
        for _ in range(6):
            ray = bent / self._stretch(ray)
        flat = np.column_stack([ray, np.ones(len(ray))]) @ np.linalg.inv(self.homography).T
        return np.asarray(flat[:, :2] / flat[:, 2:])

    def _stretch(self, ray: Points) -> Points:
        r2 = (ray**2).sum(axis=1, keepdims=True)
        return np.asarray(1 + self.k1 * r2 + self.k2 * r2**2)


def _about_x(degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])


def _about_z(degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
