"""Pictures of dice to measure the die reader with: cubes with pips under a pinhole camera, on tables of any kind."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.photolight import lit, photographed
from vision.training.tables import any_colour

Picture = NDArray[np.uint8]
Vector = NDArray[np.float64]

FACE_PX = 160
WIDTH, HEIGHT = 640, 480

_SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    5: ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


def picture(rng: np.random.Generator, count: int, tilt_deg: float) -> tuple[Picture, list[int]]:
    """A photograph (480, 640, 3) uint8, BGR, of `count` dice, and their values from left to right.

    `tilt_deg` is how far the camera leans from straight above; at 0 the side faces are all but hidden.
    """
    camera = _camera(rng, tilt_deg)
    scene = _table(rng)
    colours = [(any_colour(rng), rng.random() < 0.5) for _ in range(2)]
    places: list[Vector] = []
    while len(places) < count:
        at = rng.uniform(-55, 55, 2) * (1, 0.7)
        if all(np.linalg.norm(at - other) > 27 for other in places):
            places.append(at)
    shown = []
    for at in sorted(places, key=lambda at: -float(_project(camera, np.array([[*at, 0.0]]))[0, 1]), reverse=True):
        value = int(rng.integers(1, 7))
        body, _ = colours[int(rng.integers(len(colours)))]
        middle = _draw(rng, scene, camera, at, value, body)
        shown.append((float(middle[0]), value))
    light, _ = lit(rng, scene.astype(np.float32), np.full(scene.shape[:2], 0.2, np.float32))
    return photographed(rng, light, 0.9), [value for _, value in sorted(shown)]


def _camera(rng: np.random.Generator, tilt_deg: float) -> Vector:
    """A projection (3, 4) from millimetres on the table, z up, to pixels; the table's middle is the picture's."""
    tilt, turn = np.radians(tilt_deg), rng.uniform(0, 2 * np.pi)
    around = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, -np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), -np.cos(tilt)]])
    distance, focal = rng.uniform(230, 330), 640.0
    pose = np.column_stack([lean @ around, (0, 0, distance)])
    return np.asarray(np.array([[focal, 0, WIDTH / 2], [0, focal, HEIGHT / 2], [0, 0, 1]]) @ pose)


def _project(camera: Vector, points_mm: Vector) -> Vector:
    seen = np.column_stack([points_mm, np.ones(len(points_mm))]) @ camera.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _table(rng: np.random.Generator) -> Picture:
    """A plain, grained, or chequered table."""
    base = np.full((HEIGHT, WIDTH, 3), any_colour(rng), np.float32)
    kind = rng.integers(3)
    if kind == 1:
        grain = cv2.GaussianBlur(rng.normal(0, 90, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 9, sigmaY=0.8)
        base += grain[..., None]
    elif kind == 2:
        x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
        size = rng.uniform(25, 90)
        base[((x / size).astype(int) + (y / size).astype(int)) % 2 == 0] = any_colour(rng)
    return np.clip(base, 0, 255).astype(np.uint8)


def _draw(
    rng: np.random.Generator, scene: Picture, camera: Vector, at: Vector, value: int, body: NDArray[np.float32]
) -> Vector:
    """Draw one die, its shadow first, the top last; returns the middle of its top in pixels (2,)."""
    half, turn = rng.uniform(6, 9), rng.uniform(0, np.pi / 2)
    ink = np.full(3, 245.0 if body.mean() < 120 else 15.0)
    across = np.array([np.cos(turn), np.sin(turn), 0]) * half
    along = np.array([-np.sin(turn), np.cos(turn), 0]) * half
    up = np.array([0, 0, half])
    centre = np.array([*at, half])
    fall = np.array([*rng.uniform(-10, 10, 2), 0])
    ground = np.array([centre - up + x * across + y * along for x, y in _SQUARE])
    hull = cv2.convexHull(_project(camera, np.vstack([ground, ground + fall])).astype(np.float32))
    cv2.fillPoly(scene, [np.rint(hull).astype(np.int32)], (scene.mean(axis=(0, 1)) * 0.45).tolist(), cv2.LINE_AA)
    sides = [side for side in range(1, 7) if side not in (value, 7 - value)]
    pip = rng.uniform(0.17, 0.25)
    order = sorted(_SIDES, key=lambda way: float((camera @ [*(centre + way[0] * across + way[1] * along), 1])[2]))
    for number, (x, y) in enumerate(reversed(order)):
        out, edge = x * across + y * along, -y * across + x * along
        corners = np.array([centre + out + u * edge + v * up for u, v in _SQUARE])
        _face(
            scene,
            _project(camera, corners),
            sides[number],
            np.asarray(body * rng.uniform(0.5, 0.85), np.float64),
            ink * 0.8,
            pip,
        )
    corners = np.array([centre + up + u * across + v * along for u, v in _SQUARE])
    _face(scene, _project(camera, corners), value, np.asarray(body, np.float64), ink, pip)
    return np.asarray(_project(camera, (centre + up)[None])[0])


def _face(scene: Picture, corners: Vector, value: int, body: Vector, ink: Vector, pip: float) -> None:
    """Paint a face with round corners and its pips into the picture, if it is turned to the camera."""
    if cv2.contourArea(corners.astype(np.float32), oriented=True) >= 0:
        return
    texture = np.full((FACE_PX, FACE_PX, 3), np.clip(body, 0, 255), np.float32)
    for x, y in _SPOTS[value]:
        spot = (round(FACE_PX * (0.5 + 0.25 * x)), round(FACE_PX * (0.5 + 0.25 * y)))
        cv2.circle(texture, spot, round(FACE_PX * pip / 2), ink.tolist(), -1, cv2.LINE_AA)
    cover = np.zeros((FACE_PX, FACE_PX), np.float32)
    bend = FACE_PX // 7
    cv2.rectangle(cover, (bend, bend), (FACE_PX - bend, FACE_PX - bend), 1.0, -1)
    round_corner = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * bend + 1, 2 * bend + 1))
    cover = np.asarray(cv2.dilate(cover, round_corner), np.float32)
    to_picture = cv2.getPerspectiveTransform(
        ((_SQUARE + 1) / 2 * FACE_PX).astype(np.float32), corners.astype(np.float32)
    )
    painted = cv2.warpPerspective(texture, to_picture, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
    share = cv2.warpPerspective(cover, to_picture, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)[..., None]
    scene[:] = np.rint(scene * (1 - share) + painted * share).astype(np.uint8)
