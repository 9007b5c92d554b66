"""Decks of number cards that nobody printed: every deck one style, no two decks alike.

A `Deck` holds the choices of style; `face` paints one of its cards, upright, edge to edge. Colour never tells the
value: each deck draws its own colours at random. `vision.training.distractors` paints what is no card of such a deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.training import cardstock, handwriting, patterns, printing
from vision.training.distractors import distractor
from vision.training.patterns import SIDE, Colour, Picture
from vision.training.printing import Placing
from vision.training.typefaces import Mask, Typeface, find_typefaces

__all__ = ["SIDE", "VALUES", "Deck", "distractor", "find_typefaces", "random_deck"]

VALUES = ("0", "1", "2", "3", "4", ",")
BACK = "back"


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
    stretch: float
    """How much wider or narrower than drawn its digits are."""
    fattening: float
    """How far upright strokes are thickened, as a share of the digit's height: fat faces have few typefaces."""
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
        """The face as `face` gives it, and where its digits are, (SIDE, SIDE) uint8; nowhere on a back.

        Other numbers are printed as the deck would print them.
        """
        shared = np.random.default_rng(self.seed)
        if value == BACK:
            return cardstock.back(self.stock, self.drawn_by_hand, shared, rng), np.zeros((SIDE, SIDE), np.uint8)
        index = VALUES.index(value) if value in VALUES else int(rng.integers(len(VALUES)))
        ground = self.panels[index] if self.panels else self.stock
        ink = self.inks[index]
        frame = cardstock.Frame(self.stock, self.rim) if self.panels else None
        blank = cardstock.empty_face(ground, frame, self.drawn_by_hand, shared)
        if self.typeface is not None:
            shared = np.random.default_rng(self.seed + 1)
            blank = cardstock.decorated(blank, self.placings, self.typeface, ground, ink, shared)
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
        if mask.size == 0:
            return canvas
        width = self.stretch * mask.shape[1]
        shrink = min(1.0, max(placing.height * 1.4, 0.3) * SIDE / width, 0.85 * SIDE / width)
        mask = _resized(mask, width * shrink, mask.shape[0] * shrink)
        drop = 0.0
        if value == ",":
            drop = self.comma_drop * (pixels - mask.shape[0]) / 2 / SIDE
        x, y = _turned_offset(x, y, drop, placing.turns)
        mask = np.ascontiguousarray(np.rot90(mask, placing.turns))
        layer = np.zeros((SIDE, SIDE), np.uint8)
        cardstock.paste(layer, mask, x, y)
        effect = self.effect if placing.height > 0.3 else "plain"
        return cardstock.inked(canvas, layer, ink, ground, effect, self.seed)

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
                growth = min(growth, 0.38 * pixels / mask.shape[0])
            mask = typeface.mask(value, max(7, round(pixels * max(growth, 1.0))))
        return _fattened(mask, round(self.fattening * pixels))


def _resized(mask: Mask, width: float, height: float) -> Mask:
    size = max(2, round(width)), max(2, round(height))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fattened(mask: Mask, width: int) -> Mask:
    if width < 1 or not mask.size:
        return mask
    return np.asarray(cv2.dilate(np.pad(mask, ((0, 0), (width, width))), np.ones((1, width), np.uint8)), np.uint8)


def _turned_offset(x: float, y: float, drop: float, turns: int) -> tuple[float, float]:
    """Moves (x, y) by `drop` towards the foot of a digit turned anticlockwise `turns` times."""
    dx, dy = ((0.0, drop), (drop, 0.0), (0.0, -drop), (-drop, 0.0))[turns % 4]
    return x + dx, y + dy


def random_deck(
    rng: np.random.Generator, fonts: Sequence[Typeface], held_out_layout: bool = False, mild: bool = False
) -> Deck:
    """A deck of any style with typefaces from `fonts`; held-out layouts are for validation, `mild` is plain print."""
    by_hand = not fonts or rng.random() < 0.22
    layout = rng.random()
    most_big, most_four = (0.42, 0.8) if mild else (0.62, 0.88)
    placings = (
        printing.big(rng)
        if layout < most_big
        else printing.four_way(rng)
        if layout < most_four
        else printing.two_way(rng)
    )
    if rng.random() < 0.12:
        placings = printing.scattered(rng)
    elif by_hand and layout > 0.72:
        placings = (Placing(0.5, 0.5, rng.uniform(0.45, 0.8)),)
    if held_out_layout:
        placings = printing.held_out(rng)
    stock = patterns.paper(rng)
    if (by_hand and rng.random() < 0.7) or (mild and rng.random() < 0.6):
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
        index_typeface=fonts[int(rng.integers(len(fonts)))] if fonts and rng.random() < 0.2 and layout < 0.62 else None,
        stock=stock,
        inks=inks,
        panels=panels,
        rim=float(rng.choice([0.0, rng.uniform(0.02, 0.1)])),
        effect="plain"
        if mild and rng.random() < 0.8
        else str(rng.choice(["plain"] * 12 + ["outlined", "outlined", "hollow", "shadowed", "shaded", "textured"])),
        fattening=float(rng.uniform(0.02, 0.12)) if rng.random() < 0.2 else 0.0,
        stretch=float(rng.uniform(0.75, 1.35)) if rng.random() < 0.3 else 1.0,
        comma_growth=float(rng.choice([1.0, rng.uniform(1.0, 1.8), rng.uniform(1.5, 2.6)])),
        comma_drop=float(rng.choice([0.0, 1.0, rng.uniform(0, 1)])),
        seed=int(rng.integers(0, 2**31)),
    )
