"""A board that was knocked a little: where it lies now, from the picture of the empty board.

What lies on the board since then hides parts of it; what is left of its print must agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.towers.pose import Floats, View, placed

PX_PER_MM = 2.0
COARSE_PX_PER_MM = 1.0

KNOCKED_MM = 25.0
"""How far the board is looked for from where it lay."""

TURNS_DEG = (0.0, 3.0, -3.0, 6.0, -6.0)
"""Turns of the board that are tried; the first that fits well is taken."""

FITS_WELL = 0.55
"""A correlation as good as this needs no other turn to be tried."""

EXACT_MM = 0.2
"""Points of the print agree with the board's place as exactly as this."""

AGREEING = 24
"""So many points of the print must agree, spread over `SPREAD` of the board."""

SPREAD = 0.35

AGREES = 0.3
"""The print correlates with the picture at least as much as this, and best where it is taken to lie."""

SETTLED_MM = 0.3
"""A step that moves the board less than this is the last."""

_POINTS = 320
_NET = 17
_FOLLOW: dict[str, Any] = {"winSize": (21, 21), "maxLevel": 4}
_THERE_AND_BACK_PX = 0.7


@dataclass(frozen=True, eq=False, slots=True)
class Print:
    """The empty board: the square of it that is compared, (from, to) in mm on both axes, and what is printed there.

    `fine` and `coarse` are (N, N) uint8 with evened contrast; `points` (P, 2) px of `fine` are easy to find again.
    """

    span: tuple[float, float]
    fine: NDArray[np.uint8]
    coarse: NDArray[np.uint8]
    points: NDArray[np.float32]


