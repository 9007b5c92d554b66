"""Decks of number cards that nobody printed: every deck one style, no two decks alike.

A `Deck` holds the choices of style; `face` paints one of its cards, upright, edge to edge. Colour never tells the
value: each deck draws its own colours at random. `vision.training.distractors` paints what is no card of such a deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.training import handwriting, patterns
from vision.training.distractors import distractor
from vision.training.patterns import SIDE, Colour, Picture
from vision.training.typefaces import Mask, Typeface, find_typefaces

__all__ = ["SIDE", "VALUES", "Deck", "distractor", "find_typefaces", "random_deck"]

VALUES = ("0", "1", "2", "3", "4", ",")
BACK = "back"


@dataclass(frozen=True)
class Placing:
    """One digit on a card: centre and height as shares of the side, quarter turns anticlockwise."""

    x: float
    y: float
    height: float
    turns: int = 0


@dataclass(frozen=True)
class Deck:
    """The style of one deck.

    `corner_radius` is a share of the card's side. `face` gives the same style for every value; a deck drawn by hand
    varies from card to card.
    """

    corner_radius: float
    typeface: Typeface | None
    pen: handwriting.Pen | None
    placings: tuple[Placing, ...]
    index_typeface: Typeface | None
    stock: Colour
    inks: tuple[Colour, ...]
    """One ink for each of `VALUES`."""
    panels: tuple[Colour, ...] | None
    """A coloured field for each of `VALUES` inside a rim of bare stock, or none."""
    rim: float
    effect: str
    comma_growth: float
    comma_drop: float
    seed: int
    """Fixes the details that all cards of the deck share: patterns, borders, ornaments, the back."""

    @property
    def drawn_by_hand(self) -> bool:
        """Whether no two cards of a value are alike."""
        return self.pen is not None

    def face(self, value: str, rng: np.random.Generator) -> Picture:
        """One card's face for "0" to "4" or ",", or its "back": (SIDE, SIDE, 3) uint8, BGR."""
        return self.face_and_ink(value, rng)[0]

    def face_and_ink(self, value: str, rng: np.random.Generator) -> tuple[Picture, Mask]:
        """The face as `face` gives it, and where its digits are, (SIDE, SIDE) uint8; nowhere on a back."""
        shared = np.random.default_rng(self.seed)
        if value == BACK:
            return _back(self, shared, rng), np.zeros((SIDE, SIDE), np.uint8)
        index = VALUES.index(value)
        ground = self.panels[index] if self.panels else self.stock
        ink = self.inks[index]
        blank = _decorate(self, _ground(self, ground, shared), ground, ink, np.random.default_rng(self.seed + 1))
        canvas = blank
        for place, placing in enumerate(self.placings):
            typeface = self.typeface if place == 0 or self.index_typeface is None else self.index_typeface
            canvas = self._print(canvas, value, placing, typeface, ink, ground, rng)
        return canvas, np.asarray(cv2.absdiff(canvas, blank).max(2) > 30, np.uint8) * 255

    def _print(
        self, canvas: Picture, value: str, placing: Placing, typeface: Typeface | None, ink: Colour, ground: Colour,
        rng: np.random.Generator,
    ) -> Picture:  # fmt: skip
        x, y, height = placing.x, placing.y, placing.height
        if self.pen is not None:
            x, y, height = x + rng.normal(0, 0.025), y + rng.normal(0, 0.025), height * rng.uniform(0.85, 1.12)
        pixels = max(7, round(height * SIDE))
        mask = self._glyph(value, pixels, typeface, rng)
        drop = 0.0
        if value == ",":
            drop = self.comma_drop * (pixels - mask.shape[0]) / 2 / SIDE
        x, y = _turned_offset(x, y, drop, placing.turns)
        mask = np.ascontiguousarray(np.rot90(mask, placing.turns))
        layer = np.zeros((SIDE, SIDE), np.uint8)
        _paste(layer, mask, x, y)
        return _inked(canvas, layer, ink, ground, self.effect if placing.height > 0.3 else "plain", self.seed)

    def _glyph(self, value: str, pixels: int, typeface: Typeface | None, rng: np.random.Generator) -> Mask:
        if self.pen is not None:
            share = rng.uniform(0.3, 0.42) * self.comma_growth if value == "," else 1.0
            return handwriting.draw(value, max(8, round(pixels * min(share, 0.62))), self.pen, rng)
        if typeface is None:
            raise ValueError("a deck has either a typeface or a pen")
        mask = typeface.mask(value, pixels)
        if value == ",":
            growth = min(self.comma_growth, 0.62 * pixels / mask.shape[0])
            if mask.shape[0] > 2.2 * mask.shape[1]:
                growth = min(growth, 0.42 * pixels / mask.shape[0])
            mask = typeface.mask(value, max(7, round(pixels * max(growth, 1.0))))
        limit = 0.8 * SIDE
        if mask.shape[1] > limit:
            mask = np.asarray(cv2.resize(mask, None, fx=limit / mask.shape[1], fy=limit / mask.shape[1]), np.uint8)
        return mask


