"""Where a camera is beside a board, so that every point above the board has its place in the picture.

Board points are (N, 3) float64 millimetres: x along a row of plots, y from row to row, both from the corner of the plot
in row 0, column 0; the third is the height above the board. Picture points are (N, 2) float64 px, x right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

USUAL_FOCUS = 0.83
"""The focal length of ordinary cameras, in the picture's longer side."""

FOCUS_SPREAD = 0.15
"""How much the logarithm of the focal length spreads about the usual."""

USUAL_DISTORTION = 0.05
"""How much the radial distortion spreads about none."""

FOUND_PX = 0.7
"""How exactly a point of the board is found in a picture, in px of a picture 1600 px wide."""

_STEPS = 12


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's inside: focal length in px, radial distortion, the middle of its picture in px."""

    focus: float
    distortion: float
    middle: tuple[float, float]

    @property
    def matrix(self) -> Floats:
        """The camera matrix, (3, 3)."""
        return np.array([[self.focus, 0, self.middle[0]], [0, self.focus, self.middle[1]], [0, 0, 1]])

    @property
    def coefficients(self) -> Floats:
        """The distortion as OpenCV takes it, (4,)."""
        return np.array([self.distortion, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """A camera that looks at a board: its lens, and how the board lies before it (Rodrigues vector, mm)."""

    lens: Lens
    turn: Floats
    shift: Floats

    def project(self, points: NDArray[np.floating]) -> Floats:
        """Board points (N, 3) to picture points (N, 2)."""
        found, _ = cv2.projectPoints(_flip(points), self.turn, self.shift, self.lens.matrix, self.lens.coefficients)
        return np.asarray(found, np.float64).reshape(-1, 2)

    @property
    def centre(self) -> Floats:
        """Where the camera is: x, y and height in mm, (3,)."""
        rotation, _ = cv2.Rodrigues(self.turn)
        place = -np.asarray(rotation, np.float64).T @ self.shift.reshape(3)
        return np.asarray(place * (1.0, 1.0, -1.0))


def scaled(view: View, factor: float) -> View:
    """The same view in a picture that is larger by the factor (pixel centres at whole numbers)."""
    x, y = view.lens.middle
    middle = ((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5)
    return View(Lens(view.lens.focus * factor, view.lens.distortion, middle), view.turn, view.shift)


def fitted(points: Floats, seen: Floats, size: tuple[int, int]) -> tuple[View, float]:
    """The view that puts board points (N, 3) where they are seen (N, 2), and its root mean square error in px.

    `size` is the picture's (height, width). Focal length and distortion are found too, held by what is usual.
    """
    height, width = size
    middle = ((width - 1) / 2, (height - 1) / 2)
    start = _placed(Lens(USUAL_FOCUS * max(size), 0.0, middle), points, seen)
    values = np.concatenate([start.turn, start.shift, [log(start.lens.focus), 0.0]])
    usual = np.array([log(USUAL_FOCUS * max(size)), 0.0])
    stiff = np.array([FOCUS_SPREAD, USUAL_DISTORTION]) ** -2.0
    exact = FOUND_PX * max(size) / 1600
    for _ in range(_STEPS):
        lens = Lens(float(np.exp(values[6])), float(values[7]), middle)
        found, jacobian = _derived(View(lens, values[:3], values[3:6]), points)
        error = (seen - found).reshape(-1)
        weight = np.repeat(_trust(error.reshape(-1, 2), exact), 2) / exact**2
        normal = jacobian.T @ (jacobian * weight[:, None])
        right = jacobian.T @ (error * weight)
        normal[6:, 6:] += np.diag(stiff)
        right[6:] += stiff * (usual - values[6:])
        values = values + np.linalg.solve(normal + np.eye(8) * 1e-9, right)
    view = View(Lens(float(np.exp(values[6])), float(values[7]), middle), values[:3].copy(), values[3:6].copy())
    return view, _error(view, points, seen)


def placed(view: View, points: Floats, seen: Floats, exact: float) -> tuple[View, NDArray[np.bool_]]:
    """The same camera with the board moved so that points are where they are seen; which of them agree within `exact`.

    Points that do not agree are left out step by step.
    """
    kept = np.ones(len(points), bool)
    for reach in (8.0, 4.0, 2.0, 1.0):
        if kept.sum() < 6:
            break
        start = view.turn.reshape(3, 1).copy(), view.shift.reshape(3, 1).copy()
        turn, shift = cv2.solvePnPRefineLM(
            _flip(points[kept]), seen[kept], view.lens.matrix, view.lens.coefficients, *start
        )
        view = View(view.lens, np.asarray(turn, np.float64).reshape(3), np.asarray(shift, np.float64).reshape(3))
        far = np.linalg.norm(view.project(points) - seen, axis=1)
        kept = far < max(exact * reach, 0.0)
    return view, kept


def _placed(lens: Lens, points: Floats, seen: Floats) -> View:
    _, turn, shift = cv2.solvePnP(_flip(points), seen, lens.matrix, lens.coefficients, flags=cv2.SOLVEPNP_IPPE)
    return View(lens, np.asarray(turn, np.float64).reshape(3), np.asarray(shift, np.float64).reshape(3))


def _derived(view: View, points: Floats) -> tuple[Floats, Floats]:
    """Picture points (N, 2), and their derivatives by turn, shift, log focus and distortion, (2N, 8)."""
    lens = view.lens
    found, every = cv2.projectPoints(_flip(points), view.turn, view.shift, lens.matrix, lens.coefficients)
    every = np.asarray(every, np.float64)
    focus = (every[:, 6] + every[:, 7]) * lens.focus
    return np.asarray(found, np.float64).reshape(-1, 2), np.column_stack([every[:, :6], focus, every[:, 10]])


def _trust(errors: Floats, exact: float) -> Floats:
    """How much each point counts: less, the further off it is (Cauchy)."""
    return np.asarray(1 / (1 + (errors**2).sum(axis=1) / (3 * exact) ** 2))


def _error(view: View, points: Floats, seen: Floats) -> float:
    return float(np.sqrt(((view.project(points) - seen) ** 2).sum(axis=1).mean()))


def _flip(points: NDArray[np.floating]) -> Floats:
    """Heights point towards the camera; OpenCV's third axis points away."""
    return np.asarray(points, np.float64).reshape(-1, 3) * (1.0, 1.0, -1.0)
