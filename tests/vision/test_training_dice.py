"""The generator of pictures of dice."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training import cube
from vision.training.dice import MOST, TILE, Kind, picture, tiles


def white_die(value: int, turn: float = 0.0) -> cube.Cube:
    """A white die with black pips in even light, `value` on top and nothing on its sides."""
    none = np.zeros((0, 2), np.float32)
    top = np.array(cube.SPOTS[value], np.float32)
    white, black = np.full(3, 240, np.float32), np.zeros(3, np.float32)
    return cube.Cube(
        turn, (none, none, top, none, none, none), white, black, black, white, np.zeros((4, 4), np.float32),
        0.1, 0.5, 0.2, 0.2, 0.0, 0.0, 10.0, 1.0,
    )  # fmt: skip


def test_tiles_are_the_same_for_the_same_seed_and_differ_for_another() -> None:
    (first, marks), (again, same), (other, _) = tiles(3, 4), tiles(3, 4), tiles(4, 4)
    assert (first == again).all()
    assert (marks == same).all()
    assert (first != other).any()
    assert first.shape == (4, TILE, TILE, 3)
    assert marks.shape == (4, MOST, 6)


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_the_top_shows_its_pips(value: int) -> None:
    above = cube.view(0.0, 0.3, 0.0, 1000.0)
    patch, cover, low = cube.draw(white_die(value, 0.4), above, [], np.array([50, 60], np.float32), 30.0)
    top = cube.top(white_die(value, 0.4), above) * 30 + (50, 60) - low
    assert cover.sum() == pytest.approx(60**2, rel=0.03)
    dark = ((patch.mean(axis=2) < 120) & (cover > 0.9)).sum()
    assert dark == pytest.approx(value * np.pi * 6**2, rel=0.1)
    assert np.hypot(*(top.mean(axis=0) - (np.argwhere(cover > 0.5).mean(axis=0)[::-1]))) < 1


def test_a_leaning_camera_sees_a_side_and_moves_the_top() -> None:
    straight, leaning = cube.view(0.0, 0.0, 0.0, 40.0), cube.view(0.5, 0.0, 0.0, 40.0)
    die, at = white_die(5), np.array([50, 50], np.float32)
    assert cube.draw(die, leaning, [], at, 20.0)[1].sum() > 1.1 * cube.draw(die, straight, [], at, 20.0)[1].sum()
    assert np.linalg.norm(cube.top(die, leaning).mean(axis=0)) == pytest.approx(np.sin(0.5), rel=0.1)


def test_the_shadow_falls_away_from_the_lamp() -> None:
    above = cube.view(0.0, 0.0, 0.0, 1000.0)
    lamp = cube.Lamp(np.array([0.6, 0, 0.8], np.float32), 0.5, 0.5, 0.1)
    here = above.project(np.array([[1, 0, 0]], np.float32))[0]
    assert cube.shadow(white_die(1), above, lamp).mean(axis=0) @ here < -0.1


def test_a_picture_has_no_more_dice_than_wanted() -> None:
    for number in range(6):
        assert len(picture(np.random.default_rng(number), Kind((120, 160), 1))[1]) == 1
        assert not picture(np.random.default_rng(number), Kind((120, 160), 0))[1]
