"""One six-sided die, ray traced: rounded edges, pips of every face, lamps, and the shadow that it casts.

Lengths are in half sides of the die, so that its faces lie at -1 and 1; z points up from the table, which is at -1.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Picture = NDArray[np.float32]

REACH = 1.9
"""Half the width of a drawn window: a little more than half of the cube's diagonal."""
STEPS = 8
HIT = 0.03

SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    5: ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class View:
    """A pinhole camera: unit vectors (3,) to the eye and along the picture's x and y, and how far away it is."""

    eye: Vector
    right: Vector
    down: Vector
    distance: float

    def project(self, points: Vector) -> Vector:
        """Points (N, 3) in the picture (N, 2), in half sides as they look at the die's middle, from that middle."""
        away = points - self.eye * self.distance
        depth = -(away @ self.eye)
        across = np.stack([away @ self.right, away @ self.down], axis=1)
        return np.asarray(across * (self.distance / depth)[:, None], np.float32)


def view(tilt: float, azimuth: float, roll: float, distance: float) -> View:
    """A camera that leans by `tilt` towards `azimuth` and is rolled, all in radians."""
    eye = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    first = np.cross(eye, [-np.sin(azimuth), np.cos(azimuth), 0])
    second = np.cross(eye, first)
    right = np.cos(roll) * first + np.sin(roll) * second
    down = np.cross(right, eye)
    return View(eye.astype(np.float32), right.astype(np.float32), down.astype(np.float32), distance)


@dataclass(frozen=True, slots=True)
class Lamp:
    """The unit vector (3,) to a lamp, how bright it is, and how dark and soft (in half sides) its shadows are."""

    way: Vector
    power: float
    dark: float
    soft: float


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """A die: `faces` holds the spots (N, 2) of +x, +y, +z, -x, -y, -z in units of `spread`; colours (3,) are BGR.

    `veins` (S, S) are mixed into the body as a second colour, `vein`.
    """

    turn: float
    faces: tuple[Vector, ...]
    body: Vector
    ink: Vector
    ace: Vector
    vein: Vector
    veins: Picture
    bend: float
    spread: float
    pip: float
    ace_pip: float
    depth: float
    gloss: float
    shine: float
    ambient: float


def top(cube: Cube, seen: View) -> Vector:
    """The top face's corners (4, 2) in the picture, in half sides from the die's middle, clockwise."""
    corners = np.array([(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)], np.float32)
    return seen.project(corners @ _turned(cube.turn).T)


def shadow(cube: Cube, seen: View, lamp: Lamp) -> Vector:
    """The outline (N, 2) in the picture of what the die hides from a lamp on the table."""
    low = np.array([(x, y, -1) for x in (-0.95, 0.95) for y in (-0.95, 0.95)], np.float32) @ _turned(cube.turn).T
    fall = lamp.way * np.float32(-1.95 / lamp.way[2])
    high = low + fall * np.array([1, 1, 0], np.float32)
    return np.asarray(cv2.convexHull(seen.project(np.vstack([low, high])))[:, 0], np.float32)


