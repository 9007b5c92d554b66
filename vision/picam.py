"""The Raspberry Pi's camera, through picamera2: focused once on the table, then with exposure and colours fixed.

Equal scenes must give equal pictures all evening, so nothing is left to automatics for longer than it takes to settle.
One configuration serves preview and reading: switching modes takes half a second and, on a Pi 4, memory.
"""

from __future__ import annotations

import atexit
import errno
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import cv2

from companion.errors import brief
from companion.language import _, later
from companion.parts import Condition
from vision.camera import SIZE, CameraError, Picture, brightness, busy, unusable, within
from vision.pixels import bgr
from vision.settling import Exposure, Focus, flicker

SIZES = (SIZE, (1536, 864), (1152, 648), (768, 432))
"""(width, height) px: what to ask for, and what to be content with when the memory does not suffice."""

BUSY_TRIES = 3
BUSY_PAUSE_S = 1.0
"""A program that was ended a moment ago may still hold the camera."""

SETTLING_FRAMES = 90
"""Three seconds: no lens and no exposure takes longer, where there is light."""

_MISSING = later("No camera is found: switch off, push the camera's cable in at both ends, and switch on.")
_SILENT = later("The camera does not answer: push its cable in at both ends; if that does not help, restart the Pi.")
_MEMORY = later("The memory does not suffice for the camera: end other programs, or restart the Pi.")
_NOT_INSTALLED = later(
    "The camera's software is missing: run `sudo apt install python3-picamera2`, "
    "and set the environment up with `--system-site-packages`."
)

_opening = threading.Lock()
"""picamera2 breaks when one thread opens a camera while another closes one (its issue 1401)."""

ResultT = TypeVar("ResultT")


class _OutOfMemoryError(CameraError):
    """Smaller pictures may do."""


