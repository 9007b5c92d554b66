"""Truth files beside photographs, and how one reading compares with one of them.

NAME.json beside NAME.jpg holds `kind` ("full6", "full5", "progress6", "training"), `finished`, `grid` as the seat at
the picture's bottom edge reads it (null is a gap, "?" a card face down or being turned), `totals` by seat, and `cards`
with `row`, `col`, `value`, `state`, `corners_px`, `occluded` (share that something covers).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.games.cassa_grande.scoring import turned
from companion.sight import GAP, UNKNOWN, Outcome, Reading, Spot

COVERED = 1 / 3
"""A layout with a card covered by more than this is not counted: asking is right there."""

DIAGONAL_DEG = 10
"""A picture rolled to within this of a diagonal has no bottom side: the four ways to read it count alike."""

PHOTO_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


@dataclass(frozen=True, slots=True)
class Truth:
    """What really lies in one photograph; rows in the symbols of `companion.sight`."""

    photo: Path
    rows: tuple[str, ...]
    totals: Mapping[str, int]
    finished: bool
    covered: bool
    any_side: bool
    cards: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reading against the truth.

    `cells` pairs each node's truth with what was read and whether it was doubted; None when the grid was not found.
    `turned_by` is how many quarter turns make the reading fit best (0 unless the picture has no bottom side).
    """

    totals_right: bool
    cells: tuple[tuple[str, str, bool], ...] | None
    turned_by: int

    @property
    def wrong(self) -> int:
        """How many nodes were read wrong, doubted or not."""
        return sum(truth != read for truth, read, _ in self.cells or ())


def load(photo: Path) -> Truth:
    """The truth file of a photograph.

    Raises:
        OSError, ValueError, KeyError: there is no such file, or it is not of this form.
    """
    data = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    rows = tuple("".join(GAP if cell is None else str(cell) for cell in row) for row in data["grid"])
    roll = abs(data.get("camera", {}).get("roll_deg", 0.0)) % 90
    covered = any(card.get("occluded", 0.0) > COVERED for card in data["cards"])
    finished = bool(data["finished"]) and str(data["kind"]).startswith("full")
    any_side = abs(roll - 45) <= DIAGONAL_DEG
    rows = rows if finished else _box(rows)
    return Truth(photo, rows, data.get("totals") or {}, finished, covered, any_side, data["cards"])


def _box(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows without the empty ones around the cards: a growing layout's frame is the box of its cards."""
    for _ in range(4):
        while len(rows) > 1 and set(rows[0]) == {GAP}:
            rows = rows[1:]
        rows = turned(rows)
    return rows


def folder(where: Path) -> Iterator[Truth]:
    """The truths of all photographs in a folder that have one, by name."""
    for photo in sorted(where.iterdir()):
        if photo.suffix.lower() in PHOTO_ENDINGS and photo.with_suffix(".json").exists():
            yield load(photo)


def judge(truth: Truth, reading: Reading, totals: Mapping[str, int]) -> Verdict:
    """Compare a reading, and the totals shown for it (empty for none), with the truth."""
    rows, doubtful = reading.rows, set(reading.doubtful)
    fits = []
    for quarter in range(4 if truth.any_side else 1):
        if len(rows) == len(truth.rows) and rows and len(rows[0]) == len(truth.rows[0]):
            fits.append((_cells(truth.rows, rows, doubtful), quarter))
        doubtful = {(len(rows[0]) - 1 - column, row) for row, column in doubtful} if rows else doubtful
        rows = turned(rows)
    cells, quarter = min(fits, key=lambda fit: sum(t != r for t, r, _ in fit[0]), default=(None, 0))
    wanted = {seat: truth.totals[seat] for seat in totals if seat in truth.totals}
    right = bool(totals) and any(_passed_on(totals, k) == wanted for k in (range(4) if truth.any_side else (0,)))
    return Verdict(right and reading.outcome is Outcome.CLEAR, cells, quarter)


def _cells(truth: Sequence[str], read: Sequence[str], doubtful: set[Spot]) -> tuple[tuple[str, str, bool], ...]:
    return tuple(
        (want, got, (row, column) in doubtful or got == UNKNOWN)
        for row, (wanted, gotten) in enumerate(zip(truth, read, strict=True))
        for column, (want, got) in enumerate(zip(wanted, gotten, strict=True))
    )


def _passed_on(totals: Mapping[str, int], seats: int) -> dict[str, int]:
    """The totals as they stand when every seat's is said by the one so many places further on."""
    names, values = list(totals), list(totals.values())
    return {name: values[(k + seats) % len(values)] for k, name in enumerate(names)}