def draw(cube: Cube, seen: View, lamps: list[Lamp], centre: Vector, px: float) -> tuple[Picture, Picture, Vector]:
    """The die's picture (h, w, 3) 0..255, its cover (h, w) 0..1, and the pixel (x, y) where the window begins.

    `centre` (2,): where the die's middle is seen, in pixels; `px`: pixels in half a side.
    """
    fine = 2 if px < 20 else 1
    low = np.asarray(np.floor(centre - REACH * px), np.float32)
    size = int(np.ceil(2 * REACH * px)) + 1
    step = (((np.arange(size * fine) + 0.5) / fine - 0.5)[:, None] + low - centre) / px
    x, y = np.meshgrid(step[:, 0].astype(np.float32), step[:, 1].astype(np.float32))
    ways = -seen.eye + (x[..., None] * seen.right + y[..., None] * seen.down) / np.float32(seen.distance)
    turn = _turned(cube.turn)
    rays = np.asarray(ways.reshape(-1, 3) @ turn, np.float32)
    rays /= _length(rays)[:, None]
    which, at = _trace(np.asarray(seen.eye * seen.distance @ turn, np.float32), rays, cube.bend)
    wide = size * fine
    patch, cover = np.zeros((wide, wide, 3), np.float32), np.zeros((wide, wide), np.float32)
    lit_by = [(np.asarray(lamp.way @ turn, np.float32), lamp.power) for lamp in lamps]
    patch.reshape(-1, 3)[which] = _shaded(cube, at, rays[which], lit_by, px * fine)
    cover.reshape(-1)[which] = 1
    if fine == 1:
        return patch, np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.4), np.float32), low
    patch = np.asarray(cv2.resize(patch, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    cover = np.asarray(cv2.resize(cover, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(patch / np.maximum(cover, 1e-3)[..., None], np.float32), cover, low


def _turned(turn: float) -> Vector:
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def _length(vectors: Vector) -> Vector:
    """The lengths (N,) of (N, 3)."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), np.float32)


def _trace(eye: Vector, ways: Vector, bend: float) -> tuple[NDArray[np.intp], Vector]:
    """Which of the rays (N, 3) from the eye meet the cube, and where (M, 3)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (-1 - eye) / ways, (1 - eye) / ways
    low, high = np.minimum(first, second).T, np.maximum(first, second).T
    near, far = np.maximum(np.maximum(low[0], low[1]), low[2]), np.minimum(np.minimum(high[0], high[1]), high[2])
    which = np.flatnonzero(near < far)
    ways, at = ways[which], eye + near[which, None] * ways[which]
    inner = np.float32(1 - bend)
    for _ in range(STEPS):
        gap = _length(np.maximum(np.abs(at) - inner, 0)) - np.float32(bend)
        at = at + gap[:, None] * ways
    met = _length(np.maximum(np.abs(at) - inner, 0)) - bend < HIT
    return which[met], np.asarray(at[met], np.float32)


def _shaded(cube: Cube, at: Vector, ways: Vector, lamps: list[tuple[Vector, float]], px: float) -> Vector:
    """The colours (M, 3) of points on the cube that are seen along `ways`."""
    normal = np.sign(at) * np.maximum(np.abs(at) - (1 - cube.bend), 0)
    x, y, z = np.abs(at).T
    axis = np.where(z >= np.maximum(x, y), 2, np.where(y >= x, 1, 0))
    face = axis + 3 * (np.take_along_axis(at, axis[:, None], 1)[:, 0] < 0)
    normal /= np.maximum(_length(normal), 1e-6)[:, None]
    colour = np.broadcast_to(cube.body, at.shape).copy()
    for side in np.unique(face):
        here = face == side
        one, two = (side + 1) % 3, (side + 2) % 3
        flat = at[here][:, [one, two]]
        cell = ((flat + 1) * (0.5 * (len(cube.veins) - 1))).clip(0, len(cube.veins) - 1).astype(np.intp)
        share = cube.veins[cell[:, 0], (cell[:, 1] + 7 * side) % len(cube.veins), None]
        paint = cube.body + (cube.vein - cube.body) * share
        spots = cube.faces[side] * np.float32(cube.spread)
        if len(spots):
            radius, ink = (cube.ace_pip, cube.ace) if len(spots) == 1 else (cube.pip, cube.ink)
            apart = flat[:, None] - spots
            far = np.einsum("ijk,ijk->ij", apart, apart)
            nearest = far.argmin(axis=1)
            rows = np.arange(len(flat))
            inked = np.clip((radius - np.sqrt(far[rows, nearest])) * px + 0.5, 0, 1)[:, None].astype(np.float32)
            paint = paint * (1 - inked) + ink * inked
            bowl = np.zeros_like(at[here])
            bowl[:, [one, two]] = apart[rows, nearest] * np.float32(-cube.depth / radius)
            normal[here] += bowl * inked
        colour[here] = paint
    normal /= np.maximum(_length(normal), 1e-6)[:, None]
    light, mirrored = np.full(len(at), cube.ambient, np.float32), np.zeros(len(at), np.float32)
    for way, power in lamps:
        light += np.float32(power) * np.maximum(normal @ way, 0)
        if cube.gloss:
            half = way - ways
            towards = np.einsum("ij,ij->i", normal, half) / _length(half)
            mirrored += np.float32(power) * np.maximum(towards, 0) ** np.float32(cube.shine)
    return np.asarray(colour * light[:, None] + 255 * cube.gloss * mirrored[:, None], np.float32)
