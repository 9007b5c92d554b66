"""Where dice lie in a picture and what they show: the dice finder's maps, and faces made from them.

For every four pixels the network says how likely a top face's middle is there, its class, side and turn. It knows faces
of about 13 to 58 pixels a side, so a picture is looked at in several sizes, and then each face once more in windows
that show it in one size, in several turns: a die's pips mean the same in any turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import MODELS, Network

MODEL = MODELS / "dice.onnx"
SHA256 = "3e1cc7caee23578eef29aad0974f5b05fe56d571a0fa4728e75526db5edd38e2"
STRIDE, MULTIPLE = 4, 16
UNIT_PX = 32.0
CLASSES = 7
"""A face that no die has, or none, and the six values."""
TEMPERATURE = 1.0
"""What the logits of the classes are divided by, so that a probability is right as often as it says."""

LOOKS_PX = (320, 640)
"""The picture's longer side in each look at the whole."""
CLOSE_LOOK_PX = 1280
SMALL_PX = 22.0
"""Faces of fewer pixels in the last look are looked for once more in a larger picture."""
SEEN = 0.15
"""The hills of a whole look that are worth a closer one."""
SMALLEST_PX, LARGEST_PX = 10.0, 72.0
"""What a look takes for a face is one only within these sizes, in its own pixels."""
MOST = 60
WINDOW = 64
WINDOW_FACES = ((32.0, 0.0), (40.0, 0.6))
"""The face's side in pixels, and its turn in radians, in the windows of a closer look."""
GROWTH = 1.6
"""What a closer look takes for a face so many times as large or small is not the one that was looked for."""
APART = 0.6
"""Two faces whose middles are nearer than this share of the larger one's side are one."""

Picture = NDArray[np.uint8]
Map = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Face:
    """A top face: its middle and side in pixels of the picture, its turn in radians, and how likely one is there.

    After a closer look `chance` is the geometric mean of both looks': what is no die seldom looks like one twice.
    `shows`: the probabilities (7,) of what it shows: nothing that a die has, and the six values.
    """

    x: float
    y: float
    side: float
    turn: float
    chance: float
    shows: tuple[float, ...]

    def overlaps(self, other: Face) -> bool:
        """Whether both can only be one die."""
        return float(np.hypot(self.x - other.x, self.y - other.y)) < APART * max(self.side, other.side)


class DiceFinder:
    """The dice finder's network, loaded once and used for many pictures."""

    def __init__(self, model: Path = MODEL) -> None:
        """Raises: ModelError when the model's file is missing or damaged."""
        self._network = Network(model, SHA256 if model == MODEL else None)

    def faces(self, image: Picture) -> list[Face]:
        """All that may be a die's top face in a picture (H, W, 3) uint8 BGR, the likeliest first."""
        found: list[Face] = []
        for long_side in LOOKS_PX:
            found += self._look(image, long_side)
        scale = LOOKS_PX[-1] / max(image.shape[:2])
        best = _separate(found)
        if best and float(np.median([face.side for face in best])) * scale < SMALL_PX:
            best = _separate(best + self._look(image, CLOSE_LOOK_PX))
        return _separate(self._closer(image, best[:MOST]))

    def _look(self, image: Picture, long_side: int) -> list[Face]:
        scale = long_side / max(image.shape[:2])
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)
        below, beside = (-side % MULTIPLE for side in small.shape[:2])
        framed = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_REPLICATE)
        maps = self._network.run(_batch([np.asarray(framed, np.uint8)]))[0][0]
        found = [_at(maps, int(row), int(column), scale) for row, column in _peaks(_chance(maps[0]))]
        return [face for face in found if SMALLEST_PX < face.side * scale < LARGEST_PX]

    def _closer(self, image: Picture, faces: Sequence[Face]) -> list[Face]:
        """The faces as windows around them show them."""
        windows = [window for face in faces for window in _windows(image, face)]
        if not windows:
            return []
        maps = self._network.run(_batch(windows))[0]
        each = len(windows) // len(faces)
        closer = [_judged(face, maps[k * each : (k + 1) * each]) for k, face in enumerate(faces)]
        pairs = zip(faces, closer, strict=True)
        return [near for far, near in pairs if 1 / GROWTH < near.side / far.side < GROWTH]


