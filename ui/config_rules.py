"""Which values a configuration may hold: a rule a key.

A rule takes a value as TOML gives it, and returns it as the program uses it.
Raises: ValueError, with the clause that says what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ui.catalogues import AUTO, LANGUAGES

Rule = Callable[[object], object]


def one_of(*allowed: str | int) -> Rule:
    """One of these values."""

    def rule(value: object) -> object:
        # TOML's false is Python's False, which equals 0, and 90.0 equals 90.
        if isinstance(value, bool | float) or value not in allowed:
            raise ValueError(f"must be {' or '.join(map(repr, allowed))}")
        return value

    return rule


def whole(low: int, high: int) -> Rule:
    """A whole number from `low` to `high`."""

    def rule(value: object) -> object:
        if not _is_whole(value, low, high):
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return rule


def size(low: int, high: int) -> Rule:
    """Width and height in pixels, as a tuple."""

    def rule(value: object) -> object:
        if not (isinstance(value, list) and len(value) == 2 and all(_is_whole(side, low, high) for side in value)):
            raise ValueError(f"must be [width, height], each a whole number from {low} to {high}")
        return tuple(value)

    return rule


def yes_or_no(value: object) -> object:
    """A truth value."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def text(value: object) -> object:
    """A text, perhaps empty."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError("must be a text on one line")
    return value


def folder(value: object) -> Path | None:
    """A folder's path as it is written; None for an empty text."""
    written = text(value)
    return Path(str(written)) if written else None


RULES: Mapping[str, Mapping[str, Rule]] = {
    "data": {"folder": folder, "photographs": yes_or_no},
    "camera": {
        "kind": one_of("auto", "picamera2", "webcam", "folder", "none"),
        "folder": folder,
        "device": text,
        "size": size(160, 9152),
        "flicker_hz": one_of(0, 50, 60),
        "rotation": one_of(0, 90, 180, 270),
    },
    "play": {"auto_confirm": yes_or_no, "turn_limit_s": whole(0, 7200)},
    "screen": {
        "language": one_of(AUTO, *LANGUAGES),
        "hints": yes_or_no,
        "pays": yes_or_no,
        "blank_after_min": whole(0, 600),
        "brightness": whole(0, 100),
        "size": size(320, 7680),
    },
}
"""The tables and their keys; the table `wiring` has its rules in `hardware.wiring`."""


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
