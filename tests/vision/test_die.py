"""The die reader on kept pictures (the digits before the first hyphen are the values) and on drawn faces."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import Outcome
from vision.annotate_dice import annotate
from vision.frame import load
from vision.recognisers.die import CLEAR_CONFIDENCE, read

PICTURES = sorted((Path(__file__).parent / "dice").glob("*.jpg"))
SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    5: [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}

Picture = NDArray[np.uint8]


def truth(path: Path) -> tuple[int, ...]:
    return tuple(int(digit) for digit in path.name.partition("-")[0])


def table(width: int = 640, height: int = 480) -> Picture:
    noise = np.random.default_rng(5).normal(0, 2, (height, width, 3))
    return np.clip(np.array([60, 110, 70]) + noise, 0, 255).astype(np.uint8)


def die(
    picture: Picture,
    value: int,
    at: tuple[int, int],
    turn: float = 20,
    side: int = 70,
    missing: int = 0,
    ink: tuple[int, int, int] = (20, 20, 20),
) -> None:
    """A white die seen from straight above, without its last `missing` pips."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    to_picture = np.array([[c, -s], [s, c]]) * side

    def place(x: float, y: float) -> tuple[int, int]:
        px, py = to_picture @ np.array([x, y]) + at
        return round(px), round(py)

    corners = np.array([place(x, y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))])
    cv2.fillPoly(picture, [corners], (225, 235, 235), cv2.LINE_AA)
    for x, y in SPOTS[value][: value - missing]:
        cv2.circle(picture, place(x / 4, y / 4), round(side * 0.1), ink, -1, cv2.LINE_AA)


def test_enough_pictures_are_kept() -> None:
    assert len(PICTURES) >= 10


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_clear_picture_is_right(path: Path) -> None:
    reading = read(load(path).image)
    assert reading.outcome is not Outcome.CLEAR or reading.values == truth(path)


def test_most_close_ups_are_clear() -> None:
    close_ups = [path for path in PICTURES if "close-up" in path.name]
    clear = [path for path in close_ups if read(load(path).image).outcome is Outcome.CLEAR]
    assert len(clear) >= 0.95 * len(close_ups)


@pytest.mark.parametrize("turn", [0, 31, 77])
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_every_value_in_any_turn(value: int, turn: float) -> None:
    picture = table()
    die(picture, value, (300, 220), turn)
    reading = read(picture)
    assert reading.values == (value,)
    # A six without sides or a shadow is no real die: it may be asked about.
    assert reading.outcome is Outcome.CLEAR or (value == 6 and reading.outcome is Outcome.ASK)
    x, y = reading.dice[0].centre
    assert np.hypot(x - 300, y - 220) < 7


def test_several_dice_from_left_to_right() -> None:
    picture = table()
    for value, at in ((5, (500, 100)), (2, (120, 300)), (6, (320, 240)), (4, (220, 90))):
        die(picture, value, at, turn=value * 13)
    reading = read(picture)
    assert (reading.outcome, reading.values) == (Outcome.CLEAR, (2, 4, 6, 5))


def test_a_red_pip_and_a_light_picture_size_do_not_matter() -> None:
    picture = table(1600, 1200)
    die(picture, 3, (700, 700), side=160, ink=(30, 20, 200))
    reading = read(picture)
    assert (reading.outcome, reading.values) == (Outcome.CLEAR, (3,))


@pytest.mark.parametrize(("value", "missing"), [(5, 2), (6, 1), (6, 3), (4, 1)])
def test_a_pattern_that_no_die_has_is_never_clear(value: int, missing: int) -> None:
    picture = table()
    die(picture, value, (300, 220), missing=missing)
    assert read(picture).outcome is not Outcome.CLEAR


def test_a_blank_die_beside_a_read_one_is_asked_about() -> None:
    picture = table()
    die(picture, 5, (200, 220))
    die(picture, 1, (420, 220), missing=1)
    reading = read(picture)
    assert reading.outcome is Outcome.ASK
    assert reading.dice[0].value == 5


@pytest.mark.parametrize("picture", [table(), np.zeros((480, 640, 3), np.uint8), np.full((32, 40, 3), 255, np.uint8)])
def test_no_die_is_unreadable_and_says_what_to_do(picture: Picture) -> None:
    reading = read(picture)
    assert (reading.outcome, reading.values) == (Outcome.UNREADABLE, ())
    assert reading.reason is not None
    assert reading.reason.endswith(".")


def test_the_annotated_picture_marks_the_die_and_leaves_the_photograph_alone() -> None:
    picture = table()
    die(picture, 4, (300, 220))
    before = picture.copy()
    reading = read(picture)
    drawn = annotate(picture, reading)
    assert reading.dice[0].confidence >= CLEAR_CONFIDENCE
    assert (picture == before).all()
    changed = np.argwhere((drawn != picture).any(axis=2))
    assert changed.size
    assert np.abs(changed.mean(axis=0)[::-1] - (300, 220)).max() < 60
