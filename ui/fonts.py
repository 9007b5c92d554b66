"""Which font can show a text. A font's own table says which characters it has.

Source: OpenType specification, "cmap", formats 4 and 12, and "Font collections".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
ENDINGS = (".ttf", ".otf", ".ttc")

EASTERN = ("notosanscjk", "wqy", "droidsansfallback", "ipag", "takao", "vlgothic", "nanumgothic", "mplus1", "unifont")
"""Names of the fonts in which Debian ships Chinese, Japanese and Korean characters, the best ones first."""

PLAIN = ("regular", "medium", "normal", "")
"""Names of the weights, the best ones first."""


def characters(font: Path) -> frozenset[int]:
    """The code points that a font has; none when it cannot be read."""
    try:
        return _characters(font)
    except (OSError, struct.error, StopIteration):
        return frozenset()


@cache
def _characters(font: Path) -> frozenset[int]:
    data = font.read_bytes()
    start = struct.unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
    tables = struct.unpack_from(">H", data, start + 4)[0]
    records = (struct.unpack_from(">4sIII", data, start + 12 + 16 * number) for number in range(tables))
    at = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    count = struct.unpack_from(">H", data, at + 2)[0]
    offsets = {at + struct.unpack_from(">HHI", data, at + 4 + 8 * number)[2] for number in range(count)}
    return frozenset(point for offset in offsets for point in _points(data, offset))


def _points(data: bytes, at: int) -> Iterator[int]:
    """The code points of one subtable; those of other formats are not needed."""
    form = struct.unpack_from(">H", data, at)[0]
    if form == 4:
        doubled = struct.unpack_from(">H", data, at + 6)[0]
        ends = struct.unpack_from(f">{doubled // 2}H", data, at + 14)
        starts = struct.unpack_from(f">{doubled // 2}H", data, at + 16 + doubled)
        for first, last in zip(starts, ends, strict=True):
            yield from range(first, min(last, 0xFFFE) + 1)
    elif form == 12:
        groups = struct.unpack_from(">I", data, at + 12)[0]
        for number in range(groups):
            first, last, _ = struct.unpack_from(">III", data, at + 16 + 12 * number)
            yield from range(first, last + 1)


@cache
def eastern_fonts() -> tuple[Path, ...]:
    """The system's fonts for Chinese, Japanese and Korean names, if there are any; the best one first."""
    found = [path for folder in FOLDERS for path in Path(folder).rglob("*") if path.suffix.lower() in ENDINGS]
    ranked = {path: rank for path in found if (rank := _rank(path)) is not None}
    return tuple(sorted(ranked, key=lambda path: (ranked[path], str(path))))


def _rank(path: Path) -> tuple[int, int] | None:
    name = path.stem.lower().replace("-", "")
    kind = next((rank for rank, word in enumerate(EASTERN) if word in name), None)
    return None if kind is None else (kind, next(rank for rank, word in enumerate(PLAIN) if word in name))


def missing(text: str, font: Path) -> str:
    """The characters of a text that a font lacks."""
    return "".join(sign for sign in text if sign.isprintable() and ord(sign) not in characters(font))


def best_font(text: str, preferred: Sequence[Path]) -> Path:
    """The first font that has the whole text, else the one that lacks least of it."""
    for font in preferred:
        if not missing(text, font):
            return font
    return min((*preferred, *eastern_fonts()), key=lambda font: len(missing(text, font)))
