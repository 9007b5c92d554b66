"""The camera that the settings ask for."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np

from ui.config import Camera as Settings
from vision.album import Album
from vision.camera import Camera, Picture
from vision.picam import Picam
from vision.webcam import Webcam

_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


class Turned:
    """A camera whose pictures are turned clockwise by 90, 180 or 270 degrees."""

    def __init__(self, camera: Camera, degrees: int) -> None:
        self._camera, self._turn = camera, _TURNS[degrees]

    def open(self) -> None:
        """Open the camera. Raises: CameraError."""
        self._camera.open()

    def grab(self) -> Picture:
        """The camera's picture, turned. Raises: CameraError."""
        picture = self._camera.grab()
        return Picture(np.asarray(cv2.rotate(picture.image, self._turn), np.uint8), picture.at_s)

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


def camera_factory(settings: Settings) -> Callable[[], Camera] | None:
    """What gives the camera each time that it is opened, always the same one; None when there shall be none."""
    camera = _camera(settings)
    if camera is None:
        return None
    wanted = turned(camera, settings.rotation)
    return lambda: wanted


def turned(camera: Camera, degrees: int) -> Camera:
    """The camera, with its pictures turned clockwise by so many degrees: 0, 90, 180 or 270."""
    return Turned(camera, degrees) if degrees else camera


def _camera(settings: Settings) -> Camera | None:
    match settings.kind:
        case "none":
            return None
        case "folder":
            return Album(settings.folder) if settings.folder is not None else None
        case "picamera2":
            return _picam(settings)
        case "webcam":
            return _webcam(settings)
    return _picam(settings) if find_spec("picamera2") is not None else _webcam(settings)


def _picam(settings: Settings) -> Camera:
    return Picam(mains_hz=settings.flicker_hz or None)


def _webcam(settings: Settings) -> Camera:
    return Webcam(Path(settings.device or "/dev/video0"), size=settings.size)
