"""Platforms taught by photograph: sheets that are drawn here, under other light, turns and cameras."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.casa_grande import box
from companion.games.casa_grande.pieces import Footprint, Piece, ways
from vision import markers
from vision.drawnplatforms import platform
from vision.recognisers import platforms

Pixels = NDArray[np.uint8]

PITCH_MM = 17.2
SCALE = 6.0
"""Pixels a millimetre of the sheet as it is drawn."""


@dataclass(frozen=True)
class Shot:
    """How a sheet is photographed."""

    seed: int = 0
    tilt_deg: float = 10.0
    width: int = 1920
    warm: float = 0.0
    slope: float = 0.15
    noise: float = 2.0
    blur: float = 0.8
    colour: str = "orange"
    paper: tuple[int, int, int] = (244, 246, 246)


def sheet(pieces: list[Piece], shot: Shot) -> Pixels:
    """An A4 sheet with the marker and pieces in any turn, from straight above."""
    rng = np.random.default_rng(shot.seed)
    page = np.full((round(297 * SCALE), round(210 * SCALE), 3), shot.paper, np.uint8)
    page = np.clip(page + rng.normal(0, 2, page.shape), 0, 255).astype(np.uint8)
    side = round(markers.SCALE_MM * SCALE)
    at = round(12 * SCALE)
    page[at : at + side, at : at + side] = markers.drawn(markers.SCALE, side)[..., None]
    places = [(150, 50), (50, 130), (150, 130), (50, 205), (150, 205), (100, 262)]
    for piece, (x, y) in zip(pieces, places, strict=False):
        art = platform(piece.squares, piece.marked, shot.colour, round(PITCH_MM * SCALE))
        lay(page, art, (x * SCALE, y * SCALE), rng.uniform(0, 360))
    return page


def lay(page: Pixels, art: Pixels, at: tuple[float, float], angle: float) -> None:
    high, wide = art.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), angle, 1.0)
    turn[:, 2] += np.array(at) - (wide / 2, high / 2)
    size = page.shape[1], page.shape[0]
    solid = (np.any(art != 255, axis=2) * np.uint8(255)).astype(np.uint8)
    solid = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
    mask = cv2.warpAffine(solid, turn, size)[..., None] / 255.0
    shadow = cv2.GaussianBlur(np.roll(mask[..., 0], (10, 8), (0, 1)), (0, 0), 8)[..., None]
    page[:] = page * (1 - 0.35 * shadow * (1 - mask))
    page[:] = (1 - mask) * page + mask * cv2.warpAffine(art, turn, size)


def photographed(page: Pixels, shot: Shot) -> Pixels:
    rng = np.random.default_rng(shot.seed + 1)
    width, height = shot.width, shot.width * 3 // 4
    lean = np.tan(np.radians(shot.tilt_deg)) * 0.18
    corners = np.array([(0.22 + lean, 0.05), (0.78 - lean, 0.05), (0.82, 0.95), (0.18, 0.95)]) * (width, height)
    page_high, page_wide = page.shape[:2]
    source = np.array([(0, 0), (page_wide, 0), (page_wide, page_high), (0, page_high)], np.float32)
    if shot.seed % 2:
        corners = np.roll(corners, 2, axis=0)
    view = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    table = np.full((height, width, 3), (52, 74, 96), np.uint8)
    table = np.clip(table + rng.normal(0, 12, (height, width, 1)), 0, 255).astype(np.uint8)
    picture = cv2.warpPerspective(
        page, view, (width, height), dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    light = 1 - shot.slope * np.linspace(0, 1, width)[None, :, None] * np.linspace(0.6, 1, height)[:, None, None]
    tint = np.array([1 - 0.25 * shot.warm, 1 - 0.06 * shot.warm, 1.0])
    lit = cv2.GaussianBlur(picture * light * tint, (0, 0), shot.blur) + rng.normal(0, shot.noise, picture.shape)
    _ok, coded = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def all_pieces() -> list[Piece]:
    return list(box.load().pieces)


def same(seen: platforms.SeenPiece, piece: Piece) -> bool:
    return Footprint(seen.squares, seen.marked) in ways(replace(piece, flippable=False))


SHOTS = [
    Shot(2, tilt_deg=24),
    Shot(3, colour="gray", warm=1.0),
    Shot(4, colour="beige", warm=0.6, slope=0.3),
    Shot(5, colour="purple", tilt_deg=20, noise=5.0),
    Shot(7, width=1400, colour="orange"),
    Shot(8, colour="gray", slope=0.4, paper=(225, 235, 240)),
]


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: f"{shot.seed}-{shot.colour}")
def test_every_piece_is_told_or_asked_about(shot: Shot) -> None:
    pieces = all_pieces()
    chosen = [pieces[(shot.seed + step) % len(pieces)] for step in range(6)]
    seen = platforms.read(photographed(sheet(chosen, shot), shot), PITCH_MM)
    assert seen.reason is None
    certain = [piece for piece in seen.pieces if not piece.doubtful]
    unmatched = list(chosen)
    for piece in certain:
        match = next((wanted for wanted in unmatched if same(piece, wanted)), None)
        assert match is not None, "a piece that is not there was told as certain"
        unmatched.remove(match)
    assert len(certain) >= 5
    assert len(seen.pieces) == 6


def test_without_the_marker_nothing_is_read() -> None:
    picture: Any = np.full((600, 800, 3), 230, np.uint8)
    seen = platforms.read(picture, PITCH_MM)
    assert (seen.pieces, seen.picture) == ((), None)
    assert seen.reason is not None
    assert "scale marker" in seen.reason


def test_an_empty_sheet_has_no_piece() -> None:
    seen = platforms.read(photographed(sheet([], Shot(11)), Shot(11)), PITCH_MM)
    assert seen.pieces == ()
    assert seen.reason is not None
    assert "No piece" in seen.reason
