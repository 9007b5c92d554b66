"""Crops of cards as the geometry hands them over, made from painted decks: 64 x 64 BGR, corners at 6 and 58.

A small scene is composed around one card (table, neighbours, shadow, light, things in the way), seen by a simulated
camera at the card's own resolution, and cut out again with an imprecise quad in any quarter turn.

Run `python -m vision.training.crops --out DIR --count N` to write `crops.npy`, `labels.npy` and `decks.npy`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import camera, patterns
from vision.training.artwork import SIDE, VALUES, Deck, distractor, find_typefaces, random_deck, rounded_square
from vision.training.patterns import Picture
from vision.training.typefaces import Mask, Typeface

CROP = 64
CORNERS = np.array([(6, 6), (58, 6), (58, 58), (6, 58)], np.float32)
FACES = ("0", "1", "2", "3", "4", ",", "?", "*")
BACK, OTHER = 6, 7
LEVELS = (192, 128, 88, 60, 40)
SHARES = (0.12, 0.12, 0.12, 0.12, 0.12, 0.12, 0.09, 0.19)
CROPS_PER_DECK = 40
UNIT = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True)
class Card:
    """A painted card in several sizes, each (s, s, 4) uint8: BGR and coverage; `ink` likewise (s, s)."""

    label: int
    sizes: tuple[NDArray[np.uint8], ...]
    ink: Mask
    spread: int
    """How many places of the card show its value."""


def painted(picture: Picture, ink: Mask, label: int, radius: float, spread: int = 1) -> Card:
    """Prepares a face for scenes."""
    full = np.dstack([picture, rounded_square(SIDE, 0, radius)])
    sizes = [full, *(cv2.resize(full, (s, s), interpolation=cv2.INTER_AREA) for s in LEVELS[1:])]
    return Card(label, tuple(np.asarray(size, np.uint8) for size in sizes), ink, spread)


def cards_of(deck: Deck, rng: np.random.Generator) -> list[Card]:
    """All faces of a deck, its back, and a few strangers cut to the deck's shape."""
    spread = len([p for p in deck.placings if p.height > 0.14])
    cards = []
    for _ in range(2 if deck.drawn_by_hand else 1):
        for label, value in enumerate((*VALUES, "back")):
            picture, ink = deck.face_and_ink(value, rng)
            cards.append(painted(picture, ink, label, deck.corner_radius, spread))
    nothing = np.zeros((SIDE, SIDE), np.uint8)
    cards += [painted(distractor(rng), nothing, OTHER, deck.corner_radius) for _ in range(4)]
    return cards


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
        alpha = layer[..., 3].astype(np.float32) / 255
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
        cv2.fillConvexPoly(shadow, np.int32(np.round(corners - (columns.start, rows.start))), 255, cv2.LINE_AA)
        shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), soft), np.uint8)
        part[:] = np.asarray(part * (1 - shadow[..., None] * np.float32(rng.uniform(0.1, 0.6) / 255)), np.uint8)


