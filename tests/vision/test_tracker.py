"""A growing layout is followed from its first card on, in drawn photographs of a camera that stands still."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.cassa_grande.sight import beliefs
from companion.sight import GAP, UNKNOWN, Outcome, Reading, Spot
from vision.drawn import Arm, Scene, draw
from vision.locate import Candidates
from vision.recognisers.cassa_grande_play import PlayReader
from vision.tracker import Tracker

ORDER: tuple[Spot, ...] = ((0, 0), (0, 1), (0, 2), (-1, 0), (1, -1), (-2, 1), (2, -2), (0, -1))
"""A row at first, then cards on all sides, some touching by a corner only."""


def seen_cells(reading: Reading) -> set[Spot]:
    """The cells of the play where a reading is sure of a card."""
    assert reading.origin is not None
    top, left = reading.origin
    return {(row + top, column + left) for (row, column), b in beliefs(reading).items() if b.get(GAP, 0.0) < 0.05}


def scene(count: int, base: Scene) -> Scene:
    return replace(base, laid=dict.fromkeys(ORDER[:count], UNKNOWN), shot=count)


@pytest.mark.parametrize(
    "base",
    [Scene(seed=21), Scene(seed=22, tilt_deg=35, surface="felt"), Scene(seed=23, tilt_deg=10, roll_deg=6, jitter=1.5)],
    ids=["above", "oblique", "rolled"],
)
def test_every_card_is_found_on_its_cell(base: Scene) -> None:
    reader = PlayReader()
    assert reader.read(draw(scene(0, base)), ()).rows == ()
    first = reader.read(draw(scene(1, base)), ())
    assert (first.outcome, first.rows) == (Outcome.CLEAR, ("?",))
    for count in range(2, len(ORDER) + 1):
        knocked = replace(scene(count, base), knocked_mm=4.0 * (count % 3))
        reading = reader.read(draw(knocked), ORDER[: count - 1])
        assert seen_cells(reading) == set(ORDER[:count])
        assert all(b[UNKNOWN] > 0.9 for b in (dict(s.belief) for s in reading.sightings) if b[GAP] < 0.5)


def test_who_comes_late_finds_the_cells_by_the_shape() -> None:
    reading = PlayReader().read(draw(scene(6, Scene(seed=24))), ORDER[:6])
    assert seen_cells(reading) == set(ORDER[:6])


def test_who_comes_late_does_not_know_the_ends_of_a_row() -> None:
    reading = PlayReader().read(draw(scene(3, Scene(seed=25))), ORDER[:2])
    assert (reading.rows, reading.origin) == (("???",), None)


def test_a_new_round_begins_anew() -> None:
    reader, base = PlayReader(), Scene(seed=26)
    for count in range(1, 6):
        reader.read(draw(scene(count, base)), ORDER[: count - 1])
    elsewhere = replace(base, laid={(2, 3): UNKNOWN})
    assert reader.read(draw(elsewhere), ()).rows == ("?",)
    reading = reader.read(draw(replace(base, laid={(2, 3): UNKNOWN, (2, 2): UNKNOWN})), [(0, 0)])
    assert seen_cells(reading) == {(0, 0), (0, -1)}


def test_a_hand_over_the_cards_adds_none() -> None:
    reader, base = PlayReader(), Scene(seed=27)
    for count in range(1, 7):
        reader.read(draw(scene(count, base)), ORDER[: count - 1])
    covered = reader.read(draw(replace(scene(6, base), arm=Arm((-1, 0)))), ORDER[:6])
    assert seen_cells(covered) <= set(ORDER[:6])
    assert seen_cells(reader.read(draw(scene(7, base)), ORDER[:6])) == set(ORDER[:7])


def test_a_card_that_the_picture_cuts_off_is_asked_into_view() -> None:
    picture, reader = draw(scene(2, Scene(seed=28))), PlayReader()
    whole = reader.read(picture, ORDER[:1])
    edge = max(x for sighting in whole.sightings for x, _ in sighting.corners)
    cut = reader.read(np.ascontiguousarray(picture[:, : int(edge) - 5]), ORDER[:1])
    assert (whole.outcome, cut.outcome) == (Outcome.CLEAR, Outcome.UNREADABLE)
    assert cut.reason == "A card reaches over the picture's edge: move the camera so that the whole layout is in view."


@pytest.mark.parametrize("palm", [(0, 1), (0, 0)])
@pytest.mark.parametrize("fourth", [(0, -1), (1, 2), (-1, 2), (2, -1), (1, 1)])
@pytest.mark.parametrize("looks", ["before hand after after", "hand after after"])
def test_what_a_hand_covered_is_never_put_on_other_cells(fourth: Spot, palm: Spot, looks: str) -> None:
    laid, reader = [(0, 0), (0, 1), (1, 0)], PlayReader()
    before = Scene(seed=5, laid=dict.fromkeys(laid, UNKNOWN))
    after = replace(before, laid=dict.fromkeys([*laid, fourth], UNKNOWN), shot=1)
    pictures = {"before": before, "hand": replace(after, arm=Arm(palm), shot=2), "after": after}
    for look in looks.split():
        reading = reader.read(draw(pictures[look]), laid)
        if reading.origin is not None and look != "hand":
            assert seen_cells(reading) == set(pictures[look].laid)
    assert reading.origin is not None


def test_one_card_whose_outline_is_a_little_off_does_not_hide_the_next() -> None:
    """A shadow had drawn one corner out; taken for perspective, it made the second card far too small to be one."""
    tracker = Tracker()
    first = np.array([(600.5, 379.0), (684.9, 379.0), (687.5, 460.9), (596.6, 463.5)], np.float32)
    second = np.array([(686.0, 466.0), (768.0, 470.0), (766.0, 550.0), (683.0, 546.0)], np.float32)
    alone = tracker.follow(Candidates(first[None], np.ones(1, int), np.ones(1, bool)), ())
    assert alone is not None
    assert tracker.settle(alone, list(alone.lattice.cards), ()) is None
    both = tracker.follow(Candidates(np.array([first, second]), np.ones(2, int), np.ones(2, bool)), [(0, 0)])
    assert both is not None
    assert set(both.lattice.cards) == {(0, 0), (1, 1)}
