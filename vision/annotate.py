"""The annotated picture: what was found and read, and each seat's total along its own side of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.sight import GAP, UNKNOWN, Outcome, Reading, Sighting, Spot

MAX_SIDE_PX = 1920
"""Larger photographs are drawn at this size: a picture to look at, not to measure."""

_QUARTER_TURNS_CLOCKWISE = {"A": 0, "B": 1, "C": 2, "D": 3}
"""So that a person at the bottom, left, top, right of the picture reads the writing upright."""

_BAND = (28, 24, 22)
_INK = (245, 245, 245)
_FAINT = (170, 165, 160)
_GRID = (255, 190, 60)
_SURE = (90, 200, 60)
_DOUBT = (0, 140, 255)

_Image = NDArray[np.uint8]


def annotate(image: _Image, reading: Reading, lines: Mapping[str, Sequence[int]]) -> _Image:
    """Draw a reading over its photograph, on dark bands for the seats that play.

    Args:
        image: (H, W, 3) uint8, BGR, upright.
        reading: its corners are in pixels of `image`.
        lines: for each seat ("A" to "D"), the values of its lines in its own order; the total is their sum.
            Empty when there is no total to show.

    Returns:
        A new (H', W', 3) uint8 BGR picture: the photograph, at most `MAX_SIDE_PX` long, framed by the bands.
    """
    scale = min(1.0, MAX_SIDE_PX / max(image.shape[:2]))
    canvas = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image.copy()
    canvas = np.asarray(canvas, np.uint8)
    if reading.sightings:
        nodes = _nodes_to_picture(reading.sightings, scale)
        _draw_grid(canvas, reading, nodes)
        _draw_cards(canvas, reading, nodes, scale)
    return _frame(canvas, reading, lines)


def group_digits(number: int) -> str:
    """A number for a person: groups of three with a thin space, since in this game a comma cuts a number."""
    return f"{number:,}".replace(",", "\N{THIN SPACE}")


def _draw_grid(canvas: _Image, reading: Reading, nodes: NDArray[np.float64]) -> None:
    """The box of the cards, and a small cross on every gap."""
    height, width = len(reading.rows), len(reading.rows[0])
    box = _project(nodes, [(0, 0), (width, 0), (width, height), (0, height)])
    cv2.polylines(canvas, [_fixed(box)], True, _GRID, _stroke(canvas), cv2.LINE_AA, _SHIFT)
    for row, symbols in enumerate(reading.rows):
        for column, symbol in enumerate(symbols):
            if symbol == GAP:
                x, y, arm = column + 0.5, row + 0.5, 0.08
                for slant in (-arm, arm):
                    tips = _project(nodes, [(x - arm, y - slant), (x + arm, y + slant)])
                    cv2.polylines(canvas, [_fixed(tips)], False, _GRID, _stroke(canvas), cv2.LINE_AA, _SHIFT)


def _draw_cards(canvas: _Image, reading: Reading, nodes: NDArray[np.float64], scale: float) -> None:
    """Each card's outline and reading; a doubtful place is ringed and carries a question mark."""
    places = {sighting.spot: np.asarray(sighting.corners, np.float64) * scale for sighting in reading.sightings}
    for spot, corners in places.items():
        colour = _DOUBT if spot in reading.doubtful else _SURE
        cv2.polylines(canvas, [_fixed(corners)], True, colour, _stroke(canvas), cv2.LINE_AA, _SHIFT)
    # A doubtful node where no card was made out has no outline, only a place.
    for row, column in set(reading.doubtful) - places.keys():
        box = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        places[row, column] = _project(nodes, box)
    for spot in reading.doubtful:
        _ring(canvas, places[spot])
    # The labels come last: a ring must not hide a neighbour's.
    for spot, corners in places.items():
        doubt = spot in reading.doubtful
        _label(canvas, corners, _symbol(reading, spot) + (UNKNOWN if doubt else ""), doubt)


