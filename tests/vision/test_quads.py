import numpy as np
import pytest

from vision import quads

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 3, 0, 1], [3, 2, 1, 0], [1, 0, 3, 2]])
def test_clockwise_starts_at_the_top_left(order: list[int]) -> None:
    assert np.array_equal(quads.clockwise(SQUARE[order]), SQUARE)


def test_area_is_positive_when_clockwise() -> None:
    assert quads.areas(SQUARE) == pytest.approx(100)
    assert quads.areas(SQUARE[::-1]) == pytest.approx(-100)
    assert quads.sides(SQUARE) == pytest.approx(10)


def test_centre_of_a_square_in_perspective_is_not_its_mean() -> None:
    trapezium = np.array([[30, 0], [70, 0], [100, 50], [0, 50]], np.float32)
    centre = quads.centres(trapezium)
    assert centre[0] == pytest.approx(50)
    assert centre[1] < trapezium[:, 1].mean() - 5


def test_axes_are_one_side_along_and_one_down() -> None:
    assert np.allclose(quads.axes(SQUARE[None])[0], [[10, 0], [0, 10]])


@pytest.mark.parametrize("turn", range(4))
def test_started_like_finds_the_quarter_turn(turn: int) -> None:
    moved = np.roll(SQUARE, turn, axis=0) * 1.1 + 3
    assert np.allclose(quads.started_like(moved[None].astype(np.float32), SQUARE)[0], SQUARE * 1.1 + 3)
