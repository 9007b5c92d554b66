"""Quadrilaterals in a picture, as arrays: the common currency of finding, fitting and warping cards.

Arrays of quadrilaterals are (N, 4, 2) float32, corners clockwise as a person sees the picture (x right, y down), px.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Quads = NDArray[np.float32]

TURNS = tuple(np.array(m) for m in ([[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]))
"""The four quarter turns as (2, 2) integer matrices."""


def clockwise(quads: NDArray[np.floating]) -> Quads:
    """Corners put in clockwise order, from the one nearest to the picture's top left; (..., 4, 2)."""
    points = np.asarray(quads, np.float32)
    offset = points - points.mean(axis=-2, keepdims=True)
    order = np.argsort(np.arctan2(offset[..., 1], offset[..., 0]), axis=-1)
    points = np.take_along_axis(points, order[..., None], axis=-2)
    first = np.argmin(points.sum(axis=-1), axis=-1)
    turn = (np.arange(4) + first[..., None]) % 4
    return np.take_along_axis(points, turn[..., None], axis=-2)


def areas(quads: Quads) -> NDArray[np.float64]:
    """Areas in px^2, positive for clockwise corners; (...)."""
    across = (quads[..., 2, :] - quads[..., 0, :]).astype(np.float64)
    down = (quads[..., 3, :] - quads[..., 1, :]).astype(np.float64)
    return np.asarray((across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0]) / 2)


def sides(quads: Quads) -> NDArray[np.float64]:
    """Square roots of the areas: a mean side in px; (...)."""
    return np.sqrt(np.maximum(areas(quads), 1e-9))


def centres(quads: Quads) -> NDArray[np.float64]:
    """Where the diagonals cross, (..., 2) px: the image of a square's centre, in perspective too."""
    a, b, c, d = (quads[..., k, :].astype(np.float64) for k in range(4))
    across, down = c - a, d - b
    cross = across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0]
    start = b - a
    along = start[..., 0] * down[..., 1] - start[..., 1] * down[..., 0]
    share = np.where(np.abs(cross) > 1e-9, along / np.where(np.abs(cross) > 1e-9, cross, 1.0), 0.5)
    return np.asarray(a + share[..., None] * across)


def axes(quads: Quads) -> NDArray[np.float64]:
    """Affine axes, (..., 2, 2): the columns are one side along and one side down, in px."""
    q = quads.astype(np.float64)
    along = (q[..., 1, :] - q[..., 0, :] + q[..., 2, :] - q[..., 3, :]) / 2
    down = (q[..., 3, :] - q[..., 0, :] + q[..., 2, :] - q[..., 1, :]) / 2
    return np.stack([along, down], axis=-1)


def started_like(quads: Quads, reference: Quads) -> Quads:
    """The same quadrilaterals, (N, 4, 2), with the corner first that fits the reference, (4, 2) or (N, 4, 2), best."""
    turned = np.stack([np.roll(quads, k, axis=-2) for k in range(4)])
    shape = reference - reference.mean(axis=-2, keepdims=True)
    misfit = np.abs(turned - turned.mean(axis=-2, keepdims=True) - shape).sum(axis=(-1, -2))
    best = np.argmin(misfit, axis=0)
    return np.asarray(np.take_along_axis(turned, best[None, ..., None, None], axis=0)[0])