def _batch(pictures: Iterable[Picture]) -> Map:
    return np.ascontiguousarray(np.stack(list(pictures)).transpose(0, 3, 1, 2), np.float32)


def _chance(logit: Map) -> Map:
    return np.asarray(1 / (1 + np.exp(-logit)), np.float32)


def _peaks(hill: Map) -> NDArray[np.intp]:
    """The rows and columns (N, 2) of the hills."""
    top = (hill >= cv2.dilate(hill, np.ones((3, 3), np.uint8))) & (hill > SEEN)
    return np.argwhere(top)


def _at(maps: Map, row: int, column: int, scale: float) -> Face:
    """The face that the maps (11, h, w) of a picture `scale` times as large show at a hill."""
    hill = _chance(maps[0])
    rows = slice(max(0, row - 1), row + 2)
    columns = slice(max(0, column - 1), column + 2)
    weight = hill[rows, columns]
    y, x = np.mgrid[rows.start : rows.start + weight.shape[0], columns.start : columns.start + weight.shape[1]]
    middle_x, middle_y = float((x * weight).sum() / weight.sum()), float((y * weight).sum() / weight.sum())
    value = maps[:, row, column]
    return Face(
        x=((middle_x + 0.5) * STRIDE) / scale - 0.5,
        y=((middle_y + 0.5) * STRIDE) / scale - 0.5,
        side=float(np.exp(np.clip(value[1 + CLASSES], -3, 3))) * UNIT_PX / scale,
        turn=float(np.arctan2(value[3 + CLASSES], value[2 + CLASSES])) / 4,
        chance=float(hill[row, column]),
        shows=tuple(_likely(value[1 : 1 + CLASSES]).tolist()),
    )


def _likely(logits: Map) -> Map:
    powers = np.exp((logits - logits.max(axis=-1, keepdims=True)) / TEMPERATURE)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)


def _separate(faces: Sequence[Face]) -> list[Face]:
    """The likeliest of each place."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda face: -face.chance):
        if not any(face.overlaps(other) for other in kept):
            kept.append(face)
    return kept


def _windows(image: Picture, face: Face) -> list[Picture]:
    """The face in its sizes and turns; every other one is mirrored."""
    windows = []
    for side, turn in WINDOW_FACES:
        scale = side / face.side
        reach = int(np.ceil(0.75 * WINDOW / scale)) + 2
        left, top = int(face.x) - reach, int(face.y) - reach
        rows = slice(max(0, top), max(1, int(face.y) + reach + 1))
        columns = slice(max(0, left), max(1, int(face.x) + reach + 1))
        part = image[rows, columns]
        shrink = min(1.0, 1.5 * scale)
        if shrink < 1:
            part = np.asarray(cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        c, s = np.cos(turn - face.turn) * scale / shrink, np.sin(turn - face.turn) * scale / shrink
        x = (face.x - columns.start + 0.5) * shrink - 0.5
        y = (face.y - rows.start + 0.5) * shrink - 0.5
        middle = (WINDOW - 1) / 2
        move = np.array([[c, -s, middle - c * x + s * y], [s, c, middle - s * x - c * y]])
        window = cv2.warpAffine(part, move, (WINDOW, WINDOW), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for quarter in range(4):
            turned = np.rot90(window, quarter)
            windows.append(np.asarray(turned[:, ::-1] if quarter % 2 else turned, np.uint8))
    return windows


def _judged(face: Face, maps: Map) -> Face:
    """The face with what its windows' maps (N, 11, h, w) say at their middles."""
    edge = maps.shape[2] // 2 - 2
    inner = maps[:, :, edge:-edge, edge:-edge].reshape(len(maps), maps.shape[1], -1)
    best = inner[:, 0].argmax(axis=1)
    seen = inner[np.arange(len(maps)), :, best]
    chance = float(np.sqrt(face.chance * _chance(seen[:, 0]).mean()))
    sides = np.array([side for side, _ in WINDOW_FACES]).repeat(len(maps) // len(WINDOW_FACES))
    growth = float(np.median(np.exp(np.clip(seen[:, 1 + CLASSES], -3, 3)) * UNIT_PX / sides))
    shows = _likely(seen[:, 1 : 1 + CLASSES]).mean(axis=0)
    return Face(face.x, face.y, face.side * growth, face.turn, chance, tuple(shows.tolist()))
