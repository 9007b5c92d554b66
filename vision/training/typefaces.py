"""Typefaces for the training decks: found on the machine, checked, split into seen and held-out families.

The Debian packages they come from are listed in `vision/models/digits.md`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]

FONT_FOLDERS = ("/usr/share/fonts", "/usr/share/texmf/fonts/opentype", "/usr/share/texlive/texmf-dist/fonts")
CHECKED = "01234,"
HELD_OUT_SHARE = 0.12
LIKENESS = 0.45
UNREADABLE = (
    "Emoji",
    "Symbol",
    "Dingbats",
    "Barcode",
    "Braille",
    "Keyrus",
    "Bars",
    "SixtyFour",
    "Math",
    "Fallback",
    "Ornaments",
    "Initials",
)


@dataclass(frozen=True, slots=True)
class Typeface:
    """One font file whose digits 0 to 4 and comma were checked."""

    path: Path

    @property
    def family(self) -> str:
        """The folder and the first word of the file's name: faces of one design share it."""
        return f"{self.path.parent.name}/{self.path.stem.split('-')[0].split('_')[0].rstrip('0123456789')[:10]}"

    @property
    def held_out(self) -> bool:
        """Whether the family is kept away from training; fixed by its name, so that every run agrees."""
        digest = hashlib.sha256(self.family.encode()).digest()
        return digest[0] < 256 * HELD_OUT_SHARE

    def mask(self, text: str, size: int) -> Mask:
        """`text` as coverage, (h, w) uint8, cut to its ink, with capital digits about `size` pixels high."""
        return _render(str(self.path), text, size)


@lru_cache(maxsize=4096)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def _raw(path: str, text: str, size: int) -> Mask:
    font = _font(path, size)
    left, top, right, bottom = font.getbbox(text)
    width, height = int(right - left) + 4, int(bottom - top) + 4
    picture = Image.new("L", (max(width, 1), max(height, 1)))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), text, fill=255, font=font)
    return cut_to_ink(np.asarray(picture, np.uint8))


def cut_to_ink(mask: Mask) -> Mask:
    """The smallest part of `mask` that holds all its ink; empty when there is none."""
    rows, cols = np.flatnonzero(mask.max(1, initial=0) > 40), np.flatnonzero(mask.max(0, initial=0) > 40)
    if not len(rows):
        return np.zeros((0, 0), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


@lru_cache(maxsize=8192)
def _em(path: str) -> float:
    """Pixels of digit height per point of size."""
    return float(np.median([_raw(path, digit, 100).shape[0] for digit in "0123"])) / 100


@lru_cache(maxsize=20000)
def _render(path: str, text: str, size: int) -> Mask:
    return _raw(path, text, max(6, round(size / _em(path))))


def _samples(path: Path) -> NDArray[np.float32] | None:
    """The digits 0 to 4 as (5, 400) pictures of zero mean and length 1; None when a digit or the comma will not do.

    Digits must be lining (all of one height) and the comma smaller than they are, with a tail.
    """
    try:
        masks = [_raw(str(path), text, 64) for text in CHECKED]
    except (OSError, ValueError):
        return None
    heights = [mask.shape[0] for mask in masks]
    if min(heights) < 5 or min(heights[:5]) < 20 or max(heights[:5]) > 1.22 * min(heights[:5]):
        return None
    if heights[5] > 0.6 * heights[0] or heights[5] < 1.25 * masks[5].shape[1] or max(m.shape[1] for m in masks) > 100:
        return None
    small = [cv2.resize(mask, (20, 20), interpolation=cv2.INTER_AREA).astype(np.float32) for mask in masks[:5]]
    flat = np.stack([cv2.GaussianBlur(picture, (0, 0), 1.5).ravel() for picture in small])
    flat -= flat.mean(1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _look_like_digits(samples: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which of (N, 5, 400) samples resemble the median typeface, digit for digit, (N,)."""
    typical = np.median(samples, axis=0)
    alike = np.einsum("nik,ik->ni", samples, typical) / np.linalg.norm(typical, axis=1)
    # A 1 may be a bare bar, which fills its box: it resembles nothing.
    return np.asarray(alike[:, [0, 2, 3, 4]].min(1) > LIKENESS)


def _files() -> Iterator[Path]:
    for folder in FONT_FOLDERS:
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.lower().endswith((".ttf", ".otf")):
                    yield Path(root) / name


@lru_cache(maxsize=1)
def find_typefaces() -> tuple[Typeface, ...]:
    """All usable typefaces of this machine, in a fixed order, at most eight of one family."""
    found: list[Typeface] = []
    samples: list[NDArray[np.float32]] = []
    names: set[str] = set()
    for path in _files():
        if path.stem in names or any(word in str(path) for word in UNREADABLE):
            continue
        sample = _samples(path)
        if sample is not None:
            found.append(Typeface(path))
            samples.append(sample)
            names.add(path.stem)
    if not found:
        return ()
    families: dict[str, int] = {}
    kept = []
    for face, fits in zip(found, _look_like_digits(np.stack(samples)), strict=True):
        if fits and families.get(face.family, 0) < 8:
            kept.append(face)
            families[face.family] = families.get(face.family, 0) + 1
    return tuple(kept)
