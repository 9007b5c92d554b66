"""One companion at a time over one data folder: two would fight for the pins, the camera and the play under way."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import CompanionError
from companion.files import told

LOCK = "companion.lock"
"""In the data folder, with the number of the process. The kernel's lock on it counts, and not that it exists."""


class RunningError(CompanionError):
    """A companion runs over this data folder already."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else is in here with the same folder; it is made where it is missing.

    The kernel holds the lock and drops it with the process, however that ends: nothing is left to be cleared away.

    Raises: RunningError, when somebody is; StoreError, when the folder cannot be written.
    """
    path = folder / LOCK
    with told(path):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _lock(handle)
        with told(path):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        number = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        who = f" (process {number})" if number.isdecimal() else ""
        raise RunningError(
            f"Table Companion is already running here{who}: use its window, or close it and start again."
        ) from error
