"""A camera: it is opened, gives pictures, and is closed. And what all kinds of camera share.

`vision.picam` is the Raspberry Pi's, `vision.webcam` one on USB, `vision.album` a folder of pictures.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.language import _, later
from companion.parts import Condition, Part

SIZE = (2304, 1296)
"""(width, height) px: half of a Camera Module 3's sensor each way, all of its field of view."""

PART = "camera"

IN_THE_DARK = later("The picture is too dark: switch on a lamp, or take the cover off the camera.")

TOO_DARK = 24.0
"""Mean brightness, of 255, below which a picture shows nothing that could be read."""

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Picture:
    """What a camera saw: `image` is (H, W, 3) uint8, BGR, contiguous; `at_s` is monotonic. Nobody draws on it."""

    image: NDArray[np.uint8]
    at_s: float


class CameraError(CompanionError):
    """The camera cannot be used as it is; the message says what to do. It should be closed, and opened again later."""

    def __init__(self, sentence: str, condition: Condition = Condition.FAILED) -> None:
        self.condition = condition
        super().__init__(sentence)

    @property
    def part(self) -> Part:
        """The camera as a part that is in this trouble."""
        return Part(PART, self.condition, str(self))


class NoPictureError(CameraError):
    """There is no picture to be had now. The camera itself is well, and need not be opened again."""


class Camera(Protocol):
    """What gives pictures. One thread at a time uses it."""

    def open(self) -> None:
        """Make it ready.

        Raises:
            CameraError: it is missing, busy or failing.
        """

    def grab(self) -> Picture:
        """A picture that was taken after the call.

        Raises:
            CameraError: it gives none; `NoPictureError` when it need not be opened again for the next.
        """

    def close(self) -> None:
        """Give it free for others. A camera that is not open may be closed, too."""


def checked(picture: Picture) -> Picture:
    """The picture, when it is one: drivers deliver what they please.

    Raises:
        CameraError: it is grey, empty, or not of bytes.
    """
    image = picture.image
    if image.dtype == np.uint8 and image.ndim == 3 and image.shape[2] == 3 and image.size:
        return picture
    what = f"{' x '.join(map(str, image.shape))} {image.dtype}"
    raise CameraError(unusable(what))


def unusable(what: str) -> str:
    """That a camera gives something else than pictures."""
    return _("The camera's pictures cannot be used ({what}): connect another camera.").format(what=what)


def lighting(image: NDArray[np.uint8]) -> Part:
    """The camera as a part, as its picture, (H, W, 3) uint8 BGR, shows it: well, or in the dark.

    A black picture must never pass for an empty table.
    """
    if brightness(image) >= TOO_DARK:
        return Part(PART)
    return Part(PART, Condition.FAILED, IN_THE_DARK)


def brightness(image: NDArray[np.uint8]) -> float:
    """Mean brightness, 0 to 255, of a picture (H, W, 3) uint8, by every eighth row and column."""
    return float(image[::8, ::8].mean())


def within(limit_s: float, call: Callable[[], ResultT], too_late: Callable[[ResultT], object] | None = None) -> ResultT:
    """What a call returns or raises, if it does so within so many seconds.

    No call can be stopped in Python. One that hangs is left behind with the thread that it runs on; should it return
    after all, `too_late` gets its result.

    Raises:
        TimeoutError: it did not.
    """
    future: Future[ResultT] = Future()
    # A daemon: what hangs must not keep the program from ending.
    threading.Thread(target=_answer, args=(future, call, too_late), name="camera call", daemon=True).start()
    try:
        return future.result(limit_s)
    except TimeoutError:
        if future.cancel():
            raise
        return future.result()  # It came in the very last moment, or is the call's own.


def _answer(future: Future[ResultT], call: Callable[[], ResultT], too_late: Callable[[ResultT], object] | None) -> None:
    try:
        result = call()
    except BaseException as error:  # Whatever it is, it belongs to the caller.
        if future.set_running_or_notify_cancel():
            future.set_exception(error)
        return
    if future.set_running_or_notify_cancel():
        future.set_result(result)
    elif too_late is not None:
        too_late(result)


def users(devices: str) -> tuple[str, ...]:
    """The names of other programs that hold devices open, /dev/`devices` with wildcards, as far as we may see them."""
    nodes = set(Path("/dev").glob(devices))
    names: set[str] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) != os.getpid() and _holds(process, nodes):
                names.add((process / "comm").read_text().strip())
        except OSError:  # It has ended meanwhile, or belongs to somebody else.
            continue
    return tuple(sorted(names))


def _holds(process: Path, nodes: set[Path]) -> bool:
    return any(link.readlink() in nodes for link in (process / "fd").iterdir())


def busy(what: str, devices: str) -> CameraError:
    """The error for a camera that somebody else uses: it names who."""
    names = users(devices)
    if names:
        sentence = _("{camera} is in use by {programs}: end that program.")
        return CameraError(sentence.format(camera=what, programs=", ".join(names)), Condition.BUSY)
    return CameraError(
        _("{camera} is in use by another program: end that program.").format(camera=what), Condition.BUSY
    )
