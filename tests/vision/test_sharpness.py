"""Sharpness as a number: less blur is more, whatever the light."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.drawn import Scene, draw
from vision.glimpse import glimpse
from vision.sharpness import middle, overexposed, sharpness

Picture = NDArray[np.uint8]


@pytest.fixture(scope="module")
def layout() -> Picture:
    """Cards on a table, as a preview shows them."""
    return glimpse(draw(Scene({(0, 0): "1", (0, 1): "3", (1, 1): "4"}, seed=1))).pixels


def blurred(picture: Picture, sigma_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


def test_each_step_of_blur_is_less_sharp(layout: Picture) -> None:
    steps = [sharpness(layout), *(sharpness(blurred(layout, sigma)) for sigma in (0.7, 1.5, 3, 6))]
    assert all(before > after > 0 for before, after in pairwise(steps))


def test_a_slight_blur_shows_in_the_middle_at_its_full_size() -> None:
    whole = draw(Scene({(0, 0): "1", (0, 1): "3", (1, 1): "4"}, seed=1))
    assert middle(whole).shape == (480, 640, 3)
    assert np.array_equal(middle(whole), middle(middle(whole)))
    slight = blurred(whole, 1)
    lost, lost_when_small = (
        1 - sharpness(part(slight)) / sharpness(part(whole)) for part in (middle, lambda each: glimpse(each).pixels)
    )
    assert lost > lost_when_small > 0


def test_a_small_picture_is_its_own_middle() -> None:
    small = np.zeros((36, 64, 3), np.uint8)
    assert middle(small).shape == small.shape


def test_a_dimmer_lamp_is_not_a_blurred_picture(layout: Picture) -> None:
    dim = np.asarray(layout * 0.6, np.uint8)
    assert sharpness(dim) == pytest.approx(sharpness(layout), rel=0.05)


def test_it_is_the_mean_squared_gradient() -> None:
    grey = np.tile(np.arange(0, 200, 2, dtype=np.uint8), (50, 1))
    picture = np.repeat(grey[..., None], 3, axis=2)
    down, across = np.gradient(grey.astype(float))
    inner = ((8 * across) ** 2 + (8 * down) ** 2)[1:-1, 1:-1].mean()
    assert sharpness(picture) == pytest.approx(inner / grey.mean() ** 2 * 100, rel=0.03)


def test_white_over_a_fifth_of_the_picture_is_too_much() -> None:
    picture = np.full((100, 100, 3), 120, np.uint8)
    picture[:20] = 255
    assert not overexposed(picture)
    picture[20] = 255
    assert overexposed(picture)


def test_a_strong_colour_is_not_white() -> None:
    assert not overexposed(np.full((10, 10, 3), (255, 255, 0), np.uint8))