def _turn(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _scene(rng: np.random.Generator, tables: list[Picture]) -> Scene:
    # Above 120 px a crop of 52 px no longer tells the difference; it only costs time.
    side = float(np.exp(rng.uniform(np.log(28), np.log(120)))) if rng.random() < 0.8 else 120.0
    size = int(side * 1.75) + 4
    tilt = rng.uniform(0, 0.3) if rng.random() < 0.7 else 0.0
    direction = rng.uniform(0, 2 * np.pi)
    squeeze = _turn(direction) @ np.diag([1 - tilt, 1]) @ _turn(-direction)
    to_camera = np.eye(3)
    to_camera[:2, :2] = side * squeeze @ _turn(rng.uniform(0, 2 * np.pi))
    to_camera[2, :2] = rng.normal(0, 0.25 * tilt, 2)
    to_camera[:2, 2] = size / 2
    table = tables[int(rng.integers(len(tables)))]
    zoom = rng.uniform(0.5, 1.5) * size / len(table)
    place = np.zeros((2, 3))
    place[:, :2] = _turn(rng.uniform(0, 6.28)) * zoom
    place[:, 2] = rng.uniform(0, size, 2) - place[:, :2] @ np.full(2, len(table) / 2)
    canvas = cv2.warpAffine(table, place, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return Scene(np.asarray(canvas, np.uint8), to_camera, side)


def _neighbours(rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Corners of the cards around, in card units, for a layout laid by hand."""
    pitch, jitter = rng.uniform(0.99, 1.22), rng.uniform(0.0, 0.045)
    present = rng.uniform(0.3, 1.0)
    around = []
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            if (row, column) != (0, 0) and rng.random() < present:
                centre = np.array([column, row]) * pitch + rng.normal(0, jitter, 2)
                around.append(UNIT @ _turn(rng.normal(0, 0.05) + rng.integers(4) * np.pi / 2).T + centre)
    rng.shuffle(around)
    return around


def _quad(rng: np.random.Generator, shift: NDArray[np.float64]) -> NDArray[np.float64]:
    """The geometry's imprecise idea of the card's corners, in card units, in any quarter turn."""
    spread = rng.choice([0.005, 0.012, 0.02, 0.03])
    noise = rng.normal(0, spread, (4, 2)) + rng.normal(0, spread, 2)
    turn = np.clip(rng.normal(0, spread * 1.6), -0.14, 0.14)
    quad = UNIT @ _turn(turn).T * (1 + rng.normal(0, spread)) + np.clip(noise, -0.1, 0.1)
    return np.roll(quad, int(rng.integers(4)), axis=0) + shift


def compose(
    rng: np.random.Generator, cards: list[Card], label: int, tables: list[Picture]
) -> tuple[Picture, int] | None:
    """One crop and its label; None when chance made a card that a person could not decide either."""
    scene = _scene(rng, tables)
    kind = rng.random()
    shift = np.zeros(2)
    card: Card | None = None
    if label == OTHER and kind < 0.12:
        pass
    elif label == OTHER and kind < 0.3:
        offsets = np.array([(0.55, 0), (-0.55, 0), (0, 0.55), (0.55, 0.55), (-0.55, 0.55)])
        shift = offsets[rng.integers(5)] + rng.normal(0, 0.04, 2)
        card = cards[int(rng.integers(len(cards)))]
    else:
        wanted = label
        if label == OTHER and kind > 0.85:
            wanted = int(rng.integers(0, 6))
        choice = [c for c in cards if c.label == wanted]
        card = choice[int(rng.integers(len(choice)))]
    hide = label == OTHER and kind > 0.85
    visible, covered, ink = _lay(rng, scene, card, cards, hide)
    if card is not None and not shift.any():
        decided = _decide(card, visible, covered)
        if decided is None or (decided != label):
            return None if decided is None or label != card.label else _shot(rng, scene, shift, decided, card, ink)
    return _shot(rng, scene, shift, label, card, ink)


def _lay(
    rng: np.random.Generator, scene: Scene, card: Card | None, cards: list[Card], hide: bool
) -> tuple[float, float, NDArray[np.float32]]:
    """Lays the card, its neighbours and things in the way; the shares of ink seen and of card covered, and the ink."""
    around = _neighbours(rng)
    under = int(rng.integers(len(around) + 1))
    order = [*around[:under], None, *around[under:]]
    shadows = rng.random() < 0.6
    shape = scene.canvas.shape[:2]
    free, ink, body = np.ones(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for where in order:
        corners = UNIT if where is None else where
        laid = card if where is None else cards[int(rng.integers(len(cards)))]
        if laid is None:
            continue
        if shadows:
            scene.shade(corners, rng)
        window, alpha = scene.place(laid, corners)
        if where is None:
            body[window] = alpha
            ink = np.asarray(cv2.warpPerspective(laid.ink, scene.warp(SIDE, scene.pixels(UNIT), (0, 0)), shape[::-1]), np.float32)
        else:
            free[window] *= 1 - alpha
    if hide or rng.random() < 0.08:
        free *= 1 - camera.obstruct(rng, scene.canvas, scene.side, hide)
    seen = float((ink * free).sum() / max(ink.sum(), 1))
    covered = 1 - float((body * free).sum() / max(body.sum(), 1))
    return seen, covered, ink


def _decide(card: Card, seen: float, covered: float) -> int | None:
    """What a card that is partly hidden should be called; None when it could be argued about."""
    if card.label in (BACK, OTHER):
        return card.label if covered < 0.3 else OTHER if covered > 0.6 else None
    needed = 0.88 if card.spread == 1 else 0.6 if card.spread == 2 else 0.45
    if seen >= needed and covered < 0.4:
        return card.label
    return OTHER if seen < 0.2 or covered > 0.6 else None


def _shot(
    rng: np.random.Generator, scene: Scene, shift: NDArray[np.float64], label: int, card: Card | None,
    ink: NDArray[np.float32],
) -> tuple[Picture, int] | None:  # fmt: skip
    """Light, camera and cutting out."""
    lit = camera.light(rng, scene.canvas.astype(np.float32))
    if card is not None and card.label < BACK and label < BACK:
        washed = cv2.erode((lit.min(2) > 246).astype(np.uint8), np.ones((3, 3), np.uint8), iterations=1 + int(scene.side / 40))
        seen = float((ink * (1 - washed)).sum() / max(ink.sum(), 1))
        decided = _decide(card, seen, 0.0)
        if decided is None:
            return None
        label = decided
    photograph = camera.photograph(rng, lit, scene.side)
    corners = cv2.perspectiveTransform(_quad(rng, shift)[None], scene.to_camera)[0]
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), CORNERS)
    if scene.side > 90 and rng.random() < 0.5:
        photograph = np.asarray(cv2.GaussianBlur(photograph, (0, 0), scene.side / 52 * 0.4), np.uint8)
    flags = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
    crop = cv2.warpPerspective(photograph, warp, (CROP, CROP), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8), label


def generate(
    seed: int, count: int, held_out: bool = False, held_out_layouts: bool = False
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]:
    """`count` crops (N, 64, 64, 3), their labels (N,) as indices of `FACES`, and the seed of each one's deck (N,)."""
    fonts: list[Typeface] = [face for face in find_typefaces() if face.held_out == held_out]
    rng = np.random.default_rng([seed, int(held_out), int(held_out_layouts)])
    tables = [patterns.table(rng, 256) for _ in range(120)]
    crops = np.empty((count, CROP, CROP, 3), np.uint8)
    labels, decks = np.empty(count, np.uint8), np.empty(count, np.int64)
    done = 0
    while done < count:
        deck = random_deck(rng, fonts, held_out_layouts)
        cards = cards_of(deck, rng)
        for _ in range(CROPS_PER_DECK):
            made = compose(rng, cards, int(rng.choice(8, p=SHARES)), tables)
            if made is not None and done < count:
                crops[done], labels[done] = made
                decks[done] = deck.seed
                done += 1
        if rng.random() < 0.1:
            tables[int(rng.integers(len(tables)))] = patterns.table(rng, 256)
    return crops, labels, decks


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="typefaces that training never sees")
    parser.add_argument("--held-out-layouts", action="store_true", help="layouts that training never sees")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    made = generate(arguments.seed, arguments.count, arguments.held_out, arguments.held_out_layouts)
    for name, array in zip(("crops", "labels", "decks"), made, strict=True):
        np.save(arguments.out / f"{name}.npy", array)


if __name__ == "__main__":
    main()
