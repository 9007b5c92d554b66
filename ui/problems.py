"""Problems that people hand in: a picture that was read wrongly, with all that is needed to read it again.

A problem is a folder of its own: `picture.png`, without loss; `journal.txt`, the play up to then; and `problem.json`:
what was read, what a person says is right, and which program with which networks it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError, FileError, printable
from companion.files import sync_folder, told
from companion.games import GAMES
from companion.journal import Journal, stand
from companion.journal_text import read, write
from companion.sight import Reading, Spot
from companion.textfile import read_text
from ui.eyes import EYES
from vision import frame
from vision.network import MODELS

FORMAT, VERSION = "table-companion problem", 1
PICTURE, JOURNAL, DETAILS = "picture.png", "journal.txt", "problem.json"

MOST_BYTES = 16 * 2**20
"""Of a text file in a bundle."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is handed in: a picture (H, W, 3) uint8 BGR, taken when the play stood so.

    `right` are the grid's rows as a person says they are, or None.
    """

    journal: Journal[Any, Any]
    image: NDArray[np.uint8]
    right: tuple[str, ...] | None


class Verdict(StrEnum):
    """What the present program makes of a problem."""

    MENDED = "mended"
    """It reads the picture rightly, and asks nothing."""

    ASKS = "asks"
    """It asks about what it does not read rightly, or about more."""

    WRONG = "wrong"
    """It reads something wrongly and does not ask about it."""

    UNSAID = "unsaid"
    """Nobody has said what is right."""


@dataclass(frozen=True, slots=True)
class Again:
    """A problem read again: the rows that the present program takes it for, and the spots where they are wrong."""

    verdict: Verdict
    rows: tuple[str, ...]
    right: tuple[str, ...] | None
    wrong: tuple[Spot, ...] = ()


def save(folder: Path, problem: Problem, reading: Reading, wall: datetime) -> Path:
    """Put a problem into a folder of its own within `folder`, whole or not at all, with what was read then.

    Raises: StoreError.
    """
    bundle = folder / f"{wall:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"
    part = bundle.with_name(f".{bundle.name}.part")
    details = json.dumps(_details(problem, reading, wall), ensure_ascii=False, indent=1)
    with told(bundle):
        try:
            part.mkdir(parents=True)
            _write(part / PICTURE, _encoded(problem.image))
            _write(part / JOURNAL, write(GAMES[problem.journal.game].rules, problem.journal).encode())
            _write(part / DETAILS, f"{details}\n".encode())
            sync_folder(part)
            # A folder that holds something is never replaced.
            part.rename(bundle)
            sync_folder(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    return bundle


def load(bundle: Path) -> Problem:
    """The problem in a folder. Raises: CompanionError."""
    journal = read(
        read_text(bundle / JOURNAL, MOST_BYTES),
        {name: game.rules for name, game in GAMES.items()},
        str(bundle / JOURNAL),
    )
    right = _right(bundle / DETAILS)
    return Problem(journal, frame.load(bundle / PICTURE).image, right)


def read_again(problem: Problem) -> Again:
    """What the present program makes of it. Raises: CompanionError."""
    game = GAMES[problem.journal.game]
    standing, refused = stand(game.rules, problem.journal)
    if refused is not None:
        raise CompanionError("The problem's journal does not hold under the rules of this program.")
    reading = EYES[game.name](problem.journal.setup)(standing.state).read(problem.image)
    review = game.review(standing.state, reading) if game.review is not None else None
    if problem.right is None:
        return Again(Verdict.UNSAID, reading.rows, None)
    if review is None:
        # No grid is seen in it: nothing can be wrong, and a person has to help.
        return Again(Verdict.ASKS, reading.rows, problem.right)
    wrong = _differing(review.rows, problem.right)
    if not set(wrong) <= set(review.doubtful):
        return Again(Verdict.WRONG, review.rows, problem.right, wrong)
    return Again(Verdict.ASKS if review.doubtful else Verdict.MENDED, review.rows, problem.right, wrong)


def _encoded(image: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".png", image)
    if not done:
        raise ValueError(f"a picture of the shape {image.shape} cannot be encoded")
    return data.tobytes()


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _details(problem: Problem, reading: Reading, wall: datetime) -> dict[str, object]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "saved": wall.isoformat(timespec="seconds"),
        "program": version("table-companion"),
        "networks": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(MODELS.glob("*.onnx"))
        },
        "read": _as_read(reading),
        "right": None if problem.right is None else list(problem.right),
    }


def _as_read(reading: Reading) -> dict[str, object]:
    return {
        "outcome": reading.outcome,
        "rows": list(reading.rows),
        "doubtful": [list(spot) for spot in reading.doubtful],
        "finished": reading.finished,
        "origin": reading.origin,
        "sightings": [
            {
                "spot": list(sighting.spot),
                "corners": [[round(x, 2), round(y, 2)] for x, y in sighting.corners],
                "belief": {piece: round(share, 6) for piece, share in sighting.belief.items()},
            }
            for sighting in reading.sightings
        ],
    }


def _right(path: Path) -> tuple[str, ...] | None:
    """What a person says is right. Raises: CompanionError."""
    try:
        details = json.loads(read_text(path, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise FileError(str(path), "it is not JSON") from error
    if not isinstance(details, dict) or details.get("format") != FORMAT:
        raise CompanionError(
            f"{printable(str(path))} describes no problem: name a folder that the companion has saved."
        )
    if details.get("version") != VERSION:
        raise CompanionError(f"{printable(str(path))} was written by another companion: use that version.")
    right = details.get("right")
    if right is None:
        return None
    if not isinstance(right, list) or not right or not all(isinstance(row, str) for row in right):
        raise CompanionError(f'{printable(str(path))}: "right" must be a list of rows, or null.')
    return tuple(right)


def _differing(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[Spot, ...]:
    """The spots where two grids differ; where their sizes do, all of the first one's."""
    alike = [len(row) for row in one] == [len(row) for row in other]
    return tuple(
        (row, column)
        for row, symbols in enumerate(one)
        for column, symbol in enumerate(symbols)
        if not alike or symbol != other[row][column]
    )
