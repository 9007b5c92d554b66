"""Photographs by turn: the pictures of what people confirmed, kept beside the plays.

`FOLDER/PLAY/NUMBER.jpg` is the picture from which the entry with that number, from 0, was read. Pictures are worth less
than the play: they are written on a thread of their own, give way where room is short, and never disturb.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.files import beside, told
from companion.language import _, later
from companion.parts import Condition, Part

FOLDER = "photographs"
"""In the data folder."""

PART = "photographs"

LONG_SIDE_PX = 1280
QUALITY = 80

MOST_BYTES = 500 * 10**6
"""All pictures together: about sixty plays, each with its thirty-three."""

SPARE_BYTES = 200 * 10**6
"""So much of the disk stays free for the plays themselves."""

STOP_S = 2.0

_NO_ROOM = later("Photographs by turn: there is no room for more on the disk; delete something to have more of them.")


@dataclass(frozen=True, slots=True, eq=False)
class _Shot:
    """A picture (H, W, 3) uint8 BGR to be kept."""

    play: str
    number: int
    picture: NDArray[np.uint8]


class Photographs:
    """Keeps the pictures of the plays.

    Only those that come while it is `on`. `most_bytes` is the limit for all of them, `spare_bytes` what must stay free
    on the disk.
    """

    def __init__(
        self, folder: Path, *, on: bool = True, most_bytes: int = MOST_BYTES, spare_bytes: int = SPARE_BYTES
    ) -> None:
        self.folder, self.on = folder, on
        self._most_bytes, self._spare_bytes = most_bytes, spare_bytes
        self._present = ""
        self._by_age: tuple[str, ...] = ()
        self._part = Part(PART)
        self._shots: SimpleQueue[_Shot | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="photographs", daemon=True)

    @property
    def part(self) -> Part:
        """How the keeping of pictures is."""
        return self._part

    def open(self, play: str, by_age: Sequence[str]) -> None:
        """From now on this is the present play. Pictures of others may give way, in this order."""
        self._present, self._by_age = play, tuple(other for other in by_age if other != play)

    def keep(self, number: int, picture: NDArray[np.uint8]) -> None:
        """Keep the picture, (H, W, 3) uint8 BGR, of an entry of the present play. Returns at once."""
        if not self.on:
            return
        if self._thread.ident is None:
            self._thread.start()
        self._shots.put(_Shot(self._present, number, picture))

    def of(self, play: str) -> dict[int, Path]:
        """The pictures of a play, by the entry's number. Raises: StoreError."""
        with told(self.folder):
            found = {int(path.stem): path for path in (self.folder / play).glob("*.jpg") if path.stem.isdecimal()}
        return dict(sorted(found.items()))

    def delete(self, play: str) -> None:
        """Take the pictures of a play away. Raises: StoreError."""
        with told(self.folder):
            if (self.folder / play).is_dir():
                shutil.rmtree(self.folder / play)

    def close(self) -> None:
        """Write what is waiting, for as long as the end of the program can wait."""
        self._shots.put(None)
        if self._thread.ident is not None:
            self._thread.join(STOP_S)

    def _run(self) -> None:
        while (shot := self._shots.get()) is not None:
            try:
                self._part = Part(PART) if self._write(shot) else Part(PART, Condition.FAILED, _(_NO_ROOM))
            except (CompanionError, cv2.error) as error:
                self._part = Part(PART, Condition.FAILED, _("Photographs by turn: {why}").format(why=error))

    def _write(self, shot: _Shot) -> bool:
        """Whether there was room."""
        data = encoded(shot.picture)
        path = self.folder / shot.play / f"{shot.number}.jpg"
        with told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self._make_room(len(data)):
                return False
            part = beside(path, ".part")
            try:
                with part.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        return True

    def _make_room(self, size: int) -> bool:
        """Have the oldest plays' pictures give way to so many bytes. Raises: OSError."""
        used = _bytes(self.folder)
        for play in self._by_age:
            if self._has_room(used + size):
                return True
            if (self.folder / play).is_dir():
                used -= _bytes(self.folder / play)
                shutil.rmtree(self.folder / play)
        return self._has_room(used + size)

    def _has_room(self, wanted: int) -> bool:
        return wanted <= self._most_bytes and shutil.disk_usage(self.folder).free >= self._spare_bytes


def encoded(picture: NDArray[np.uint8]) -> bytes:
    """A picture (H, W, 3) uint8 BGR as a JPEG of at most `LONG_SIDE_PX`. Raises: cv2.error."""
    height, width = picture.shape[:2]
    factor = LONG_SIDE_PX / max(height, width)
    if factor < 1:
        size = max(1, round(width * factor)), max(1, round(height * factor))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    _done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


def _bytes(folder: Path) -> int:
    """How many bytes the files below a folder have."""
    return sum(entry.stat().st_size for entry in _files(folder))


def _files(folder: Path) -> list[os.DirEntry[str]]:
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found += _files(Path(entry.path))
            else:
                found.append(entry)
    return found
