"""Pictures of dice on tables of any kind, with where each die's top face is and what it shows.

Run: python -m vision.training.dice --seed 1 --count 7000 --out TILES.npz
     python -m vision.training.dice --seed 4 --count 6000 --bare --out TILES.npz
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import cube
from vision.training.dotted import USUAL, litter
from vision.training.photolight import lit, photographed
from vision.training.tables import any_colour, colour, noise, random_table

Picture = NDArray[np.uint8]
Vector = NDArray[np.float32]

TILE = 96
MOST = 8
FACE_PX = (13.0, 58.0)
STRANGE = 0
"""What a top face shows that no die has."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One top face: its middle and side in pixels, its turn in radians, its value, and whether it is wholly seen."""

    x: float
    y: float
    side: float
    turn: float
    value: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """What a picture shows: rows and columns, dice at most, pixels of a face's side, camera lean in degrees."""

    size: tuple[int, int] = (TILE, TILE)
    dice: int = MOST
    face_px: tuple[float, float] = FACE_PX
    tilt_deg: float = 40.0
    strange: float = 0.08
    litter: float = USUAL


TILES = Kind()
BARE = Kind(dice=0, litter=0.9)
"""No dice, but mostly what looks a little like them."""


def picture(rng: np.random.Generator, kind: Kind) -> tuple[Picture, list[Mark]]:
    """A photograph (h, w, 3) uint8, BGR, and its dice."""
    h, w = kind.size
    face = float(np.exp(rng.uniform(*np.log(kind.face_px))))
    scene = random_table(rng, kind.size, face / rng.uniform(11, 20))[0].astype(np.float32)
    seen = _view(rng, kind.tilt_deg)
    lamps = _lamps(rng)
    litter(rng, scene, face, kind.litter)
    marks: list[Mark] = []
    sizes = np.asarray(face / 2 * np.exp(rng.normal(0, 0.1, kind.dice)), np.float32)
    places = _places(rng, kind, sizes)
    order = sorted(range(len(places)), key=lambda k: float(places[k][1]))
    kin = _cube(rng, kind.strange)
    for k in order:
        die, value = kin if k == 0 else _cube(rng, kind.strange)
        marks.append(_lay(scene, die, value, seen, lamps, places[k], float(sizes[k])))
    if rng.random() < 0.35:
        _spot(rng, scene, face)
    bright, _ = lit(rng, scene.clip(0, 255).astype(np.uint8), np.full((h, w), 0.15, np.float32))
    return _taken(rng, bright, face), [_cut(mark, kind.size) for mark in marks]


def _view(rng: np.random.Generator, most_deg: float) -> cube.View:
    tilt = np.radians(most_deg * (rng.random() ** 1.4))
    azimuth, roll = rng.uniform(0, 2 * np.pi, 2)
    return cube.view(float(tilt), azimuth, roll, rng.uniform(14, 60))


def _lamps(rng: np.random.Generator) -> list[cube.Lamp]:
    """One or two lamps or windows; together they and the air light a level face about evenly."""
    lamps = []
    for _ in range(1 + (rng.random() < 0.35)):
        lean, around = rng.uniform(0.05, 1.15), rng.uniform(0, 2 * np.pi)
        way = np.array([np.sin(lean) * np.cos(around), np.sin(lean) * np.sin(around), np.cos(lean)], np.float32)
        lamps.append(cube.Lamp(way, rng.uniform(0.3, 0.8), rng.uniform(0.1, 0.75), rng.uniform(0.02, 0.6)))
    return lamps


def _places(rng: np.random.Generator, kind: Kind, sizes: Vector) -> list[Vector]:
    """Where the dice lie: not at all, alone, or several, some of them touching."""
    h, w = kind.size
    some = int(rng.choice([0, 1, 2, kind.dice], p=[0.18, 0.42, 0.2, 0.2]))
    wanted = kind.dice if kind.dice < 2 else some
    places: list[Vector] = []
    for _ in range(3 * wanted):
        k = len(places)
        if k == wanted:
            break
        if places and rng.random() < 0.5:
            way, other = rng.uniform(0, 2 * np.pi), int(rng.integers(k))
            apart = (sizes[k] + sizes[other]) * rng.uniform(1.05, 1.6)
            at = places[other] + apart * np.array([np.cos(way), np.sin(way)])
        else:
            edge = min(1.2 * sizes[k], h / 2) if kind.dice == 1 or rng.random() < 0.7 else 0.0
            at = np.array([rng.uniform(edge, w - edge), rng.uniform(edge, h - edge)])
        if all(np.linalg.norm(at - places[i]) > 1.04 * (sizes[k] + sizes[i]) for i in range(k)):
            places.append(at)
    return places


