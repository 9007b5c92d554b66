"""Digits as a hand draws them: strokes bent and jittered, inked by a marker, a pen, a brush or a crayon."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.skeletons import SKELETONS
from vision.training.typefaces import Mask, cut_to_ink

Points = NDArray[np.float64]

ASPECT = {"0": 0.68, "1": 0.38, "2": 0.62, "3": 0.58, "4": 0.68, ",": 0.5}


@dataclass(frozen=True, slots=True)
class Pen:
    """One tool in one hand: what stays alike over a deck, while every card is drawn anew."""

    width: float
    """Stroke width as a share of the digit's height."""
    pressure: float
    """How far the width swings along a stroke, 0 to 0.6."""
    slant: float
    tremble: float
    texture: float
    """0: solid ink; 1: crayon on rough paper."""
    habit: int
    """Which skeletons this hand prefers."""


def random_pen(rng: np.random.Generator) -> Pen:
    """A pen of any kind, from a ballpoint to a thick marker or a crayon."""
    kind = rng.choice(["marker", "marker", "pen", "brush", "crayon"])
    low, high = {"marker": (0.08, 0.19), "pen": (0.03, 0.07), "brush": (0.07, 0.17), "crayon": (0.06, 0.15)}[str(kind)]
    return Pen(
        width=float(rng.uniform(low, high)),
        pressure=float(rng.uniform(0.25, 0.6) if kind == "brush" else rng.uniform(0, 0.2)),
        slant=float(rng.normal(0, 0.1)),
        tremble=float(rng.uniform(0.01, 0.035)),
        texture=float(rng.uniform(0.3, 1.0)) if kind == "crayon" else 0.0,
        habit=int(rng.integers(0, 64)),
    )


def _curve(stroke: Points, steps: int) -> Points:
    """Catmull-Rom spline through the stroke's points."""
    padded = np.vstack([2 * stroke[0] - stroke[1], stroke, 2 * stroke[-1] - stroke[-2]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack([*parts, stroke[-1:]])


def _strokes(skeleton: str) -> list[Points]:
    """Strokes (N, 2) in a box of side 1."""
    return [
        np.array([[float(n) for n in point.split(",")] for point in stroke.split()]) / 100
        for stroke in skeleton.split("/")
    ]


def draw(value: str, height: int, pen: Pen, rng: np.random.Generator) -> Mask:
    """`value` ("0" to "9", ",", or several of them) drawn by hand, (h, w) uint8 coverage cut to its ink."""
    glyphs = [_draw_one(char, height, pen, rng) for char in value]
    if len(glyphs) == 1:
        return glyphs[0]
    space = max(2, round(height * rng.uniform(0.08, 0.2)))
    tallest = max(len(glyph) for glyph in glyphs)
    cells = [np.pad(glyph, ((tallest - len(glyph), 0), (0, space))) for glyph in glyphs]
    return cut_to_ink(np.hstack(cells))


def _draw_one(char: str, height: int, pen: Pen, rng: np.random.Generator) -> Mask:
    choices = SKELETONS[char]
    pick = pen.habit % len(choices) if rng.random() < 0.8 else int(rng.integers(len(choices)))
    stretch = rng.uniform(0.8, 1.25) * ASPECT.get(char, 0.62)
    turn = rng.normal(0, 0.06)
    bend = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.array([[1, -pen.slant], [0, 1]])
    # Drawn at twice the size so that the brush's round tips come out smooth.
    scale, pad = 2 * height, height
    canvas = np.zeros((scale + 2 * pad, scale + 2 * pad), np.uint8)
    thickness = pen.width * scale * (1.35 if char == "," else 1.0)
    for stroke in _strokes(choices[pick]):
        points = stroke + rng.normal(0, pen.tremble, (len(stroke), 2))
        points = (points - 0.5) * [stretch, 1] @ bend.T + 0.5
        if len(points) == 2:
            middle = points.mean(0) + rng.normal(0, pen.tremble, 2)
            points = np.vstack([points[0], middle, points[1]])
        path = _curve(points, 14) * scale + pad
        _ink(canvas, path, thickness, pen, rng)
    if pen.texture:
        canvas = _roughen(canvas, pen.texture, rng)
    small = cv2.resize(canvas, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cut_to_ink(np.asarray(small, np.uint8))


def _ink(canvas: Mask, path: Points, thickness: float, pen: Pen, rng: np.random.Generator) -> None:
    phase, waves = rng.uniform(0, 6.28), rng.uniform(0.5, 1.5)
    along = np.linspace(0, 6.28 * waves, len(path))
    widths = np.maximum(2, thickness * (1 + pen.pressure * np.sin(along + phase)))
    for start, end, width in zip(path[:-1], path[1:], widths, strict=False):
        a, b = (round(float(start[0])), round(float(start[1]))), (round(float(end[0])), round(float(end[1])))
        cv2.line(canvas, a, b, 255, max(1, round(float(width))), cv2.LINE_AA)


def _roughen(canvas: Mask, amount: float, rng: np.random.Generator) -> Mask:
    coarse = rng.normal(0, 1, (canvas.shape[0] // 3 + 1, canvas.shape[1] // 3 + 1)).astype(np.float32)
    grain = cv2.resize(coarse, (canvas.shape[1], canvas.shape[0]), interpolation=cv2.INTER_LINEAR)
    keep = np.clip(1.1 - amount * np.maximum(grain, 0) * 0.9, 0, 1)
    return np.asarray(canvas * keep, np.uint8)
