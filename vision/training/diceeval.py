"""Measure the die reader on drawn close-ups and throws that were never trained on.

Run: python -m vision.training.diceeval --model vision/models/dice.onnx --count 300
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.sight import Outcome
from vision.dicemap import MODEL, DiceFinder
from vision.recognisers.die import DieReading, judge
from vision.training.dice import Kind, Mark, Picture, picture

CLOSE_UPS = Kind((480, 640), 1, (25.0, 110.0), 22.0, 0.0)
THROWS = Kind((480, 640), 6, (18.0, 60.0), 25.0, 0.0)
WITHOUT = Kind((480, 640), 0, (25.0, 110.0), 22.0, 0.0)
KINDS = {"close-ups": CLOSE_UPS, "throws": THROWS, "without dice": WITHOUT}


def scenes(kind: Kind, seed: int, count: int) -> Iterator[tuple[Picture, list[Mark]]]:
    """Photographs whose dice are all wholly seen."""
    made, number = 0, 0
    while made < count:
        number += 1
        image, marks = picture(np.random.default_rng((seed, number)), kind)
        if all(mark.whole for mark in marks):
            made += 1
            yield image, marks


@dataclass(slots=True)
class Tally:
    """How many photographs were clear and right, asked about, unreadable, and clear and wrong; seconds for each."""

    right: int = 0
    asked: int = 0
    unreadable: int = 0
    wrong: int = 0
    seconds: list[float] = field(default_factory=list)

    def count(self, reading: DieReading, marks: list[Mark]) -> None:
        """Add one photograph."""
        if reading.outcome is Outcome.UNREADABLE:
            self.unreadable += 1
        elif reading.outcome is Outcome.ASK:
            self.asked += 1
        elif sorted(reading.values) == sorted(mark.value for mark in marks):
            self.right += 1
        else:
            self.wrong += 1

    def __str__(self) -> str:
        return (
            f"{self.right} clear and right, {self.asked} asked, {self.unreadable} unreadable, "
            f"{self.wrong} clear and wrong; median {np.median(self.seconds):.3f} s"
        )


def measure(finder: DiceFinder, kind: Kind, seed: int, count: int) -> Tally:
    """Read so many photographs of a kind."""
    tally = Tally()
    for image, marks in scenes(kind, seed, count):
        began = time.perf_counter()
        reading = judge(finder.faces(image))
        tally.seconds.append(time.perf_counter() - began)
        tally.count(reading, marks)
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each kind of photograph."""
    parser = argparse.ArgumentParser(description="Measure the die reader on drawn photographs.")
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--count", type=int, default=300)
    wanted = parser.parse_args(arguments)
    finder = DiceFinder(wanted.model)
    for name, kind in KINDS.items():
        print(f"{name}: {measure(finder, kind, wanted.seed, wanted.count)}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
