"""How well and how fast layouts are read: `python -m vision.benchmark DIR [--peer rapidocr] [--peer tesseract]`.

DIR holds photographs with truth files (see `vision.truth`). Everything is measured in one run, on one thread, so that
the ratios hold on any machine. Rows of the table:

layouts right     all totals right without a question
asked             a person was asked, or the picture was refused
silently wrong    totals shown as certain that are wrong: the one figure that must be 0
cards wrong       among cards that were not doubted
calibration       expected calibration error of single cards' beliefs, before the deck decides (15 bins)
seconds           median and 95th percentile of each stage, first picture left out (warm-up)
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.games.cassa_grande.scoring import sheet
from companion.rules import write_seat
from companion.sight import GAP, UNKNOWN, Outcome, Reading
from vision import frame, peers, truth
from vision.recognisers.cassa_grande import CassaGrandeReader
from vision.truth import Truth, Verdict

BINS = 15


@dataclass(slots=True)
class Tally:
    """What is counted over all photographs."""

    verdicts: list[tuple[Truth, Reading, Verdict]] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    beliefs: list[tuple[float, bool]] = field(default_factory=list)

    def counted(self) -> list[tuple[Truth, Reading, Verdict]]:
        """The finished layouts without a covered card."""
        return [v for v in self.verdicts if v[0].finished and not v[0].covered]

    def silent(self) -> list[Truth]:
        """Layouts whose totals were shown as certain and are wrong, and unfinished ones called finished."""
        return [t for t, r, v in self.verdicts if r.outcome is Outcome.CLEAR and not v.totals_right]


def totals_of(reading: Reading) -> dict[str, int]:
    """Each seat's total by the rules when the reading is clear; empty otherwise."""
    if reading.outcome is not Outcome.CLEAR:
        return {}
    return {write_seat(seat): total for seat, total in sheet(reading.rows).totals().items()}


def run(photos: Sequence[Truth], reader: CassaGrandeReader) -> Tally:
    """Read every photograph and judge it."""
    tally = Tally()
    for number, wanted in enumerate(tqdm(photos, unit="photo", disable=None)):
        started = time.perf_counter()
        image = frame.load(wanted.photo).image
        stages = {"decode": time.perf_counter() - started}
        started = time.perf_counter()
        reading = reader.read(image)
        stages |= reader.stages.seconds
        stages["whole read"] = time.perf_counter() - started + stages["decode"]
        verdict = truth.judge(wanted, reading, totals_of(reading))
        tally.verdicts.append((wanted, reading, verdict))
        if number > 0:
            for stage, seconds in stages.items():
                tally.seconds[stage].append(seconds)
        if verdict.cells is not None and verdict.turned_by == 0:
            tally.beliefs += _beliefs(wanted, reading)
    return tally


def _beliefs(wanted: Truth, reading: Reading) -> Iterable[tuple[float, bool]]:
    """Of each card seen: the highest belief in a face, and whether that face is right."""
    for sighting in reading.sightings:
        row, column = sighting.spot
        real = wanted.rows[row][column]
        best = max(sighting.belief, key=lambda face: sighting.belief[face])
        if real not in (GAP, UNKNOWN):
            yield sighting.belief[best], best == real


