"""Plays written out for people: into the data folder, or onto a stick that is plugged in."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from companion import exchange
from companion.files import told, write_text
from companion.store import Store

FOLDER = "exports"
"""In the data folder; on a stick it is called as the program."""

STICK_FOLDER = "table-companion"

MOUNTS = Path("/proc/self/mounts")

_STICKS = ("/media/", "/run/media/", "/mnt/")
"""Where the systems that we know mount what is plugged in."""


def sticks(mounts: Path = MOUNTS) -> tuple[Path, ...]:
    """What is plugged in and may be written to; nothing where the system does not tell."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    points = [_unescaped(line.split(" ")[1]) for line in lines if line.count(" ") >= 2]
    found = [Path(point) for point in points if point.startswith(_STICKS) and os.access(point, os.W_OK)]
    return tuple(dict.fromkeys(found))


def _unescaped(text: str) -> str:
    """A mount point as it is; the system writes a space in it as its octal number."""
    for code in ("040", "011", "012", "134"):
        text = text.replace(f"\\{code}", chr(int(code, 8)))
    return text


def export_play(store: Store, play: str, folder: Path) -> tuple[Path, ...]:
    """Write a play as a text journal and as JSON, in the place of what an earlier export left. Raises: StoreError."""
    texts = {f"{play}.txt": exchange.to_text(store, play), f"{play}.json": exchange.to_json(store, [play])}
    return tuple(_written(folder / name, text) for name, text in texts.items())


def export_results(store: Store, folder: Path, wall: datetime) -> Path:
    """Write the results of all plays as CSV, in a new file that `wall` dates. Raises: StoreError."""
    return _written(folder / f"results-{wall:%Y%m%d-%H%M%S}.csv", exchange.results_csv(store))


def _written(path: Path, text: str) -> Path:
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
    return path
