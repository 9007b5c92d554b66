"""Platforms of Casa Grande that lie on a sheet of paper beside the scale marker: their squares, and which are marked.

Each piece is turned upright by the directions of its own edges, its outline is laid on the grid of squares, and each
square is looked at: a hole differs from the piece in its middle, a frame round it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.language import _
from companion.sight import Spot
from vision.sheet import PX_PER_MM, Mask, Pixels, rectified

CELL = 48
"""Pixels along a square of an upright piece."""

LEAST_SQUARES, MOST_SQUARES = 0.6, 16.5
"""What is smaller or larger than so many squares is no piece."""

COVERED = (0.3, 0.7)
"""A square covered less than this is none, more is one; between, it cannot be told."""

OFF_GRID = 0.3
"""A piece whose sides are off whole squares by more than this, in squares, cannot be told."""

SLACK = 14
"""So many pixels of a cell the outline may be moved."""

STRETCHES = (0.95, 0.97, 0.985, 1.0, 1.015)

CLEAR_EDGES = 1.0
"""A piece's outline is sharper than this (CIE L*a*b* a pixel of a cell), or it cannot be told."""

SEEN, CLEARER = 7.0, 1.5
"""A hole or frame differs by so much from the piece (CIE L*a*b*), and this many times more than the other."""

_BANDS = ((0.17, 0.25), (0.22, 0.3), (0.27, 0.35), (0.32, 0.4))
"""Where a frame may run, from the middle of a square, in its sides."""

_CORNERS = 0.41
"""Beyond this, both ways, a square shows the piece itself."""

_MIDDLE = 0.12


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece as it lies: squares and marked ones, (row, column) from its own top left.

    `doubtful` are squares of which it cannot be told whether they are there, or marked. `outline` is its place in
    the rectified picture, px: x, y, width, height.
    """

    squares: tuple[Spot, ...]
    marked: tuple[Spot, ...]
    doubtful: tuple[Spot, ...]
    outline: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SeenSheet:
    """All pieces of one photograph, largest first; `reason` says what to do when nothing could be read.

    `picture` is the sheet from straight above, or None.
    """

    pieces: tuple[SeenPiece, ...] = ()
    picture: Pixels | None = None
    reason: str | None = None


def read(image: Pixels, pitch_mm: float) -> SeenSheet:
    """Read one photograph, (H, W, 3) uint8 BGR; squares are about `pitch_mm` wide."""
    sheet = rectified(image)
    if sheet is None:
        return SeenSheet(reason=_("The scale marker is not seen: lay it flat on the sheet, all of it in the picture."))
    square = (pitch_mm * PX_PER_MM) ** 2
    things = [mask for mask in sheet.things if LEAST_SQUARES < np.count_nonzero(mask) / square < MOST_SQUARES]
    if not things:
        return SeenSheet((), sheet.picture, _("No piece is seen: lay them on white paper, apart from each other."))
    upright = [_upright(sheet.picture, mask) for mask in things]
    pitch = _pitch(upright, pitch_mm * PX_PER_MM)
    pieces = [_piece(piece, pitch, thing) for piece, thing in zip(upright, things, strict=True)]
    return SeenSheet(tuple(pieces), sheet.picture)


@dataclass(frozen=True, slots=True)
class _Upright:
    """A piece turned so that its edges run along the picture's, with some paper round it; `box` is that of its mask."""

    picture: Pixels
    mask: Mask
    box: tuple[int, int, int, int]


def _upright(picture: Pixels, mask: Mask) -> _Upright:
    contour = max(cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea)
    (x, y), _size, _angle = cv2.minAreaRect(contour)
    turn = np.asarray(cv2.getRotationMatrix2D((x, y), _edge_angle(np.asarray(contour, np.int32)), 1.0), np.float64)
    _x, _y, width, height = cv2.boundingRect(contour)
    side = int(1.1 * np.hypot(width, height)) + 40
    turn[:, 2] += side / 2 - np.array([x, y])
    turned = np.asarray(cv2.warpAffine(mask, turn, (side, side), flags=cv2.INTER_LINEAR), np.uint8)
    edge = cv2.BORDER_REPLICATE
    shown = np.asarray(cv2.warpAffine(picture, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=edge), np.uint8)
    return _Upright(shown, turned, _box(np.where(turned > 127, np.uint8(255), np.uint8(0))))


def _edge_angle(contour: NDArray[np.int32]) -> float:
    """By how many degrees the piece is turned, of 90: the direction in which its outline is narrowest in sum.

    The outline's projections on both axes are sharpest when its edges run along them.
    """
    points = contour.reshape(-1, 2) - contour.reshape(-1, 2).mean(axis=0)

    def sharpness(angle: float) -> float:
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turned = points @ np.array([[c, -s], [s, c]])
        return float(sum((np.histogram(turned[:, axis], _bins(turned[:, axis]))[0] ** 2).sum() for axis in (0, 1)))

    coarse = max(np.arange(0, 90, 1.0), key=sharpness)
    return float(max(np.arange(coarse - 1, coarse + 1.01, 0.1), key=sharpness))