def learn(image: NDArray[np.uint8], view: View, span: tuple[float, float]) -> Print:
    """The print of the empty board in an (H, W, 3) BGR picture."""
    fine = _even(_flat(image, view, span, PX_PER_MM))
    found = cv2.goodFeaturesToTrack(fine, _POINTS, 0.02, 6 * PX_PER_MM, blockSize=5)
    points = np.empty((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
    return Print(span, fine, _edges(_flat(image, view, span, COARSE_PX_PER_MM)), points)


def find(image: NDArray[np.uint8], board: Print, guess: View) -> View | None:
    """The view of the board in another picture, near to a guess; None when the print is not found again."""
    for start in (guess, None):
        view: View | None = _coarse(image, board, guess) if start is None else start
        for _ in range(3):
            before = view
            view = None if before is None else _fine(image, board, before)
            if view is None or before is None or _moved_mm(view, before, board) < SETTLED_MM:
                break
        if view is not None and _agrees(image, board, view):
            return view
    return None


def _moved_mm(view: View, before: View, board: Print) -> float:
    ends = np.array([(x, y, 0.0) for x in board.span for y in board.span])
    return float(np.abs(view.project(ends) - before.project(ends)).max()) / _px_per_mm(view)


def _agrees(image: NDArray[np.uint8], board: Print, view: View) -> bool:
    """Whether the whole print lies where it should: plots are alike, and one pitch aside many would agree as well."""
    area = _edges(_flat(image, view, _wide(board), COARSE_PX_PER_MM))
    found = cv2.matchTemplate(area, board.coarse, cv2.TM_CCOEFF_NORMED)
    _, score, _, where = cv2.minMaxLoc(found)
    middle = (found.shape[0] - 1) / 2
    return score > AGREES and max(abs(where[0] - middle), abs(where[1] - middle)) <= 1.5


def _wide(board: Print) -> tuple[float, float]:
    return board.span[0] - KNOCKED_MM, board.span[1] + KNOCKED_MM


def _coarse(image: NDArray[np.uint8], board: Print, guess: View) -> View:
    """The board moved and turned in its plane until the picture's edges lie on its own."""
    wide = _wide(board)
    area = _flat(image, guess, wide, COARSE_PX_PER_MM)
    middle = ((area.shape[1] - 1) / 2, (area.shape[0] - 1) / 2)
    best, place, turned = -2.0, (0.0, 0.0), 0.0
    for degrees in TURNS_DEG:
        there = cv2.getRotationMatrix2D(middle, degrees, 1.0)
        turned_area = np.asarray(cv2.warpAffine(area, there, area.shape[1::-1]), np.uint8)
        found = cv2.matchTemplate(_edges(turned_area), board.coarse, cv2.TM_CCOEFF_NORMED)
        _, score, _, where = cv2.minMaxLoc(found)
        if score > best + (0.03 if best > 0 else 0.0):
            best, place, turned = score, (float(where[0]), float(where[1])), degrees
        if best > FITS_WELL:
            break
    across = np.linspace(*board.span, 6)
    points = np.array([(x, y, 0.0) for x in across for y in across])
    flat = (points[:, :2] - board.span[0]) * COARSE_PX_PER_MM + place
    back = cv2.invertAffineTransform(cv2.getRotationMatrix2D(middle, turned, 1.0))
    moved = cv2.transform(flat[None], back)[0] / COARSE_PX_PER_MM + wide[0]
    seen = guess.project(np.column_stack([moved, np.zeros(len(moved))]))
    return placed(guess, points, seen, np.inf)[0]


def _fine(image: NDArray[np.uint8], board: Print, view: View) -> View | None:
    """The view by the points of the print, each followed to where it is now."""
    fresh = _even(_flat(image, view, board.span, PX_PER_MM))
    if len(board.points) < AGREEING:
        return None
    start = board.points[:, None]
    there, ok, _ = cv2.calcOpticalFlowPyrLK(board.fine, fresh, start, np.empty(0, np.float32), **_FOLLOW)
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(fresh, board.fine, there, np.empty(0, np.float32), **_FOLLOW)
    home = np.linalg.norm((back - start).reshape(-1, 2), axis=1) < _THERE_AND_BACK_PX
    good = home & (ok.reshape(-1) == 1) & (ok_back.reshape(-1) == 1)
    if good.sum() < AGREEING:
        return None
    there = there.reshape(-1, 2)
    _, same = cv2.findHomography(board.points[good], there[good], cv2.RANSAC, 2.0)
    if same is None or same.sum() < AGREEING:
        return None
    good[good] = same.reshape(-1) == 1
    points = _board_points(board.points[good], board.span)
    seen = view.project(_board_points(there[good], board.span))
    view, kept = placed(view, points, seen, EXACT_MM * _px_per_mm(view))
    hull = cv2.convexHull(points[kept][:, :2].astype(np.float32)) if kept.sum() >= AGREEING else None
    area = 0.0 if hull is None else float(cv2.contourArea(hull))
    return view if area > SPREAD * (board.span[1] - board.span[0]) ** 2 else None


def _px_per_mm(view: View) -> float:
    return view.lens.focus / max(float(view.centre[2]), 1.0)


def _board_points(flat: NDArray[np.floating], span: tuple[float, float]) -> Floats:
    points = flat.astype(np.float64) / PX_PER_MM + span[0]
    return np.column_stack([points, np.zeros(len(points))])


def _flat(image: NDArray[np.uint8], view: View, span: tuple[float, float], px_per_mm: float) -> NDArray[np.uint8]:
    """The board seen from straight above, (N, N) uint8 grey."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(straight(np.asarray(grey, np.uint8), view, (*span, *span), 0.0, px_per_mm), np.uint8)


def straight(
    image: NDArray[np.uint8], view: View, area: tuple[float, float, float, float], height: float, px_per_mm: float
) -> NDArray[np.uint8]:
    """A level of the board seen from straight above: area is (x from, x to, y from, y to), height in mm."""
    x0, x1, y0, y1 = area
    width, depth = round((x1 - x0) * px_per_mm), round((y1 - y0) * px_per_mm)
    # The camera's map is smooth: a coarse net of it, interpolated, is as good and much quicker.
    xs, ys = np.linspace(0, width - 1, _NET), np.linspace(0, depth - 1, _NET)
    net = np.array([(x0 + (x + 0.5) / px_per_mm, y0 + (y + 0.5) / px_per_mm, height) for y in ys for x in xs])
    seen = view.project(net).astype(np.float32).reshape(_NET, _NET, 2)
    down, along = _between(depth), _between(width).T
    maps = [np.ascontiguousarray(down @ seen[:, :, k] @ along) for k in (0, 1)]
    return np.asarray(cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)


def _between(length: int) -> NDArray[np.float32]:
    """Weights that interpolate the net's knots along so many pixels, (length, knots)."""
    away = np.abs(np.linspace(0, _NET - 1, length)[:, None] - np.arange(_NET))
    return np.asarray(np.maximum(1 - away, 0), np.float32)


def _even(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Contrast made even, so that light and shade do not count."""
    fine = cv2.GaussianBlur(grey, (0, 0), 1.0).astype(np.float32)
    mean = cv2.GaussianBlur(fine, (0, 0), 9.0)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur((fine - mean) ** 2, (0, 0), 9.0), 4.0))
    return np.asarray(np.clip(128 + 45 * (fine - mean) / spread, 0, 255), np.uint8)


def _edges(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    fine = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    strength = cv2.magnitude(cv2.Sobel(fine, cv2.CV_32F, 1, 0), cv2.Sobel(fine, cv2.CV_32F, 0, 1))
    evened = strength / (cv2.GaussianBlur(strength, (0, 0), 12.0) + 8.0)
    return np.asarray(cv2.GaussianBlur(np.clip(80 * evened, 0, 255), (0, 0), 1.2), np.uint8)
