"""What the drawn table is made of: painted cards with their faces and backs, and the table's own surface.

Pictures are (H, W, 3) uint8, BGR; a painted card is (SIDE, SIDE, 4) with its outline as the fourth channel.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.sight import UNKNOWN

Pixels = NDArray[np.uint8]
Colour = tuple[float, float, float]

SIDE = 128
"""Pixels along the side of a painted card."""

COMMA = ","

STOCK: Colour = (226, 238, 244)
INK: Colour = (96, 38, 24)
BACK: Colour = (58, 52, 150)

Surface = Literal["wood", "felt"]
"""What the table is covered with."""


@cache
def card(symbol: str) -> Pixels:
    """A card that shows this face, or its back for `UNKNOWN`."""
    canvas = np.full((SIDE, SIDE, 3), STOCK, np.uint8)
    if symbol == UNKNOWN:
        _paint_back(canvas)
    else:
        canvas = _blend(canvas, _glyph(symbol), INK)
    return np.dstack([canvas, _outline()])


def _outline() -> Pixels:
    """Coverage of a square with rounded corners."""
    large, radius = np.zeros((4 * SIDE, 4 * SIDE), np.uint8), SIDE // 4
    end = 4 * SIDE - 1 - radius
    cv2.rectangle(large, (radius, 0), (end, 4 * SIDE - 1), 255, -1)
    cv2.rectangle(large, (0, radius), (4 * SIDE - 1, end), 255, -1)
    for centre in ((radius, radius), (radius, end), (end, radius), (end, end)):
        cv2.circle(large, centre, radius, 255, -1)
    return np.asarray(cv2.resize(large, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def _paint_back(canvas: Pixels) -> None:
    """A coloured field of crossing lines within a rim of bare stock."""
    rim = SIDE // 14
    field = canvas[rim:-rim, rim:-rim]
    field[:] = BACK
    for at in range(-SIDE, 2 * SIDE, SIDE // 9):
        cv2.line(field, (at, 0), (at + SIDE, SIDE), (150, 150, 215), 2, cv2.LINE_AA)
        cv2.line(field, (at, SIDE), (at + SIDE, 0), (150, 150, 215), 2, cv2.LINE_AA)


def _glyph(symbol: str) -> Pixels:
    """Coverage of one large face in the card's middle; Pillow's own typeface is on every machine."""
    shape = _comma() if symbol == COMMA else _written(symbol)
    rows, columns = np.nonzero(shape.any(axis=1))[0], np.nonzero(shape.any(axis=0))[0]
    shape = shape[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height = round(SIDE * (0.46 if symbol == COMMA else 0.6))
    size = (round(shape.shape[1] * height / shape.shape[0]), height)
    small = cv2.resize(shape, size, interpolation=cv2.INTER_AREA)
    layer = np.zeros((SIDE, SIDE), np.uint8)
    top, left = (SIDE - height) // 2, (SIDE - size[0]) // 2
    layer[top : top + height, left : left + size[0]] = small
    return layer


def _written(digit: str) -> Pixels:
    large = Image.new("L", (8 * SIDE, 8 * SIDE))
    font = ImageFont.load_default(size=4 * SIDE)
    ImageDraw.Draw(large).text((2 * SIDE, 2 * SIDE), digit, 255, font, stroke_width=SIDE // 16)
    return np.asarray(large).copy()


def _comma() -> Pixels:
    """A ball with a tail: the typeface's own comma is a mere stroke, which nobody could tell from a 1."""
    large = np.zeros((8 * SIDE, 8 * SIDE), np.uint8)
    unit = 8 * SIDE / 100
    turn = np.radians(np.arange(0, 91, 5))
    outer = np.column_stack([44 + 23 * np.cos(turn) ** 0.8, 42 + 48 * np.sin(turn)])
    inner = np.column_stack([40 + 12 * np.cos(turn), 42 + 42 * np.sin(turn)])[::-1]
    cv2.circle(large, (round(44 * unit), round(36 * unit)), round(23 * unit), 255, -1)
    cv2.fillPoly(large, [np.round(np.vstack([outer, inner]) * unit).astype(np.int32)], 255)
    return large


def _blend(ground: Pixels, coverage: Pixels, ink: Colour) -> Pixels:
    share = coverage[..., None].astype(np.float32) / 255
    return np.asarray(ground + (np.array(ink, np.float32) - ground) * share + 0.5, np.uint8)


def surface(kind: Surface, size: int, rng: np.random.Generator) -> Pixels:
    """A table of wood (its grain runs across) or felt, (size, size, 3)."""
    if kind == "felt":
        tone, light, fibres = np.array([66, 92, 40], np.float32), 5.0, (size // 2, size // 2)
    else:
        tone, light, fibres = np.array([74, 112, 156], np.float32), 11.0, (size // 3, max(4, size // 64))
    grain = light * _clouds(rng, size, fibres) + 4 * _clouds(rng, size, (7, 5))
    if kind == "wood":
        grain += 5 * np.sin(np.linspace(0, 40, size)[:, None] + 2 * _clouds(rng, size, (4, 3)))
    share = np.array([0.7, 0.9, 1.0], np.float32)
    return np.asarray(np.clip(tone + grain[..., None] * share, 0, 255), np.uint8)


def _clouds(rng: np.random.Generator, size: int, cells: tuple[int, int]) -> NDArray[np.float32]:
    field = rng.normal(0, 1, cells).astype(np.float32)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
