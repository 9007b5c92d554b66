"""`companion read`: photographs in, totals out, with every line explained."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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
from ui import read_die
from ui.album import Album, with_progress
from ui.errors import sentence
from ui.score import sheet_text
from ui.status import Status, tell
from vision import frame
from vision.annotate import annotate
from vision.recognisers.cassa_grande import CassaGrandeReader


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


DIE = "die"
"""Not a game, but what many games roll."""

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
    known = (*SEEN, DIE)
    parser.add_argument("game", choices=known, metavar="GAME", help=f"one of: {', '.join(known)}")
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
    if arguments.game == DIE:
        return read_die.run(arguments)
    seen, sentences = SEEN[arguments.game], GAMES[arguments.game].sentences
    reader = seen.reader(arguments.box, arguments.partial)
    album = Album(arguments.out, arguments.photos) if arguments.out else None
    status = Status.DONE
    for photo in with_progress(arguments.photos):
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


def _sheet(seen: Seen, reading: Reading) -> ScoreSheet | None:
    # With --partial a reading may be clear and yet unfinished: no deck has vouched for it.
    return seen.sheet(reading.rows) if reading.outcome is Outcome.CLEAR and reading.finished else None


def _line_values(sheet: ScoreSheet | None) -> dict[str, list[int]]:
    if sheet is None:
        return {}
    return {write_seat(seat): [line.points for line in sheet.lines_of(seat)] for seat in sheet.seats}
