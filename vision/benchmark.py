"""How well and how fast layouts are read: `python -m vision.benchmark DIR [--peer NAME ...] [--tiles TILES]`.

DIR holds photographs with truth files (see `vision.truth`). Everything is measured in one run, on one thread, so that
the ratios hold on any machine. Rows of the table:

photographs                                 how many, and of which kinds
not read                                    files that could not be opened; they count nowhere else
all totals right without a question         of the finished layouts in which no card is a third covered
asked or refused                            of the same: a person was asked, or the picture was refused
silently wrong                              shown as clear and wrong, of all photographs: the figure that must be 0
grid found exactly                          of the same finished layouts
cards wrong among those not doubted         nodes of all grids that were found, gaps among them
cards doubted                               of the same nodes
unfinished: nodes told card or gap rightly  of all nodes of the growing layouts
expected calibration error                  of single cards' beliefs, before the deck decides (15 bins)
seconds                                     median and 95th percentile of each stage, and of the whole

`--peer` adds a table for another reader of text on the same pictures; `--tiles` one for number tiles of another game,
TILES/VALUE/*.png (see `vision.tiles`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.errors import CompanionError
from companion.games.cassa_grande.scoring import sheet
from companion.rules import write_seat
from companion.sight import GAP, OTHER, UNKNOWN, Outcome, Reading
from vision import frame, peers, tiles, truth
from vision.peers import Peer
from vision.recognise import DigitReader
from vision.recognisers.cassa_grande import CassaGrandeReader
from vision.tiles import Tiles
from vision.truth import Truth, Verdict

BINS = 15


@dataclass(slots=True)
class Tally:
    """What is counted over all photographs; `not_read` has a sentence for each that could not be opened."""

    verdicts: list[tuple[Truth, Reading, Verdict]] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    beliefs: list[tuple[float, bool]] = field(default_factory=list)
    not_read: list[str] = field(default_factory=list)

    def counted(self) -> list[tuple[Truth, Reading, Verdict]]:
        """The finished layouts without a covered card."""
        return [v for v in self.verdicts if v[0].finished and not v[0].covered]

    def silent(self) -> list[Truth]:
        """Layouts whose totals were shown as certain and are wrong, and unfinished ones called finished."""
        return [t for t, r, v in self.verdicts if r.outcome is Outcome.CLEAR and not v.totals_right]


def totals_of(reading: Reading) -> dict[str, int]:
    """Each seat's total by the rules when a finished layout is clear; empty otherwise."""
    if reading.outcome is not Outcome.CLEAR or not reading.finished:
        return {}
    return {write_seat(seat): total for seat, total in sheet(reading.rows).totals().items()}


def run(photos: Sequence[Truth], reader: CassaGrandeReader) -> Tally:
    """Read every photograph and judge it; the first one twice, since the networks are loaded at their first use."""
    tally = Tally()
    for wanted in tqdm(photos, unit="photo", disable=None):
        started = time.perf_counter()
        try:
            image = frame.load(wanted.photo).image
        except frame.FrameError as error:
            tally.not_read.append(str(error))
            continue
        decoded = time.perf_counter() - started
        if not tally.verdicts:
            reader.read(image)
        started = time.perf_counter()
        reading = reader.read(image)
        whole = decoded + time.perf_counter() - started
        for stage, seconds in {"decode": decoded, **reader.seconds, "whole read": whole}.items():
            tally.seconds[stage].append(seconds)
        verdict = truth.judge(wanted, reading, totals_of(reading))
        tally.verdicts.append((wanted, reading, verdict))
        if verdict.cells is not None and verdict.turned_by == 0:
            tally.beliefs += _beliefs(wanted, reading)
    return tally


def _beliefs(wanted: Truth, reading: Reading) -> Iterator[tuple[float, bool]]:
    """Of each card taken for a face: the belief in it, and whether it is right. A hand over a card is no wrong face."""
    for sighting in reading.sightings:
        row, column = sighting.spot
        real = wanted.rows[row][column]
        best = max(sighting.belief, key=lambda face: sighting.belief[face])
        if real not in (GAP, UNKNOWN) and best not in (UNKNOWN, OTHER):
            yield sighting.belief[best], best == real


