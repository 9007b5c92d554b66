"""A slanted layout drawn as if from above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import Sighting, Spot
from vision.straighten import plane, seen_from_above

SLANT = np.array([[80.0, -30.0, 200.0], [12.0, 60.0, 90.0], [0.0, 0.05, 1.0]])
"""From the grid to the picture of a table that is seen at a slant."""

SPOTS = [(row, column) for row in range(3) for column in range(4)]


def seen_at(spot: Spot, side: float = 0.8) -> Sighting:
    """A card in the middle of a spot."""
    row, column = spot
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 + (column + 0.5, row + 0.5)
    a, b, c, d = (tuple(map(float, point)) for point in cv2.perspectiveTransform(corners[None], SLANT)[0])
    return Sighting(spot, (a, b, c, d), {"0": 1.0})  # type: ignore[arg-type]


def picture() -> NDArray[np.uint8]:
    """Every spot in a colour of its own, BGR, at a slant."""
    flat = np.zeros((300, 400, 3), np.uint8)
    for row, column in SPOTS:
        flat[100 * row : 100 * row + 100, 100 * column : 100 * column + 100] = colour((row, column))[::-1]
    to_flat = np.diag([1 / 100, 1 / 100, 1.0])
    return np.asarray(cv2.warpPerspective(flat, SLANT @ to_flat, (640, 480)), np.uint8)


def colour(spot: Spot) -> tuple[int, int, int]:
    """Red, green and blue."""
    return 60 + 60 * spot[0], 40 + 50 * spot[1], 120


def test_the_whole_grid_is_drawn_from_above_in_the_screens_colours() -> None:
    lies = plane([seen_at(spot) for spot in SPOTS])
    assert lies is not None
    drawn = seen_from_above(picture(), lies, (0, 0, 4, 3), 40)
    assert drawn.shape == (120, 160, 3)
    for row, column in SPOTS:
        middle = drawn[40 * row + 20, 40 * column + 20]
        assert middle == pytest.approx(colour((row, column)), abs=3)


def test_a_single_card_is_drawn_with_its_surroundings() -> None:
    lies = plane([seen_at(spot) for spot in SPOTS])
    assert lies is not None
    close = seen_from_above(picture(), lies, (1.75, 0.75, 1.5, 1.5), 100)
    assert close.shape == (150, 150, 3)
    assert close[75, 75] == pytest.approx(colour((1, 2)), abs=3)
    assert close[75, 10] == pytest.approx(colour((1, 1)), abs=3)


@pytest.mark.parametrize("spots", [[], SPOTS[:3], [(0, column) for column in range(6)]], ids=["none", "few", "a row"])
def test_too_few_cards_and_a_single_row_show_no_plane(spots: list[Spot]) -> None:
    assert plane([seen_at(spot) for spot in spots]) is None
