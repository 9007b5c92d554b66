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

SHADED = 0.02
"""The share of unchanged pixels that a new shadow or a new light falls on ..."""

SHADES = (np.array([-1.8, -0.25, -0.35], np.float32), np.array([0.35, 0.25, 0.35], np.float32))
"""... and how much it changes them, at least and at most ..."""

SMOOTH_PX = 7
"""... smoothly over so many pixels."""

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
    peak = (2 * np.pi) ** 1.5 * spread.prod(axis=-1)
    step = after - before
    # A shadow is smooth, what lies in it keeps its print.
    shade = cv2.blur(step, (SMOOTH_PX, SMOOTH_PX))
    shadow = ((shade > SHADES[0]) & (shade < SHADES[1])).all(axis=-1)
    same = np.exp(-0.5 * np.square(step / spread).sum(axis=-1)) / peak
    dimmed = shadow * np.exp(-0.5 * np.square((step - shade) / spread).sum(axis=-1)) / peak
    return np.asarray(np.log((1 - STRANGE - SHADED) * same + SHADED * dimmed + STRANGE * ANYTHING), np.float32)


def came(expected: Colours, spread: Colours, after: Colours) -> Logs:
    """Whether the pixels show what is expected, each colour within its spread."""
    wide = np.sqrt(np.square(spread) + np.square(noise(expected)))
    off = np.square((after - expected) / wide).sum(axis=-1)
    density = np.exp(-0.5 * off) / ((2 * np.pi) ** 1.5 * wide.prod(axis=-1))
    return np.asarray(np.log((1 - STRANGE) * density + STRANGE * ANYTHING), np.float32)
