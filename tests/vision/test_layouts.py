"""The synthetic photographs of layouts: their truth is what the picture shows."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.training import layouts
from vision.training.deals import DECK_OF_FOUR, DECK_OF_TWO, deal, totals
from vision.training.layouts import hidden_shares, main, random_scene
from vision.training.placing import place
from vision.training.tablecam import TableCamera
from vision.training.tables import SURFACES, random_table

WORKED_EXAMPLE = [
    ["1", "1", "2", "0", "1", ","],
    ["4", ",", None, "0", "0", None],
    ["0", "2", "2", "1", "0", "4"],
    ["2", "0", "0", "3", None, "2"],
    ["3", "2", ",", "2", "4", "3"],
    [None, "4", "0", "2", ",", "3"],
]


class PlainDeck:
    """White cards with a digit drawn by OpenCV: needs no typefaces."""

    corner_radius = 0.05
    drawn_by_hand = False

    def face(self, value: str, rng: np.random.Generator) -> NDArray[np.uint8]:
        """A digit on white, or a grey back."""
        card = np.full((192, 192, 3), 128 if value == "back" else rng.integers(235, 250), np.uint8)
        return np.asarray(cv2.putText(card, value[0], (50, 150), cv2.FONT_HERSHEY_SIMPLEX, 5, (0, 0, 0), 12), np.uint8)


def test_totals_of_the_worked_example() -> None:
    assert totals(WORKED_EXAMPLE) == {"A": 35344, "B": 15448, "C": 401567, "D": 230626}


@pytest.mark.parametrize(("kind", "deck", "side"), [("full6", DECK_OF_FOUR, 6), ("full5", DECK_OF_TWO, 5)])
def test_a_finished_layout_holds_exactly_the_deck(kind: str, deck: str, side: int) -> None:
    dealt = deal(np.random.default_rng(3), kind)
    cells = [cell for row in dealt.faces for cell in row]
    assert len(cells) == side * side
    assert sorted(cell for cell in cells if cell is not None) == sorted(deck)


@pytest.mark.parametrize("seed", range(20))
def test_a_growing_layout_hangs_together_within_the_frame(seed: int) -> None:
    dealt = deal(np.random.default_rng(seed), "progress6")
    spots = {(r, c) for r, row in enumerate(dealt.faces) for c, cell in enumerate(row) if cell is not None}
    assert len(dealt.faces) <= 6
    assert len(dealt.faces[0]) <= 6
    reached = {min(spots)}
    while grown := {s for s in spots - reached if any(max(abs(s[0] - r), abs(s[1] - c)) == 1 for r, c in reached)}:
        reached |= grown
    assert reached == spots
    assert any(cell == "?" for row in dealt.seen for cell in row)


def test_turning_the_table_passes_the_totals_round() -> None:
    dealt = deal(np.random.default_rng(5), "full6")
    before, after = totals(dealt.faces), totals(dealt.turned(1).faces)
    assert after == {"B": before["A"], "C": before["B"], "D": before["C"], "A": before["D"]}


@pytest.mark.parametrize("tilt", [0.0, 25.0, 45.0])
def test_the_camera_finds_its_way_back_to_the_table(tilt: float) -> None:
    camera = TableCamera(640, 480, 600.0, 700.0, tilt, 33.0, -12.0, (20.0, -30.0), -0.08, 0.008)
    points = np.random.default_rng(1).uniform(-150, 150, (50, 2))
    assert np.abs(camera.unproject(camera.project(points)) - points).max() < 0.5


def test_the_near_side_of_a_tilted_table_looks_larger() -> None:
    camera = TableCamera(640, 480, 600.0, 700.0, 40.0, 0.0, 0.0, (0.0, 0.0))
    far, near = (camera.project(np.array([[-50.0, y], [50.0, y]])) for y in (-100.0, 100.0))
    assert far[0, 1] < near[0, 1]
    assert np.ptp(far[:, 0]) < np.ptp(near[:, 0])


@pytest.mark.parametrize("seed", range(12))
def test_spots_and_seats_are_those_of_the_bottom_seat(seed: int) -> None:
    """Rows run down the picture and columns to the right, whatever way the camera is turned."""
    rng = np.random.default_rng(seed)
    placed = place(rng, deal(rng, "full6"), (640, 480))
    cards = [card for card in placed.laid if card.spot is not None]
    quads = np.stack([placed.camera.project(card.corners_mm) for card in cards])
    spots = np.array([card.spot for card in cards], float)
    middles = quads.mean(axis=1)
    step = np.linalg.lstsq(np.column_stack([spots, np.ones(len(spots))]), middles, rcond=None)[0]
    down, right = step[0], step[1]
    assert down[1] > abs(down[0]) * 0.5
    assert right[0] > abs(right[1]) * 0.5
    assert abs(placed.lean_deg) <= 45
    for card, quad in zip(cards, quads, strict=True):
        assert placed.deal.faces[card.spot[0]][card.spot[1]] == card.value  # type: ignore[index]
        head = quad[:2].mean(axis=0) - quad[2:].mean(axis=0)
        up = {"A": -down, "B": right, "C": down, "D": -right}[card.seat]
        assert head @ up > 0.6 * np.linalg.norm(head) * np.linalg.norm(up)
        assert cv2.contourArea(quad.astype(np.float32), oriented=True) > 0
    assert quads.min() >= 0
    assert (quads.max(axis=(0, 1)) < (640, 480)).all()


def test_a_scene_is_the_same_for_the_same_seed() -> None:
    first, second = (random_scene(np.random.default_rng(8), (320, 240), deck=PlainDeck()) for _ in range(2))
    assert np.array_equal(first.picture, second.picture)
    assert first.truth == second.truth


def test_the_label_shows_every_uncovered_card_where_its_quad_is() -> None:
    scene = random_scene(np.random.default_rng(11), (480, 360), deck=PlainDeck())
    assert scene.picture.shape == (360, 480, 3)
    for k, card in enumerate(scene.truth["cards"]):
        quad = np.array(card["corners_px"])
        occluded, covered = hidden_shares(scene.label, quad, k + 1)
        assert (occluded, covered) == pytest.approx((card["occluded"], card["covered"]), abs=0.02)
        if occluded + covered < 0.1:
            x, y = quad.mean(axis=0).round().astype(int)
            assert scene.label[y, x] == k + 1


def test_without_typefaces_the_generator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "find_typefaces", tuple)
    with pytest.raises(FileNotFoundError, match="typefaces"):
        random_scene(np.random.default_rng(1), (320, 240))


def test_the_command_writes_pictures_with_truth_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "find_typefaces", lambda: ("any",))
    monkeypatch.setattr(layouts, "random_deck", lambda *_: PlainDeck())
    monkeypatch.setattr(layouts, "SIZES", ((320, 240),))
    assert main(["--seed", "4", "--count", "1", "--out", str(tmp_path)]) == 0
    truth = json.loads((tmp_path / "layout_4_000.json").read_text())
    picture = cv2.imread(str(tmp_path / truth["image"]))
    assert picture is not None
    assert picture.shape[:2] == (truth["height"], truth["width"])
    assert len(truth["cards"]) == sum(cell is not None for row in truth["grid"] for cell in row)


@pytest.mark.parametrize("name", sorted(SURFACES))
def test_every_surface_fills_its_picture_and_varies(name: str) -> None:
    first, second = (SURFACES[name](np.random.default_rng(seed), (60, 90), 0.8) for seed in (1, 2))
    assert first.shape == (60, 90, 3)
    assert first.dtype == np.uint8
    assert not np.array_equal(first, second)


def test_a_table_has_the_size_asked_for_at_any_angle() -> None:
    for seed in range(12):
        table, name = random_table(np.random.default_rng(seed), (50, 120), 0.5)
        assert table.shape == (50, 120, 3)
        assert name in SURFACES