def _turned_offset(x: float, y: float, drop: float, turns: int) -> tuple[float, float]:
    """Moves (x, y) by `drop` towards the foot of a digit turned anticlockwise `turns` times."""
    dx, dy = ((0.0, drop), (drop, 0.0), (0.0, -drop), (-drop, 0.0))[turns % 4]
    return x + dx, y + dy


def _paste(layer: Mask, mask: Mask, x: float, y: float) -> None:
    """Centres `mask` at (x, y), shares of the side, moved as little as needed to stay on the card."""
    height, width = mask.shape[0], mask.shape[1]
    margin = 3
    left = int(np.clip(round(x * SIDE - width / 2), margin, max(margin, SIDE - margin - width)))
    top = int(np.clip(round(y * SIDE - height / 2), margin, max(margin, SIDE - margin - height)))
    part = mask[: SIDE - top, : SIDE - left]
    region = layer[top : top + part.shape[0], left : left + part.shape[1]]
    np.maximum(region, part, out=region)


def _inked(canvas: Picture, layer: Mask, ink: Colour, ground: Colour, effect: str, seed: int) -> Picture:
    """The digit laid on the card: plain, outlined, hollow, shadowed, shaded or textured."""
    rng = np.random.default_rng(seed + 2)
    width = int(rng.integers(2, 6))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
    if effect == "outlined":
        canvas = patterns.blend(canvas, np.asarray(cv2.dilate(layer, kernel), np.uint8), patterns.against(rng, ink, 60))
    elif effect == "hollow":
        inner = cv2.erode(layer, kernel)
        return patterns.blend(canvas, np.asarray(cv2.subtract(cv2.dilate(layer, np.ones((3, 3))), inner), np.uint8), ink)
    elif effect == "shadowed":
        moved = np.roll(layer, (width, width), (0, 1))
        canvas = patterns.blend(canvas, moved, patterns.against(rng, ink, 40))
    elif effect == "shaded":
        ramp = np.linspace(0, 1, SIDE, dtype=np.float32)[:, None, None]
        other = np.array(patterns.against(rng, ground, 60))
        return patterns.blend(canvas, layer, np.asarray(np.broadcast_to(np.array(ink) * (1 - ramp) + other * ramp, canvas.shape), np.uint8))
    elif effect == "textured":
        return patterns.blend(canvas, layer, patterns.grain(rng, patterns.plain(SIDE, ink), 25))
    return patterns.blend(canvas, layer, ink)


