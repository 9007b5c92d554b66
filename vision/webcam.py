"""A camera on USB, through Linux's own video interface (V4L2) and OpenCV."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from companion.language import _
from companion.parts import Condition
from vision.camera import SIZE, CameraError, Picture, busy, within

SETTLING_FRAMES = 15
"""Half a second in which the first dark frames pass and the lens finds the table."""

ResultT = TypeVar("ResultT")


class Webcam:
    """A camera at /dev/video0 or the like.

    `size` (width, height) px is asked for, and the camera gives what it can. `capture` opens one. No call to the
    driver takes longer than `limit_s`. `clock` is monotonic.
    """

    def __init__(
        self,
        device: Path = Path("/dev/video0"),
        *,
        size: tuple[int, int] = SIZE,
        limit_s: float = 5.0,
        capture: Callable[[str, int], cv2.VideoCapture] = cv2.VideoCapture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = device
        self._wanted = size
        self._limit_s = limit_s
        self._new_capture = capture
        self._clock = clock
        self._capture: cv2.VideoCapture | None = None
        self.size = (0, 0)
        """(width, height) px of its pictures, once it is open."""

    def open(self) -> None:
        """Open it, and let focus and exposure settle.

        Raises:
            CameraError: it is missing, busy or failing.
        """
        if not self._path.exists():
            raise CameraError(self._told(_("No camera is at {path}: plug one in.")), Condition.MISSING)
        if not os.access(self._path, os.R_OK | os.W_OK):
            sentence = _("{path} may not be used: add this user to the group `video`, and log in again.")
            raise CameraError(self._told(sentence))
        capture = self._call(partial(self._new_capture, str(self._path), cv2.CAP_V4L2), _release)
        if not self._call(capture.isOpened):
            raise busy(self._told(_("The camera at {path}")), self._path.name)
        self._capture = capture
        try:
            self._call(partial(_set_up, capture, self._wanted))
            for _try in range(SETTLING_FRAMES):
                self._read(capture)
            self._call(partial(capture.set, cv2.CAP_PROP_AUTOFOCUS, 0))
        except CameraError:
            self.close()
            raise

    def grab(self) -> Picture:
        """The camera's next picture.

        Raises:
            CameraError: it is not open, has been pulled out, or gives no picture in time.
        """
        if self._capture is None:
            sentence = _("The camera at {path} is not open: wait until it has been opened again.")
            raise CameraError(self._told(sentence))
        return self._read(self._capture)

    def close(self) -> None:
        """Give it free; one that does not react is left behind."""
        capture, self._capture = self._capture, None
        if capture is None:
            return
        try:
            self._call(capture.release)
        except CameraError:  # Nothing more can be done for it.
            return

    def _read(self, capture: cv2.VideoCapture) -> Picture:
        # The driver keeps one picture, and it may be older than the call.
        self._call(capture.grab)
        done, image = self._call(capture.read)
        if not done or image is None:
            sentence = _("The camera at {path} gives no picture: unplug it and plug it in again.")
            raise CameraError(self._told(sentence))
        self.size = (image.shape[1], image.shape[0])
        return Picture(np.ascontiguousarray(image, np.uint8), self._clock())

    def _call(self, call: Callable[[], ResultT], too_late: Callable[[ResultT], object] | None = None) -> ResultT:
        try:
            return within(self._limit_s, call, too_late)
        except TimeoutError:
            sentence = _("The camera at {path} does not answer: unplug it and plug it in again.")
            raise CameraError(self._told(sentence)) from None
        except cv2.error as error:
            sentence = _("The camera at {path} fails ({error}): unplug it and plug it in again.")
            raise CameraError(self._told(sentence, error=error.err)) from error

    def _told(self, template: str, **facts: str) -> str:
        return template.format(path=self._path, **facts)


def _set_up(capture: cv2.VideoCapture, size: tuple[int, int]) -> None:
    """Ask for what a reading needs; what the camera cannot do it leaves as it is."""
    # Larger pictures fit through USB 2 as JPEG only, and the format has to be known before the size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _release(capture: cv2.VideoCapture) -> None:
    capture.release()