def _symbol(reading: Reading, spot: Spot) -> str:
    row, column = spot
    symbol = reading.rows[row][column]
    return "" if symbol in (UNKNOWN, GAP) else symbol


def _ring(canvas: _Image, corners: NDArray[np.float64]) -> None:
    centre = corners.mean(axis=0)
    radius = 0.85 * float(np.linalg.norm(corners - centre, axis=1).mean())
    for colour, width in ((_BAND, 3), (_DOUBT, 2)):
        cv2.circle(canvas, _point(centre), _length(radius), colour, width * _stroke(canvas), cv2.LINE_AA, _SHIFT)


def _label(canvas: _Image, corners: NDArray[np.float64], text: str, doubt: bool) -> None:
    """The reading on a dark disc at the card's top left corner, where it hides none of the card's middle."""
    if not text:
        return
    centre = corners.mean(axis=0)
    radius = 0.19 * float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[3] - corners[0])) / 2
    low, high = np.full(2, radius), np.array(canvas.shape[1::-1]) - radius
    at = np.clip(corners[0] + 0.24 * (centre - corners[0]), low, np.maximum(low, high))
    cv2.circle(canvas, _point(at), _length(radius), _BAND, cv2.FILLED, cv2.LINE_AA, _SHIFT)
    cv2.circle(canvas, _point(at), _length(radius), _DOUBT if doubt else _SURE, _stroke(canvas), cv2.LINE_AA, _SHIFT)
    # A comma is the smallest of the faces and decides most: large, and low, lest it be taken for an apostrophe.
    size, drop = (2.4, 0.25) if text == "," else (1.2 if len(text) > 1 else 1.6, 0.0)
    _write(canvas, text, (float(at[0]), float(at[1]) + drop * radius), round(size * radius))


def _frame(canvas: _Image, reading: Reading, lines: Mapping[str, Sequence[int]]) -> _Image:
    """Put a band along every side: seats that play get their total, or the reason why there is none."""
    height, width = canvas.shape[:2]
    band = round(0.085 * min(height, width))
    framed = cv2.copyMakeBorder(canvas, band, band, band, band, cv2.BORDER_CONSTANT, value=_BAND)
    picture = Image.fromarray(cv2.cvtColor(np.asarray(framed, np.uint8), cv2.COLOR_BGR2RGB))
    for seat, turns in _QUARTER_TURNS_CLOCKWISE.items():
        length = width if turns % 2 == 0 else height
        strip = Image.new("RGB", (length, band), _BAND[::-1])
        if seat in lines:
            _write_total(strip, seat, lines[seat])
        elif seat == "A":
            _write_reason(strip, reading)
        strip = strip.rotate(-90 * turns, expand=True)
        far = (width + band, height + band)
        picture.paste(strip, {"A": (band, far[1]), "B": (0, band), "C": (band, 0), "D": (far[0], band)}[seat])
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR), np.uint8)


def _write_total(strip: Image.Image, seat: str, values: Sequence[int]) -> None:
    """One row: the seat's letter, its total, and the lines it is the sum of."""
    length, band = strip.size
    draw = ImageDraw.Draw(strip)
    total, addends = group_digits(sum(values)), "= " + " + ".join(map(group_digits, values))
    disc, space, big = 0.36 * band, 0.3 * band, _font(round(0.62 * band))
    room = 0.96 * length - 2 * disc - _text_width(draw, total, big) - 2 * space
    small = _fitting(draw, addends, round(0.30 * band), room)
    widths = (2 * disc, _text_width(draw, total, big), _text_width(draw, addends, small))
    x = (length - sum(widths) - 2 * space) / 2
    middle = band / 2
    draw.ellipse((x, middle - disc, x + 2 * disc, middle + disc), fill=_INK)
    draw.text((x + disc, middle), seat, font=_font(round(0.5 * band)), fill=_BAND[::-1], anchor="mm")
    x += widths[0] + space
    _draw_text(draw, (x, middle), total, big, _INK)
    x += widths[1] + space
    _draw_text(draw, (x, middle), addends, small, _FAINT[::-1])


