"""The folder where plays are kept: it can be written, and there is room."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

from companion.errors import printable
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config

NAME = "disk"
MIB = 2**20
SPARE = 500 * MIB
"""Below this the system itself soon has trouble: its logs and its updates."""

LEAST = 20 * MIB
"""Below this a play may not be kept to its end: SQLite wants room for the log beside the database."""

FREE_SPACE = "Make room: sudo apt clean; large folders are told by: sudo du -xh / | sort -h | tail"


def check(machine: Machine, config: Config) -> Iterator[Finding]:
    """Try to write where plays are kept, and see what is free there."""
    wanted = config.data.folder
    folder = next((place for place in (wanted, *wanted.parents) if place.exists()), Path("/"))
    shown = printable(str(wanted))
    if not folder.is_dir():
        fix = "Move that file away, or name another folder in the settings: [data] folder"
        yield Finding(NAME, Level.FAIL, f"{printable(str(folder))} is a file, so plays cannot be kept in {shown}.", fix)
        return
    try:
        machine.try_to_write(folder)
    except OSError as error:
        yield _unwritable(error, shown, folder)
        return
    yield _room(machine, shown, folder)


def _unwritable(error: OSError, shown: str, folder: Path) -> Finding:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return Finding(NAME, Level.FAIL, f"The disk is full: plays cannot be kept in {shown}.", FREE_SPACE)
        case errno.EROFS:
            fix = "Start the Pi again; if it stays so, the card is worn out or an overlay is on: sudo raspi-config"
            return Finding(NAME, Level.FAIL, f"The disk is read-only: plays cannot be kept in {shown}.", fix)
        case errno.EACCES | errno.EPERM:
            fix = f'Give it to your user: sudo chown "$USER" {printable(str(folder))}'
            return Finding(NAME, Level.FAIL, f"You may not write in {printable(str(folder))}, where plays go.", fix)
        case _:
            fix = "Try another card or disk, and keep a copy of the old one."
            return Finding(NAME, Level.FAIL, f"Plays cannot be kept in {shown}: {error.strerror}.", fix)


def _room(machine: Machine, shown: str, folder: Path) -> Finding:
    try:
        space = machine.space(folder)
    except OSError as error:
        return Finding(NAME, Level.WARN, f"How much is free in {shown} is not known: {error.strerror}.")
    free = f"{space.bytes // MIB:,} MiB".replace(",", " ")
    if space.bytes < LEAST or space.files == 0:
        return Finding(NAME, Level.FAIL, f"The disk is nearly full ({free} free in {shown}).", FREE_SPACE)
    if space.bytes < SPARE:
        return Finding(NAME, Level.WARN, f"The disk is getting full ({free} free in {shown}).", FREE_SPACE)
    return Finding(NAME, Level.OK, f"Plays are kept in {shown}; {free} free.")
