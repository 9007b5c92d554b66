import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import locate, quads
from vision.quads import Quads

CARDS = np.array(
    [[[x, y], [x + 80, y + 6], [x + 74, y + 86], [x - 6, y + 80]] for y in (80, 190, 300) for x in (90, 200, 310, 420)],
    np.float32,
)


def table(card: int, ground: int, seed: int = 1) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    image = np.full((480, 640, 3), ground, np.uint8)
    cv2.fillPoly(image, list(CARDS.astype(np.int32)), (card,) * 3, cv2.LINE_AA)
    for x, y in quads.centres(CARDS):
        cv2.putText(image, "2", (int(x) - 12, int(y) + 14), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (90, 40, 30), 4)
    return np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def found(candidates: Quads) -> int:
    """How many of the cards have a candidate within a tenth of a side."""
    far = np.linalg.norm(quads.centres(CARDS)[:, None] - quads.centres(candidates)[None], axis=2)
    size = np.abs(np.log(quads.sides(candidates)[None] / quads.sides(CARDS)[:, None]))
    return int(((far < 8) & (size < 0.15)).any(axis=1).sum())


@pytest.mark.parametrize(("card", "ground"), [(235, 60), (235, 205), (60, 150), (30, 240)])
def test_masks_show_cards_lighter_and_darker_than_the_table(card: int, ground: int) -> None:
    image = table(card, ground)
    merged = locate.merged([locate.outlines(mask) for mask in locate.masks(image)], np.empty((0, 4, 2), np.float32))
    assert found(merged.quads) == len(CARDS)
    assert not merged.seen.any()


def test_an_empty_picture_has_no_candidates() -> None:
    blank = np.full((300, 400, 3), 128, np.uint8)
    merged = locate.merged([locate.outlines(mask) for mask in locate.masks(blank)], CARDS[:0])
    assert len(merged) == 0


def test_the_same_shape_is_one_candidate_with_votes() -> None:
    nudged = CARDS + np.float32(2)
    merged = locate.merged([CARDS, nudged, np.roll(nudged, 1, axis=1)], CARDS[:0])
    assert len(merged) == len(CARDS)
    assert (merged.votes == 3).all()
    assert found(merged.quads) == len(CARDS)


def test_a_border_inside_a_card_is_a_candidate_of_its_own() -> None:
    middle = CARDS.mean(axis=1, keepdims=True)
    merged = locate.merged([CARDS, (CARDS - middle) * 0.8 + middle], CARDS[:0])
    assert len(merged) == 2 * len(CARDS)


def test_the_finder_keeps_what_it_saw_and_adds_what_no_mask_showed() -> None:
    cloth = CARDS[:6] + np.float32(50)
    masked = locate.merged([CARDS[:8], cloth], CARDS)
    joined = locate.joined(masked, CARDS)
    assert found(joined.quads) == len(CARDS)
    assert len(joined) == len(CARDS)
    assert joined.seen.all()
    assert sorted(joined.votes) == [2] * 4 + [3] * 8


def test_large_pictures_are_worked_on_small() -> None:
    small, factor = locate.working_copy(np.zeros((3000, 4000, 3), np.uint8))
    assert small.shape == (750, 1000, 3)
    assert factor == pytest.approx(4)
    same, one = locate.working_copy(np.zeros((300, 400, 3), np.uint8))
    assert same.shape == (300, 400, 3)
    assert one == 1


def test_the_locator_finds_cards_in_every_attempt() -> None:
    image = cv2.resize(table(235, 90), None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
    attempts = list(locate.Locator().attempts(np.asarray(image, np.uint8)))
    assert 3 <= len(attempts) <= 4
    for candidates in attempts:
        assert found(candidates.quads / np.float32(2.5)) >= len(CARDS) - 1