def _write_reason(strip: Image.Image, reading: Reading) -> None:
    length, band = strip.size
    draw = ImageDraw.Draw(strip)
    text = reading.reason or ("Read." if reading.outcome is Outcome.CLEAR else "Please check the ringed cards.")
    font = _fitting(draw, text, round(0.34 * band), 0.94 * length)
    draw.text((length / 2, band / 2), text, font=font, fill=_INK, anchor="mm")


# Writing. OpenCV's own letters differ between its versions 4 and 5; Pillow's bundled font does not.


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(max(size, 4))
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType.")
    return font


def _fitting(draw: ImageDraw.ImageDraw, text: str, size: int, room: float) -> ImageFont.FreeTypeFont:
    """The font at this size, or smaller when the text would be wider than the room for it."""
    return _font(min(size, int(size * room / _text_width(draw, text, _font(size)))))


def _text_width(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont) -> float:
    parts = text.split("\N{THIN SPACE}")
    return sum(draw.textlength(part, font) for part in parts) + (len(parts) - 1) * font.size / 5


def _draw_text(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, font: ImageFont.FreeTypeFont, ink: tuple[int, ...]
) -> None:
    """Write from the left, centred in height. The font has no thin space, so the pen skips it."""
    x, y = at
    for part in text.split("\N{THIN SPACE}"):
        draw.text((x, y), part, font=font, fill=ink, anchor="lm")
        x += draw.textlength(part, font) + font.size / 5


def _write(canvas: _Image, text: str, centre: tuple[float, float], size: int) -> None:
    """Write a short text into the picture, in place, the middle of its ink at `centre`."""
    font = _font(size)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(text))
    width, height = right - left, bottom - top
    letters = Image.new("L", (width, height))
    ImageDraw.Draw(letters).text((-left, -top), text, font=font, fill=255)
    x, y = round(centre[0] - width / 2), round(centre[1] - height / 2)
    patch = canvas[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)]
    ink = np.asarray(letters, np.float32)[max(-y, 0) :, max(-x, 0) :][: patch.shape[0], : patch.shape[1], None] / 255
    patch[:] = np.round(patch * (1 - ink) + np.asarray(_INK, np.float32) * ink).astype(np.uint8)


# Geometry. OpenCV draws at fractions of a pixel when it is given fixed-point numbers.

_SHIFT = 4
_STEPS = 1 << _SHIFT


_CARD_CORNERS = 0.5 + 0.45 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
"""Where a card's corners lie in its grid unit: cards are laid with a little room between them."""


def _nodes_to_picture(sightings: Sequence[Sighting], scale: float) -> NDArray[np.float64]:
    """(3, 3) homography from grid units (column, row; a card's middle at .5) to the drawn picture's pixels.

    The corners, and not the middles, tell it: those of one card are enough, and cards in an L or a row bend nothing.
    """
    nodes = np.concatenate([_CARD_CORNERS + sighting.spot[::-1] for sighting in sightings])
    corners = np.concatenate([sighting.corners for sighting in sightings]) * scale
    homography, _ = cv2.findHomography(nodes, corners, 0)
    return np.asarray(homography, np.float64)


def _project(homography: NDArray[np.float64], points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(np.array([points], np.float64), homography)[0], np.float64)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * _STEPS), np.int32).reshape(-1, 1, 2)


def _point(point: NDArray[np.float64]) -> tuple[int, int]:
    return _length(float(point[0])), _length(float(point[1]))


def _length(pixels: float) -> int:
    return round(pixels * _STEPS)


def _stroke(canvas: _Image) -> int:
    return max(1, int(max(canvas.shape[:2])) // 640)
