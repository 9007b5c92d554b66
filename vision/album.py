"""A folder of pictures as a camera: whoever puts a newer picture into it has changed what the camera sees."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import printable
from companion.language import _
from companion.parts import Condition
from vision import frame
from vision.camera import NoPictureError, Picture

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})


@dataclass(frozen=True, slots=True)
class _File:
    """One state of a file: another one when the file was written again."""

    changed_ns: int
    path: Path
    inode: int
    size: int


class Album:
    """Gives the newest picture of a folder that is whole; one that is still being written is left for later."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._shown: tuple[_File, NDArray[np.uint8]] | None = None

    def open(self) -> None:
        """Nothing has to be made ready: the folder may come later."""

    def grab(self) -> Picture:
        """The newest whole picture, as it is now.

        Raises:
            NoPictureError: the folder is missing, or holds no picture that can be opened.
        """
        for file in self._newest_first():
            if self._shown is None or self._shown[0] != file:
                try:
                    self._shown = file, frame.load(file.path).image
                except frame.FrameError:  # Still growing, or no photograph at all.
                    continue
            return Picture(self._shown[1], self._clock())
        self._shown = None
        sentence = _("No picture is in {folder}: put a JPEG, PNG or WebP into it.")
        raise NoPictureError(self._told(sentence), Condition.MISSING)

    def close(self) -> None:
        """Forget the picture."""
        self._shown = None

    def _newest_first(self) -> list[_File]:
        try:
            paths = [path for path in self._folder.iterdir() if _is_picture(path.name)]
        except (FileNotFoundError, NotADirectoryError):
            sentence = _("There is no folder {folder}: make it, and put pictures into it.")
            raise NoPictureError(self._told(sentence), Condition.MISSING) from None
        except OSError as error:
            sentence = _("The folder {folder} cannot be read: {reason}.")
            raise NoPictureError(self._told(sentence, reason=str(error.strerror))) from None
        return sorted(filter(None, map(_file, paths)), key=lambda file: (file.changed_ns, file.path), reverse=True)

    def _told(self, template: str, **facts: str) -> str:
        return template.format(folder=printable(str(self._folder)), **facts)


def _is_picture(name: str) -> bool:
    """By its name. Hidden files are half-written ones of programs that rename them when they are done."""
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES


def _file(path: Path) -> _File | None:
    try:
        status = path.stat()
    except OSError:  # It has gone since the folder was listed.
        return None
    return _File(status.st_mtime_ns, path, status.st_ino, status.st_size)
