"""What light, hands and a camera do to a small scene before anybody reads it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import patterns
from vision.training.patterns import Picture

Field = NDArray[np.float32]


def _grid(size: int) -> tuple[Field, Field]:
    axis = np.linspace(-1, 1, size, dtype=np.float32)
    return axis[None], axis[:, None]


def light(rng: np.random.Generator, scene: Field, mild: bool = False) -> Field:
    """Uneven light, shadows with an edge, lamp glare; (n, n, 3) float32, 0 to 255 and clipped; `mild`: a lit room's."""
    x, y = _grid(len(scene))
    slope = rng.normal(0, 0.18, 2)
    shade = 1 + slope[0] * x + slope[1] * y
    if rng.random() < 0.3:
        angle, place = rng.uniform(0, 6.28), rng.normal(0, 0.4)
        edge = (x * np.cos(angle) + y * np.sin(angle) - place) / rng.uniform(0.01, 0.4)
        shade = shade * (1 - rng.uniform(0.15, 0.6) / (1 + np.exp(-np.clip(edge * 4, -30, 30))))
    exposure = float(np.exp(rng.normal(-0.15, 0.2) if mild else rng.normal(-0.25, 0.4)))
    lit = scene * (shade * exposure)[..., None]
    if rng.random() < (0.1 if mild else 0.25):
        lit = lit + _glare(rng, x, y)[..., None] * rng.uniform(0.85, 1.0, 3)
    return np.asarray(np.clip(lit, 0, 255), np.float32)


def _glare(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """A lamp mirrored in the card: a bright core in a wide haze."""
    cx, cy = rng.uniform(-0.8, 0.8, 2)
    turn, stretch = rng.uniform(0, 3.14), rng.uniform(1, 3)
    u = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
    v = ((y - cy) * np.cos(turn) - (x - cx) * np.sin(turn)) * stretch
    distance = u**2 + v**2
    core, haze = rng.uniform(0.05, 0.5) ** 2, rng.uniform(0.4, 1.5) ** 2
    return np.asarray(rng.uniform(20, 330) * np.exp(-distance / core) + rng.uniform(0, 90) * np.exp(-distance / haze))


def obstruct(rng: np.random.Generator, canvas: Picture, side: float, much: bool) -> Field:
    """Draws a finger, a hand, a die, a coin or another card over the scene; its coverage (h, w), 0..1."""
    size = len(canvas)
    cover = np.zeros((size, size), np.uint8)
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([size / 2, size / 2])
    reach = rng.uniform(0.0, 0.25) if much else rng.uniform(0.25, 0.65)
    tip = middle + away * side * reach + rng.normal(0, 0.05 * side, 2)
    kind = rng.random()
    if kind < 0.7:
        fingers = int(rng.integers(2, 5)) if much else int(rng.integers(1, 4))
        width = side * rng.uniform(0.2, 0.5)
        across = np.array([-away[1], away[0]])
        for finger in range(fingers):
            start = tip + across * width * 1.05 * (finger - (fingers - 1) / 2) + away * side * rng.uniform(0, 0.15)
            end = start + away * size
            cv2.line(cover, _pixel(start), _pixel(end), 255, max(2, int(width)), cv2.LINE_AA)
        tint = rng.uniform(0.3, 1.0) * np.array([rng.uniform(120, 190), rng.uniform(150, 200), rng.uniform(210, 255)])
    else:
        corners = middle + away * side * (reach + 0.5) + side * 0.55 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        cv2.fillConvexPoly(cover, np.round(corners).astype(np.int32), 255, cv2.LINE_AA)
        tint = np.array(patterns.colour(rng))
    shade = patterns.smooth_noise(rng, size, rng.uniform(3, 8))[..., None] * rng.uniform(2, 14)
    top = np.clip(tint + shade, 0, 255)
    alpha = cover.astype(np.float32) / np.float32(255)
    canvas[:] = np.asarray(canvas + (top - canvas) * alpha[..., None], np.uint8)
    return alpha


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def photograph(rng: np.random.Generator, lit: Field, side: float, mild: bool = False) -> Picture:
    """Lens, sensor and file: cast, blur, motion, noise, sharpening, JPEG. (n, n, 3) uint8; `mild`: a good camera's."""
    gains = np.exp(rng.normal(0, 0.12, 3))
    picture = lit * (gains / gains.mean())
    if rng.random() < (0.08 if mild else 0.2):
        veil = rng.uniform(0.05, 0.45)
        picture = picture * (1 - veil) + veil * rng.uniform(60, 220)
    picture = np.asarray(np.clip(picture, 0, 255), np.float32)
    if rng.random() < 0.7:
        picture = np.asarray(
            cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.6 + (0.009 if mild else 0.018) * side)), np.float32
        )
    if rng.random() < (0.1 if mild else 0.25):
        picture = _motion(rng, picture, side)
    strength = rng.uniform(0, 4) if mild or rng.random() < 0.7 else rng.uniform(4, 16)
    picture = picture + _noise(rng, len(picture)) * strength
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.8, 2.0))
        picture = picture + (picture - soft) * rng.uniform(0.3, 1.5)
    gamma = float(np.exp(rng.normal(0, 0.15)))
    picture = 255 * (np.clip(picture, 0, 255) / 255) ** gamma
    quality = int(rng.uniform(70, 97) if rng.random() < 0.75 else rng.uniform(35, 70))
    encoded = cv2.imencode(".jpg", np.asarray(picture, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


@lru_cache(maxsize=1)
def _noise_sheets() -> tuple[Field, Field]:
    """Sensor noise, pixel by pixel and smoothed as a camera's own software does."""
    fine = np.random.default_rng(0).standard_normal((700, 700, 3), np.float32)
    smooth = np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.7), np.float32)
    return fine, smooth / smooth.std()


def _noise(rng: np.random.Generator, size: int) -> Field:
    sheet = _noise_sheets()[int(rng.integers(2))]
    x, y = rng.integers(0, len(sheet) - size, 2)
    return sheet[y : y + size, x : x + size]


def _motion(rng: np.random.Generator, picture: Field, side: float) -> Field:
    length = max(2, int(side * rng.uniform(0.01, 0.055)))
    kernel = np.zeros((length, length), np.float32)
    angle, middle = rng.uniform(0, np.pi), (length - 1) / 2
    ends = [_pixel(middle + sign * middle * np.array([np.cos(angle), np.sin(angle)])) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT), np.float32)
