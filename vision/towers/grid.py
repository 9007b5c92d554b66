"""The painted plots of an empty board, found in a picture: where each of them has its middle.

Nothing is presumed of the board's colours; only that each plot's outline, or a figure in the middle of each, stands out
from what is round it.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import areas, axes, centres, clockwise
from vision.towers.pose import Floats

LONG_SIDE_PX = 1100
"""Plots are looked for in a picture of this size."""

PLOT_SHARE = (0.012, 0.14)
"""The side of a plot, in the picture's longer side."""

ENOUGH = 0.7
"""The share of the plots that must be seen before the others are believed."""

_WINDOWS = (0.02, 0.045)
"""Windows of the local threshold, in the picture's longer side."""

Node = tuple[int, int]


def middles(image: NDArray[np.uint8], side: int) -> tuple[Floats, Floats] | None:
    """The plots of a board with `side` x `side` of them, in an (H, W, 3) BGR picture, or None.

    Returns (row, column) of each that was seen, (N, 2), and its middle in px of the picture, (N, 2). Row 0 is farthest
    from the picture's bottom edge, and columns go to the right of it.
    """
    scale = min(1.0, LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    best: tuple[Floats, Floats] | None = None
    for quads in _outlines(np.asarray(small, np.uint8)):
        found = _lattice(quads, side)
        if found is not None and (best is None or len(found[0]) > len(best[0])):
            best = found
        if best is not None and len(best[0]) >= 0.97 * side * side:
            break
    if best is None:
        return None
    nodes, points = _upright(best[0], best[1], side)
    return nodes, (points + 0.5) / scale - 0.5


def _outlines(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float32]]:
    """Sets of four-sided outlines, (N, 4, 2) px, each from another way to look."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    longest = max(image.shape[:2])
    found: list[NDArray[np.float32]] = []
    for channel in (0, 2, 1):
        smooth = cv2.GaussianBlur(lab[:, :, channel], (0, 0), 0.8)
        for share in _WINDOWS:
            window = int(longest * share) | 1
            for kind in (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV):
                for bias in (-3, -7) if kind == cv2.THRESH_BINARY_INV else (3, -3):
                    mask = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, window, bias)
                    found.append(_quads(np.asarray(mask, np.uint8), longest))
        quads = np.concatenate(found)
        if len(quads):
            yield quads
    edges = cv2.Canny(cv2.GaussianBlur(image, (0, 0), 1.0), 20, 50)
    found.append(_quads(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8), longest))
    quads = np.concatenate(found)
    if len(quads):
        yield quads


def _quads(mask: NDArray[np.uint8], longest: int) -> NDArray[np.float32]:
    low, high = ((share * longest) ** 2 for share in PLOT_SHARE)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        if not low * 0.3 < cv2.contourArea(contour) < high:
            continue
        hull = cv2.convexHull(contour)
        around = cv2.approxPolyDP(hull, 0.08 * cv2.arcLength(hull, True), True).reshape(-1, 2)
        if len(around) == 4 and cv2.contourArea(hull) * 0.75 < cv2.contourArea(contour):
            found.append(around)
    if not found:
        return np.empty((0, 4, 2), np.float32)
    quads = clockwise(np.array(found, np.float32))
    across = axes(quads)
    lengths = np.linalg.norm(across, axis=-2)
    square = lengths.min(axis=-1) > 0.6 * lengths.max(axis=-1)
    return np.asarray(quads[square & (areas(quads) > low * 0.3)])


def _lattice(quads: NDArray[np.float32], side: int) -> tuple[Floats, Floats] | None:
    """(row, column) and middle in px of the plots, both from any of the board's corners."""
    points, steps = _merged(quads)
    best: dict[Node, int] = {}
    tried: set[int] = set()
    for seed in np.argsort(np.abs(points - np.median(points, axis=0)).sum(axis=1)):
        if seed in tried or len(tried) > len(points) * 0.98:
            continue
        grown = _grown(points, steps, int(seed))
        tried.update(grown.values())
        if len(grown) > len(best):
            best = grown
        if len(best) >= side * side:
            break
    return _window(best, points, side) if len(best) >= ENOUGH * side * side else None


