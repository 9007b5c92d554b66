"""The fonts that names need: marks and dice faces, and players' names in Chinese or Japanese."""

from __future__ import annotations

from collections.abc import Iterator

from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config, home_folder

NAME = "fonts"
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
SUFFIXES = (".ttf", ".otf", ".ttc")
WANTED = (
    (("dejavusans.",), "DejaVu Sans", "marks, arrows and dice faces show as boxes", "fonts-dejavu-core"),
    (
        ("notosanscjk", "notosansjp", "notoserifcjk", "droidsansfallback", "wqy-", "ipag", "takao", "vl-gothic"),
        "a font for Chinese and Japanese",
        "such names show as boxes",
        "fonts-droid-fallback",
    ),
)
"""Starts of file names, what the font is, what it is like without, and the Debian package that brings it."""


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """Look for the font files in the usual folders."""
    folders = [machine.path(folder) for folder in FOLDERS]
    home = home_folder(machine.environment)
    if home is not None:
        folders += [home / ".local/share/fonts", home / ".fonts"]
    files = {path.name.lower() for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES}
    there = []
    for starts, title, without, package in WANTED:
        if any(name.startswith(starts) for name in files):
            there.append(title)
        else:
            sentence = f"{title[0].upper()}{title[1:]} is not there: {without}."
            yield Finding(NAME, Level.WARN, sentence, f"sudo apt install {package}")
    if there:
        yield Finding(NAME, Level.OK, f"There: {', '.join(there)}.")
