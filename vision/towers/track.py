"""Where the pieces stand on the track round the plots."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.games.casa_grande.board import SIDE, SIDE_SPACES, SPACES
from companion.games.casa_grande.box import Sizes
from vision.towers import likelihood
from vision.towers.light import Colours
from vision.towers.planes import Planes
from vision.towers.pose import Floats

PX_PER_MM = 1.25

BODY_MM = 6.0
"""The height at which a piece is looked at: the middle of its body."""

BODY_SHARE = 0.14
"""The half width of a piece's body, in the width of the track."""

PIECE_SPREAD = (0.45, 0.2, 0.2)
"""How much a piece's colour differs from where it stood first: it is round, and shaded."""

LIMITS = (-3.0, 5.0)


def middle(space: int, sizes: Sizes) -> Floats:
    """The middle of a space, (x, y) mm."""
    long, half = SIDE * sizes.pitch_mm, sizes.track_width_mm / 2
    side, along = divmod(space % SPACES, SIDE_SPACES)
    way = -half if along == 0 else (along - 0.5) * 2 * sizes.pitch_mm
    corner = [(way, -half), (long + half, way), (long - way, long + half), (-half, long - way)][side]
    return np.array(corner)


def colour(planes: Planes, space: int, sizes: Sizes) -> Colours:
    """The colour of the piece on a space where one stands alone, (3,)."""
    half = BODY_SHARE * sizes.track_width_mm
    x, y = middle(space, sizes)
    area = (x - half, x + half, y - half, y + half)
    return np.asarray(np.median(planes.area(area, BODY_MM, 2 * PX_PER_MM).reshape(-1, 3), axis=0), np.float32)


def arrived(before: Planes, after: Planes, looks: Colours, spaces: Iterable[int], sizes: Sizes) -> dict[int, float]:
    """How much each space looks as if a piece of this colour had come to it, as a log likelihood within `LIMITS`."""
    size = max(3, round(2 * BODY_SHARE * sizes.track_width_mm * PX_PER_MM))
    found = {}
    for space in spaces:
        x, y = middle(space, sizes)
        wide = sizes.pitch_mm if space % SIDE_SPACES else sizes.track_width_mm / 2
        deep = sizes.track_width_mm / 2
        across, down = (wide, deep) if space // SIDE_SPACES % 2 == 0 else (deep, wide)
        area = (x - across, x + across, y - down, y + down)
        earlier, later = (each.area(area, BODY_MM, PX_PER_MM) for each in (before, after))
        stayed = likelihood.stayed(earlier, later, likelihood.steepness(earlier))
        came = likelihood.came(looks, np.array(PIECE_SPREAD, np.float32), later)
        body = cv2.blur(np.clip(came - stayed, *LIMITS).astype(np.float32), (size, size))
        found[space] = float(body.max())
    return found
