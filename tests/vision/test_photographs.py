"""Whole photographs with truth files: photoreal tables, and layouts composed by the project's own generator."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import GAP, UNKNOWN, Outcome, Reading
from vision import benchmark, frame, truth
from vision.benchmark import Tally
from vision.recognisers.cassa_grande import CassaGrandeReader
from vision.truth import Truth

FRAMES = Path(__file__).parent / "frames"
TRUTHS = {t.photo.stem: t for t in truth.folder(FRAMES)}
FINISHED = sorted(name for name, t in TRUTHS.items() if t.finished)
UNFINISHED = sorted(name for name, t in TRUTHS.items() if not t.finished)


@cache
def reader() -> CassaGrandeReader:
    return CassaGrandeReader()


@cache
def tally() -> Tally:
    return benchmark.run(list(TRUTHS.values()), reader())


@cache
def readings() -> dict[str, Reading]:
    return {wanted.photo.stem: reading for wanted, reading, _ in tally().verdicts}


def read(name: str) -> Reading:
    return readings()[name]


def picture(name: str) -> NDArray[np.uint8]:
    return frame.load(TRUTHS[name].photo).image


def wrong(name: str, reading: Reading) -> list[tuple[str, str]]:
    """Cards that were read wrong and not doubted."""
    verdict = truth.judge(TRUTHS[name], reading, benchmark.totals_of(reading))
    return [(want, got) for want, got, doubted in verdict.cells or () if want != got and not doubted]


@pytest.mark.parametrize("name", FINISHED)
def test_a_finished_layout_is_right_or_asked(name: str) -> None:
    reading = read(name)
    wanted: Truth = TRUTHS[name]
    if reading.outcome is Outcome.CLEAR:
        assert truth.judge(wanted, reading, benchmark.totals_of(reading)).totals_right
    else:
        assert reading.reason
        assert reading.reason.endswith(".")
        # What a hand covers may look like a gap.
        assert wanted.covered or wrong(name, reading) == []


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_unfinished_layout_is_never_clear(name: str) -> None:
    reading = read(name)
    assert reading.outcome is not Outcome.CLEAR
    assert reading.reason


@pytest.mark.parametrize(("kind", "count", "share"), [("table", 19, 0.97), ("composed", 8, 0.75)])
def test_finished_layouts_are_hardly_ever_asked_about(kind: str, count: int, share: float) -> None:
    right = [verdict.totals_right for t, _, verdict in tally().counted() if t.photo.stem.startswith(kind)]
    assert len(right) >= count
    assert np.mean(right) >= share


def test_no_total_is_silently_wrong() -> None:
    assert tally().silent() == []


def test_unfinished_layouts_show_where_cards_lie() -> None:
    cells = [
        (want == GAP, got == GAP)
        for wanted, _, verdict in tally().verdicts
        if not wanted.finished
        for want, got, _ in verdict.cells or ()
    ]
    assert len(cells) >= 40
    assert np.mean([want == got for want, got in cells]) >= 0.95


def test_beliefs_are_calibrated() -> None:
    beliefs = tally().beliefs
    assert len(beliefs) > 700
    assert benchmark.calibration_error(beliefs) < 0.04
    # Where it is wrong it must err towards doubt.
    sure = [right for belief, right in beliefs if belief > 0.9]
    assert len(sure) > 0.8 * len(beliefs)
    assert np.mean(sure) > 0.997


@pytest.mark.parametrize("name", FINISHED[:3])
def test_every_seat_may_be_the_bottom_side(name: str) -> None:
    first = read(name)
    turned = reader().read(np.ascontiguousarray(np.rot90(picture(name))))
    assert turned.outcome is first.outcome
    # The picture turned anticlockwise shows at its bottom what was its left side: seat B's.
    assert turned.rows == tuple("".join(column) for column in zip(*first.rows, strict=True))[::-1]


def test_corners_lie_on_the_cards() -> None:
    name = "table_08"
    spots = {(int(str(c["row"])), int(str(c["col"]))): np.array(c["corners_px"]) for c in TRUTHS[name].cards}
    sightings = read(name).sightings
    assert len(sightings) == len(spots)
    off = []
    for sighting in sightings:
        real, found = spots[sighting.spot], np.array(sighting.corners)
        # The truth starts at the printed top left, the sighting at the grid's.
        turned = [np.linalg.norm(np.roll(real, k, axis=0) - found, axis=1).max() for k in range(4)]
        off.append(min(turned) / np.linalg.norm(real[0] - real[1]))
        assert sum(sighting.belief.values()) == pytest.approx(1, abs=1e-3)
    assert np.median(off) < 0.06
    assert max(off) < 0.3


def test_a_face_down_card_is_unknown() -> None:
    backs = [
        got
        for wanted, _, verdict in tally().verdicts
        if not wanted.finished
        for want, got, _ in verdict.cells or ()
        if want == UNKNOWN
    ]
    assert len(backs) >= 5
    assert np.mean([got == UNKNOWN for got in backs]) >= 0.9
    assert not set(backs) & set("01234,")
