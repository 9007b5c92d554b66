"""A camera that looks at a drawn table, and drawn photographs put into a folder for a camera that watches one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2

from vision.camera import Picture
from vision.drawn import Scene, draw
from vision.drawncards import Pixels


class DrawnCamera:
    """Gives pictures of whatever `looks` says lies on the table at that moment, each with noise of its own."""

    def __init__(self, looks: Callable[[], Scene], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._looks = looks
        self._clock = clock
        self._shots = 0

    def open(self) -> None:
        """Nothing has to be made ready."""

    def grab(self) -> Picture:
        """A picture of the table as it is now."""
        scene = self._looks()
        self._shots += 1
        return Picture(draw(replace(scene, shot=scene.shot + self._shots)), self._clock())

    def close(self) -> None:
        """Nothing is held."""


def put(image: Pixels, path: Path) -> None:
    """Write a picture, (H, W, 3) uint8 BGR, so that whoever watches the folder sees it whole or not at all.

    The kind of file is that of the name's ending (.png, .jpg).

    Raises:
        OSError: it cannot be written.
    """
    done, data = cv2.imencode(path.suffix, image)
    if not done:
        raise OSError(f"{path}: this picture cannot be encoded.")
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(data.tobytes())
    beside.replace(path)
