"""Sheets of paper to be printed at true size: art laid on pages by millimetres, and written as PDF.

Pictures are (H, W, 3) uint8, BGR, at `DPI`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]

DPI = 300
MM_PER_INCH = 25.4

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm."""

MARGIN_MM = 10.0
"""Printers leave a rim white."""

GAP_MM = 4.0
"""Between two pieces, for the scissors."""

RULE_MM = 100.0
"""How long the line is by which people check the size."""

_FOOT_MM = 12.0


@dataclass(frozen=True, slots=True)
class Art:
    """One thing to be printed: its name and its picture at `DPI`."""

    name: str
    picture: Pixels

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        height, width = self.picture.shape[:2]
        return width * MM_PER_INCH / DPI, height * MM_PER_INCH / DPI


def px(mm: float) -> int:
    """Millimetres in pixels of a page, rounded."""
    return round(mm * DPI / MM_PER_INCH)


def pages(arts: Sequence[Art], paper: str, title: str) -> list[Pixels]:
    """The art in rows, in its order, on as many pages as it takes; each has a title and a line of `RULE_MM`.

    Raises: ValueError when a piece is larger than a page.
    """
    found: list[Pixels] = []
    width, height = (px(mm) for mm in PAPERS[paper])
    margin, gap, foot = px(MARGIN_MM), px(GAP_MM), px(_FOOT_MM)
    x = y = tall = 0
    for art in arts:
        high, wide = art.picture.shape[:2]
        if wide > width - 2 * margin or high > height - 2 * margin - foot:
            raise ValueError(f"{art.name} is larger than a page")
        if found and x + wide > width - margin:
            x, y, tall = margin, y + tall + gap, 0
        if not found or y + high > height - margin - foot:
            found.append(_blank(width, height, f"{title}  {len(found) + 1}"))
            x, y, tall = margin, margin, 0
        found[-1][y : y + high, x : x + wide] = art.picture
        x, tall = x + wide + gap, max(tall, high)
    return found


def write_pdf(sheets: Iterable[Pixels], path: Path) -> None:
    """Write pages as one PDF at true size. Raises: OSError."""
    first, *rest = [Image.fromarray(sheet[..., ::-1].copy()) for sheet in sheets]
    first.save(path, "PDF", resolution=DPI, save_all=True, append_images=rest)


def write_png(art: Art, path: Path) -> None:
    """Write one piece as a PNG that tells its resolution. Raises: OSError."""
    Image.fromarray(art.picture[..., ::-1].copy()).save(path, "PNG", dpi=(DPI, DPI))


def _blank(width: int, height: int, title: str) -> Pixels:
    page = np.full((height, width, 3), 255, np.uint8)
    left, low = px(MARGIN_MM), height - px(MARGIN_MM)
    right = left + px(RULE_MM)
    cv2.line(page, (left, low), (right, low), (0, 0, 0), 3)
    for end in (left, right):
        cv2.line(page, (end, low - px(2)), (end, low + px(2)), (0, 0, 0), 3)
    text = f"{RULE_MM:.0f} mm: print at 100 %    {title}"
    cv2.putText(page, text, (left, low - px(3)), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (0, 0, 0), 3, cv2.LINE_AA)
    return page
