"""`companion read die`: photographs in, the pips of every die out, or a question."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from companion.errors import CompanionError
from companion.sight import Outcome
from ui.album import Album, with_progress
from ui.errors import sentence
from ui.status import Status
from vision import frame
from vision.annotate_dice import annotate
from vision.recognisers import die
from vision.recognisers.die import DieReading


class DieOptionError(CompanionError):
    """An option that has no meaning for dice."""


@dataclass(frozen=True, slots=True)
class Result:
    """One photograph's dice; `photo` is the path as given."""

    photo: str
    reading: DieReading
    seconds: float

    def as_json(self) -> str:
        """The reading as one line of JSON; the values are from left to right."""
        return json.dumps(
            {
                "photo": self.photo,
                "outcome": self.reading.outcome.value,
                "values": self.reading.values,
                "reason": self.reading.reason,
                "seconds": round(self.seconds, 3),
            }
        )

    def as_text(self) -> str:
        """The reading for a person."""
        values = self.reading.values
        text = [f"{self.photo}: {self.reading.outcome}"]
        if values:
            text.append("  " + " ".join(str(value) for value in values))
        if self.reading.outcome is Outcome.CLEAR and len(values) > 1:
            text.append(f"  together {sum(values)}")
        if self.reading.reason:
            text.append(self.reading.reason)
        return "\n".join(text) + "\n"


def run(arguments: argparse.Namespace) -> Status:
    """Read every photograph; the status is the worst of them.

    Raises:
        DieOptionError: an option for card layouts was given.
    """
    if arguments.box is not None or arguments.partial:
        raise DieOptionError("--box and --partial are for card layouts; leave them out to read dice.")
    album = Album(arguments.out, arguments.photos) if arguments.out else None
    status = Status.DONE
    for photo in with_progress(arguments.photos):
        try:
            start = time.perf_counter()
            image = frame.load(Path(photo)).image
        except CompanionError as error:
            tqdm.write(sentence(error), file=sys.stderr)
            status = Status.BAD_INPUT
            continue
        result = Result(photo, die.read(image), time.perf_counter() - start)
        tqdm.write(result.as_json() if arguments.json else result.as_text(), file=sys.stdout)
        if status is Status.DONE and result.reading.outcome is not Outcome.CLEAR:
            status = Status.PLEASE_CHECK
        if album is not None:
            album.add(photo, annotate(image, result.reading))
    if album is not None and not album.close(quiet=arguments.json):
        status = Status.BAD_INPUT
    return status
