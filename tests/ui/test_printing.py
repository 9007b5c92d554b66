"""Sheets to print: their sizes on paper, the art one by one, and bad usage."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.games.casa_grande import box
from ui.main import main
from ui.printing import SHEETS
from vision import markers, paper


@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("size", paper.PAPERS)
def test_a_pdf_has_pages_of_true_size(game: str, size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "sheets.pdf"
    assert main(["print", game, "--paper", size, "--out", str(target)]) == 0
    assert f"pages in {target}" in capsys.readouterr().out
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", target.read_bytes())
    assert len(boxes) >= 2
    for width, height in boxes:
        measured = float(width) * 25.4 / 72, float(height) * 25.4 / 72
        assert measured == pytest.approx(paper.PAPERS[size], abs=0.2)


def test_the_markers_and_the_line_on_the_page_are_as_large_as_they_say() -> None:
    page = paper.pages(list(SHEETS["casa-grande"](None)), "a4", "casa-grande")[0]
    mm = 25.4 / paper.DPI
    found = markers.found(page)
    assert set(found) == {markers.SCALE, *markers.CORNERS}
    sides = {number: float(np.linalg.norm(quad[1] - quad[0])) * mm for number, quad in found.items()}
    assert sides[markers.SCALE] == pytest.approx(markers.SCALE_MM, abs=0.2)
    assert sides[markers.CORNERS[0]] == pytest.approx(markers.CORNER_MM, abs=0.2)
    foot = page[-paper.px(paper.MARGIN_MM) - 1]
    dark = np.flatnonzero(foot.sum(axis=1) < 100)
    assert (dark[-1] - dark[0]) * mm == pytest.approx(paper.RULE_MM, abs=0.4)


def test_the_art_comes_one_by_one_with_an_index(tmp_path: Path) -> None:
    assert main(["print", "casa-grande", "--png", str(tmp_path)]) == 0
    index = json.loads((tmp_path / "index.json").read_text())
    pieces = {piece["name"]: piece for piece in index["pieces"]}
    assert len(pieces) == 5 + 4 * sum(piece.count for piece in box.load().pieces)
    plus = pieces["gray_plus5_1"]
    with Image.open(tmp_path / plus["file"]) as picture:
        assert picture.info["dpi"][0] == pytest.approx(index["dpi"], abs=0.1)
        assert picture.width * 25.4 / index["dpi"] == pytest.approx(3 * 17.2, abs=0.2)
    assert (plus["width_mm"], plus["height_mm"]) == pytest.approx((51.6, 51.6), abs=0.2)


def test_an_owners_pieces_are_printed_at_their_own_size(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    text = (Path(box.__file__).parent / "sample.toml").read_text().replace("pitch_mm = 17.2", "pitch_mm = 20.0")
    mine.write_text(text)
    assert main(["print", "casa-grande", "--box", str(mine), "--png", str(tmp_path / "art")]) == 0
    picture = cv2.imread(str(tmp_path / "art" / "gray_I3_1.png"))
    assert picture.shape[1] * 25.4 / paper.DPI == pytest.approx(60.0, abs=0.2)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--out", "/proc/none/sheets.pdf"], "cannot be used"),
        (["--box", "missing.toml"], "missing.toml"),
        (["--png", "/proc/none"], "cannot be used"),
    ],
)
def test_what_cannot_be_written_or_read_is_told_in_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "casa-grande", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert told in err


def test_a_piece_that_no_page_can_hold_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    shape = "#" * 5
    mine.write_text(
        f'game = "casa-grande"\nname = "x"\n[sizes]\npitch_mm = 60\n[[piece]]\nname = "I5"\nshape = ["{shape}"]\n'
    )
    assert main(["print", "casa-grande", "--box", str(mine), "--out", str(tmp_path / "x.pdf")]) == 2
    assert "larger than a page" in capsys.readouterr().err