def _bins(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.arange(np.floor(values.min()) - 1, np.ceil(values.max()) + 2, 1.5)


def _pitch(pieces: list[_Upright], expected: float) -> float:
    """The width of a square in px: near the expected one, where most sides are whole squares."""
    sides = np.array([side for piece in pieces for side in piece.box[2:]], np.float64)

    def misfit(pitch: float) -> float:
        squares = sides / pitch
        return float(np.median(np.abs(squares - np.rint(squares)) / np.maximum(1, squares)))

    tried = expected * np.arange(0.88, 1.121, 0.005)
    return float(min(tried, key=lambda pitch: misfit(pitch) + 0.02 * abs(pitch / expected - 1)))


def _piece(piece: _Upright, pitch: float, thing: Mask) -> SeenPiece:
    _x, _y, width, height = piece.box
    high, wide = max(1, round(height / pitch)), max(1, round(width / pitch))
    off_grid = max(abs(width / pitch - wide), abs(height / pitch - high)) > OFF_GRID
    cells, covered, fit = _aligned(piece, pitch, (high, wide))
    shares = {spot: float(_cell(covered, spot).mean()) / 255 for spot in np.ndindex(high, wide)}
    squares = tuple(spot for spot, share in shares.items() if share > 0.5)
    doubtful = {spot for spot, share in shares.items() if COVERED[0] < share < COVERED[1]}
    lab = cv2.cvtColor(cells.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    base = np.median(np.concatenate([_cell(lab, spot)[_corner_area()] for spot in squares]), axis=0)
    marked = []
    for spot in squares:
        told = _is_marked(np.linalg.norm(_cell(lab, spot) - base, axis=2))
        if told is None:
            doubtful.add(spot)
        elif told:
            marked.append(spot)
    if off_grid or not marked or fit < CLEAR_EDGES:
        doubtful |= set(squares)
    return SeenPiece(squares, tuple(marked), tuple(sorted(doubtful)), _box(thing))


def _aligned(piece: _Upright, pitch: float, size: tuple[int, int]) -> tuple[Pixels, Mask, float]:
    """The piece's squares as cells of `CELL` px, their mask, and how clear the edges are that they were laid on.

    The mask tells which squares there are; a shadow beside the piece belongs to it too, so the squares' common outline
    is then moved and stretched until it runs along the sharpest edges.
    """
    best: tuple[float, Pixels, Mask] | None = None
    for stretch in STRETCHES:
        zoom = CELL / (pitch * stretch)
        picture = cv2.resize(piece.picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(piece.mask, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        high, wide = size[0] * CELL, size[1] * CELL
        left = round((piece.box[0] + piece.box[2] / 2) * zoom - wide / 2)
        top = round((piece.box[1] + piece.box[3] / 2) * zoom - high / 2)
        outline = _outline(np.asarray(mask[top : top + high, left : left + wide], np.uint8), size)
        near = _edges(picture)[top - SLACK : top + high + SLACK, left - SLACK : left + wide + SLACK]
        if near.shape != (high + 2 * SLACK, wide + 2 * SLACK) or not outline.any():
            continue
        scores = cv2.matchTemplate(near, outline, cv2.TM_CCORR) / outline.sum()
        _least, most, _where, (right, down) = cv2.minMaxLoc(scores)
        if best is None or most > best[0]:
            y, x = top - SLACK + down, left - SLACK + right
            box = slice(y, y + high), slice(x, x + wide)
            best = float(most), np.asarray(picture[box], np.uint8), np.asarray(mask[box], np.uint8)
    if best is None:
        empty = np.zeros((size[0] * CELL, size[1] * CELL), np.uint8)
        return np.dstack([empty] * 3), empty, 0.0
    return best[1], best[2], best[0]


def _outline(mask: Mask, size: tuple[int, int]) -> NDArray[np.float32]:
    """The outer edges of the squares that a mask mostly covers."""
    inside = np.zeros((size[0] * CELL, size[1] * CELL), np.uint8)
    for row, column in np.ndindex(*size):
        cell = (slice(row * CELL, (row + 1) * CELL), slice(column * CELL, (column + 1) * CELL))
        inside[cell] = 255 if mask[cell].size and mask[cell].mean() > 127 else 0
    rim = cv2.dilate(inside, np.ones((3, 3), np.uint8)) - cv2.erode(inside, np.ones((3, 3), np.uint8), borderValue=0)
    return (rim > 0).astype(np.float32)


def _edges(picture: cv2.typing.MatLike) -> NDArray[np.float32]:
    """How sharply the colour changes at each pixel, CIE L*a*b* a pixel."""
    lab = cv2.GaussianBlur(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), (0, 0), 1.2)
    across, down = (cv2.Scharr(lab, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt((across**2 + down**2).sum(axis=2)), np.float32)


def _is_marked(differs: NDArray[np.float32]) -> bool | None:
    """Whether a square has a frame rather than a hole; None when it cannot be told."""
    away, middle = _distances()
    hole = float(np.median(differs[middle < _MIDDLE]))
    frame = max(float(np.percentile(differs[(away > low) & (away < high)], 30)) for low, high in _BANDS)
    if max(hole, frame) < SEEN or max(hole, frame) < CLEARER * min(hole, frame):
        return None
    return frame > hole


def _distances() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each pixel of a square is from its middle, in its sides: along the further axis, and straight."""
    line = (np.arange(CELL) + 0.5) / CELL - 0.5
    x, y = np.meshgrid(line, line)
    return np.maximum(np.abs(x), np.abs(y)), np.hypot(x, y)


def _corner_area() -> NDArray[np.bool_]:
    line = np.abs((np.arange(CELL) + 0.5) / CELL - 0.5)
    x, y = np.meshgrid(line, line)
    return np.asarray((x > _CORNERS) & (y > _CORNERS) & (np.maximum(x, y) < 0.48))


def _cell(cells: NDArray[np.generic], spot: Spot) -> NDArray[np.generic]:
    row, column = spot
    return cells[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]


def _box(mask: Mask) -> tuple[int, int, int, int]:
    x, y, width, height = cv2.boundingRect(mask)
    return int(x), int(y), int(width), int(height)
