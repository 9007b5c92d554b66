from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.sight import Outcome, Reading, Sighting
from vision.camera import Picture
from vision.frame import load
from vision.steady import Gate, Scene, vote

CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def table(cards: int = 3, hand_x: int | None = None, gain: float = 1.0, seed: int = 0) -> NDArray[np.uint8]:
    """A noisy grainy table with so many white cards, and a hand whose left edge is at a column."""
    noise = np.random.default_rng(seed)
    grain = np.random.default_rng(1).integers(70, 130, (36, 64, 1)).repeat(10, 0).repeat(10, 1)
    scene = np.repeat(grain, 3, axis=2).astype(np.float64)
    for card in range(cards):
        scene[60:110, 60 + 80 * card : 100 + 80 * card] = 240
    if hand_x is not None:
        scene[150:, hand_x : hand_x + 120] = (110, 140, 190)
    return np.clip(scene * gain + noise.normal(0, 6, (360, 640, 1)), 0, 255).astype(np.uint8)


def changes(gate: Gate, images: Iterable[NDArray[np.uint8]], start: int = 0) -> int:
    pictures = (Picture(image, (start + k) * 0.1) for k, image in enumerate(images))
    return sum(gate.see(picture) is Scene.CHANGED for picture in pictures)


def still(cards: int, count: int = 20) -> list[NDArray[np.uint8]]:
    return [table(cards, seed=k) for k in range(count)]


def moving(cards: int, count: int = 6) -> list[NDArray[np.uint8]]:
    return [table(cards, hand_x=40 * k, seed=k) for k in range(count)]


def test_a_move_is_exactly_one_event() -> None:
    assert changes(Gate(1.0), [*still(3), *moving(3), *still(4)]) == 1


def test_a_new_card_is_an_event_though_nobody_saw_the_hand() -> None:
    assert changes(Gate(1.0), [*still(3), *still(4)]) == 1


def test_a_table_that_never_rests_is_no_event() -> None:
    assert changes(Gate(1.0), moving(3, 13) * 6) == 0


def test_a_rest_shorter_than_still_is_not_booked() -> None:
    assert changes(Gate(1.5), [*still(3), *moving(3), *still(4, 10), *moving(4), *still(5)]) == 1


def test_a_still_table_is_still_and_not_changed() -> None:
    scenes = [Gate(0.5).see(Picture(image, 0.0)) for image in still(3, 1)]
    gate = Gate(0.5)
    scenes = [gate.see(Picture(image, 0.1 * k)) for k, image in enumerate(still(3))]
    assert scenes[0] is Scene.MOVING
    assert set(scenes[1:5]) == {Scene.SETTLING}
    assert set(scenes[6:]) == {Scene.STILL}


@pytest.mark.parametrize("first", [0.75, 1.25])
def test_daylight_that_drifts_by_a_quarter_is_no_event(first: float) -> None:
    gains = np.linspace(first, 2.0 - first, 60)
    gate = Gate(1.0)
    scenes = [gate.see(Picture(table(gain=gain, seed=k), 0.1 * k)) for k, gain in enumerate(gains)]
    assert set(scenes[11:]) == {Scene.STILL}


def test_a_lamp_that_flickers_in_bands_is_no_event() -> None:
    rows = np.arange(360)[:, None, None]
    images = [np.clip(image * (0.85 + 0.1 * np.sin(rows / 40 + 1.7 * k)), 0, 255).astype(np.uint8)
              for k, image in enumerate(still(3, 40))]  # fmt: skip
    gate = Gate(1.0)
    scenes = [gate.see(Picture(image, 0.1 * k)) for k, image in enumerate(images)]
    assert set(scenes[11:]) == {Scene.STILL}


def lamp(image: NDArray[np.uint8], gain: float) -> NDArray[np.uint8]:
    """A picture in another light: the sensor is linear, the picture is not."""
    return (255 * np.clip((image / 255) ** 2.2 * gain, 0, 1) ** (1 / 2.2)).astype(np.uint8)


@pytest.mark.parametrize("period", [3, 10, 60])
def test_a_lamp_that_waves_is_no_event_though_white_cards_glare(period: int) -> None:
    gains = 1 + 0.25 * np.sin(2 * np.pi * np.arange(60) / period)
    gate = Gate(1.0)
    scenes = [gate.see(Picture(lamp(table(seed=k), gain), 0.1 * k)) for k, gain in enumerate(gains)]
    assert set(scenes[11:]) == {Scene.STILL}


