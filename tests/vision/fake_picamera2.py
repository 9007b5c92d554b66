"""A picamera2 that misbehaves on purpose. Names, signatures and defaults are the real package's; the pixels are ours.

`tests/pi/camera` checks both against the real package.
"""

# The signatures are the real ones, with all that they take.
# ruff: noqa: ARG002, B006

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

CONTROLS = (
    "AfMode", "AfTrigger", "LensPosition", "AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains",
    "AeFlickerMode", "AeFlickerPeriod",
)  # fmt: skip


def block(colour: tuple[int, int, int], size: tuple[int, int]) -> NDArray[np.uint8]:
    """A grey scene, BGR, with a block of one colour in its middle; `size` is (width, height) px."""
    width, height = size
    image = np.full((height, width, 3), 120, np.uint8)
    image[height // 4 : height * 3 // 4, width // 4 : width * 3 // 4] = colour
    return image


@dataclass
class World:
    """What the camera is like: set up by a test, and looked at afterwards."""

    hangs: str = ""
    """The method that does not return until `released` is set."""
    released: threading.Event = field(default_factory=threading.Event)
    cameras: int = 1
    busy: int = 0
    """How many times opening it finds it busy."""
    fitting: int = 10**9
    """How many pixels the memory suffices for."""
    memory_fails_at: str = "configure"
    delivers: str | None = None
    """The format that is delivered whatever is asked for."""
    size: tuple[int, int] | None = (160, 90)
    """(width, height) px that is delivered whatever is asked for; none: what is asked for."""
    padding: int = 0
    """Pixels of rubbish at the end of each row."""
    controls: Sequence[str] = CONTROLS
    dark_frames: int = 0
    exposed_at: int = 8
    """The frame from which on automatic exposure has settled."""
    lens_frames: int = 5
    """How many frames the lens takes to where it is to go."""
    vanishes_at: int | None = None
    """The frame from which on every capture fails."""
    frame: int = 0
    opened: int = 0
    closed: int = 0
    configured: list[dict[str, Any]] = field(default_factory=list)
    set: list[dict[str, Any]] = field(default_factory=list)

    def enter(self, method: str) -> None:
        if method == self.hangs:
            assert self.released.wait(60), f"{method} was never released"

    def light(self) -> float:
        if self.frame <= self.dark_frames:
            return 0.01
        return min(1.0, 0.3 + 0.7 * (self.frame - self.dark_frames) / self.exposed_at)


class Picamera2:
    """The part of picamera2.Picamera2 that a camera needs."""

    world: ClassVar[World]

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None) -> None:
        self._world = type(self).world
        self._world.enter("__init__")
        if self._world.busy:
            self._world.busy -= 1
            cause = RuntimeError(f"Failed to acquire camera: {os.strerror(errno.EBUSY)}")
            raise RuntimeError("Camera __init__ sequence did not complete.") from cause
        self._world.opened += 1
        self._configuration: dict[str, Any] = {}
        self._started = False
        self._lens = 1.0
        self._lens_goal = 1.0
        self._focusing = False
        self._fixed: dict[str, Any] = {}

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        Picamera2.world.enter("global_camera_info")
        return [{"Model": "imx708", "Num": number} for number in range(Picamera2.world.cameras)]

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return dict.fromkeys(self._world.controls, (0, 1, 0))

    def create_preview_configuration(
        self,
        main={},
        lores=None,
        raw={},
        transform=None,
        colour_space=None,
        buffer_count=4,
        controls={},
        display="main",
        encode="main",
        queue=True,
        sensor={},
        use_case="preview",
    ) -> dict[str, Any]:
        self._world.enter("create_preview_configuration")
        main = {"format": "XBGR8888", "size": (640, 480), "preserve_ar": True, **main}
        return {"main": main, "buffer_count": buffer_count, "queue": queue, "controls": dict(controls)}

    def configure(self, camera_config=None) -> None:
        self._world.enter("configure")
        self._check(camera_config["controls"])
        self._world.configured.append(camera_config)
        main = dict(camera_config["main"])
        main["format"] = self._world.delivers or main["format"]
        main["size"] = self._world.size or main["size"]
        self._spend("configure", main["size"])
        self._configuration = {**camera_config, "main": main}
        self._fixed = dict(camera_config["controls"])
        self._lens_goal = self._fixed.get("LensPosition", self._lens_goal)

    def camera_configuration(self) -> dict[str, Any]:
        self._world.enter("camera_configuration")
        return self._configuration

    def start(self, config=None, show_preview=False) -> None:
        self._world.enter("start")
        self._spend("start", self._configuration["main"]["size"])
        self._started = True

    def set_controls(self, controls) -> None:
        self._world.enter("set_controls")
        self._check(controls)
        self._world.set.append({"frame": self._world.frame, **controls})
        self._fixed |= controls
        if "AfTrigger" in controls:
            self._focusing, self._lens_goal = True, 2.5
        self._lens_goal = controls.get("LensPosition", self._lens_goal)

    def capture_arrays(self, names=["main"], wait=None, signal_function=None):
        self._world.enter("capture_arrays")
        if not self._started:
            raise RuntimeError("Camera is not started")
        self._world.frame += 1
        if self._world.vanishes_at is not None and self._world.frame >= self._world.vanishes_at:
            raise RuntimeError("Camera frontend has timed out!")
        self._lens += (self._lens_goal - self._lens) / max(1, self._world.lens_frames) * 2
        return [self._array() for _ in names], self._metadata()

    def cancel_all_and_flush(self) -> None:
        self._world.enter("cancel_all_and_flush")

    def close(self) -> None:
        self._world.enter("close")
        self._started = False
        self._world.closed += 1

    def _check(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self._world.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def _spend(self, where: str, size: tuple[int, int]) -> None:
        if where == self._world.memory_fails_at and size[0] * size[1] > self._world.fitting:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    def _metadata(self) -> dict[str, Any]:
        arrived = abs(self._lens - self._lens_goal) < 0.02
        state = 0 if not self._focusing else 2 if arrived else 1
        metadata: dict[str, Any] = {"SensorTimestamp": self._world.frame * 33_000_000}
        if "AfMode" in self._world.controls:
            metadata |= {"AfState": state, "LensPosition": self._lens}
        if "ExposureTime" in self._world.controls:
            exposure = self._fixed.get("ExposureTime") or round(20_000 * self._world.light())
            gains = self._fixed.get("ColourGains", (1.5 + self._world.light(), 1.8))
            metadata |= {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": gains}
        return metadata

    def _array(self) -> NDArray[np.uint8]:
        main = self._configuration["main"]
        scene = (block((0, 0, 255), main["size"]) * self._world.light()).astype(np.uint8)
        return packed(scene, main["format"], self._world.padding)


def packed(image: NDArray[np.uint8], pixel_format: str, padding: int = 0) -> NDArray[np.uint8]:
    """A BGR picture as picamera2 hands it out in a format, its rows longer by so many pixels of rubbish."""
    # Rubbish is violet, so that none of it passes for the scene.
    image = cv2.copyMakeBorder(image, 0, 0, 0, padding, cv2.BORDER_CONSTANT, value=(255, 0, 255))
    match pixel_format:
        case "RGB888":
            return image
        case "BGR888":
            return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        case "XRGB8888":
            return cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        case "XBGR8888":
            return cv2.cvtColor(image, cv2.COLOR_BGR2RGBA)
        case "YUV420":
            return cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
        case "NV12":
            planar = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
            height = image.shape[0]
            chroma = planar[height:].reshape(2, -1)
            return np.vstack([planar[:height], chroma.T.reshape(height // 2, image.shape[1])])
        case _:
            return np.zeros((image.shape[0], image.shape[1]), np.uint8)
