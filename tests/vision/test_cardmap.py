"""The card finder: its decoding on maps made by hand, and its network on plain scenes."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cardmap import EROSION, STRIDE, CardFinder, CardMaps, Quad, decode
from vision.network import ModelError
from vision.training.deals import Deal
from vision.training.placing import place

SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def made_maps(quads: list[Quad], scale: float = 4.0) -> CardMaps:
    """What a perfect network would give for quads in the network's picture."""
    fine = np.zeros((480, 640), np.float32)
    centre = np.zeros((120, 160), np.float32)
    for quad in quads:
        warp = cv2.getPerspectiveTransform(SQUARE, quad)
        inner = cv2.perspectiveTransform((SQUARE * (1 - 2 * EROSION) + EROSION)[None], warp)[0]
        cv2.fillConvexPoly(fine, np.round(inner * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        x, y = (quad.mean(axis=0) / STRIDE).astype(int)
        centre[y, x] = 1
    interior = cv2.resize(fine, (160, 120), interpolation=cv2.INTER_AREA)
    return CardMaps(interior, np.asarray(cv2.GaussianBlur(centre, (9, 9), 1.5) * 12, np.float32), scale)


def card(x: float, y: float, side: float, degrees: float) -> Quad:
    """A square card's corners, clockwise."""
    return np.asarray(cv2.boxPoints(((x, y), (side, side), degrees)), np.float32)


def nearest_error(found: list[tuple[Quad, float]], wanted: Quad) -> float:
    """The mean corner distance of the best candidate, as a share of the side."""
    side = float(np.sqrt(cv2.contourArea(wanted)))
    turns = (np.roll(quad, k, axis=0) for quad, _ in found for k in range(4))
    return min(float(np.linalg.norm(quad - wanted, axis=1).mean()) for quad in turns) / side


@pytest.mark.parametrize(("side", "allowed"), [(28, 0.12), (60, 0.06), (200, 0.04)])
@pytest.mark.parametrize("degrees", [0, 13, 38, 71])
def test_a_square_is_grown_back_to_its_full_size(side: float, allowed: float, degrees: float) -> None:
    wanted = card(301, 222, side, degrees)
    found = decode(made_maps([wanted]))
    assert len(found) == 1
    assert nearest_error(found, wanted) < allowed
    assert cv2.contourArea(found[0][0], oriented=True) > 0


def test_a_card_seen_at_a_slant_keeps_its_four_sides() -> None:
    wanted = np.array([[240, 150], [380, 155], [420, 290], [205, 280]], np.float32)
    assert nearest_error(decode(made_maps([wanted])), wanted) < 0.05


def test_touching_cards_are_two() -> None:
    cards = [card(200 + 60 * k, 200, 60, 0) for k in range(4)]
    found = decode(made_maps(cards))
    assert len(found) == 4
    assert max(nearest_error(found, wanted) for wanted in cards) < 0.08


def test_a_region_with_two_middles_is_two_cards() -> None:
    cards = [card(200, 200, 80, 0), card(270, 200, 80, 0)]
    maps = made_maps(cards)
    maps.interior[46:54, 50:68] = 1
    assert len(decode(maps)) == 2


def test_nothing_is_found_on_an_empty_map() -> None:
    assert decode(made_maps([])) == []


def test_quads_are_given_in_pixels_of_the_whole_picture() -> None:
    wanted = card(300, 200, 90, 20)
    found = decode(made_maps([wanted], scale=12.0))
    assert nearest_error(found, (wanted + 0.5) * 3 - 0.5) < 0.05


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nothing\.onnx"):
        CardFinder(tmp_path / "nothing.onnx")


@pytest.fixture(scope="module")
def finder() -> CardFinder:
    """The finder with the model of this project."""
    return CardFinder()


def scene_of_white_cards(size: tuple[int, int], table: int) -> tuple[NDArray[np.uint8], list[Quad]]:
    """White cards with a black 2 on a flat grey table, laid as a block of nine, and their corners."""
    faces: list[list[str | None]] = [["2"] * 3 for _ in range(3)]
    placed = place(np.random.default_rng(6), Deal("full5", faces, [["up"] * 3] * 3), size)
    picture = np.full((size[1], size[0], 3), table, np.uint8)
    face = np.full((192, 192, 3), 240, np.uint8)
    cv2.putText(face, "2", (50, 150), cv2.FONT_HERSHEY_SIMPLEX, 5, (20, 20, 20), 14)
    square = SQUARE * 192 - 0.5
    quads = [placed.camera.project(c.corners_mm).astype(np.float32) for c in placed.laid if c.spot is not None]
    for quad in quads:
        warp = cv2.getPerspectiveTransform(square, quad)
        cv2.warpPerspective(face, warp, size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(2).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), quads


@pytest.mark.parametrize("size", [(1280, 960), (960, 1280), (1280, 720), (900, 900)])
def test_cards_on_a_plain_table_are_found_in_any_frame(finder: CardFinder, size: tuple[int, int]) -> None:
    picture, quads = scene_of_white_cards(size, table=90)
    found = finder.candidates(picture)
    errors = [nearest_error(found, quad) for quad in quads]
    assert np.median(errors) < 0.12
    assert max(errors) < 0.25
    assert all(0 <= score <= 1 for _, score in found)


def test_maps_cover_the_picture(finder: CardFinder) -> None:
    picture, quads = scene_of_white_cards((960, 1280), table=60)
    maps = finder.maps(picture)
    assert maps.interior.shape == maps.centre.shape
    assert maps.interior.shape[0] * maps.scale == pytest.approx(1280, abs=maps.scale)
    assert maps.interior.shape[1] * maps.scale == pytest.approx(960, abs=maps.scale)
    x, y = (quads[4].mean(axis=0) / maps.scale).astype(int)
    assert maps.interior[y, x] > 0.5


def test_an_empty_table_holds_no_sure_card(finder: CardFinder) -> None:
    rng = np.random.default_rng(4)
    picture = np.clip(rng.normal(120, 4, (480, 640, 3)), 0, 255).astype(np.uint8)
    assert all(score < 0.5 for _, score in finder.candidates(picture))
