"""Flat things that lie where a card could lie and are no face of the game: other numbers, letters, other games."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.training import handwriting, patterns, tables
from vision.training.patterns import SIDE, Picture
from vision.training.typefaces import Mask, Typeface, find_typefaces

NUMBERS = ("5", "6", "7", "8", "9") * 4 + (
    "10",
    "11",
    "12",
    "13",
    "14",
    "20",
    "21",
    "24",
    "30",
    "32",
    "40",
    "44",
    "100",
)
LETTERS = tuple("ABFGHKPQRXYaekr&?@#%$")
"""Without those that look like a 0, 1, 2 or 3 in some turn."""


@lru_cache(maxsize=1)
def _typefaces() -> tuple[Typeface, ...]:
    return tuple(face for face in find_typefaces() if not face.held_out)


def distractor(rng: np.random.Generator) -> Picture:
    """Something else, filling the card's square: (SIDE, SIDE, 3) uint8, BGR."""
    kind = rng.random()
    if kind < 0.5:
        return _written(rng, NUMBERS)
    if kind < 0.6:
        return _written(rng, LETTERS)
    if kind < 0.68:
        return _smiley(rng)
    if kind < 0.78:
        return _set_card(rng)
    if kind < 0.84:
        return _coin(rng)
    if kind < 0.9:
        return _die(rng)
    return _notebook(rng) if kind < 0.95 else patterns.scenery(rng, SIDE)


def _stock(rng: np.random.Generator) -> tuple[Picture, patterns.Colour]:
    tint = patterns.paper(rng)
    canvas = patterns.plain(SIDE, tint)
    if rng.random() < 0.3:
        canvas = patterns.grain(rng, canvas, rng.uniform(1, 8))
    if rng.random() < 0.3:
        inset = int(rng.integers(3, 16))
        thickness = int(rng.integers(1, 5))
        cv2.rectangle(canvas, (inset, inset), (SIDE - inset, SIDE - inset), patterns.against(rng, tint, 30), thickness)
    return canvas, tint


