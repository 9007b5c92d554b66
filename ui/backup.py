"""Backups: all plays in one file, perhaps with their photographs, on a stick or in a folder; read back at the end."""

from __future__ import annotations

import filecmp
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from companion.errors import StoreError
from companion.files import beside, replace, told
from companion.language import _
from companion.store import Store
from ui.exports import STICK_FOLDER, sticks

FOLDER = "backups"
"""In the data folder."""

PATTERN = "plays-*.sqlite"
STAMP = "plays-%Y%m%d-%H%M%S"
"""A backup's name without its suffix, in this computer's own time."""

PHOTOGRAPHS = "photographs"
"""Beside the backups, the same for all of them."""


def back_up(store: Store, folder: Path, wall: datetime, photographs: Path | None = None) -> Path:
    """Write all plays into a new file that `wall` dates, and read it back; any thread may do so.

    With `photographs`, what is new in that folder is copied too. Raises: StoreError.
    """
    target = folder / f"{wall.astimezone():{STAMP}}.sqlite"
    with store.reader() as reader:
        reader.database.backup(target)
    check(target)
    if photographs is not None:
        _copy_new(photographs, folder / PHOTOGRAPHS)
    return target


def _copy_new(photographs: Path, folder: Path) -> None:
    for source in sorted(photographs.glob("*/*.jpg")):
        target = folder / source.relative_to(photographs)
        with told(target):
            # A picture that is confirmed anew is another one, of another size or time.
            if not target.exists() or not filecmp.cmp(source, target):
                _copy(source, target)


def copy_missing(photographs: Path, folder: Path) -> None:
    """Copy what is in one folder of photographs and not in the other. Raises: StoreError."""
    for source in sorted(photographs.glob("*/*.jpg")):
        target = folder / source.relative_to(photographs)
        with told(target):
            if not target.exists():
                _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    """Copy a file whole, or leave what stands there. Raises: OSError, StoreError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    new = beside(target, ".new")
    try:
        shutil.copy2(source, new)
        with new.open("rb") as file:
            os.fsync(file.fileno())
        if not filecmp.cmp(source, new, shallow=False):
            raise StoreError(_damaged(target))
        replace(new, target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def check(backup: Path) -> None:
    """Read the whole of a backup. Raises: StoreError when it is damaged."""
    try:
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise StoreError(_damaged(backup)) from error
    if answer != "ok":
        raise StoreError(_damaged(backup))


def _damaged(backup: Path) -> str:
    return _("{path} could not be read back: use another stick, then do it again.").format(path=backup)


def newest(own: Path) -> datetime | None:
    """When the newest backup was made, in this computer's own folder or on what is plugged in. Raises: StoreError."""
    folders = [own, *(stick / STICK_FOLDER for stick in sticks())]
    dates = [made(path) for folder in folders for path in backups_in(folder)]
    return max((date for date in dates if date is not None), default=None)


def backups_in(folder: Path) -> list[Path]:
    """The files in a folder that are named as backups are, by name. Raises: StoreError."""
    with told(folder):
        return sorted(folder.glob(PATTERN)) if folder.is_dir() else []


def made(backup: Path) -> datetime | None:
    """When a backup was made, in this computer's time, by its name; None for another file's name."""
    try:
        return datetime.strptime(backup.stem, STAMP).astimezone()
    except ValueError:
        return None