def calibration_error(beliefs: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error: mean distance between belief and hit rate over equally wide bins, weighted."""
    if not beliefs:
        return float("nan")
    belief, right = (np.array(column, float) for column in zip(*beliefs, strict=True))
    bins = np.minimum((belief * BINS).astype(int), BINS - 1)
    gaps = [abs(belief[bins == k].mean() - right[bins == k].mean()) * (bins == k).mean() for k in np.unique(bins)]
    return float(np.sum(gaps))


def report(tally: Tally) -> Iterable[str]:
    """The table, a line at a time, in Markdown."""
    counted = tally.counted()
    right = sum(v.totals_right for _, _, v in counted)
    asked = sum(r.outcome is not Outcome.CLEAR for _, r, _ in counted)
    cells = [cell for _, _, v in tally.verdicts for cell in v.cells or () if cell[0] != UNKNOWN]
    quiet = [cell for cell in cells if not cell[2]]
    growing = [(t, r, v) for t, r, v in tally.verdicts if not t.finished]
    yield "| measured | result |"
    yield "|---|---|"
    kinds = f"{len(counted)} finished layouts, {len(growing)} unfinished"
    yield f"| photographs | {len(tally.verdicts)}: {kinds}, the rest with a card a third covered |"
    yield f"| all totals right without a question | {_share(right, len(counted))} |"
    yield f"| asked or refused | {_share(asked, len(counted))} |"
    yield f"| silently wrong | {len(tally.silent())} of {len(tally.verdicts)} |"
    yield f"| grid found exactly | {_share(sum(v.cells is not None for _, _, v in counted), len(counted))} |"
    yield f"| cards wrong among those not doubted | {_share(sum(a != b for a, b, _ in quiet), len(quiet))} |"
    yield f"| cards doubted | {_share(len(cells) - len(quiet), len(cells))} |"
    taken = [[(a == GAP) == (b == GAP) for a, b, _ in v.cells] if v.cells else [False] for _, _, v in growing]
    yield f"| unfinished: nodes told card or gap rightly | {_share(sum(map(sum, taken)), sum(map(len, taken)))} |"
    yield f"| expected calibration error of single cards | {calibration_error(tally.beliefs):.4f} |"
    for stage, seconds in tally.seconds.items():
        middle, high = np.percentile(seconds, [50, 95])
        yield f"| seconds, {stage} | median {middle:.3f}, 95th percentile {high:.3f} |"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(whole, 1):.2f} %)"


def _failures(tally: Tally) -> Iterable[str]:
    silent = {t.photo for t in tally.silent()}
    for wanted, reading, verdict in tally.verdicts:
        name = wanted.photo.name
        if wanted.photo in silent:
            yield f"SILENTLY WRONG {name}: {verdict.wrong} cards wrong"
        elif wanted.finished and reading.outcome is not Outcome.CLEAR:
            covered = ", covered" if wanted.covered else ""
            found = f"{verdict.wrong} wrong" if verdict.cells else "grid not found"
            yield f"{reading.outcome} {name}{covered}: {reading.reason} ({found})"


def compare(name: str, photos: Sequence[Truth], tally: Tally) -> Iterable[str]:
    """A peer's figures on the same pictures, beside ours per layout."""
    peer = peers.load(name)
    crops = {t.photo: _true_crops(t, r) for t, r, v in tally.counted() if v.cells is not None}
    whole: list[tuple[int, int, float]] = []
    single: list[tuple[int, int, int, float]] = []
    for wanted in tqdm([t for t in photos if t.photo in crops], unit="photo", desc=name, disable=None):
        image = frame.load(wanted.photo).image
        started = time.perf_counter()
        text = peer.text_in(image)
        faces = [str(card["value"]) for card in wanted.cards]
        whole.append((_matched(text, faces), len(faces), time.perf_counter() - started))
        cards = crops[wanted.photo]
        started = time.perf_counter()
        read = [peer.face_of(_card_picture(image, quad)) for _, quad in cards]
        seconds = time.perf_counter() - started
        hits = sum(got == want for got, (want, _) in zip(read, cards, strict=True))
        misses = sum(got is not None and got != want for got, (want, _) in zip(read, cards, strict=True))
        single.append((hits, misses, len(cards), seconds))
    yield from _peer_report(name, whole, single, tally)


def _true_crops(wanted: Truth, reading: Reading) -> list[tuple[str, NDArray[np.float32]]]:
    """Each card that was found with its true face: the peer is given our grid."""
    return [
        (wanted.rows[row][column], np.array(s.corners, np.float32))
        for s in reading.sightings
        for row, column in [s.spot]
        if wanted.rows[row][column] not in (GAP, UNKNOWN)
    ]


def _card_picture(image: NDArray[np.uint8], quad: NDArray[np.float32], size: int = 128) -> NDArray[np.uint8]:
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    return np.asarray(cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, target), (size, size)), np.uint8)


def _matched(text: str, faces: Sequence[str]) -> int:
    """How many of the faces can be found among the characters read, each used once: an upper bound for the peer."""
    return sum(min(text.count(face), faces.count(face)) for face in set(faces))


def _peer_report(
    name: str, whole: Sequence[tuple[int, int, float]], single: Sequence[tuple[int, int, int, float]], tally: Tally
) -> Iterable[str]:
    ours = float(np.median(tally.seconds["whole read"]))
    cards = sum(n for _, _, n, _ in single)
    yield "| peer | result |"
    yield "|---|---|"
    seen = _share(sum(h for h, _, _ in whole), sum(n for _, n, _ in whole))
    yield f"| {name}, whole picture: characters of the cards among its text | {seen} |"
    yield f"| {name}, whole picture: median seconds | {np.median([s for *_, s in whole]):.2f} |"
    yield f"| {name}, our crops in four turns: cards right | {_share(sum(h for h, *_ in single), cards)} |"
    yield f"| {name}, our crops in four turns: cards wrong | {_share(sum(m for _, m, *_ in single), cards)} |"
    complete = sum(h == n for h, _, n, _ in single)
    yield f"| {name}, our crops: layouts with every card right | {complete} of {len(single)} |"
    slow = float(np.median([s for *_, s in single]))
    yield f"| {name}, our crops: median seconds a layout | {slow:.2f}: {slow / ours:.0f} times our {ours:.3f} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark. Exit 0 when no layout was silently wrong, 1 when one was, 2 for bad usage."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.benchmark", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="photographs with truth files")
    parser.add_argument("--peer", action="append", default=[], choices=peers.NAMES, help="also run this reader")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(1)
    try:
        photos = list(truth.folder(arguments.folder))
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"the truth files in {arguments.folder} cannot be read: {error}")
    if not photos:
        parser.error(f"there is no photograph with a truth file in {arguments.folder}")
    tally = run(photos, CassaGrandeReader())
    for line in report(tally):
        print(line)
    for line in _failures(tally):
        print(line)
    for name in arguments.peer:
        for line in compare(name, photos, tally):
            print(line)
    return 1 if tally.silent() else 0


if __name__ == "__main__":
    sys.exit(main())