def _ink(rng: np.random.Generator, body: Vector) -> Vector:
    """White, black or any colour that can be told from the body."""
    faint = rng.random() < 0.12
    for _ in range(20):
        ink = [np.full(3, rng.uniform(215, 250)), np.full(3, rng.uniform(8, 40)), any_colour(rng)][rng.integers(3)]
        apart = float(np.abs(ink - body).max()) if faint else float(np.abs((ink - body) @ (0.114, 0.587, 0.299)))
        if 35 < apart < 75 if faint else apart > 60:
            break
    return np.asarray(ink, np.float32)


def _spots(rng: np.random.Generator, value: int) -> Vector:
    spots = np.array(cube.SPOTS[value], np.float32).reshape(-1, 2)
    return np.ascontiguousarray(spots * (1, -1) if rng.random() < 0.5 else spots[:, ::-1], np.float32)


def _odd_spots(rng: np.random.Generator) -> Vector:
    """Spots of a face that no die has: none, one beside the middle, some of the nine places, or too many."""
    known = {tuple(sorted(turned)) for v in range(1, 7) for turned in _turns(cube.SPOTS[v])}
    nine = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    while True:
        chosen = [nine[k] for k in rng.choice(9, int(rng.choice([0, 1, 2, 3, 4, 5, 6, 7])), replace=False)]
        if rng.random() < 0.5:
            value = int(rng.integers(3, 7))
            chosen = list(cube.SPOTS[value])[: value - int(rng.integers(1, 3))]
        if tuple(sorted(chosen)) not in known:
            return np.array(chosen, np.float32).reshape(-1, 2)


def _turns(spots: tuple[tuple[int, int], ...]) -> list[list[tuple[int, int]]]:
    return [list(spots), [(y, x) for x, y in spots], [(x, -y) for x, y in spots]]


def _body(rng: np.random.Generator) -> Vector:
    kind = rng.random()
    if kind < 0.3:
        return colour(rng, (20, 60), (0, 0.2), (0.75, 1))
    if kind < 0.42:
        return colour(rng, (0, 360), (0, 0.3), (0.03, 0.2))
    return any_colour(rng) if kind < 0.85 else colour(rng, (15, 40), (0.3, 0.6), (0.4, 0.85))


def _cube(rng: np.random.Generator, strange: float) -> tuple[cube.Cube, int]:
    """Any die, and what it shows on top."""
    value = STRANGE if rng.random() < strange else int(rng.integers(1, 7))
    up = value or int(rng.integers(1, 7))
    sides = [side for side in range(1, 4) if side not in (up, 7 - up)]
    around = [side if rng.random() < 0.5 else 7 - side for side in rng.permutation(sides)]
    shown = [around[0], around[1], up, 7 - around[0], 7 - around[1], 7 - up]
    faces = [_spots(rng, side) for side in shown]
    if value == STRANGE:
        faces[2] = _odd_spots(rng)
    body = _body(rng)
    ink = _ink(rng, body)
    ace = colour(rng, (345, 370), (0.7, 1), (0.5, 0.9)) if body.mean() > 150 and rng.random() < 0.25 else ink
    pip = rng.uniform(0.14, 0.27)
    drawn = rng.random() < 0.1
    veins = np.clip(noise(rng, (32, 32), 12, 2) * 0.5 + 0.5, 0, 1) * (rng.random() < 0.2) * rng.uniform(0.2, 0.9)
    made = cube.Cube(
        turn=rng.uniform(0, 2 * np.pi),
        faces=tuple(faces),
        body=np.asarray(body, np.float32),
        ink=ink,
        ace=np.asarray(ace, np.float32),
        vein=np.asarray(np.clip(body * rng.uniform(0.4, 1.5) + rng.normal(0, 40, 3), 0, 255), np.float32),
        veins=np.asarray(veins, np.float32),
        bend=0.03 if drawn else rng.uniform(0.05, 0.42),
        spread=rng.uniform(0.42, 0.58),
        pip=pip,
        ace_pip=pip * (rng.uniform(1.2, 1.9) if rng.random() < 0.25 else 1),
        depth=0.0 if drawn else rng.uniform(0, 0.9),
        gloss=0.0 if drawn else rng.uniform(0, 0.9) * (rng.random() < 0.6),
        shine=float(np.exp(rng.uniform(np.log(8), np.log(120)))),
        ambient=1.0 if drawn else rng.uniform(0.3, 0.6),
    )
    return made, value