def _paste(canvas: Picture, mask: Mask, centre: tuple[float, float], ink: patterns.Colour) -> Picture:
    room = 0.84 * SIDE
    shrink = min(1.0, room / max(mask.shape))
    if shrink < 1:
        mask = np.asarray(cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    move = np.array([[1, 0, centre[0] * SIDE - mask.shape[1] / 2], [0, 1, centre[1] * SIDE - mask.shape[0] / 2]])
    layer = cv2.warpAffine(mask, move, (SIDE, SIDE))
    return patterns.blend(canvas, np.asarray(layer, np.uint8), ink)


def _written(rng: np.random.Generator, texts: tuple[str, ...]) -> Picture:
    """A number or letter in the manners of a number card: once, with indices, four times, by hand."""
    canvas, tint = _stock(rng)
    ink = patterns.against(rng, tint)
    text = str(rng.choice(texts))
    face = _typeface_with(rng, text)
    if face is None or (text.isdigit() and rng.random() < 0.25):
        text = text if text.isdigit() else "8"
        pen = handwriting.random_pen(rng)
        return _paste(canvas, handwriting.draw(text, int(SIDE * rng.uniform(0.4, 0.75)), pen, rng), (0.5, 0.5), ink)
    if rng.random() < 0.25:
        mask, inset = face.mask(text, int(SIDE * rng.uniform(0.15, 0.3))), rng.uniform(0.15, 0.25)
        for turns, centre in enumerate(((0.5, 1 - inset), (1 - inset, 0.5), (0.5, inset), (inset, 0.5))):
            canvas = _paste(canvas, np.ascontiguousarray(np.rot90(mask, turns)), centre, ink)
        return canvas
    middle = (0.5 + rng.normal(0, 0.03), 0.5 + rng.normal(0, 0.06))
    canvas = _paste(canvas, face.mask(text, int(SIDE * rng.uniform(0.3, 0.75))), middle, ink)
    if text in "69" and rng.random() < 0.5:
        cv2.line(canvas, (70, SIDE - 16), (SIDE - 70, SIDE - 16), ink, 4)
    if rng.random() < 0.3:
        small, inset = face.mask(text, int(SIDE * rng.uniform(0.07, 0.14))), rng.uniform(0.1, 0.15)
        canvas = _paste(canvas, small, (inset, inset), ink)
        canvas = _paste(canvas, np.ascontiguousarray(np.rot90(small, 2)), (1 - inset, 1 - inset), ink)
    return canvas


def _typeface_with(rng: np.random.Generator, text: str) -> Typeface | None:
    """Any typeface that draws all of `text`; none on a machine without typefaces."""
    faces = _typefaces()
    for place in rng.permutation(len(faces)):
        if all(faces[place].mask(char, 40).size for char in text):
            return faces[place]
    return None


def _smiley(rng: np.random.Generator) -> Picture:
    """A joker: a drawn face."""
    canvas, tint = _stock(rng)
    ink, width = patterns.against(rng, tint), int(rng.integers(2, 8))
    x, y, radius = SIDE // 2, int(SIDE * rng.uniform(0.4, 0.55)), int(SIDE * rng.uniform(0.22, 0.42))
    axes = (int(radius * rng.uniform(0.75, 1.05)), radius)
    if rng.random() < 0.8:
        cv2.ellipse(canvas, (x, y), axes, 0, 0, 360, ink, width, cv2.LINE_AA)
    eye = (int(axes[0] * rng.uniform(0.12, 0.25)), int(radius * rng.uniform(0.08, 0.2)))
    for side in (-1, 1):
        centre = (x + side * int(axes[0] * 0.4), y - int(radius * 0.25))
        cv2.ellipse(canvas, centre, eye, 0, 0, 360, ink, int(rng.choice([-1, 2, 3])), cv2.LINE_AA)
        cv2.ellipse(canvas, (centre[0], centre[1] - eye[1]), (eye[0] + 4, eye[1]), 0, 200, 340, ink, 2, cv2.LINE_AA)
    cv2.line(canvas, (x, y - radius // 8), (x - radius // 8, y + radius // 6), ink, max(1, width // 2), cv2.LINE_AA)
    mouth = (int(axes[0] * rng.uniform(0.3, 0.6)), int(radius * rng.uniform(0.15, 0.35)))
    cv2.ellipse(canvas, (x, y + radius // 3), mouth, 0, 0, 180, ink, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    return canvas


def _symbol(kind: int, size: int) -> Mask:
    """An oval, a rhomb, a squiggle, a star, a heart-like drop or a cross, lying, as coverage."""
    height, width = size, int(size * 2.1)
    mask = np.zeros((height, width), np.uint8)
    t = np.linspace(0, 2 * np.pi, 80)
    if kind == 0:
        u, v = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** 0.7, np.sin(t)
    elif kind == 1:
        u, v = np.array([1.0, 0, -1, 0]), np.array([0.0, 1, 0, -1])
    elif kind == 2:
        u, v = np.cos(t), 0.62 * np.sin(t) + 0.38 * np.sin(2.6 * np.cos(t))
    elif kind == 3:
        r = np.where(np.arange(10) % 2, 0.45, 1.0)
        u, v = 0.5 * r * np.sin(np.arange(10) * np.pi / 5), -r * np.cos(np.arange(10) * np.pi / 5)
    elif kind == 4:
        u, v = 0.5 * np.sin(t) ** 3, -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 17
    else:
        u, v = 0.5 * np.cos(t) * (1 + 0.3 * np.cos(6 * t)), np.sin(t) * (1 + 0.3 * np.cos(6 * t)) / 1.3
    corners = np.stack([(u * 0.94 + 1) * width / 2, (v * 0.94 + 1) * height / 2], 1)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def _set_card(rng: np.random.Generator) -> Picture:
    """One to three symbols: full, striped or outlined, upright or lying."""
    canvas, tint = _stock(rng)
    ink, kind, count = patterns.against(rng, tint, 50), int(rng.integers(0, 6)), int(rng.integers(1, 4))
    mask = _symbol(kind, int(SIDE * rng.uniform(0.13, 0.24)))
    filling = rng.random()
    if filling < 0.66:
        width = int(rng.integers(3, 7))
        inner = cv2.erode(mask, np.ones((width, width), np.uint8))
        stripes = np.zeros_like(mask)
        if filling < 0.33:
            stripes[:, :: int(rng.integers(4, 9))] = 255
        mask = np.asarray(cv2.max(cv2.subtract(mask, inner), cv2.min(stripes, mask)), np.uint8)
    step = rng.uniform(0.24, 0.3)
    for place in range(count):
        canvas = _paste(canvas, mask, (0.5, 0.5 + (place - (count - 1) / 2) * step), ink)
    turns = int(rng.integers(0, 2))
    return np.ascontiguousarray(np.rot90(canvas, turns))


def _coin(rng: np.random.Generator) -> Picture:
    """A coin on the table."""
    canvas = tables.random_table(rng, (SIDE, SIDE), 3)[0].copy()
    metal = np.array([rng.uniform(60, 160), rng.uniform(110, 180), rng.uniform(140, 210)])
    centre, radius = (SIDE // 2, SIDE // 2), int(SIDE * rng.uniform(0.25, 0.48))
    cv2.circle(canvas, centre, radius, tuple(float(n) for n in metal), -1, cv2.LINE_AA)
    cv2.circle(canvas, centre, int(radius * 0.86), tuple(float(n) for n in metal * 0.75), 3, cv2.LINE_AA)
    relief = patterns.smooth_noise(rng, SIDE, 14) * 18
    inside = np.zeros((SIDE, SIDE), np.uint8)
    cv2.circle(inside, centre, int(radius * 0.8), 255, -1)
    return np.asarray(np.clip(canvas + (relief * (inside > 0))[..., None], 0, 255), np.uint8)


def _die(rng: np.random.Generator) -> Picture:
    """A die's top with one to six pips; smaller than a card, whose four small commas look like pips."""
    canvas = tables.random_table(rng, (SIDE, SIDE), 3)[0].copy()
    body = patterns.paper(rng)
    inset = int(SIDE * rng.uniform(0.18, 0.3))
    cv2.rectangle(canvas, (inset, inset), (SIDE - inset, SIDE - inset), body, -1)
    ink, span = patterns.against(rng, body), (SIDE - 2 * inset) * 0.27
    spots = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "035268"}[int(rng.integers(1, 7))]
    for spot in spots:
        row, column = divmod(int(spot), 3)
        centre = (int(SIDE / 2 + (column - 1) * span), int(SIDE / 2 + (row - 1) * span))
        cv2.circle(canvas, centre, max(2, int(span * 0.33)), ink, -1, cv2.LINE_AA)
    return canvas


def _notebook(rng: np.random.Generator) -> Picture:
    """A sheet with lines of small writing."""
    canvas, tint = _stock(rng)
    ink, pen = patterns.against(rng, tint), handwriting.random_pen(rng)
    height = int(rng.integers(10, 34))
    for y in range(height, SIDE - height, int(height * rng.uniform(1.3, 2.2))):
        text = "".join(str(n) for n in rng.integers(0, 10, int(rng.integers(3, 9))))
        canvas = _paste(canvas, handwriting.draw(text, height, pen, rng), (0.5 + rng.normal(0, 0.08), y / SIDE), ink)
    return canvas
