"""The annotated picture: what must be there, where, and that the photograph itself stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import GAP, Outcome, Reading, Sighting
from vision import annotate as module
from vision.annotate import annotate, group_digits

SIDE = 600
PITCH = 60.0
LINES = {"A": [11201, 4], "B": [0, 100], "C": [3, 342], "D": [0, 4202]}


def table(side: int = SIDE) -> NDArray[np.uint8]:
    return np.full((side, side, 3), 120, np.uint8)


def reading(rows: tuple[str, ...] = ("012", "3.4", ",01"), doubtful: tuple[tuple[int, int], ...] = ()) -> Reading:
    sightings = []
    for row, symbols in enumerate(rows):
        for column, symbol in enumerate(symbols):
            x, y = 200 + PITCH * column + 5, 200 + PITCH * row + 5
            if symbol != GAP:
                corners = ((x, y), (x + 50, y), (x + 50, y + 50), (x, y + 50))
                sightings.append(Sighting((row, column), corners, {symbol: 1.0}))
    outcome = Outcome.ASK if doubtful else Outcome.CLEAR
    reason = "Look at the ringed card." if doubtful else None
    return Reading(outcome, rows, doubtful, tuple(sightings), reason)


def changed(image: NDArray[np.uint8], y: float, x: float, radius: int) -> int:
    """How many pixels of the photograph's window differ from the bare table."""
    band = (image.shape[0] - SIDE) // 2
    window = image[
        round(y) + band - radius : round(y) + band + radius, round(x) + band - radius : round(x) + band + radius
    ]
    return int((np.abs(window.astype(int) - 120).max(axis=2) > 20).sum())


def bands(image: NDArray[np.uint8], side: int = SIDE) -> dict[str, NDArray[np.uint8]]:
    """Each seat's band, turned as its reader sees it."""
    width = (image.shape[0] - side) // 2
    inside = slice(width, width + side)
    return {
        "A": image[-width:, inside],
        "B": np.rot90(image[inside, :width]),
        "C": np.rot90(image[:width, inside], 2),
        "D": np.rot90(image[inside, -width:], -1),
    }


def test_the_photograph_is_not_changed() -> None:
    image = table()
    annotate(image, reading(), LINES)
    assert (image == 120).all()


def test_cards_outline_and_gap_are_drawn() -> None:
    drawn = annotate(table(), reading(), LINES)
    for row, column in [(0, 0), (1, 2), (2, 1)]:
        assert changed(drawn, 200 + PITCH * row + 5, 200 + PITCH * column + 5, 14) > 100, "outline and reading"
    assert 10 < changed(drawn, 200 + PITCH * 1.5, 200 + PITCH * 1.5, 8) < 120, "the cross on the gap"
    assert changed(drawn, 200, 200 + PITCH * 1.5, 3) > 0, "the box's upper edge"
    assert changed(drawn, 100, 100, 40) == 0, "the table beside the layout"


def test_each_seat_reads_its_own_band_upright() -> None:
    same = {seat: [12043, 7] for seat in "ABCD"}
    shown = bands(annotate(table(), reading(), same))
    for seat in "BCD":
        # Only the seat's letter tells the bands apart.
        differing = np.abs(shown[seat].astype(int) - shown["A"]).max(axis=2) > 40
        assert 0 < differing.sum() < 0.01 * differing.size
    assert (shown["A"] > 200).sum() > 500


def test_each_seat_has_its_own_total() -> None:
    before = bands(annotate(table(), reading(), LINES))
    after = bands(annotate(table(), reading(), {**LINES, "B": [0, 101]}))
    assert {seat for seat in "ABCD" if not np.array_equal(before[seat], after[seat])} == {"B"}


def test_only_seats_that_play_have_a_total() -> None:
    shown = bands(annotate(table(), reading(), {"A": [1], "C": [2]}))
    assert {seat for seat in "ABCD" if (shown[seat] > 200).any()} == {"A", "C"}


def test_a_doubtful_card_differs_in_shape_and_the_reason_is_written() -> None:
    sure = annotate(table(), reading(), {})
    doubtful = annotate(table(), reading(doubtful=((1, 2),)), {})
    centre = (200 + PITCH * 1 + 30, 200 + PITCH * 2 + 30)
    assert changed(doubtful, *centre, 45) > changed(sure, *centre, 45) + 300
    assert (bands(doubtful)["A"] > 200).sum() > 100
    assert not (bands(doubtful)["C"] > 200).any()