def _merged(quads: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Outlines about the same middle as one point (N, 2), with the axes of the largest (N, 2, 2)."""
    order = np.argsort(-areas(quads))
    middle, across = centres(quads)[order], axes(quads)[order]
    size = np.sqrt(np.maximum(areas(quads)[order], 1))
    points: list[Floats] = []
    steps: list[Floats] = []
    free = np.ones(len(order), bool)
    for number in range(len(order)):
        if not free[number]:
            continue
        close = free & (np.linalg.norm(middle - middle[number], axis=1) < 0.2 * size[number])
        free &= ~close
        # The larger outlines are the sharper ones; the figures inside them help to find the middle.
        points.append(np.median(middle[close], axis=0))
        steps.append(across[number].T)
    return np.array(points), np.array(steps)


def _grown(points: Floats, steps: Floats, seed: int) -> dict[Node, int]:
    """Nodes reached from a point by equal steps along both axes of its outline."""
    found: dict[Node, int] = {(0, 0): seed}
    taken = {seed}
    basis: dict[Node, Floats] = {}
    first = _basis(points, steps[seed], seed)
    if first is None:
        return found
    basis[(0, 0)] = first
    queue = [(0, 0)]
    for node in queue:
        here, local = points[found[node]], basis[node]
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            near = (node[0] + sign * (axis == 1), node[1] + sign * (axis == 0))
            if near in found:
                continue
            far = np.linalg.norm(points - (here + sign * local[axis]), axis=1)
            nearest = int(np.argmin(far))
            if far[nearest] > 0.16 * np.linalg.norm(local[axis]) or nearest in taken:
                continue
            found[near] = nearest
            taken.add(nearest)
            changed = local.copy()
            changed[axis] = 0.5 * local[axis] + 0.5 * sign * (points[nearest] - here)
            basis[near] = changed
            queue.append(near)
    return found


def _basis(points: Floats, step: Floats, seed: int) -> Floats | None:
    """The way to the next point along each axis of an outline, (2, 2), or None."""
    ways = points - points[seed]
    found = []
    for axis in (0, 1):
        length = np.linalg.norm(step[axis])
        along = ways @ step[axis] / length
        beside = np.abs(ways @ np.array([-step[axis][1], step[axis][0]]) / length)
        good = (np.abs(along) > 0.8 * length) & (np.abs(along) < 2.4 * length) & (beside < 0.2 * np.abs(along))
        if not good.any():
            return None
        nearest = np.flatnonzero(good)[np.argmin(np.abs(along[good]))]
        found.append(ways[nearest] * np.sign(along[nearest]))
    return np.array(found)


def _window(grown: dict[Node, int], points: Floats, side: int) -> tuple[Floats, Floats] | None:
    """The `side` x `side` nodes that hold the most points, without those that lie off the common plane."""
    nodes = np.array(list(grown))
    low, high = nodes.min(axis=0), nodes.max(axis=0)
    corners = [
        (row, column)
        for row in range(low[0], max(low[0], high[0] - side + 1) + 1)
        for column in range(low[1], max(low[1], high[1] - side + 1) + 1)
    ]
    inside = [np.all((nodes >= corner) & (nodes < np.add(corner, side)), axis=1) for corner in corners]
    counts = [int(each.sum()) for each in inside]
    best = int(np.argmax(counts))
    if counts[best] < ENOUGH * side * side or counts.count(counts[best]) > 1:
        return None
    chosen = (nodes[inside[best]] - corners[best]).astype(np.float64)
    seen = points[np.array(list(grown.values()))[inside[best]]]
    plane, _ = cv2.findHomography(chosen[:, ::-1].copy(), seen, cv2.RANSAC, 4.0)
    if np.shape(plane) != (3, 3):
        return None
    again = cv2.perspectiveTransform(chosen[:, None, ::-1].copy(), plane).reshape(-1, 2)
    step = np.median(np.linalg.norm(seen - seen.mean(axis=0), axis=1)) / side * 2
    good = np.linalg.norm(again - seen, axis=1) < 0.12 * step
    return (chosen[good], seen[good]) if good.sum() >= ENOUGH * side * side else None


def _upright(nodes: Floats, points: Floats, side: int) -> tuple[Floats, Floats]:
    """Rows and columns numbered as the picture's bottom edge sees them."""
    plane, _ = cv2.findHomography(nodes[:, ::-1].copy(), points)
    ends = np.array([[0, 0], [side - 1, 0], [side - 1, side - 1], [0, side - 1]], np.float64)
    corners = cv2.perspectiveTransform(ends[:, None], plane).reshape(-1, 2)
    mirrored = float(areas(corners[None].astype(np.float32))[0]) < 0
    if mirrored:
        nodes = np.column_stack([nodes[:, 0], side - 1 - nodes[:, 1]])
        corners = corners[[1, 0, 3, 2]]
    heights = [(corners[k] + corners[(k + 1) % 4])[1] for k in range(4)]
    for _ in range(int(np.argmin(heights))):
        nodes = np.column_stack([side - 1 - nodes[:, 1], nodes[:, 0]])
    return nodes, points
