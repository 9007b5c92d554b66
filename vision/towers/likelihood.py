"""How likely a pixel's colour is, when the place has stayed as it was and when something known has come to lie there.

Colours are those of `vision.towers.light`, (..., 3) float32; results are natural logarithms of densities, (...).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.towers.light import Colours

Logs = NDArray[np.float32]

ANYTHING = 1 / 12
"""The density of a colour of which nothing is known: the volume of the colours that occur."""

STRANGE = 0.04
"""The share of pixels that show something else than they should: glare, an edge, a speck."""

STAYED = (0.07, 0.05, 0.05)
"""How much a pixel that shows the same thing differs from picture to picture."""

SHADED = 0.15
"""The share of unchanged pixels that a new shadow or a new light falls on ..."""

SHADES = (-1.0, 0.35)
"""... and how much darker or brighter it makes them."""

SHIFTED_PX = 0.4
"""How exactly two pictures lie on each other."""

_NOISE = 0.006
_DARK = 0.012


def noise(colour: Colours) -> Colours:
    """How much a camera's noise moves a colour, (..., 3): the darker, the more."""
    spread = _NOISE / (np.exp(np.minimum(colour[..., 0], 0.5)) + _DARK)
    return np.asarray(np.stack([spread * 0.6, spread, spread], axis=-1), np.float32)


def steepness(plane: Colours) -> Colours:
    """How much each colour changes by the pixel, (H, W, 3)."""
    along, down = (cv2.Sobel(plane, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    return np.asarray(np.abs(along) + np.abs(down), np.float32)


def stayed(before: Colours, after: Colours, steep: Colours) -> Logs:
    """Whether the pixels show the same things as before, perhaps in another shade; `steep` is of the picture before."""
    spread = np.sqrt(np.square(STAYED, dtype=np.float32) + np.square(noise(before)) + np.square(SHIFTED_PX * steep))
    off = np.square((after - before) / spread)
    hue = np.exp(-0.5 * (off[..., 1] + off[..., 2])) / (2 * np.pi * spread[..., 1] * spread[..., 2])
    same = hue * np.exp(-0.5 * off[..., 0]) / (np.sqrt(2 * np.pi) * spread[..., 0])
    step = after[..., 0] - before[..., 0]
    shade = hue * ((step > SHADES[0]) & (step < SHADES[1])) / (SHADES[1] - SHADES[0])
    return np.asarray(np.log((1 - STRANGE - SHADED) * same + SHADED * shade + STRANGE * ANYTHING), np.float32)


def came(expected: Colours, spread: Colours, after: Colours) -> Logs:
    """Whether the pixels show what is expected, each colour within its spread."""
    wide = np.sqrt(np.square(spread) + np.square(noise(expected)))
    off = np.square((after - expected) / wide).sum(axis=-1)
    density = np.exp(-0.5 * off) / ((2 * np.pi) ** 1.5 * wide.prod(axis=-1))
    return np.asarray(np.log((1 - STRANGE) * density + STRANGE * ANYTHING), np.float32)
