from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.parts import Condition
from vision.camera import CameraError, users
from vision.webcam import Webcam


class Capture:
    """A cv2.VideoCapture that misbehaves on purpose: it gives its own size, and hangs or fails in one method."""

    def __init__(self, hangs: str = "", opens: bool = True) -> None:
        self.hangs = hangs
        self.opens = opens
        self.free = threading.Event()
        self.gives: Callable[[], tuple[bool, Any]] = lambda: (True, np.full((480, 640, 3), 99, np.uint8))
        self.settings: dict[int, float] = {}
        self.released = 0

    def __call__(self, path: str, backend: int) -> Capture:
        assert path.endswith("video0")
        assert backend == cv2.CAP_V4L2
        self._enter("open")
        return self

    def _enter(self, method: str) -> None:
        if method == self.hangs:
            assert self.free.wait(60)

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def set(self, setting: int, value: float) -> bool:
        self._enter("set")
        self.settings[setting] = value
        return False

    def grab(self) -> bool:
        self._enter("grab")
        return True

    def read(self) -> tuple[bool, Any]:
        self._enter("read")
        return self.gives()

    def release(self) -> None:
        self._enter("release")
        self.released += 1


@pytest.fixture
def device(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


@pytest.fixture
def capture() -> Iterator[Capture]:
    capture = Capture()
    yield capture
    capture.free.set()


def webcam(device: Path, capture: Capture, **settings: Any) -> Webcam:
    return Webcam(device, capture=capture, clock=lambda: 3.0, **settings)  # type: ignore[arg-type]


def test_size_is_asked_for_and_read_back(device: Path, capture: Capture) -> None:
    camera = webcam(device, capture)
    camera.open()
    picture = camera.grab()
    assert picture.image.shape == (480, 640, 3)
    assert picture.at_s == 3.0
    assert camera.size == (640, 480)
    assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 2304
    assert capture.settings[cv2.CAP_PROP_FRAME_HEIGHT] == 1296
    assert capture.settings[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert capture.settings[cv2.CAP_PROP_AUTOFOCUS] == 0
    camera.close()
    assert capture.released == 1


def test_a_missing_device_is_explained(tmp_path: Path, capture: Capture) -> None:
    with pytest.raises(CameraError, match=r"No camera is at .*video7: plug one in\.") as caught:
        webcam(tmp_path / "video7", capture).open()
    assert caught.value.condition is Condition.MISSING


def test_a_busy_device_is_explained(device: Path, capture: Capture) -> None:
    capture.opens = False
    with pytest.raises(CameraError, match="in use by another program: end that program") as caught:
        webcam(device, capture).open()
    assert caught.value.condition is Condition.BUSY


def test_a_device_that_may_not_be_used_is_explained(
    device: Path, capture: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CameraError, match="group `video`"):
        webcam(device, capture).open()


def test_the_real_driver_says_that_a_file_is_no_camera(device: Path) -> None:
    with pytest.raises(CameraError):
        Webcam(device).open()


def test_a_webcam_that_is_pulled_out_is_explained_and_can_come_back(device: Path, capture: Capture) -> None:
    camera = webcam(device, capture)
    camera.open()
    gives, capture.gives = capture.gives, lambda: (False, None)
    with pytest.raises(CameraError, match="unplug it and plug it in again"):
        camera.grab()
    camera.close()
    capture.gives = gives
    camera.open()
    assert camera.grab().image.any()


@pytest.mark.parametrize("method", ["open", "set", "grab", "read"])
def test_a_call_that_hangs_ends_in_a_sentence(device: Path, capture: Capture, method: str) -> None:
    capture.hangs = method
    with pytest.raises(CameraError, match="does not answer"):
        webcam(device, capture, limit_s=0.05).open()


def test_a_release_that_hangs_comes_back(device: Path, capture: Capture) -> None:
    camera = webcam(device, capture, limit_s=0.05)
    camera.open()
    capture.hangs = "release"
    camera.close()
    with pytest.raises(CameraError, match="not open"):
        camera.grab()


def test_an_error_of_opencv_is_explained(device: Path, capture: Capture) -> None:
    def fail() -> tuple[bool, Any]:
        return True, cv2.cvtColor(np.zeros((2, 2), np.uint8), cv2.COLOR_BGR2GRAY)

    camera = webcam(device, capture)
    camera.open()
    capture.gives = fail
    with pytest.raises(CameraError, match="fails"):
        camera.grab()


def test_who_holds_a_device_is_named() -> None:
    code = "import sys; device = open('/dev/zero', 'rb'); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:  # noqa: S603
        assert holder.stdout is not None
        holder.stdout.readline()
        names = users("zero")
        assert any(name.startswith("python") for name in names)
        holder.communicate()
    assert users("no-such-device*") == ()