def _ground(deck: Deck, ground: Colour, rng: np.random.Generator) -> Picture:
    """The empty face: stock, panel, a faint pattern or picture, borders."""
    canvas = patterns.plain(SIDE, ground)
    kind = rng.random()
    if kind < 0.3 and not deck.drawn_by_hand:
        faint = tuple(np.clip(np.array(ground) + rng.normal(0, 22, 3), 0, 255))
        canvas = patterns.ornament(rng, SIDE, ground, (faint[0], faint[1], faint[2]))
    elif kind < 0.38 and not deck.drawn_by_hand:
        share = np.full((SIDE, SIDE), int(rng.uniform(15, 55)), np.uint8)
        canvas = patterns.blend(canvas, share, patterns.scenery(rng, SIDE))
    elif kind < 0.46:
        canvas = patterns.grain(rng, canvas, rng.uniform(1, 7))
    elif kind < 0.5 and deck.drawn_by_hand:
        _rule_lines(canvas, rng)
    if deck.panels:
        inset, radius = round(deck.rim * SIDE), rng.uniform(0, 0.12)
        rim = patterns.plain(SIDE, deck.stock)
        canvas = patterns.blend(rim, rounded_square(SIDE, inset, radius), canvas)
    elif not deck.drawn_by_hand:
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


def _decorate(deck: Deck, canvas: Picture, ground: Colour, ink: Colour, rng: np.random.Generator) -> Picture:
    """What a printer adds around the digit: a badge behind it, an ornament between four of them, a rule below."""
    if deck.drawn_by_hand:
        return canvas
    big = deck.placings[0].height > 0.3
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
    elif not big and kind < 0.75 and len(deck.placings) == 4:
        _badge(layer, rng)
        small = cv2.warpAffine(layer, np.array([[0.35, 0, 0.325 * SIDE], [0, 0.35, 0.325 * SIDE]]), (SIDE, SIDE))
        return patterns.blend(canvas, np.asarray(small, np.uint8), patterns.scenery(rng, SIDE))
    elif kind > 0.9:
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
    cv2.fillPoly(layer, [np.int32(np.round(corners))], 255, cv2.LINE_AA)


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


def _back(deck: Deck, rng: np.random.Generator, card: np.random.Generator) -> Picture:
    """A card's back: bare paper, one colour, a pattern with or without rim, a picture."""
    kind = rng.random()
    if kind < (0.85 if deck.drawn_by_hand else 0.12):
        return patterns.grain(card, patterns.plain(SIDE, deck.stock), card.uniform(0, 4))
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


def _big(rng: np.random.Generator) -> tuple[Placing, ...]:
    """One large digit, alone or with indices in one, two or four corners."""
    middle = Placing(0.5 + rng.normal(0, 0.01), 0.5 + rng.normal(0, 0.02), rng.uniform(0.42, 0.8))
    corners = int(rng.choice([0, 0, 0, 1, 2, 2, 4, 4]))
    if not corners:
        return (middle,)
    inset, height = rng.uniform(0.09, 0.16), rng.uniform(0.07, 0.15)
    centre = Placing(middle.x, middle.y, min(middle.height, 0.62))
    style = rng.random()
    turns = (0, 2, 0, 2) if style < 0.4 else (0, 2, 3, 1) if style < 0.75 else (0, 0, 0, 0)
    places = ((inset, inset), (1 - inset, 1 - inset), (1 - inset, inset), (inset, 1 - inset))
    return (centre, *(Placing(x, y, height, turn) for (x, y), turn in list(zip(places, turns, strict=True))[:corners]))


def _four_way(rng: np.random.Generator) -> tuple[Placing, ...]:
    """The digit on all four sides, feet outwards or inwards, or in all four corners."""
    height, inset = rng.uniform(0.15, 0.32), rng.uniform(0.15, 0.27)
    inwards = 2 * int(rng.random() < 0.2)
    if rng.random() < 0.25:
        places = ((inset, inset), (1 - inset, inset), (1 - inset, 1 - inset), (inset, 1 - inset))
        turns = (0, 3, 2, 1) if rng.random() < 0.6 else (0, 0, 2, 2) if rng.random() < 0.5 else (0, 0, 0, 0)
    else:
        places = ((0.5, 1 - inset), (1 - inset, 0.5), (0.5, inset), (inset, 0.5))
        turns = (0, 1, 2, 3)
    around = tuple(Placing(x, y, height, (t + inwards) % 4) for (x, y), t in zip(places, turns, strict=True))
    room = 1 - 2 * inset - height - 0.06
    if room > 0.14 and rng.random() < 0.3:
        return (*around, Placing(0.5, 0.5, min(0.3, room)))
    return around


