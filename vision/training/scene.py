"""One card on a table with its neighbours, painted as a camera of the card's own resolution sees it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.cardstock import rounded_square
from vision.training.patterns import SIDE, Picture
from vision.training.typefaces import Mask

LEVELS = (192, 128, 88, 60, 40)
UNIT = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
"""A card's corners in card units: its side is 1, its middle 0."""


@dataclass(frozen=True)
class Card:
    """A painted card in several sizes, each (s, s, 4) uint8: BGR and coverage; `ink` likewise (s, s)."""

    label: int
    sizes: tuple[NDArray[np.uint8], ...]
    ink: Mask
    spread: int
    """How many places of the card show its value."""
    digit: float
    """Height of its largest digit as a share of the side."""


def painted(picture: Picture, ink: Mask, label: int, radius: float, spread: int = 1, digit: float = 1) -> Card:
    """Prepares a face for scenes."""
    full = np.dstack([picture, rounded_square(SIDE, 0, radius)])
    sizes = [full, *(cv2.resize(full, (s, s), interpolation=cv2.INTER_AREA) for s in LEVELS[1:])]
    return Card(label, tuple(np.asarray(size, np.uint8) for size in sizes), ink, spread, digit)


@dataclass
class Scene:
    """What the camera sees around one card; `to_camera` maps card units (its side is 1, middle 0) to pixels."""

    canvas: Picture
    to_camera: NDArray[np.float64]
    side: float

    def window(self, corners: NDArray[np.float64], room: float = 0.0) -> tuple[slice, slice]:
        """The part of the canvas (rows, columns) around `corners` (4, 2) px, `room` pixels wider; may be empty."""
        height, width = self.canvas.shape[:2]
        left, top = np.floor(corners.min(0) - room).astype(int)
        right, bottom = np.ceil(corners.max(0) + room).astype(int) + 1
        return slice(max(top, 0), max(min(bottom, height), 0)), slice(max(left, 0), max(min(right, width), 0))

    def pixels(self, where: NDArray[np.float64]) -> NDArray[np.float64]:
        """Card units (4, 2) as pixels of the canvas."""
        return np.asarray(cv2.perspectiveTransform(where[None], self.to_camera)[0])

    def place(self, card: Card, where: NDArray[np.float64]) -> tuple[tuple[slice, slice], NDArray[np.float32]]:
        """Lays a card with its corners at `where` (4, 2) card units; the window it fell in and its coverage there."""
        picture = card.sizes[self.level]
        corners = self.pixels(where)
        rows, columns = self.window(corners, 1)
        shape = (columns.stop - columns.start, rows.stop - rows.start)
        if min(shape) <= 0:
            return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), np.float32)
        layer = cv2.warpPerspective(picture, self.warp(len(picture), corners, (columns.start, rows.start)), shape)
        alpha = layer[..., 3].astype(np.float32) / np.float32(255)
        part = self.canvas[rows, columns]
        part[:] = np.asarray(part + (layer[..., :3] - part.astype(np.float32)) * alpha[..., None], np.uint8)
        return (rows, columns), alpha

    @staticmethod
    def warp(size: int, corners: NDArray[np.float64], origin: tuple[int, int]) -> NDArray[np.float64]:
        """From a picture of `size` to the canvas window that starts at `origin` (x, y)."""
        source = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32) - 0.5
        return np.asarray(cv2.getPerspectiveTransform(source, (corners - origin).astype(np.float32)))

    @property
    def level(self) -> int:
        """Which size of a painted card suits this camera."""
        return max(i for i, size in enumerate(LEVELS) if i == 0 or size >= self.side)

    def shade(self, where: NDArray[np.float64], rng: np.random.Generator) -> None:
        """The soft shadow of a card that is about to be laid at `where`."""
        corners = self.pixels(where + rng.normal(0, 0.015, 2))
        soft = max(0.5, self.side * rng.uniform(0.005, 0.03))
        rows, columns = self.window(corners, 3 * soft)
        part = self.canvas[rows, columns]
        if not part.size:
            return
        shadow = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(shadow, np.round(corners - (columns.start, rows.start)).astype(np.int32), 255, cv2.LINE_AA)
        shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), soft), np.uint8)
        part[:] = np.asarray(part * (1 - shadow[..., None] * np.float32(rng.uniform(0.1, 0.6) / 255)), np.uint8)


def rotation(angle: float) -> NDArray[np.float64]:
    """Turns points (2,) by `angle`, radians."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def empty_scene(rng: np.random.Generator, tables: list[Picture], smallest: float = 28) -> Scene:
    """A table seen by a camera somewhere above it; a card's side is at least `smallest` px."""
    # Above 100 px a crop of 52 px no longer tells the difference; it only costs time.
    side = float(np.exp(rng.uniform(np.log(smallest), np.log(100)))) if rng.random() < 0.75 else 100.0
    size = int(side * 1.65) + 4
    tilt = rng.uniform(0, 0.3) if rng.random() < 0.7 else 0.0
    direction = rng.uniform(0, 2 * np.pi)
    squeeze = rotation(direction) @ np.diag([1 - tilt, 1]) @ rotation(-direction)
    to_camera = np.eye(3)
    to_camera[:2, :2] = side * squeeze @ rotation(rng.uniform(0, 2 * np.pi))
    to_camera[2, :2] = rng.normal(0, 0.25 * tilt, 2)
    to_camera[:2, 2] = size / 2
    table = tables[int(rng.integers(len(tables)))]
    zoom = rng.uniform(0.5, 1.5) * size / len(table)
    place = np.zeros((2, 3))
    place[:, :2] = rotation(rng.uniform(0, 6.28)) * zoom
    place[:, 2] = rng.uniform(0, size, 2) - place[:, :2] @ np.full(2, len(table) / 2)
    canvas = cv2.warpAffine(table, place, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return Scene(np.asarray(canvas, np.uint8), to_camera, side)
