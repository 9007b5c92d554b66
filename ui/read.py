"""`companion read`: photographs in, totals out, with every line explained."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.errors import CompanionError
from companion.games import GAMES
from companion.games.cassa_grande import box, scoring
from companion.rules import write_seat
from companion.score import ScoreSheet
from companion.sight import GAP, Outcome, Reading
from companion.wording import Sentences
from ui.errors import sentence
from ui.score import sheet_text
from ui.status import Status, tell
from vision import frame
from vision.annotate import annotate
from vision.recognisers.cassa_grande import CassaGrandeReader

JPEG_QUALITY = 92


class Reader(Protocol):
    """A game's recogniser: (H, W, 3) uint8 BGR, upright, to what lies on the table."""

    def read(self, image: NDArray[np.uint8], /) -> Reading:
        """One photograph, read."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """How a game's photographs are read and added up."""

    reader: Callable[[Path | None, bool], Reader]
    """From the box profile's file (None: the standard copy), and whether an unfinished layout is wanted."""

    sheet: Callable[[Sequence[str]], ScoreSheet]


def _cassa_grande_reader(box_file: Path | None, partial: bool) -> Reader:
    return CassaGrandeReader(box.load(box_file).decks, partial=partial)


SEEN = {"cassa-grande": Seen(_cassa_grande_reader, scoring.sheet)}


@dataclass(frozen=True, slots=True)
class Result:
    """One photograph's reading; `photo` is the path as given; a clear, finished layout has a `sheet`."""

    photo: str
    reading: Reading
    sheet: ScoreSheet | None
    seconds: float

    def as_json(self) -> str:
        """The reading as one line of JSON."""
        reading = self.reading
        totals = {write_seat(seat): total for seat, total in self.sheet.totals().items()} if self.sheet else None
        return json.dumps(
            {
                "photo": self.photo,
                "outcome": reading.outcome.value,
                "rows": reading.rows,
                "doubtful": reading.doubtful,
                "totals": totals,
                "cards": [
                    [*sighting.spot, [[round(x, 1), round(y, 1)] for x, y in sighting.corners]]
                    for sighting in reading.sightings
                ],
                "reason": reading.reason,
                "seconds": round(self.seconds, 3),
            }
        )

    def as_text(self, sentences: Sentences) -> str:
        """The reading for a person: the rows, and each seat's total with the lines that it is the sum of."""
        reading = self.reading
        text = [f"{self.photo}: {reading.outcome}", *(f"  {' '.join(_shown(row))}" for row in reading.rows)]
        if reading.reason:
            text.append(reading.reason)
        if self.sheet:
            text += sheet_text(self.sheet, sentences)
        return "\n".join(text) + "\n"


def _shown(row: str) -> str:
    return row.replace(GAP, scoring.PRINTED_GAP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion read` takes."""
    parser.add_argument("game", choices=SEEN, metavar="GAME", help=f"one of: {', '.join(SEEN)}")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG or WebP file; seat A is at its bottom")
    parser.add_argument("--json", action="store_true", help="print one JSON object a photograph, each on its own line")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write NAME.annotated.jpg into DIR for each photo")
    parser.add_argument("--box", type=Path, metavar="FILE", help="a box profile: which cards this deck holds")
    parser.add_argument("--partial", action="store_true", help="accept a layout that is still growing")
    tell(
        parser,
        {
            Status.DONE: "every photograph is clear",
            Status.BAD_INPUT: "one cannot be opened, a picture cannot be written, or bad usage",
            Status.PLEASE_CHECK: "one asks or is unreadable",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Read every photograph; the status is the worst of them."""
    seen, sentences = SEEN[arguments.game], GAMES[arguments.game].sentences
    reader = seen.reader(arguments.box, arguments.partial)
    album = _Album(arguments.out, arguments.photos) if arguments.out else None
    status = Status.DONE
    for photo in _with_progress(arguments.photos):
        try:
            start = time.perf_counter()
            image = frame.load(Path(photo)).image
            reading = reader.read(image)
        except CompanionError as error:
            tqdm.write(sentence(error), file=sys.stderr)
            status = Status.BAD_INPUT
            continue
        result = Result(photo, reading, _sheet(seen, reading), time.perf_counter() - start)
        tqdm.write(result.as_json() if arguments.json else result.as_text(sentences), file=sys.stdout)
        if status is Status.DONE and reading.outcome is not Outcome.CLEAR:
            status = Status.PLEASE_CHECK
        if album is not None:
            album.add(photo, annotate(image, reading, _line_values(result.sheet)))
    if album is not None and not album.close(quiet=arguments.json):
        status = Status.BAD_INPUT
    return status


def _with_progress(photos: Sequence[str]) -> Iterable[str]:
    shown = len(photos) > 1 and sys.stderr.isatty()
    return tqdm(photos, unit="photo", leave=False, file=sys.stderr, disable=not shown)


def _sheet(seen: Seen, reading: Reading) -> ScoreSheet | None:
    # With --partial a reading may be clear and yet unfinished: no deck has vouched for it.
    return seen.sheet(reading.rows) if reading.outcome is Outcome.CLEAR and reading.finished else None


def _line_values(sheet: ScoreSheet | None) -> dict[str, list[int]]:
    if sheet is None:
        return {}
    return {write_seat(seat): [line.points for line in sheet.lines_of(seat)] for seat in sheet.seats}


class _Album:
    """The folder of annotated pictures. The first picture that cannot be written is the last one tried."""

    def __init__(self, folder: Path, photos: Sequence[str]) -> None:
        self._folder = folder
        self._originals = {realpath(photo) for photo in photos}
        self._written: list[Path] = []
        self._problem: str | None = None

    def add(self, photo: str, image: NDArray[np.uint8]) -> None:
        """Write the picture as NAME.annotated.jpg, or NAME-2.annotated.jpg after another photograph of that name."""
        if self._problem is not None:
            return
        picture = self._free_name(Path(photo).stem)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        part = picture.with_name(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data.tobytes())
            part.replace(picture)
        except OSError as error:
            self._problem = f"{picture}: annotated pictures cannot be written here ({error.strerror}); change --out."
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        else:
            self._written.append(picture)

    def _free_name(self, stem: str) -> Path:
        """A name that neither a picture of this run nor one of the photographs has."""
        picture = self._folder / f"{stem}.annotated.jpg"
        number = 1
        while picture in self._written or realpath(picture) in self._originals:
            number += 1
            picture = self._folder / f"{stem}-{number}.annotated.jpg"
        return picture

    def close(self, *, quiet: bool) -> bool:
        """Say where the pictures are, and what kept them from being written. Returns whether all were."""
        if not quiet:
            for picture in self._written:
                print(f"Annotated picture: {picture}")
        if self._problem is not None:
            print(self._problem, file=sys.stderr)
        return self._problem is None