@pytest.mark.parametrize("period", [10, 60])
def test_a_photographed_table_under_a_lamp_that_waves_is_still(period: int) -> None:
    photo = load(Path(__file__).parents[2] / "ui/samples/oak-table.jpg").image
    photo = cv2.resize(photo, (640, 640 * photo.shape[0] // photo.shape[1]), interpolation=cv2.INTER_AREA)
    noise, gate = np.random.default_rng(0), Gate(1.0)
    gains = 1 + 0.25 * np.sin(2 * np.pi * np.arange(60) / period)
    images = (np.clip(lamp(photo, gain) + noise.normal(0, 4, photo.shape), 0, 255).astype(np.uint8) for gain in gains)
    scenes = [gate.see(Picture(image, 0.1 * k)) for k, image in enumerate(images)]
    assert set(scenes[11:]) == {Scene.STILL}


@pytest.mark.parametrize("period", [10, 60])
def test_a_card_that_is_laid_under_a_lamp_that_waves_is_one_event(period: int) -> None:
    images = [*still(3), *moving(3), *still(4)]
    gains = 1 + 0.25 * np.sin(2 * np.pi * np.arange(len(images)) / period)
    assert changes(Gate(1.0), [lamp(image, gain) for image, gain in zip(images, gains, strict=True)]) == 1


def reading(*rows: str, outcome: Outcome = Outcome.CLEAR, sure: float = 0.99, **rest: object) -> Reading:
    sightings = tuple(
        Sighting((r, c), CORNERS, {cell: sure, "*": 1 - sure})
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        if cell != "."
    )
    return Reading(outcome, rows, rest.pop("doubtful", ()), sightings, rest.pop("reason", None), **rest)  # type: ignore[arg-type]


HAND = Reading(Outcome.UNREADABLE, (), (), (), "A hand is in the picture.")


def test_readings_that_agree_are_clear_with_mean_beliefs() -> None:
    voted = vote([reading("12", ".3", sure=0.9), reading("12", ".3", sure=0.7), reading("12", ".3", sure=0.8)])
    assert voted.outcome is Outcome.CLEAR
    assert voted.rows == ("12", ".3")
    assert voted.doubtful == ()
    assert [sighting.belief for sighting in voted.sightings] == [
        {face: pytest.approx(0.8), "*": pytest.approx(0.2)} for face in "123"
    ]


@given(st.integers(2, 7))
def test_a_cell_that_flickers_between_two_readings_is_doubtful(count: int) -> None:
    voted = vote([reading("12", "34") if k % 2 else reading("12", "04") for k in range(count)])
    assert voted.outcome is Outcome.ASK
    assert voted.doubtful == ((1, 0),)
    belief = next(sighting.belief for sighting in voted.sightings if sighting.spot == (1, 0))
    assert {"0", "3"} <= set(belief)
    assert sum(belief.values()) == pytest.approx(1)
    assert voted.reason is not None
    assert "row 2, column 1" in voted.reason


def test_one_that_contradicts_is_enough_to_ask() -> None:
    assert vote([reading("12")] * 4 + [reading("13")]).outcome is Outcome.ASK
    assert vote([reading("12")] * 4 + [reading("1.")]).outcome is Outcome.ASK
    assert vote([reading("12")] * 4 + [reading("12", "3.")]).outcome is Outcome.ASK


def test_one_that_cannot_tell_does_not_contradict() -> None:
    unsure = reading("1?", outcome=Outcome.ASK, doubtful=((0, 1),), reason="Look.")
    assert vote([reading("12"), unsure, reading("12")]).outcome is Outcome.CLEAR
    assert vote([reading("12"), HAND, reading("12")]).outcome is Outcome.CLEAR


def test_a_few_clear_ones_are_not_enough() -> None:
    unsure = reading("1?", outcome=Outcome.ASK, doubtful=((0, 1),), reason="Look.")
    voted = vote([reading("12"), unsure, unsure])
    assert voted.outcome is Outcome.ASK
    assert voted.doubtful == ((0, 1),)
    assert voted.reason == "Look."
    assert vote([reading("12"), HAND]) == HAND
    assert vote([HAND, reading("12"), HAND]).outcome is Outcome.UNREADABLE


def test_other_shapes_without_a_majority_are_unreadable() -> None:
    voted = vote([reading("12"), reading("123"), reading("1")])
    assert voted.outcome is Outcome.UNREADABLE
    assert voted.reason is not None


def test_one_reading_stays_what_it_is() -> None:
    for only in (
        reading("12", finished=True),
        reading("1?", outcome=Outcome.ASK, doubtful=((0, 1),), reason="x"),
        HAND,
    ):
        assert vote([only]) == only
    with pytest.raises(ValueError, match="at least one"):
        vote([])


faces = st.text("01.?", min_size=4, max_size=4)


@given(st.lists(st.tuples(faces, st.sampled_from(Outcome)), min_size=1, max_size=6))
def test_clear_only_when_most_agree_and_none_contradicts(cells: list[tuple[str, Outcome]]) -> None:
    readings = [reading(text[:2], text[2:], outcome=outcome) for text, outcome in cells]
    voted = vote(readings)
    if voted.outcome is Outcome.CLEAR:
        assert {r.rows for r in readings} == {voted.rows}
        assert 2 * sum(r.outcome is Outcome.CLEAR for r in readings) > len(readings)
