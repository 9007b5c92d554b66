"""`companion teach`: a photograph of cut-out platforms becomes a box profile that the program takes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.casa_grande import box
from companion.games.casa_grande.pieces import Piece
from companion.games.casa_grande.teaching import kinds
from ui.main import main
from vision import markers
from vision.drawnplatforms import platform

SCALE = 8.0
PLACES = [(150, 50), (50, 130), (150, 130), (50, 205), (150, 205), (100, 262)]


def photograph(pieces: list[Piece], path: Path, seed: int = 0) -> Path:
    """A sheet with these pieces in any turn, from straight above."""
    rng = np.random.default_rng(seed)
    page: NDArray[np.uint8] = np.full((round(297 * SCALE), round(210 * SCALE), 3), 240, np.uint8)
    side, at = round(markers.SCALE_MM * SCALE), round(12 * SCALE)
    page[at : at + side, at : at + side] = markers.drawn(markers.SCALE, side)[..., None]
    for piece, (x, y) in zip(pieces, PLACES, strict=False):
        art = platform(piece.squares, piece.marked, "purple", round(17.2 * SCALE))
        high, wide = art.shape[:2]
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), rng.uniform(0, 360), 1.0)
        turn[:, 2] += np.array([x, y]) * SCALE - (wide / 2, high / 2)
        size = page.shape[1], page.shape[0]
        page = np.minimum(page, cv2.warpAffine(art, turn, size, borderValue=(255, 255, 255))).astype(np.uint8)
    page = cv2.GaussianBlur(page, (0, 0), 1.0).astype(np.uint8)
    cv2.imwrite(str(path), cv2.copyMakeBorder(page, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(60, 80, 90)))
    return path


def test_photographs_become_a_profile_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pieces = {piece.name: piece for piece in box.load().pieces}
    one = photograph([pieces[name] for name in ("I3", "L4", "T5", "I3", "S4", "Q9")], tmp_path / "one.png", 1)
    two = photograph([pieces[name] for name in ("plus5", "O6", "I3", "P5")], tmp_path / "two.png", 2)
    mine = tmp_path / "mine.toml"
    assert main(["teach", "casa-grande", str(one), str(two), "--out", str(mine), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["doubtful"] == []
    counts = {piece["name"]: piece["count"] for piece in told["pieces"]}
    assert counts == {"I3": 3, "L4": 1, "T5": 1, "S4": 1, "Q9": 1, "plus5": 1, "O6": 1, "P5": 1}
    profile = box.load(mine)
    assert {known.piece.name: known.piece.squares for known in profile.known}["T5"] == pieces["T5"].squares
    assert {known.confidence for known in profile.known} == {"reported"}
    assert main(["print", "casa-grande", "--box", str(mine), "--out", str(tmp_path / "mine.pdf")]) == 0


def test_a_photograph_without_the_marker_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((600, 800, 3), 220, np.uint8))
    assert main(["teach", "casa-grande", str(bare), "--out", str(tmp_path / "mine.toml")]) == 3
    assert "scale marker" in capsys.readouterr().err
    assert not (tmp_path / "mine.toml").exists()


def test_a_file_that_is_no_photograph_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.jpg").write_text("no picture")
    assert main(["teach", "casa-grande", str(tmp_path / "x.jpg")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_equal_pieces_are_counted_and_mirror_images_are_kinds_of_their_own() -> None:
    s_shape = ((0, 1), (0, 2), (1, 0), (1, 1))
    turned = ((0, 0), (1, 0), (1, 1), (2, 1))
    mirrored = ((0, 0), (0, 1), (1, 1), (1, 2))
    found = kinds([(s_shape, ((0, 2), (1, 0))), (turned, ((0, 0), (2, 1))), (mirrored, ((0, 0), (1, 2)))])
    assert Counter(piece.count for piece in found) == {2: 1, 1: 1}
    assert [piece.name for piece in found] == ["S4a", "S4b"]
