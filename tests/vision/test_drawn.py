"""Drawn photographs are read as what they show, and show what a camera in one place would see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import GAP, UNKNOWN, Outcome, Spot
from vision.album import Album
from vision.camera import Camera
from vision.drawn import Arm, Scene, draw, place
from vision.drawncamera import DrawnCamera, put
from vision.drawncards import Surface
from vision.recognisers.cassa_grande import CassaGrandeReader

FOUR = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")


def laid(rows: tuple[str, ...], first: Spot = (0, 0)) -> dict[Spot, str]:
    """The cards of these rows, counted from the first card's place in them."""
    return {
        (row - first[0], column - first[1]): face
        for row, faces in enumerate(rows)
        for column, face in enumerate(faces)
        if face != GAP
    }


@pytest.fixture(scope="module")
def reader() -> CassaGrandeReader:
    return CassaGrandeReader()


@pytest.mark.parametrize(
    ("tilt_deg", "rows", "first", "surface"),
    [(0, FOUR, (5, 5), "wood"), (25, FOUR, (0, 0), "felt"), (40, FOUR, (2, 3), "wood"), (15, FOUR, (0, 5), "wood")],
)
def test_a_finished_layout_is_read_wherever_it_grew(
    reader: CassaGrandeReader, tilt_deg: float, rows: tuple[str, ...], first: Spot, surface: Surface
) -> None:
    scene = Scene(laid(rows, first), seed=7, tilt_deg=tilt_deg, roll_deg=4, surface=surface)
    reading = reader.read(draw(scene))
    assert (reading.outcome, reading.rows) == (Outcome.CLEAR, rows)


def test_a_wrong_card_is_drawn_wrong(reader: CassaGrandeReader) -> None:
    rows = ("21201,", *FOUR[1:])
    reading = reader.read(draw(Scene(laid(rows, (2, 2)), seed=3)))
    assert reading.outcome is Outcome.ASK


@pytest.mark.parametrize("side", range(4))
def test_a_hand_over_the_cards_never_makes_a_wrong_reading_clear(reader: CassaGrandeReader, side: int) -> None:
    scene = Scene(laid(FOUR, (3, 3)), seed=side, arm=Arm((0, 0), side))
    reading = reader.read(draw(scene))
    assert reading.outcome is not Outcome.CLEAR
    assert reader.read(draw(replace(scene, arm=None))).outcome is Outcome.CLEAR


def changed(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.asarray(cv2.absdiff(one, other).max(axis=2) > 0)


def test_a_card_that_lies_stays_while_others_come() -> None:
    scene = Scene({(0, 0): UNKNOWN, (0, 1): UNKNOWN}, seed=5, tilt_deg=30)
    before, after = draw(scene), draw(replace(scene, laid={**scene.laid, (2, 1): "3"}))
    rows, columns = np.nonzero(changed(before, after))
    assert 0 < np.ptp(rows) < 130
    assert 0 < np.ptp(columns) < 130


def test_a_knock_of_the_camera_moves_all_cards() -> None:
    scene = Scene(laid(FOUR, (3, 3)), seed=5)
    assert changed(draw(scene), draw(replace(scene, knocked_mm=8))).mean() > 0.3


@pytest.mark.parametrize("tilt_deg", [0, 20, 40])
def test_every_cell_that_the_layout_may_grow_to_is_in_view(tilt_deg: float) -> None:
    bare = Scene(seed=1, tilt_deg=tilt_deg, roll_deg=5, size=(640, 480))
    empty = draw(bare)
    for spot in ((-5, -5), (-5, 5), (5, -5), (5, 5)):
        difference = changed(empty, draw(replace(bare, laid={spot: "0"})))
        edge = np.concatenate([difference[0], difference[-1], difference[:, 0], difference[:, -1]])
        assert difference.sum() > 200
        assert not edge.any()


def test_cards_lie_by_hand_but_on_their_spots() -> None:
    scene = Scene(seed=2)
    quads = np.array([place(scene, (row, column)) for row in range(-5, 6) for column in range(-5, 6)])
    middles = quads.mean(axis=1).reshape(11, 11, 2)
    steps = np.diff(middles, axis=1)[..., 0]
    assert steps.std() > 0.5
    assert steps.min() > 50
    tops = quads[:, 1] - quads[:, 0]
    assert len(np.unique(np.round(np.arctan2(tops[:, 1], tops[:, 0]) / (np.pi / 2)) % 4)) == 4


def test_a_drawn_camera_sees_what_lies_there_now() -> None:
    table: dict[Spot, str] = {(0, 0): "1"}
    camera: Camera = DrawnCamera(lambda: Scene(dict(table), size=(640, 480)), clock=lambda: 5.0)
    camera.open()
    first, again = camera.grab(), camera.grab()
    assert (first.image.shape, first.at_s) == ((480, 640, 3), 5.0)
    noise = np.abs(first.image.astype(int) - again.image)
    assert 0 < noise.mean() < 6
    table[(0, 1)] = "4"
    assert np.abs(camera.grab().image.astype(int) - again.image).max() > 100
    camera.close()


def test_a_picture_is_put_into_a_folder_whole(tmp_path: Path) -> None:
    album, path = Album(tmp_path), tmp_path / "table.png"
    for face in "23":
        image = draw(Scene({(0, 0): face}, size=(320, 240)))
        put(image, path)
        assert list(tmp_path.iterdir()) == [path]
        assert np.array_equal(album.grab().image, image)


def test_a_picture_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    image = draw(Scene(size=(320, 240)))
    (tmp_path / ".table.png.part").mkdir()
    (tmp_path / "table.png").write_bytes(b"old")
    with pytest.raises(OSError, match="part"):
        put(image, tmp_path / "table.png")
    assert (tmp_path / "table.png").read_bytes() == b"old"
