"""What a card shows: crops in, beliefs over the faces out, with two signs of doubt that lower them.

The network (`models/digits.onnx`, see its model card `models/digits.md`) reads every crop in all four quarter turns.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.sight import OTHER, UNKNOWN
from vision.network import MODELS, ModelError, Network
from vision.rectify import CROP_PX, MARGIN_PX

FACES = ("0", "1", "2", "3", "4", ",", UNKNOWN, OTHER)
"""The order of the classes: digits, comma, a card's back, no face of this game."""
_NEAR, _FAR = float(MARGIN_PX), float(CROP_PX - MARGIN_PX)
CORNERS_PX = ((_NEAR, _NEAR), (_FAR, _NEAR), (_FAR, _FAR), (_NEAR, _FAR))
"""Where a crop holds the card's four corners, (x, y); what lies outside is the table or the next card."""
MODEL = MODELS / "digits.onnx"

STRANGENESS = 0.25
"""How fast a belief gives way to "any face" when novelty grows beyond 1."""

Beliefs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Recognition:
    """What N crops show.

    `probabilities` (N, 8), in the order of `FACES`, sum 1: the mean of two ways to join the four turns, the softmax of
    their mean logits and the mean of their softmaxes; the second lets one turn that disagrees lower the belief. Logits
    are divided by a temperature that was fitted on held-out decks, and what is novel is believed less.
    `disagreement` (N,), 0 to 1: how much probability the turn that differs most would move.
    `novelty` (N,), from 0: cosine distance of the crop's feature to the nearest prototype, 1.0 being the distance that
    one in a hundred crops of known faces exceeds. Beyond it something lies there that training never showed.
    """

    probabilities: Beliefs
    disagreement: Beliefs
    novelty: Beliefs


@dataclass(frozen=True, slots=True)
class Figures:
    """What belongs to one file of weights; stored beside it as JSON.

    `prototypes` (M, 32) are the directions (length 1) in which the features of known faces point, several for each;
    `reach` is the distance from the nearest of them that 1 % of the known crops exceed.
    """

    sha256: str
    temperature: float
    reach: float
    prototypes: NDArray[np.float32]

    @classmethod
    def read(cls, path: Path) -> Figures:
        """Reads the JSON file.

        Raises:
            ModelError: the file is missing or damaged.
        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                sha256=str(data["sha256"]),
                temperature=float(data["temperature"]),
                reach=float(data["reach"]),
                prototypes=np.array(data["prototypes"], np.float32),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            sentence = f"The digit network's figures are missing or damaged: {path.name}. Install the companion again."
            raise ModelError(sentence) from error


class DigitReader:
    """Reads faces. For one thread at a time.

    Raises:
        ModelError: the network's file is missing or damaged.
    """

    def __init__(self, model: Path = MODEL) -> None:
        self._figures = Figures.read(model.with_suffix(".json"))
        self._network = Network(model, self._figures.sha256)

    def beliefs(self, crops: NDArray[np.uint8]) -> Recognition:
        """Reads crops of shape (N, 64, 64, 3) uint8, BGR, each card's corners at `CORNERS_PX` in any quarter turn.

        Raises:
            ValueError: the crops have another shape or type.
        """
        if crops.dtype != np.uint8 or crops.shape[1:] != (CROP_PX, CROP_PX, 3):
            raise ValueError(f"crops must be (N, {CROP_PX}, {CROP_PX}, 3) uint8, not {crops.shape} {crops.dtype}")
        if not len(crops):
            return Recognition(np.zeros((0, len(FACES)), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32))
        logits, features = self._turned(crops)
        figures = self._figures
        each = _softmax(logits / figures.temperature)
        probabilities = (_softmax(logits.mean(1) / figures.temperature) + each.mean(1)) / 2
        disagreement = np.abs(each - probabilities[:, None]).sum(2).max(1) / 2
        novelty = (1 - (unit(features.mean(1)) @ figures.prototypes.T).max(1)) / figures.reach
        strange = np.clip((novelty[:, None] - 1) * STRANGENESS, 0, 0.5)
        probabilities = probabilities * (1 - strange) + strange / len(FACES)
        return Recognition(
            probabilities.astype(np.float32), disagreement.astype(np.float32), novelty.astype(np.float32)
        )

    def glance(self, crops: NDArray[np.uint8]) -> Beliefs:
        """Probabilities (N, 8) from one look at crops as `beliefs` takes them: a quarter of its cost, and less sure."""
        if not len(crops):
            return np.zeros((0, len(FACES)), np.float32)
        logits, _ = self._network.run(_planes(crops))
        return _softmax(logits / self._figures.temperature)

    def _turned(self, crops: NDArray[np.uint8]) -> tuple[Beliefs, Beliefs]:
        """Logits (N, 4, 8) and features (N, 4, 32), one for each quarter turn."""
        planes = _planes(crops)
        turns = [np.rot90(planes, turn, (2, 3)) for turn in range(4)]
        logits, features = self._network.run(np.stack(turns, 1).reshape(-1, 3, CROP_PX, CROP_PX))
        return np.reshape(logits, (len(crops), 4, -1)), np.reshape(features, (len(crops), 4, -1))


def _planes(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (N, 64, 64, 3) as the network takes them, (N, 3, 64, 64)."""
    return np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)


def unit(features: Beliefs) -> Beliefs:
    """Features (N, 32) brought to length 1."""
    return np.asarray(features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6), np.float32)


def _softmax(logits: Beliefs) -> Beliefs:
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)