def calibration_error(beliefs: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error: mean distance between belief and hit rate over equally wide bins, weighted.

    There must be one belief at least.
    """
    belief, right = (np.array(column, float) for column in zip(*beliefs, strict=True))
    bins = np.minimum((belief * BINS).astype(int), BINS - 1)
    gaps = [abs(belief[bins == k].mean() - right[bins == k].mean()) * (bins == k).mean() for k in np.unique(bins)]
    return float(np.sum(gaps))


def report(tally: Tally) -> Iterator[str]:
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
    yield f"| not read | {len(tally.not_read)} |"
    yield f"| all totals right without a question | {_share(right, len(counted))} |"
    yield f"| asked or refused | {_share(asked, len(counted))} |"
    yield f"| silently wrong | {len(tally.silent())} of {len(tally.verdicts)} |"
    yield f"| grid found exactly | {_share(sum(v.cells is not None for _, _, v in counted), len(counted))} |"
    yield f"| cards wrong among those not doubted | {_share(sum(a != b for a, b, _ in quiet), len(quiet))} |"
    yield f"| cards doubted | {_share(len(cells) - len(quiet), len(cells))} |"
    taken = [[(a == GAP) == (b == GAP) for a, b, _ in v.cells] if v.cells else [False] for _, _, v in growing]
    yield f"| unfinished: nodes told card or gap rightly | {_share(sum(map(sum, taken)), sum(map(len, taken)))} |"
    if tally.beliefs:
        yield f"| expected calibration error of single cards | {calibration_error(tally.beliefs):.4f} |"
    for stage, seconds in tally.seconds.items():
        middle, high = np.percentile(seconds, [50, 95])
        yield f"| seconds, {stage} | median {middle:.3f}, 95th percentile {high:.3f} |"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(whole, 1):.2f} %)"


def _failures(tally: Tally) -> Iterator[str]:
    yield from (f"NOT READ {sentence}" for sentence in tally.not_read)
    silent = {t.photo for t in tally.silent()}
    for wanted, reading, verdict in tally.verdicts:
        name = wanted.photo.name
        if wanted.photo in silent:
            yield f"SILENTLY WRONG {name}: {verdict.wrong} cards wrong"
        elif wanted.finished and reading.outcome is not Outcome.CLEAR:
            covered = ", covered" if wanted.covered else ""
            found = f"{verdict.wrong} wrong" if verdict.cells else "grid not found"
            yield f"{reading.outcome} {name}{covered}: {reading.reason} ({found})"


@dataclass(frozen=True, slots=True)
class PeerLayout:
    """What a peer made of one layout: of its whole picture, and of our crops of its cards."""

    faces: int
    found: int
    """How many of the faces are among the text of the whole picture."""

    whole_seconds: float
    cards: int
    right: int
    wrong: int
    """Crops taken for another face; the others were not read at all."""

    cards_seconds: float


def compare(name: str, peer: Peer, tally: Tally) -> Iterator[str]:
    """A peer's figures on the finished layouts whose grid we found, beside our time."""
    layouts = [(t, r) for t, r, v in tally.counted() if v.cells is not None]
    shown = tqdm(layouts, unit="photo", desc=name, disable=None)
    seen = [_peer_layout(peer, wanted, _true_crops(wanted, reading)) for wanted, reading in shown]
    return _peer_report(name, seen, float(np.median(tally.seconds["whole read"]))) if seen else iter(())


def _peer_layout(peer: Peer, wanted: Truth, cards: Sequence[tuple[str, NDArray[np.float32]]]) -> PeerLayout:
    image = frame.load(wanted.photo).image
    faces = [symbol for symbol in "".join(wanted.rows) if symbol not in (GAP, UNKNOWN)]
    started = time.perf_counter()
    text = peer.text_in(image)
    between = time.perf_counter()
    read = [peer.face_of(_card_picture(image, quad)) for _, quad in cards]
    ended = time.perf_counter()
    right = sum(got == want for got, (want, _) in zip(read, cards, strict=True))
    return PeerLayout(
        faces=len(faces),
        found=_matched(text, faces),
        whole_seconds=between - started,
        cards=len(cards),
        right=right,
        wrong=len(read) - right - read.count(None),
        cards_seconds=ended - between,
    )


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


def _peer_report(name: str, seen: Sequence[PeerLayout], ours: float) -> Iterator[str]:
    cards = sum(layout.cards for layout in seen)
    found = _share(sum(layout.found for layout in seen), sum(layout.faces for layout in seen))
    slow = float(np.median([layout.cards_seconds for layout in seen]))
    yield "| peer | result |"
    yield "|---|---|"
    yield f"| {name}, whole picture: characters of the cards among its text | {found} |"
    yield f"| {name}, whole picture: median seconds | {np.median([layout.whole_seconds for layout in seen]):.2f} |"
    yield f"| {name}, our crops in four turns: cards right | {_share(sum(layout.right for layout in seen), cards)} |"
    yield f"| {name}, our crops in four turns: cards wrong | {_share(sum(layout.wrong for layout in seen), cards)} |"
    complete = sum(layout.right == layout.cards for layout in seen)
    yield f"| {name}, our crops: layouts with every card right | {complete} of {len(seen)} |"
    yield f"| {name}, our crops: median seconds a layout | {slow:.2f}: {slow / ours:.0f} times our {ours:.3f} |"


def _tile_report(read: Tiles) -> Iterator[str]:
    yield "| tiles | result |"
    yield "|---|---|"
    yield from (f"| {told} | {_share(part, whole)} |" for told, part, whole in read.rows())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark. Exit 0 when no layout was silently wrong, 1 when one was, 2 for bad usage or bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.benchmark", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="photographs with truth files")
    parser.add_argument("--peer", action="append", default=[], choices=peers.NAMES, help="also run this reader")
    parser.add_argument("--tiles", type=Path, metavar="TILES", help="also read number tiles, TILES/VALUE/*.png")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(1)
    if arguments.folder is None and (arguments.tiles is None or arguments.peer):
        parser.error("name a folder of photographs with truth files, DIR")
    if arguments.tiles is not None and not tiles.pictures(arguments.tiles):
        parser.error(f"there is no picture {arguments.tiles}/VALUE/*.png")
    tally = Tally()
    try:
        if arguments.folder is not None:
            compared = {name: peers.load(name) for name in arguments.peer}
            tally = run(_truths(arguments.folder), CassaGrandeReader())
            _print(report(tally))
            _print(_failures(tally))
            for name, peer in compared.items():
                _print(compare(name, peer, tally))
        if arguments.tiles is not None:
            _print(_tile_report(tiles.read(arguments.tiles, DigitReader())))
    except CompanionError as error:
        parser.error(str(error))
    return 1 if tally.silent() else 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _truths(folder: Path) -> list[Truth]:
    """Raises: CompanionError when a truth file is not of its form, or there is none."""
    try:
        photos = list(truth.folder(folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CompanionError(f"the truth files in {folder} cannot be read: {error}") from error
    if not photos:
        raise CompanionError(f"there is no photograph with a truth file in {folder}")
    return photos


if __name__ == "__main__":
    sys.exit(main())
