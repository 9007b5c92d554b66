"""Training pictures for the card finder: synthetic scenes at the network's input size, with the maps it should give.

Run: python -m vision.training.cardset --seed 1 --count 40 --out DIR
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cardmap import EROSION, HEIGHT, STRIDE, WIDTH
from vision.training.layouts import Scene, random_scene
from vision.training.tables import Picture

SHARD = 100
FRAMES = ((640, 480), (640, 480), (640, 480), (640, 480), (640, 360), (640, 427), (480, 480))


@dataclass(frozen=True, slots=True)
class Shard:
    """Some scenes: pictures (N, HEIGHT, WIDTH, 3) uint8 BGR; maps (N, 2, HEIGHT / 4, WIDTH / 4) uint8, 255 is 1."""

    pictures: NDArray[np.uint8]
    maps: NDArray[np.uint8]


def target_maps(scene: Scene) -> NDArray[np.uint8]:
    """The maps wanted for a scene, (2, h / 4, w / 4) uint8: inside of cards, and a small hill at each card's middle."""
    h, w = scene.label.shape
    inside, middle = np.zeros((h, w), np.uint8), np.zeros((h // STRIDE, w // STRIDE), np.float32)
    rows, cols = np.mgrid[: h // STRIDE, : w // STRIDE].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    half = np.full((1, 2), 0.5, np.float32)
    shrunk = square * (1 - 2 * EROSION) + EROSION
    for k, quad in enumerate(scene.quads):
        warp = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
        inner, centre = (cv2.perspectiveTransform(p[None], warp)[0] for p in (shrunk, half))
        mask = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, np.round(inner * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        seen = scene.label == k + 1
        if (mask > 127).sum() == 0 or (seen & (mask > 127)).sum() < 0.35 * (mask > 127).sum():
            continue
        inside = np.where(seen, np.maximum(inside, mask), inside)
        spread = 0.13 * np.sqrt(cv2.contourArea(quad.astype(np.float32)))
        hill = np.exp(-((cols - centre[0, 0]) ** 2 + (rows - centre[0, 1]) ** 2) / (2 * max(spread, 3.0) ** 2))
        middle = np.maximum(middle, hill)
    small = cv2.resize(inside, (w // STRIDE, h // STRIDE), interpolation=cv2.INTER_AREA)
    return np.stack([small, (middle * 255).astype(np.uint8)]).astype(np.uint8)


def framed(picture: Picture, maps: NDArray[np.uint8]) -> tuple[Picture, NDArray[np.uint8]]:
    """Picture and maps filled up with black to the network's size, on the right and below."""
    below, right = HEIGHT - picture.shape[0], WIDTH - picture.shape[1]
    full = np.pad(picture, ((0, below), (0, right), (0, 0)))
    return full, np.pad(maps, ((0, 0), (0, HEIGHT // STRIDE - maps.shape[1]), (0, WIDTH // STRIDE - maps.shape[2])))


def make_shard(seed: int, index: int) -> Shard:
    """Shard `index` of the set with this seed, always the same."""
    pairs = []
    for k in range(SHARD):
        rng = np.random.default_rng([seed, index, k])
        scene = random_scene(rng, FRAMES[rng.integers(len(FRAMES))])
        pairs.append(framed(scene.picture, target_maps(scene)))
    pictures, maps = (np.stack(part) for part in zip(*pairs, strict=True))
    return Shard(pictures, maps)


def load(folder: Path) -> Shard:
    """All shards in a folder as one. Raises: FileNotFoundError when there is none."""
    paths = sorted(folder.glob("shard_*.npz"))
    if not paths:
        raise FileNotFoundError(f"no shard_*.npz in {folder}")
    parts = [np.load(path) for path in paths]
    return Shard(*(np.concatenate([part[name] for part in parts]) for name in ("pictures", "maps")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write shards of training scenes that are not there yet."""
    parser = argparse.ArgumentParser(description="Make training scenes for the card finder.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first shard")
    parser.add_argument("--count", type=int, default=40, help=f"shards of {SHARD} scenes")
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args(arguments)
    wanted.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for index in range(wanted.first, wanted.first + wanted.count):
        path = wanted.out / f"shard_{wanted.seed}_{index:04d}.npz"
        if not path.exists():
            shard = make_shard(wanted.seed, index)
            part = path.with_name(f"part_{path.name}")
            np.savez(part, pictures=shard.pictures, maps=shard.maps)
            part.rename(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
