"""What light and camera do to a scene: lamps, shadows, glare, white balance, blur, noise and JPEG.

All pictures are (H, W, 3) uint8, BGR.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.tables import Field, Picture, grid_px, noise


def lit(rng: np.random.Generator, scene: Picture, gloss: Field) -> tuple[Picture, list[str]]:
    """The scene under a random lamp or window, and tags; `gloss` (H, W) 0..1 says how much a spot mirrors a lamp."""
    size = (scene.shape[0], scene.shape[1])
    tags = []
    light = _falloff(rng, size)
    if rng.random() < 0.35:
        light *= _cast_shadow(rng, size)
        tags.append("shadow")
    balance = np.exp(rng.normal(0, 0.07 if rng.random() < 0.7 else 0.16, 3)).astype(np.float32)
    exposure = np.exp(rng.normal(-0.1, 0.22))
    if rng.random() < 0.12:
        exposure *= rng.uniform(0.35, 0.7)
        tags.append("underexposed")
    picture = scene * (light * np.float32(exposure))[..., None] * balance
    if rng.random() < 0.35:
        picture += _glare(rng, size)[..., None] * (0.25 + 0.75 * gloss[..., None]) * balance
        tags.append("glare")
    # A shoulder instead of a hard clip, as cameras have.
    picture = np.where(picture > 215, 215 + 40 * np.tanh((picture - 215) / 50), picture)
    return np.clip(picture, 0, 255).astype(np.uint8), tags


def photographed(rng: np.random.Generator, scene: Picture, blur_px: float) -> Picture:
    """Blur by focus or a moving hand (up to about `blur_px`), sensor noise and JPEG."""
    picture = scene
    if rng.random() < 0.6:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, blur_px)), np.uint8)
    if rng.random() < 0.15:
        picture = np.asarray(cv2.filter2D(picture, -1, _motion(rng, rng.uniform(1, 3) * blur_px)), np.uint8)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.5 * blur_px)
        picture = np.asarray(cv2.addWeighted(picture, 1.6, soft, -0.6, 0), np.uint8)
    picture = _noisy(rng, picture)
    quality = int(rng.integers(45, 97))
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _falloff(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """A light that falls off to one side or around a lamp, about 1 in the middle."""
    x, y = grid_px((size[0] // 8 + 1, size[1] // 8 + 1))
    x, y = x / x.max() - 0.5, y / y.max() - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    light = 1 + rng.uniform(0, 0.5) * (x * np.cos(angle) + y * np.sin(angle))
    if rng.random() < 0.4:
        cx, cy = rng.uniform(-0.6, 0.6, 2)
        reach = rng.uniform(0.25, 1.0)
        lamp = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * reach**2))
        light *= rng.uniform(0.4, 0.9) + rng.uniform(0.3, 0.9) * lamp
    return np.asarray(cv2.resize(light.astype(np.float32), (size[1], size[0])), np.float32)


def _cast_shadow(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """Window bars, a person or leaves between the lamp and the table; hard or soft edges. 1 is full light."""
    h, w = size
    shadow = np.zeros(size, np.float32)
    kind = rng.integers(3)
    if kind == 0:
        angle, pitch, bar = rng.uniform(0, np.pi), rng.uniform(0.15, 0.7) * w, rng.uniform(0.1, 0.6)
        x, y = grid_px(size)
        along = (x * np.cos(angle) + y * np.sin(angle)) / pitch + rng.random()
        shadow[along % 1 < bar] = 1
    elif kind == 1:
        corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 8)), 2)) * (w, h)
        cv2.fillPoly(shadow, [corners.astype(np.int32)], 1.0)
    else:
        shadow = (noise(rng, size, rng.uniform(0.1, 0.5) * w, 2) > rng.uniform(-0.3, 1)).astype(np.float32)
    soft = np.exp(rng.uniform(np.log(0.001), np.log(0.08))) * w
    shadow = blurred(shadow, soft)
    return np.asarray(1 - rng.uniform(0.15, 0.65) * shadow, np.float32)


def _glare(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """One to three lamps mirrored in the table, grey levels to add."""
    h, w = size
    glare = np.zeros((h // 4 + 1, w // 4 + 1), np.float32)
    x, y = grid_px(glare.shape)
    for _ in range(int(rng.integers(1, 4))):
        cx, cy = rng.uniform(0, 1, 2) * (w / 4, h / 4)
        angle, reach = rng.uniform(0, np.pi), rng.uniform(0.01, 0.12) * w / 4
        stretch = rng.uniform(1, 3)
        u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
        v = -(x - cx) * np.sin(angle) + (y - cy) * np.cos(angle)
        far = (u / stretch) ** 2 + v**2
        glare += rng.uniform(40, 320) * np.exp(-far / (2 * reach**2))
        glare += rng.uniform(0, 50) * np.exp(-far / (2 * (4 * reach) ** 2))
    return np.asarray(cv2.resize(glare, (w, h)), np.float32)


def blurred(field: Field, sigma: float) -> Field:
    """A Gaussian blur of (H, W) that stays cheap for a large sigma (px)."""
    shrink = max(1, int(sigma / 3))
    h, w = field.shape
    small = cv2.resize(field, (max(2, w // shrink), max(2, h // shrink)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, sigma / shrink))
    return np.asarray(cv2.resize(small, (w, h)), np.float32)


def _motion(rng: np.random.Generator, length: float) -> NDArray[np.float32]:
    n = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((n, n), np.float32)
    angle, half = rng.uniform(0, np.pi), length / 2
    ends = [(n // 2 + s * half * np.cos(angle), n // 2 + s * half * np.sin(angle)) for s in (-1, 1)]
    first, last = ((round(x), round(y)) for x, y in ends)
    cv2.line(kernel, first, last, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _noisy(rng: np.random.Generator, picture: Picture) -> Picture:
    """Shot noise and read noise, sometimes as coarse as a phone's denoiser leaves it."""
    read = rng.uniform(0, 5)
    grain = np.empty(picture.shape, np.int16)
    cv2.setRNGSeed(int(rng.integers(2**31)))
    cv2.randn(grain, np.zeros(3), np.full(3, 16 * read))
    noisy = picture.astype(np.int16) + (grain >> 4)
    return np.clip(noisy, 0, 255).astype(np.uint8)
