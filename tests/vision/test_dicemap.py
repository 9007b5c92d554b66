"""The dice finder on drawn photographs, and what its faces come to as a reading."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sight import Outcome
from vision.dicemap import MODEL, DiceFinder, Face
from vision.network import ModelError
from vision.recognisers.die import judge
from vision.training.dice import Kind, picture
from vision.training.diceeval import CLOSE_UPS, WITHOUT, measure, scenes


@pytest.fixture(scope="module")
def finder() -> DiceFinder:
    return DiceFinder()


def face(x: float, value: int, chance: float = 0.95, sure: float = 0.97, side: float = 40.0) -> Face:
    rest = (1 - sure) / 6
    return Face(x, 100.0, side, 0.1, chance, tuple(sure if k == value else rest for k in range(7)))


def test_drawn_close_ups_are_mostly_clear_and_never_wrong(finder: DiceFinder) -> None:
    tally = measure(finder, CLOSE_UPS, 41, 30)
    assert tally.right >= 18
    assert tally.wrong == 0


def test_tables_without_dice_are_never_clear(finder: DiceFinder) -> None:
    assert measure(finder, WITHOUT, 43, 20).wrong == 0


def test_middles_sides_and_values_are_found(finder: DiceFinder) -> None:
    found = 0
    for image, (mark,) in scenes(Kind((480, 640), 1, (35.0, 90.0), 12.0, 0.0), 47, 12):
        best = finder.faces(image)[0]
        near = np.hypot(best.x - mark.x, best.y - mark.y) < 0.15 * mark.side
        found += near and abs(np.log(best.side / mark.side)) < 0.2 and int(np.argmax(best.shows)) == mark.value
    assert found >= 9


def test_a_larger_photograph_gives_the_same_faces(finder: DiceFinder) -> None:
    image, (mark,) = picture(np.random.default_rng((47, 3)), Kind((480, 640), 1, (60.0, 61.0), 5.0, 0.0))
    large = np.asarray(cv2.resize(image, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC), np.uint8)
    one, other = finder.faces(image)[0], finder.faces(large)[0]
    assert np.hypot(one.x - mark.x, one.y - mark.y) < 0.15 * mark.side
    assert (other.x / 2.5, other.y / 2.5) == pytest.approx((one.x, one.y), abs=3)
    assert np.argmax(other.shows) == np.argmax(one.shows)


def test_a_missing_or_damaged_network_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="missing"):
        DiceFinder(tmp_path / "none.onnx")
    damaged = tmp_path / "dice.onnx"
    damaged.write_bytes(MODEL.read_bytes()[:-1] + b"x")
    monkeypatch.setattr("vision.dicemap.MODEL", damaged)
    with pytest.raises(ModelError, match="damaged"):
        DiceFinder(damaged)


def test_sure_faces_are_clear_and_go_from_left_to_right() -> None:
    reading = judge([face(300, 2), face(100, 6), face(200, 5)])
    assert (reading.outcome, reading.values, reading.reason) == (Outcome.CLEAR, (6, 5, 2), None)


@pytest.mark.parametrize("doubt", [face(300, 2, sure=0.6), face(300, 2, chance=0.4)])
def test_one_doubtful_face_makes_it_a_question(doubt: Face) -> None:
    reading = judge([face(100, 6), doubt])
    assert (reading.outcome, reading.values) == (Outcome.ASK, (6, 2))


def test_a_face_that_no_die_has_is_a_question() -> None:
    reading = judge([face(100, 6), face(300, 0)])
    assert (reading.outcome, reading.values) == (Outcome.ASK, (6,))
    assert reading.reason is not None
    assert "missing" in reading.reason


def test_a_side_face_and_a_speck_beside_a_sure_die_are_left_out() -> None:
    reading = judge([face(100, 6), face(140, 3, chance=0.3), face(300, 1, side=9.0)])
    assert (reading.outcome, reading.values) == (Outcome.CLEAR, (6,))


def test_what_is_hardly_a_die_is_not_told() -> None:
    assert judge([face(100, 6, chance=0.1)]).outcome is Outcome.UNREADABLE
