"""What number cards are made of besides their digits: grounds, borders, ornaments, inks and backs."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training import patterns
from vision.training.patterns import SIDE, Colour, Picture
from vision.training.printing import Placing
from vision.training.typefaces import Mask, Typeface

CAPTIONS = ("komma", "comma", "number", "lotto", "ziffer", "the game", "original", "memo", "Rechnen")


@dataclass(frozen=True)
class Frame:
    """A rim of bare stock around a coloured field; `width` is a share of the side."""

    stock: Colour
    width: float


def empty_face(ground: Colour, frame: Frame | None, by_hand: bool, rng: np.random.Generator) -> Picture:
    """A face without its digit: stock, panel, a faint pattern or picture, borders."""
    canvas = patterns.plain(SIDE, ground)
    kind = rng.random()
    if kind < 0.3 and not by_hand:
        faint = tuple(np.clip(np.array(ground) + rng.normal(0, 22, 3), 0, 255))
        canvas = patterns.ornament(rng, SIDE, ground, (faint[0], faint[1], faint[2]))
    elif kind < 0.38 and not by_hand:
        share = np.full((SIDE, SIDE), int(rng.uniform(15, 55)), np.uint8)
        canvas = patterns.blend(canvas, share, patterns.scenery(rng, SIDE))
    elif kind < 0.46:
        canvas = patterns.grain(rng, canvas, rng.uniform(1, 7))
    elif kind < 0.5 and by_hand:
        _rule_lines(canvas, rng)
    if frame is not None:
        inset, radius = round(frame.width * SIDE), rng.uniform(0, 0.12)
        rim = patterns.plain(SIDE, frame.stock)
        canvas = patterns.blend(rim, rounded_square(SIDE, inset, radius), canvas)
    elif not by_hand:
        canvas = _borders(canvas, ground, rng)
    return canvas


def rounded_square(size: int, inset: float, radius: float) -> Mask:
    """Coverage of a square `inset` pixels from the edges with corners of `radius` (share of `size`)."""
    r = max(radius * size, 0.5)
    axis = np.abs(np.arange(size) - (size - 1) / 2) - (size / 2 - inset - r)
    x, y = np.meshgrid(axis, axis)
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0) - r
    return np.asarray(np.clip(0.5 - outside, 0, 1) * 255, np.uint8)


def _borders(canvas: Picture, ground: Colour, rng: np.random.Generator) -> Picture:
    """No border, or up to three lines of any colour and width, square, rounded or round."""
    inset = rng.uniform(1, 14)
    for _ in range(int(rng.choice([0, 1, 1, 2, 2, 3]))):
        width, radius = rng.uniform(1, 3) if rng.random() < 0.6 else rng.uniform(3, 9), rng.uniform(0, 0.14)
        line = cv2.subtract(rounded_square(SIDE, inset, radius), rounded_square(SIDE, inset + width, radius * 0.8))
        canvas = patterns.blend(canvas, np.asarray(line, np.uint8), patterns.against(rng, ground, 25))
        inset += width + rng.uniform(2, 8)
        if inset > 26:
            break
    return canvas


def _rule_lines(canvas: Picture, rng: np.random.Generator) -> None:
    """Lines or squares of a writing pad."""
    step, tint = int(rng.integers(12, 40)), (float(rng.uniform(170, 230)), float(rng.uniform(150, 210)), 170.0)
    for at in range(int(rng.integers(0, step)), SIDE, step):
        cv2.line(canvas, (0, at), (SIDE, at), tint, 1)
        if step < 24:
            cv2.line(canvas, (at, 0), (at, SIDE), tint, 1)


def decorated(
    canvas: Picture, placings: tuple[Placing, ...], typeface: Typeface, ground: Colour, ink: Colour,
    rng: np.random.Generator,
) -> Picture:  # fmt: skip
    """What a printer adds around the digit: a badge behind it, an ornament between four of them, a rule, a word."""
    big = placings[0].height > 0.3
    kind = rng.random()
    tint = patterns.against(rng, ground, 15)
    layer = np.zeros((SIDE, SIDE), np.uint8)
    if big and kind < 0.12 and abs(patterns.luminance(tint) - patterns.luminance(ink)) > 60:
        _badge(layer, rng)
    elif big and kind < 0.2:
        radius = int(rng.uniform(0.36, 0.46) * SIDE)
        cv2.circle(layer, (SIDE // 2, SIDE // 2), radius, 255, int(rng.integers(1, 5)), cv2.LINE_AA)
    elif not big and kind < 0.65:
        _medallion(layer, rng)
    elif not big and kind < 0.72 and len(placings) == 4:
        _badge(layer, rng)
        small = cv2.warpAffine(layer, np.array([[0.35, 0, 0.325 * SIDE], [0, 0.35, 0.325 * SIDE]]), (SIDE, SIDE))
        return patterns.blend(canvas, np.asarray(small, np.uint8), patterns.scenery(rng, SIDE))
    elif kind > 0.82:
        words = typeface.mask(str(rng.choice(CAPTIONS)), int(rng.uniform(0.04, 0.09) * SIDE))
        if words.size and words.shape[1] < 0.8 * SIDE:
            paste(layer, words, 0.5, rng.choice([rng.uniform(0.06, 0.1), rng.uniform(0.88, 0.94)]))
    elif kind > 0.76:
        y = int(SIDE * rng.uniform(0.86, 0.93))
        half = int(SIDE * rng.uniform(0.05, 0.3))
        cv2.line(layer, (SIDE // 2 - half, y), (SIDE // 2 + half, y), 255, int(rng.integers(1, 4)), cv2.LINE_AA)
    return patterns.blend(canvas, layer, tint)


def _badge(layer: Mask, rng: np.random.Generator) -> None:
    """A filled disc, rhomb, shield or square that carries the digit."""
    sides = int(rng.choice([4, 4, 5, 6, 8, 60]))
    angles = 2 * np.pi * (np.arange(sides) + rng.choice([0.0, 0.5])) / sides
    radius = SIDE * rng.uniform(0.4, 0.5)
    corners = SIDE / 2 + radius * np.stack([np.sin(angles), np.cos(angles)], 1)
    cv2.fillPoly(layer, [np.round(corners).astype(np.int32)], 255, cv2.LINE_AA)


def _medallion(layer: Mask, rng: np.random.Generator) -> None:
    """Small ornament in the middle, diagonals that part four digits."""
    middle, radius = SIDE // 2, int(SIDE * rng.uniform(0.04, 0.13))
    cv2.circle(layer, (middle, middle), radius, 255, int(rng.choice([-1, 1, 2, 3])), cv2.LINE_AA)
    for angle in np.linspace(0, 2 * np.pi, int(rng.integers(3, 13)), endpoint=False):
        tip = (middle + int(radius * np.cos(angle)), middle + int(radius * np.sin(angle)))
        cv2.line(layer, (middle, middle), tip, int(rng.integers(80, 255)), 1, cv2.LINE_AA)
    if rng.random() < 0.4:
        reach, near = int(SIDE * rng.uniform(0.3, 0.45)), radius + 3
        for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            start, end = (middle + sx * near, middle + sy * near), (middle + sx * reach, middle + sy * reach)
            cv2.line(layer, start, end, int(rng.integers(60, 200)), int(rng.integers(1, 3)), cv2.LINE_AA)


def back(stock: Colour, by_hand: bool, rng: np.random.Generator, card: np.random.Generator) -> Picture:
    """A card's back: bare paper, one colour, a pattern with or without rim, a picture.

    `rng` fixes what the deck's backs share, `card` what differs from card to card.
    """
    kind = rng.random()
    if kind < (0.85 if by_hand else 0.12):
        return patterns.grain(card, patterns.plain(SIDE, stock), card.uniform(0, 4))
    ground = patterns.colour(rng)
    if kind < 0.25:
        canvas = patterns.plain(SIDE, ground)
    elif kind < 0.85:
        canvas = patterns.ornament(rng, SIDE, ground, patterns.colour(rng))
    else:
        canvas = patterns.scenery(rng, SIDE)
    if rng.random() < 0.6:
        inset = round(SIDE * rng.uniform(0.03, 0.12))
        canvas = patterns.blend(
            patterns.plain(SIDE, patterns.paper(rng)), rounded_square(SIDE, inset, rng.uniform(0, 0.1)), canvas
        )
    if rng.random() < 0.25:
        layer = np.zeros((SIDE, SIDE), np.uint8)
        _badge(layer, rng)
        small = cv2.warpAffine(layer, np.array([[0.5, 0, SIDE / 4], [0, 0.5, SIDE / 4]]), (SIDE, SIDE))
        canvas = patterns.blend(canvas, np.asarray(small, np.uint8), patterns.colour(rng))
    return canvas


def paste(layer: Mask, mask: Mask, x: float, y: float) -> None:
    """Centres `mask` at (x, y), shares of the side, moved as little as needed to stay on the card."""
    height, width = mask.shape[0], mask.shape[1]
    margin = 3
    left = int(np.clip(round(x * SIDE - width / 2), margin, max(margin, SIDE - margin - width)))
    top = int(np.clip(round(y * SIDE - height / 2), margin, max(margin, SIDE - margin - height)))
    part = mask[: SIDE - top, : SIDE - left]
    region = layer[top : top + part.shape[0], left : left + part.shape[1]]
    np.maximum(region, part, out=region)


def inked(canvas: Picture, layer: Mask, ink: Colour, ground: Colour, effect: str, seed: int) -> Picture:
    """The digit laid on the card: plain, outlined, hollow, shadowed, shaded or textured."""
    rng = np.random.default_rng(seed + 2)
    width = int(rng.integers(2, 6))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
    if effect == "outlined":
        canvas = patterns.blend(canvas, np.asarray(cv2.dilate(layer, kernel), np.uint8), patterns.against(rng, ink, 60))
    elif effect == "hollow":
        inner = cv2.erode(layer, kernel)
        outline = cv2.subtract(cv2.dilate(layer, np.ones((3, 3))), inner)
        return patterns.blend(canvas, np.asarray(outline, np.uint8), ink)
    elif effect == "shadowed":
        moved = np.roll(layer, (width, width), (0, 1))
        canvas = patterns.blend(canvas, moved, patterns.against(rng, ink, 40))
    elif effect == "shaded":
        ramp = np.linspace(0, 1, SIDE, dtype=np.float32)[:, None, None]
        shades = np.array(ink) * (1 - ramp) + np.array(patterns.against(rng, ground, 60)) * ramp
        return patterns.blend(canvas, layer, np.asarray(np.broadcast_to(shades, canvas.shape), np.uint8))
    elif effect == "textured":
        return patterns.blend(canvas, layer, patterns.grain(rng, patterns.plain(SIDE, ink), 25))
    return patterns.blend(canvas, layer, ink)