class Picam:
    """A camera on the Pi's own connector.

    `focus` is in dioptres (1 / metres); without it the lens focuses once, on what is there when the camera is first
    opened. `mains_hz` (50 or 60) keeps lamps from drawing bands. No call to the driver takes longer than `limit_s`.
    `clock` is monotonic; `wait` pauses for so many seconds.
    """

    def __init__(
        self,
        index: int = 0,
        *,
        focus: float | None = None,
        mains_hz: int | None = None,
        limit_s: float = 3.0,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._index = index
        self._focus = Focus(focus)
        self._flicker = flicker(mains_hz)
        self._limit_s = limit_s
        self._clock = clock
        self._wait = wait
        self._device: Any = None
        self._exposure = Exposure()
        self._format = ""
        self.size = (0, 0)
        """(width, height) px of its pictures, once it is open."""

    def open(self) -> None:
        """Open it, focus on the table, and fix exposure and colours; in the dark, that is done later.

        Raises:
            CameraError: it is missing, busy or failing.
        """
        self._device = self._opened(_picamera2())
        self._exposure = Exposure()
        try:
            self._start()
            self._settle()
        except CameraError:
            self.close()
            raise

    def grab(self) -> Picture:
        """A picture that was taken after the call, with fixed focus, exposure and colours.

        Raises:
            CameraError: it is not open, or gives no picture in time, or one that cannot be understood.
        """
        picture, metadata = self._capture()
        self._control(self._exposure.next(metadata, brightness(picture.image)))
        return picture

    def close(self) -> None:
        """Stop it and give it free; one that does not react is left behind."""
        device, self._device = self._device, None
        if device is None:
            return
        try:
            within(self._limit_s, partial(_close, device, self._limit_s))
        except Exception:  # picamera2 raises what it pleases, and this device is of no more use.
            # It would try to close itself when the program ends, and hang once more.
            atexit.unregister(device.close)

    def _opened(self, picamera2: Any) -> Any:
        """The device, with some patience when it is busy."""
        if not self._call(picamera2.global_camera_info):
            raise CameraError(_(_MISSING), Condition.MISSING)
        for _try in range(BUSY_TRIES - 1):
            try:
                return self._open(picamera2)
            except CameraError as error:
                if error.condition is not Condition.BUSY:
                    raise
            self._wait(BUSY_PAUSE_S)
        return self._open(picamera2)

    def _open(self, picamera2: Any) -> Any:
        # One that opens too late, when nobody waits for it any more, must not stay open.
        too_late = partial(_close, limit_s=self._limit_s)
        return self._call(partial(_open, picamera2, self._index, self._limit_s), too_late)

    def _start(self) -> None:
        """Configure and start it; with smaller pictures when the memory does not suffice for larger ones."""
        for size in SIZES:
            try:
                self._call(partial(self._configure, size))
                self._call(self._device.start)
                return
            except _OutOfMemoryError:
                continue
        raise CameraError(_(_MEMORY))

    def _configure(self, size: tuple[int, int]) -> None:
        device = self._device
        # "RGB888" is B, G, R in memory. Without a queue, no picture waits that is older than the call for it.
        wanted = device.create_preview_configuration(
            main={"format": "RGB888", "size": size},
            buffer_count=2,
            queue=False,
            controls=self._advertised({**self._focus.start(), **self._flicker}),
        )
        device.configure(wanted)
        delivered = device.camera_configuration()["main"]
        self._format, self.size = delivered["format"], delivered["size"]

    def _settle(self) -> None:
        """Wait for the lens, then for exposure and colours."""
        has_lens = {"AfMode", "LensPosition"} <= set(self._device.camera_controls)
        for _frame in range(SETTLING_FRAMES):
            picture, metadata = self._capture()
            if has_lens and not self._focus.arrived:
                self._control(self._focus.next(metadata))
                continue
            self._control(self._exposure.next(metadata, brightness(picture.image)))
            if self._exposure.fixed:
                return

    def _capture(self) -> tuple[Picture, Mapping[str, Any]]:
        if self._device is None:
            raise CameraError(_("The camera is not open: wait until it has been opened again."))
        (array,), metadata = self._call(partial(self._device.capture_arrays, ["main"]))
        try:
            image = bgr(array, self._format, self.size)
        except (ValueError, cv2.error) as error:
            raise CameraError(unusable(str(error))) from error
        return Picture(image, self._clock()), metadata

    def _control(self, wanted: Mapping[str, Any]) -> None:
        controls = self._advertised(wanted)
        if controls:
            self._call(partial(self._device.set_controls, controls))

    def _advertised(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Those controls that this camera has."""
        return {name: value for name, value in wanted.items() if name in self._device.camera_controls}

    def _call(self, call: Callable[[], ResultT], too_late: Callable[[ResultT], object] | None = None) -> ResultT:
        """What a call of the driver returns; all that goes wrong becomes a CameraError."""
        try:
            return within(self._limit_s, call, too_late)
        except CameraError:
            raise
        except TimeoutError:
            raise CameraError(_(_SILENT)) from None
        except Exception as error:  # picamera2 and libcamera raise what they please.
            raise _explained(error) from error


def _picamera2() -> Any:
    """The class of picamera2: the one place where the package is imported.

    Raises:
        CameraError: it is not installed, or does not go with another package.
    """
    try:
        from picamera2 import Picamera2
    except ImportError:
        raise CameraError(_(_NOT_INSTALLED), Condition.MISSING) from None
    except Exception as error:  # For example a numpy that it was not built for: a ValueError.
        sentence = _("The camera's software cannot be loaded ({error}): set the environment up again.")
        raise CameraError(sentence.format(error=error)) from error
    return Picamera2


def _open(picamera2: Any, index: int, limit_s: float) -> Any:
    with _alone(limit_s):
        return picamera2(index)


def _close(device: Any, limit_s: float) -> None:
    with _alone(limit_s):
        # A call that never came back would keep the camera from stopping.
        device.cancel_all_and_flush()
        device.close()


@contextmanager
def _alone(limit_s: float) -> Iterator[None]:
    """While no other thread opens or closes a camera."""
    if not _opening.acquire(timeout=limit_s / 2):
        raise CameraError(_("The camera still hangs from before: restart the Pi if it stays like this."))
    try:
        yield
    finally:
        _opening.release()


def _explained(error: Exception) -> CameraError:
    """What to do about an error of picamera2: it often tells only in words, and deep down, what the system said."""
    chain = list(_chain(error))
    if any(_means(cause, errno.EBUSY) for cause in chain):
        return busy(_("The camera"), "media*")
    if any(_means(cause, errno.ENOMEM) or "failed to allocate" in str(cause) for cause in chain):
        return _OutOfMemoryError(_(_MEMORY))
    reason = brief(str(chain[-1]) or type(error).__name__, 120)
    sentence = _("The camera fails ({reason}): push its cable in at both ends, and restart the Pi.")
    return CameraError(sentence.format(reason=reason))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _means(error: BaseException, number: int) -> bool:
    return getattr(error, "errno", None) == number or os.strerror(number) in str(error)
