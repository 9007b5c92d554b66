import cv2
import numpy as np
import pytest

from vision import quads, rectify
from vision.quads import Quads


def table(level: int = 90) -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.normal(level, 2, (600, 800, 3)).clip(0, 255).astype(np.uint8)


def with_card(image: np.ndarray, quad: Quads, level: int) -> np.ndarray:
    cv2.fillPoly(image, [np.rint(quad * 16).astype(np.int32)], (level,) * 3, cv2.LINE_AA, shift=4)
    return image


CARD = np.array([[300, 200], [420, 215], [410, 330], [290, 320]], np.float32)


@pytest.mark.parametrize("level", [230, 102, 40])
@pytest.mark.parametrize("shift", [(6, -5), (-8, 4), (0, 9)])
def test_the_four_edges_are_found(level: int, shift: tuple[int, int]) -> None:
    image = with_card(table(), CARD, level)
    corners, support = rectify.refined(rectify.Pyramid(image), (CARD + shift)[None].astype(np.float32))
    assert np.linalg.norm(corners[0] - CARD, axis=1).max() < 4
    assert support.min() > 0.3


def test_where_there_is_no_card_the_guess_stays() -> None:
    guess = CARD[None] + np.float32(3)
    corners, support = rectify.refined(rectify.Pyramid(table()), guess)
    assert np.array_equal(corners, guess)
    assert support.max() < 0.2


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
def test_a_crop_shows_the_card_in_its_place(scale: float) -> None:
    image = with_card(table(), CARD, 220)
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    quad = ((CARD + 0.5) * scale - 0.5).astype(np.float32)
    crop = rectify.Pyramid(image).crops(quad[None])[0].astype(int)
    margin = rectify.MARGIN_PX
    assert crop.shape == (64, 64, 3)
    assert (crop[margin + 2 : -margin - 2, margin + 2 : -margin - 2] > 200).all()
    assert (crop[: margin - 3] < 120).all()
    assert (crop[:, -margin + 3 :] < 120).all()


def test_no_cards_make_no_crops() -> None:
    assert rectify.Pyramid(table()).crops(np.empty((0, 4, 2), np.float32)).shape == (0, 64, 64, 3)
    corners, support = rectify.refined(rectify.Pyramid(table()), np.empty((0, 4, 2), np.float32))
    assert corners.shape == (0, 4, 2)
    assert support.shape == (0, 4)


def test_quads_stay_clockwise_after_refinement() -> None:
    image = with_card(table(), CARD, 220)
    corners, _ = rectify.refined(rectify.Pyramid(image), CARD[None])
    assert quads.areas(corners)[0] > 0
