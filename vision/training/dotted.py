"""Things that are no dice but look a little like them: coins, dominoes, chips, screws, stars, letters, squares."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.cube import SPOTS
from vision.training.tables import any_colour, colour

Canvas = NDArray[np.float32]
Point = NDArray[np.float64]


USUAL = 0.55
"""The share of pictures with any of them."""


def litter(rng: np.random.Generator, scene: Canvas, face: float, share: float = USUAL) -> None:
    """Lay some of them into a share of all scenes (h, w, 3) float32; `face` is a die's side in pixels."""
    some = np.array([0.25, 0.2, 0.1]) * (share / USUAL)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[1 - share, *some]))):
        at = rng.uniform(0, 1, 2) * scene.shape[1::-1]
        thing = (_coin, _coin, _domino, _dots, _dots, _letters, _square, _ring)[rng.integers(8)]
        thing(rng, scene, at, face)


def _disc(scene: Canvas, at: Point, radius: float, ink: NDArray[np.float32], width: int = -1) -> None:
    where = np.rint(np.asarray(at) * 16).astype(int)
    cv2.circle(scene, (where[0], where[1]), max(1, round(radius * 16)), ink.tolist(), width, cv2.LINE_AA, 4)


def _box(rng: np.random.Generator, at: Point, w: float, h: float) -> tuple[Point, Point]:
    """The corners (4, 2) of a turned box, and its axes (2, 2)."""
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return at + np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ axes, axes


def _filled(scene: Canvas, corners: Point, ink: NDArray[np.float32]) -> None:
    cv2.fillConvexPoly(scene, np.rint(corners * 16).astype(np.int32), ink.tolist(), cv2.LINE_AA, 4)


def _coin(rng: np.random.Generator, scene: Canvas, at: Point, face: float) -> None:
    radius = face * rng.uniform(0.4, 1.0)
    metal = colour(rng, (15, 55), (0.05, 0.7), (0.3, 0.9))
    shadow = scene.copy()
    _disc(shadow, at + radius * rng.uniform(-0.12, 0.12, 2), radius * 1.05, metal * 0.2)
    cv2.addWeighted(scene, 0.5, shadow, 0.5, 0, scene)
    _disc(scene, at, radius, metal * rng.uniform(0.5, 1.2))
    _disc(scene, at, radius * rng.uniform(0.8, 0.93), metal)
    if rng.random() < 0.6:
        for turn in np.arange(0, 2 * np.pi, 2 * np.pi / rng.integers(8, 40)):
            _disc(scene, at + 0.85 * radius * np.array([np.cos(turn), np.sin(turn)]), radius * 0.05, metal * 1.3)
    _write(rng, scene, at, radius * 0.9, metal * rng.choice([0.5, 0.7, 1.4]))


def _write(rng: np.random.Generator, scene: Canvas, at: Point, size: float, ink: NDArray[np.float32]) -> None:
    text = str(rng.choice(["50", "1", "2", "20", "10", "5", "B", "8", "o", "%", "8:8", "i", "..."]))
    big = size / 22
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, big, 1)
    where = (int(at[0] - w / 2), int(at[1] + h / 2))
    cover = np.zeros(scene.shape[:2], np.uint8)
    cv2.putText(cover, text, where, cv2.FONT_HERSHEY_DUPLEX, big, 255.0, max(1, round(2.5 * big)), cv2.LINE_AA)
    share = cover[..., None] / np.float32(255)
    scene += (ink - scene) * share


def _letters(rng: np.random.Generator, scene: Canvas, at: Point, face: float) -> None:
    for k in range(int(rng.integers(1, 5))):
        _write(rng, scene, at + np.array([0.7 * k * face, 0]), face * rng.uniform(0.5, 1.2), any_colour(rng))


def _domino(rng: np.random.Generator, scene: Canvas, at: Point, face: float) -> None:
    side = face * rng.uniform(0.8, 1.3)
    corners, axes = _box(rng, at, 2 * side, side)
    body = colour(rng, (20, 60), (0, 0.2), (0.7, 1)) if rng.random() < 0.5 else any_colour(rng)
    ink = np.full(3, 20.0 if body.mean() > 110 else 235.0, np.float32)
    _filled(scene, corners + face * rng.uniform(-0.1, 0.1, 2), body * 0.3)
    _filled(scene, corners, body)
    ends = np.rint(at + np.array([-0.45, 0.45])[:, None] * side * axes[1]).astype(int)
    cv2.line(scene, ends[0].tolist(), ends[1].tolist(), ink.tolist(), max(1, round(side / 18)), cv2.LINE_AA)
    for half in (-0.5, 0.5):
        for spot in SPOTS[int(rng.integers(0, 7))]:
            _disc(scene, at + (np.array(spot) * 0.27 + (half, 0)) * side @ axes, side * 0.09, ink)


def _dots(rng: np.random.Generator, scene: Canvas, at: Point, face: float) -> None:
    """Stars, crumbs, holes or a printed dot pattern, as large as pips."""
    ink, radius = any_colour(rng), face * rng.uniform(0.03, 0.16)
    for _ in range(int(rng.integers(1, 14))):
        _disc(scene, at + rng.normal(0, face * 0.9, 2), radius * rng.uniform(0.5, 1.2), ink)


def _square(rng: np.random.Generator, scene: Canvas, at: Point, face: float) -> None:
    """A wooden piece, tile or card: a square or oblong, empty or with a sign."""
    corners, _ = _box(rng, at, face * rng.uniform(0.6, 2.5), face * rng.uniform(0.6, 2.5))
    body = any_colour(rng)
    _filled(scene, corners + face * rng.uniform(-0.15, 0.15, 2), body * 0.3)
    _filled(scene, corners, body)
    if rng.random() < 0.5:
        _write(rng, scene, at, face * rng.uniform(0.5, 1.2), any_colour(rng))


def _ring(rng: np.random.Generator, scene: Canvas, at: Point, face: float) -> None:
    """A chip, washer, screw or button."""
    body, radius = any_colour(rng), face * rng.uniform(0.2, 0.8)
    _disc(scene, at + radius * rng.uniform(-0.2, 0.2, 2), radius, body * 0.3)
    _disc(scene, at, radius, body)
    _disc(scene, at, radius * rng.uniform(0.2, 0.8), any_colour(rng))
