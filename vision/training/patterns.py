"""Colours, textures and pictures that cards and their backs are made of. All (size, size, 3) uint8, BGR."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]
"""(blue, green, red), 0 to 255."""
SIDE = 192
"""Pixels along the side of a painted card."""


def colour(rng: np.random.Generator, value: tuple[float, float] = (0.0, 1.0), saturation: float = 1.0) -> Colour:
    """Any colour whose brightest channel lies within `value` (0 to 1)."""
    hue = rng.random()
    red, green, blue = colorsys.hsv_to_rgb(hue, rng.random() ** 0.8 * saturation, rng.uniform(*value))
    return 255 * blue, 255 * green, 255 * red


def luminance(tint: Colour) -> float:
    """Perceived lightness, 0 to 255."""
    return 0.114 * tint[0] + 0.587 * tint[1] + 0.299 * tint[2]


def paper(rng: np.random.Generator) -> Colour:
    """A card stock's colour: white, cream, tinted, coloured or dark."""
    kind = rng.random()
    if kind < 0.5:
        level = rng.uniform(215, 255)
        warm = rng.uniform(0, 22)
        return level - warm, level - warm * 0.3, level
    if kind < 0.72:
        return colour(rng, (0.8, 1.0), 0.5)
    return colour(rng, (0.05, 0.45)) if kind < 0.86 else colour(rng, (0.4, 1.0))


def against(rng: np.random.Generator, ground: Colour, contrast: float = 70) -> Colour:
    """An ink that stands out from `ground` by at least `contrast` in lightness."""
    for _ in range(40):
        style = rng.random()
        if style < 0.3:
            ink = (rng.uniform(0, 50),) * 3
        elif style < 0.45:
            ink = (rng.uniform(220, 255),) * 3
        else:
            ink = colour(rng, (0.1, 1.0))
        if abs(luminance(ink) - luminance(ground)) >= contrast:
            return ink
    return (0.0, 0.0, 0.0) if luminance(ground) > 127 else (255.0, 255.0, 255.0)


def plain(size: int, tint: Colour) -> Picture:
    """One colour all over."""
    return np.full((size, size, 3), np.round(tint), np.uint8)


def blend(ground: Picture, coverage: NDArray[np.uint8], ink: Colour | Picture) -> Picture:
    """`ink` laid over `ground` where `coverage` (h, w) says so."""
    alpha = coverage.astype(np.float32)[..., None] / 255
    top = np.asarray(ink, np.float32)
    return np.asarray(ground + (top - ground) * alpha + 0.5, np.uint8)


def smooth_noise(rng: np.random.Generator, size: int, cells: float, stretch: float = 1.0) -> NDArray[np.float32]:
    """A cloudy field, (size, size) float32 with mean about 0 and spread about 1; `stretch` draws it out into fibres."""
    rows, cols = max(2, round(cells)), max(2, round(cells / stretch))
    field = rng.normal(0, 1, (rows, cols)).astype(np.float32)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _wave(rng: np.random.Generator, size: int) -> NDArray[np.float32]:
    """A repeating figure in -1 to 1: stripes, rings, checks, dots or waves."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
    angle, count = rng.uniform(0, np.pi), rng.uniform(4, 26)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    kind = rng.integers(0, 7)
    tau = np.float32(2 * np.pi * count)
    if kind == 0:
        field = np.sin(tau * u)
    elif kind == 1:
        field = np.sin(tau * np.hypot(x, y))
    elif kind == 2:
        field = np.sign(np.sin(tau * u)) * np.sign(np.sin(tau * v))
    elif kind == 3:
        field = np.sin(tau * u) * np.sin(tau * v) * 2 - 0.6
    elif kind == 4:
        field = np.sin(tau * u + 2.5 * np.sin(tau * v * rng.uniform(0.3, 0.8)))
    elif kind == 5:
        field = np.maximum(np.sin(tau * u), np.sin(tau * v)) * 2 - 1.2
    else:
        field = np.sin(rng.integers(5, 24) * np.arctan2(y, x)) * np.cos(tau * 0.4 * np.hypot(x, y))
    return np.asarray(np.clip(field * rng.choice([1.0, 3.0, 8.0]), -1, 1), np.float32)


def ornament(rng: np.random.Generator, size: int, ground: Colour, ink: Colour) -> Picture:
    """A repeating two-coloured pattern."""
    share = np.asarray((_wave(rng, size) + 1) * 127.5, np.uint8)
    return blend(plain(size, ground), share, ink)


def scenery(rng: np.random.Generator, size: int) -> Picture:
    """A picture of nothing in particular: sky, hills, blobs and boxes."""
    top, bottom = np.array(colour(rng)), np.array(colour(rng))
    ramp = np.linspace(0, 1, size, dtype=np.float32)[:, None, None]
    canvas = np.asarray(np.broadcast_to(top * (1 - ramp) + bottom * ramp, (size, size, 3)), np.uint8).copy()
    for _ in range(rng.integers(3, 22)):
        centre = tuple(int(n) for n in rng.integers(0, size, 2))
        tint = colour(rng)
        if rng.random() < 0.6:
            axes = tuple(int(n) for n in rng.integers(size // 40 + 2, size // 3, 2))
            cv2.ellipse(canvas, centre, axes, float(rng.uniform(0, 180)), 0, 360, tint, -1, cv2.LINE_AA)
        else:
            corners = np.round(np.array(centre) + rng.normal(0, size / 6, (int(rng.integers(3, 6)), 2))).astype(
                np.int32
            )
            cv2.fillPoly(canvas, [corners], tint, cv2.LINE_AA)
    if rng.random() < 0.5:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.5, size / 20))), np.uint8)
    return grain(rng, canvas, rng.uniform(0, 12))


def grain(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Fine and coarse unevenness of a surface."""
    size = len(picture)
    field = smooth_noise(rng, size, size / rng.uniform(1.2, 6)) + smooth_noise(rng, size, rng.uniform(3, 12))
    return np.asarray(np.clip(picture + (field * strength)[..., None], 0, 255), np.uint8)