def _two_way(rng: np.random.Generator) -> tuple[Placing, ...]:
    """The digit twice, the second upside down, one above the other or from corner to corner."""
    height, dx = rng.uniform(0.26, 0.42), rng.choice([0.0, rng.uniform(-0.24, 0.24)])
    dy = rng.uniform(0.22, 0.27)
    return Placing(0.5 + dx, 0.5 + dy, height), Placing(0.5 - dx, 0.5 - dy, height, 2)


def _held_out(rng: np.random.Generator) -> tuple[Placing, ...]:
    """Layouts that training never shows: off the middle with a twin, three on a diagonal, three in a column."""
    kind = rng.random()
    if kind < 0.4:
        height = rng.uniform(0.45, 0.6)
        return Placing(0.36, 0.6, height), Placing(0.8, 0.2, height * 0.35, int(rng.integers(0, 4)))
    height = rng.uniform(0.2, 0.27)
    x = 0.27 if kind < 0.7 else 0.0
    return tuple(Placing(0.5 + x * step, 0.5 + 0.3 * step, height, int(step > 0) * 2) for step in (-1, 0, 1))


def random_deck(rng: np.random.Generator, fonts: Sequence[Typeface], held_out_layout: bool = False) -> Deck:
    """A deck of any style; its typefaces come from `fonts`. Held-out layouts are for validation only."""
    by_hand = rng.random() < 0.22
    layout = rng.random()
    placings = _big(rng) if layout < 0.62 else _four_way(rng) if layout < 0.88 else _two_way(rng)
    if by_hand and layout > 0.72:
        placings = (Placing(0.5, 0.5, rng.uniform(0.45, 0.8)),)
    if held_out_layout:
        placings = _held_out(rng)
    stock = patterns.paper(rng)
    if by_hand and rng.random() < 0.7:
        stock = (rng.uniform(215, 255),) * 3
    panels = None
    if not by_hand and rng.random() < 0.28:
        panels = tuple(patterns.colour(rng, (0.15, 0.9)) for _ in VALUES)
        if rng.random() < 0.3:
            panels = panels[:1] * len(VALUES)
    grounds = panels or (stock,) * len(VALUES)
    one = patterns.against(rng, stock)
    coloured = rng.random() < 0.4
    inks = tuple(
        one if not coloured and abs(patterns.luminance(one) - patterns.luminance(g)) > 60 else patterns.against(rng, g)
        for g in grounds
    )
    return Deck(
        corner_radius=float(rng.uniform(0, 0.02) if by_hand or rng.random() < 0.25 else rng.uniform(0.02, 0.12)),
        typeface=None if by_hand else fonts[int(rng.integers(len(fonts)))],
        pen=handwriting.random_pen(rng) if by_hand else None,
        placings=placings,
        index_typeface=fonts[int(rng.integers(len(fonts)))] if rng.random() < 0.2 and layout < 0.62 else None,
        stock=stock,
        inks=inks,
        panels=panels,
        rim=float(rng.choice([0.0, rng.uniform(0.02, 0.1)])),
        effect=str(rng.choice(["plain"] * 12 + ["outlined", "outlined", "hollow", "shadowed", "shaded", "textured"])),
        comma_growth=float(rng.choice([1.0, rng.uniform(1.0, 1.8), rng.uniform(1.5, 2.6)])),
        comma_drop=float(rng.choice([0.0, 1.0, rng.uniform(0, 1)])),
        seed=int(rng.integers(0, 2**31)),
    )