def test_a_doubtful_place_without_a_card_is_ringed() -> None:
    plain = annotate(table(), reading(), {})
    ringed = annotate(table(), reading(doubtful=((1, 1),)), {})
    centre = (200 + PITCH * 1.5, 200 + PITCH * 1.5)
    assert changed(ringed, *centre, 45) > changed(plain, *centre, 45) + 300


def test_a_picture_without_cards_shows_the_reason() -> None:
    nothing = Reading(Outcome.UNREADABLE, (), (), (), "No cards are seen; take the photograph from above.")
    drawn = annotate(table(), nothing, {})
    assert changed(drawn, 300, 300, 290) == 0
    assert (bands(drawn)["A"] > 200).sum() > 100


def test_a_long_reason_fits() -> None:
    long = Reading(Outcome.UNREADABLE, (), (), (), "This sentence is far too long for the picture. " * 3)
    strip = bands(annotate(table(), long, {}))["A"]
    assert not (strip[:, :5] > 200).any()
    assert not (strip[:, -5:] > 200).any()


def test_the_longest_sum_fits() -> None:
    strip = bands(annotate(table(), reading(), {"A": [432_432] * 6}))["A"]
    assert not (strip[:, :5] > 100).any()
    assert not (strip[:, -5:] > 100).any()


FEW = [("0",), ("01",), ("0", "1"), ("01", "2."), ("0123",), ("0.", "1.", "2.", "34")]


@pytest.mark.parametrize("rows", FEW)
def test_the_box_of_few_cards_goes_around_them_and_nowhere_else(rows: tuple[str, ...]) -> None:
    drawn = annotate(table(), reading(rows), {})
    height, width = PITCH * len(rows), PITCH * len(rows[0])
    for y, x in [(0, 0.5), (0.5, 0), (1, 0.5), (0.5, 1)]:
        assert changed(drawn, 200 + y * height, 200 + x * width, 3) > 0, "an edge of the box"
    band = (drawn.shape[0] - SIDE) // 2
    around = drawn[band : band + SIDE, band : band + SIDE].copy()
    around[190 : round(210 + height), 190 : round(210 + width)] = 120
    assert (around == 120).all(), "nothing is drawn away from the cards"


LOPSIDED = [
    ("0.....", "1.....", "2.....", "3.....", "4.....", "012340"),
    ("0.", "1.", "2.", "34"),
    ("0..", ".1.", "..2"),
]


@pytest.mark.parametrize("rows", LOPSIDED)
def test_the_box_stays_near_cards_that_lie_askew(rows: tuple[str, ...]) -> None:
    chance = np.random.default_rng(4)
    straight = reading(rows)
    cards = tuple(
        Sighting(card.spot, tuple(map(tuple, np.array(card.corners) + chance.normal(0, 2, (4, 2)))), card.belief)
        for card in straight.sightings
    )
    drawn = annotate(table(), Reading(Outcome.CLEAR, rows, (), cards), {})
    band = (drawn.shape[0] - SIDE) // 2
    around = drawn[band : band + SIDE, band : band + SIDE].copy()
    around[160 : round(240 + PITCH * len(rows)), 160 : round(240 + PITCH * len(rows[0]))] = 120
    assert (around == 120).all()


def test_rows_without_a_card_draw_nothing() -> None:
    assert changed(annotate(table(), Reading(Outcome.ASK, ("", ""), (), (), "Look."), {}), 300, 300, 290) == 0


def test_cards_beyond_the_picture_do_no_harm() -> None:
    cards = tuple(
        Sighting(spot, tuple((x - 320.0, y + 330.0) for x, y in card.corners), card.belief)  # type: ignore[arg-type]
        for card in reading().sightings
        for spot in [card.spot]
    )
    annotate(table(), Reading(Outcome.ASK, ("012", "3.4", ",01"), ((0, 0),), cards, "Look."), {})


def test_a_large_photograph_is_drawn_small_enough_to_look_at() -> None:
    drawn = annotate(table(4000), reading(), {})
    assert max(drawn.shape) < module.MAX_SIDE_PX * 1.2


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (999, "999"), (1000, "1\u2009000"), (1080626, "1\u2009080\u2009626")]
)
def test_digits_are_never_grouped_with_a_comma(number: int, text: str) -> None:
    assert group_digits(number) == text
