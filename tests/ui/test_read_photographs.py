"""`companion read` with the real eye: the sample photograph, and pictures that show no finished layout."""

from __future__ import annotations

import json
from importlib.resources import as_file, files
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from ui.main import main

SAMPLE = {
    "rows": ["4.,202", ".0.012", "2.,2,4", "0241,3", "103020", "032134"],
    "totals": {"A": 135401, "B": 426410, "C": 451950, "D": 505294},
}


@pytest.fixture(scope="module")
def sample() -> NDArray[np.uint8]:
    with as_file(files("ui") / "samples" / "oak-table.jpg") as path:
        return np.asarray(cv2.imread(str(path)), np.uint8)


def answer(
    image: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str], *options: str
) -> tuple[int, dict[str, object]]:
    """Exit status and the one JSON object for this picture; nothing may be said on standard error."""
    path = tmp_path / "photo.jpg"
    assert cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    status = main(["read", "cassa-grande", str(path), "--json", *options])
    out, err = capfd.readouterr()
    assert err == ""
    shown: dict[str, object] = json.loads(out)
    return status, shown


def expect_no_total(status: int, shown: dict[str, object], outcomes: tuple[str, ...] = ("unreadable",)) -> None:
    assert status == 3
    assert shown["outcome"] in outcomes
    assert shown["totals"] is None
    assert isinstance(shown["reason"], str)
    assert shown["reason"].endswith(".")


def test_the_sample_is_read(sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, shown = answer(sample, tmp_path, capfd)
    assert (status, shown["outcome"], shown["doubtful"], shown["reason"]) == (0, "clear", [], None)
    assert {key: shown[key] for key in SAMPLE} == SAMPLE


@pytest.mark.parametrize(("turns", "seats"), [(1, "BCDA"), (2, "CDAB"), (3, "DABC")])
def test_whoever_sits_at_the_bottom_is_seat_a(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str], turns: int, seats: str
) -> None:
    # Turned anticlockwise, the picture's left side comes to the bottom.
    status, shown = answer(np.ascontiguousarray(np.rot90(sample, turns)), tmp_path, capfd)
    totals = SAMPLE["totals"]
    assert isinstance(totals, dict)
    assert (status, shown["totals"]) == (0, {seat: totals[was] for seat, was in zip("ABCD", seats, strict=True)})


def test_a_photograph_turned_by_exif_is_read_upright(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = Image.fromarray(np.ascontiguousarray(np.rot90(sample)[..., ::-1]))
    stored.save(tmp_path / "turned.jpg", quality=92, exif=exif)
    assert main(["read", "cassa-grande", str(tmp_path / "turned.jpg"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["totals"] == SAMPLE["totals"]


def test_the_annotated_picture_is_written(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert answer(sample, tmp_path, capfd, "--out", str(tmp_path / "out"))[0] == 0
    assert cv2.imread(str(tmp_path / "out" / "photo.annotated.jpg")) is not None


def test_a_picture_without_cards(sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bare = np.ascontiguousarray(sample[:, :300])
    plain = np.full((600, 800, 3), 90, np.uint8)
    noise = np.random.default_rng(3).integers(0, 255, (600, 800, 3), np.uint8)
    for image in (bare, plain, noise):
        expect_no_total(*answer(image, tmp_path, capfd))


def test_two_layouts_in_one_picture(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table = sample[:, 330:1560]
    expect_no_total(*answer(np.hstack([table, table]), tmp_path, capfd))


@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
def test_a_layout_cut_off_by_the_pictures_edge(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str], edge: str
) -> None:
    cut = {"left": sample[:, 500:], "right": sample[:, :1400], "top": sample[300:], "bottom": sample[:1200]}[edge]
    expect_no_total(*answer(np.ascontiguousarray(cut), tmp_path, capfd))


def test_a_layout_of_seven_columns(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # The rectified sample, with its first column laid once more at its right.
    pitch = 150
    box = np.array([[387, 236], [1465, 107], [1539, 1346], [367, 1304]], np.float32)
    side = 6 * pitch
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    layout = cv2.warpPerspective(sample, cv2.getPerspectiveTransform(box, flat), (side, side))
    picture = np.zeros((side + 2 * pitch, side + 3 * pitch, 3), np.uint8)
    picture[:] = np.median(sample[:, :300].reshape(-1, 3), axis=0)
    picture[pitch : pitch + side, pitch : pitch + side] = layout
    picture[pitch : pitch + side, pitch + side : 2 * pitch + side] = layout[:, 3 * pitch : 4 * pitch]
    expect_no_total(*answer(picture, tmp_path, capfd), ("unreadable", "ask"))


def test_a_growing_layout_is_never_clear_by_itself(
    sample: NDArray[np.uint8], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # The first row and column of cards are taken away: the table's colour lies over them.
    growing = sample.copy()
    growing[:, :590] = np.median(sample[:, :300].reshape(-1, 3), axis=0)
    expect_no_total(*answer(growing, tmp_path, capfd), ("unreadable", "ask"))