def _lay(
    scene: cube.Picture, die: cube.Cube, value: int, seen: cube.View, lamps: list[cube.Lamp], at: Vector, px: float
) -> Mark:
    """Draw the die with its shadows into the scene (h, w, 3) float32."""
    h, w = scene.shape[:2]
    if die.ambient == 1:
        lamps = []
    for lamp in lamps:
        dark = np.zeros((h, w), np.float32)
        outline = cube.shadow(die, seen, lamp) * px + at
        cv2.fillConvexPoly(dark, np.rint(outline * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), max(0.4, lamp.soft * px * 0.5)), np.float32)
        scene *= (1 - lamp.dark * dark)[..., None]
    patch, cover, low = cube.draw(die, seen, lamps, np.asarray(at, np.float32), px)
    left, top = (int(v) for v in low)
    size = len(patch)
    rows, columns = slice(max(0, top), min(h, top + size)), slice(max(0, left), min(w, left + size))
    inner = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    if rows.stop > rows.start and columns.stop > columns.start:
        share = cover[inner][..., None]
        scene[rows, columns] = scene[rows, columns] * (1 - share) + patch[inner] * share
    corners = np.asarray(cube.top(die, seen) * px + at, np.float32)
    x, y = corners.mean(axis=0)
    edge = corners[1] - corners[0] + corners[2] - corners[3]
    side = float(np.sqrt(cv2.contourArea(corners)))
    whole = bool((corners > -0.1 * side).all() and (corners < np.array([w, h]) + 0.1 * side).all())
    return Mark(float(x), float(y), side, float(np.arctan2(edge[1], edge[0])), value, whole)


def _cut(mark: Mark, size: tuple[int, int]) -> Mark:
    return mark if 0 <= mark.x < size[1] and 0 <= mark.y < size[0] else Mark(mark.x, mark.y, mark.side, 0, 0, False)


def _spot(rng: np.random.Generator, scene: cube.Picture, face: float) -> None:
    """A lamp mirrored in what lies there."""
    y, x = np.mgrid[: scene.shape[0], : scene.shape[1]].astype(np.float32)
    cx, cy = rng.uniform(0, 1, 2) * scene.shape[1::-1]
    reach = face * rng.uniform(0.05, 0.5)
    scene += rng.uniform(30, 260) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * reach**2))[..., None]


def _taken(rng: np.random.Generator, scene: Picture, face: float) -> Picture:
    """Photographed, sometimes from farther away and enlarged again, or the other way round."""
    h, w = scene.shape[:2]
    zoom = float(rng.uniform(max(0.4, 10 / face), 1)) if rng.random() < 0.35 and face > 20 else 1.0
    small = cv2.resize(scene, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 1 else scene
    shot = photographed(rng, np.asarray(small, np.uint8), max(0.4, min(1.3, 0.035 * face * zoom)))
    return np.asarray(cv2.resize(shot, (w, h), interpolation=cv2.INTER_LINEAR) if zoom < 1 else shot, np.uint8)


def tiles(seed: int, count: int, kind: Kind = TILES) -> tuple[Picture, Vector]:
    """Tiles (N, TILE, TILE, 3) and their marks (N, MOST, 6): x, y, side, turn, value, whole; unused rows are 0."""
    pictures, marks = np.zeros((count, TILE, TILE, 3), np.uint8), np.zeros((count, MOST, 6), np.float32)
    for k in range(count):
        pictures[k], dice = picture(np.random.default_rng((seed, k)), kind)
        for row, mark in zip(marks[k], dice, strict=False):
            row[:] = mark.x, mark.y, mark.side, mark.turn, mark.value, mark.whole
    return pictures, marks


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw tiles and write them."""
    parser = argparse.ArgumentParser(description="Draw tiles with dice.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--bare", action="store_true", help="no dice, only what looks a little like them")
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args(arguments)
    pictures, marks = tiles(wanted.seed, wanted.count, BARE if wanted.bare else TILES)
    np.savez(wanted.out, pictures=pictures, marks=marks)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
