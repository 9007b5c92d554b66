"""Number tiles of another game, for the benchmark alone: how far the digit reader holds beyond the cards it knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.games.cassa_grande import pieces
from vision import frame
from vision.recognise import FACES, DigitReader
from vision.rectify import CROP_PX, MARGIN_PX

SURE = 0.9
"""What is believed less than this is doubted."""


@dataclass(slots=True)
class Tiles:
    """What was made of `faces` tiles whose number is a face of the game, and of `others`, which should be refused."""

    faces: int = 0
    right: int = 0
    wrong: int = 0
    others: int = 0
    taken: int = 0
    """How many of the others were taken for a face."""

    def rows(self) -> Iterator[tuple[str, int, int]]:
        """Each row of a table: what it tells, how many tiles, of how many."""
        yield "tiles with a face of the game: read right", self.right, self.faces
        yield "tiles with a face of the game: read wrong", self.wrong, self.faces
        yield "tiles with a face of the game: doubted", self.faces - self.right - self.wrong, self.faces
        yield "other tiles: taken for a face", self.taken, self.others


def pictures(where: Path) -> list[Path]:
    """The pictures of single tiles, `where`/VALUE/*.png."""
    return sorted(where.glob("*/*.png"))


def read(where: Path, reader: DigitReader) -> Tiles:
    """Read every tile as if it were a card.

    Raises:
        FrameError: a picture cannot be opened.
    """
    faces, tiles = tuple(pieces.FACES), Tiles()
    for path in tqdm(pictures(where), unit="tile", disable=None):
        belief = reader.beliefs(_crop(frame.load(path).image)[None]).probabilities[0]
        best, value = FACES[int(belief.argmax())], path.parent.name
        told = best in faces and bool(belief.max() >= SURE)
        if value in faces:
            tiles.faces += 1
            tiles.right += told and best == value
            tiles.wrong += told and best != value
        else:
            tiles.others += 1
            tiles.taken += told
    return tiles


def _crop(tile: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The whole tile where a crop holds its card, with its edges continued around it."""
    side = CROP_PX - 2 * MARGIN_PX
    inner = cv2.resize(tile, (side, side), interpolation=cv2.INTER_AREA)
    return np.pad(np.asarray(inner, np.uint8), ((MARGIN_PX, MARGIN_PX), (MARGIN_PX, MARGIN_PX), (0, 0)), "edge")
