"""How bright the screen is, where the system lets that be set: a backlight below `/sys/class/backlight`."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import CompanionError
from companion.language import _

FOLDER = Path("/sys/class/backlight")


class BacklightError(CompanionError):
    """The brightness could not be set."""


def backlight(folder: Path = FOLDER) -> Path | None:
    """The first backlight, or None where there is none."""
    found = sorted(folder.glob("*/max_brightness")) if folder.is_dir() else []
    return found[0].parent if found else None


def refusal(device: Path) -> str:
    """The sentence that says why this user cannot set a backlight; empty for one that can be set."""
    return "" if os.access(device / "brightness", os.W_OK) else _sentence(device)


def shine(device: Path, percent: int) -> None:
    """Set a backlight to so many per cent of its most, 1 to 100. Raises: BacklightError."""
    try:
        most = int((device / "max_brightness").read_text(encoding="ascii"))
        (device / "brightness").write_text(str(max(1, round(most * percent / 100))), encoding="ascii")
    except (OSError, ValueError) as error:
        raise BacklightError(_sentence(device)) from error


def _sentence(device: Path) -> str:
    sentence = _("The brightness cannot be set: let this user write {path}, or set it on the screen itself.")
    return sentence.format(path=device / "brightness")
