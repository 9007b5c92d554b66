"""The camera's thread: it alone uses the camera, waits for still moments, and has them read by another thread.

The thread of the screen asks with `look` and `photograph`, and fetches with `poll`, `preview` and `parts`; none of
these waits. What two threads share is one slot each, in which the newest wins.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.errors import brief
from companion.language import _, later
from companion.parts import Condition, Part
from companion.sight import Reading
from vision.camera import PART, Camera, CameraError, NoPictureError, Picture, checked, lighting, unusable, within
from vision.glimpse import Glimpse, glimpse
from vision.readingthread import LIMIT_S, READER, Reader, ReadingThread
from vision.steady import STILL_S, Gate, Scene
from vision.vote import vote

__all__ = ["READER", "Look", "Reader", "Watcher"]

FRAME_S = 0.1
"""Between two pictures: hands are slow, and the Pi has more to do."""

SHOWN_FRAME_S = 0.05
"""From one picture to the next while somebody watches: twenty a second look alive."""

WATCHED_S = 1.0
"""So long after a picture was fetched, somebody still watches."""

PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Before a camera in trouble is opened again, growing up to the last."""

STOP_S = 1.5

_OPENING = Part(PART, Condition.BUSY, later("The camera is being opened."))

_HANGS = later("The camera does not answer: check its cable. It is opened again and again until it does.")


ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Look:
    """What was read for a ticket, and the last of the pictures that it was read from, taken at `at_s` (monotonic)."""

    ticket: int
    reading: Reading
    picture: NDArray[np.uint8]
    at_s: float


@dataclass(frozen=True, slots=True, eq=False)
class _Wish:
    """What the screen's thread wants read. `at_once`: from the very next still picture."""

    ticket: int
    reader: Reader
    at_once: bool = False


@dataclass(slots=True)
class _Ballot:
    """The readings of one still scene, until there are enough for a vote. `open`: more are wanted."""

    wish: _Wish
    at_once: bool = False
    open: bool = True
    readings: list[Reading] = field(default_factory=list)


class Watcher:
    """Watches the table through a camera that `camera_factory` makes; whatever happens to it, the watching goes on.

    A scene is read when a new ticket is set, and again each time that something has moved: `votes` pictures of it,
    which vote. `still_s` is how long nothing may move before. No call of the camera may take longer than `limit_s`,
    opening it `open_limit_s`, the reading of a picture `read_limit_s`. `wait` pauses the thread for so many seconds.
    A factory that returns the same camera each time lets it remember where its lens was.
    """

    def __init__(
        self,
        camera_factory: Callable[[], Camera],
        *,
        still_s: float = STILL_S,
        votes: int = 3,
        frame_s: float = FRAME_S,
        limit_s: float = 5.0,
        open_limit_s: float = 30.0,
        read_limit_s: float = LIMIT_S,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self._camera_factory = camera_factory
        self._still_s = still_s
        self._votes = votes
        self._frame_s = frame_s
        self._limit_s = limit_s
        self._open_limit_s = open_limit_s
        self._stopping = threading.Event()
        self._wait = wait or self._stopping.wait
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._wish: _Wish | None = None
        self._looks: deque[tuple[_Wish, Look]] = deque(maxlen=1)
        self._glimpses: deque[Glimpse] = deque(maxlen=1)
        self._fetched_s = -WATCHED_S
        self._reading = ReadingThread(read_limit_s)
        self._gate = Gate(still_s)
        self._ballot: _Ballot | None = None
        self._troubles = 0
        self._camera_part = _OPENING
        self._reopening = False

    @property
    def parts(self) -> tuple[Part, ...]:
        """How the camera and the reading are."""
        return self._camera_part, self._reading.part

    def start(self) -> None:
        """Begin to watch; once."""
        self._reading.start()
        self._thread.start()

    def stop(self) -> None:
        """End the watching and give the camera free. A camera or a reader that hangs is not waited for."""
        end_s = time.monotonic() + STOP_S
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        self._reading.stop(max(0.0, end_s - time.monotonic()))

    def look(self, ticket: int, reader: Reader | None) -> None:
        """From now on, read for this ticket with this reader; what was being read for another one is dropped.

        The ticket is the journal's revision. Saying the same again changes nothing; no reader means rest.
        """
        wish = self._wish
        if reader is None:
            self._wish = None
        elif wish is None or wish.ticket != ticket or wish.reader is not reader:
            self._wish = _Wish(ticket, reader)

    def photograph(self, ticket: int) -> None:
        """Read the very next still picture for this ticket, with the reader of the last `look`, whatever was before."""
        if self._wish is not None:
            self._wish = _Wish(ticket, self._wish.reader, at_once=True)

    def poll(self) -> Look | None:
        """The newest look that nobody has fetched yet; none for a ticket that is not wanted any more."""
        try:
            wish, look = self._looks.popleft()
        except IndexError:
            return None
        return look if self._wish is wish else None

    def preview(self) -> Glimpse | None:
        """The newest picture that nobody has fetched yet. Pictures are made ready only while they are fetched."""
        self._fetched_s = time.monotonic()
        try:
            return self._glimpses.popleft()
        except IndexError:
            return None

    def reopen(self, camera_factory: Callable[[], Camera]) -> None:
        """Close the camera and go on with one from this factory; a new one focuses and fixes its exposure anew."""
        self._camera_factory = camera_factory
        self._reopening = True

    @property
    def _watched(self) -> bool:
        return time.monotonic() - self._fetched_s < WATCHED_S

    def _run(self) -> None:
        while not self._stopping.is_set():
            camera = None
            # First of all: whoever asks from now on finds another factory used.
            self._reopening = False
            try:
                camera = self._camera_factory()
                self._guarded(self._open_limit_s, camera.open, partial(_close_late, camera))
                self._watch(camera)
            except CameraError as error:
                self._camera_part = error.part
            except Exception as error:  # A camera may deliver what nobody thought of; the watching must go on.
                sentence = unusable(brief(str(error)))
                self._camera_part = Part(PART, Condition.FAILED, sentence)
            if camera is not None:
                self._close(camera)
            if self._reopening:
                self._camera_part = _OPENING
            elif not self._stopping.is_set():
                self._wait(PAUSES_S[min(self._troubles, len(PAUSES_S) - 1)])
                self._troubles += 1

    def _close(self, camera: Camera) -> None:
        try:
            within(self._limit_s, camera.close)
        except Exception:  # It is in trouble already, which is told. Nothing more can be done for it.
            return

    def _guarded(
        self, limit_s: float, call: Callable[[], ResultT], too_late: Callable[[ResultT], object] | None = None
    ) -> ResultT:
        try:
            return within(limit_s, call, too_late)
        except TimeoutError:
            raise CameraError(_(_HANGS)) from None

    def _watch(self, camera: Camera) -> None:
        # What changed while there was no camera was not seen.
        self._gate, self._ballot = Gate(self._still_s), None
        while not (self._stopping.is_set() or self._reopening):
            began_s = time.monotonic()
            try:
                picture = self._guarded(self._limit_s, camera.grab)
            except NoPictureError as error:
                self._camera_part = error.part
            else:
                self._see(checked(picture))
                self._troubles = 0
            self._wait(self._pause_s(began_s))

    def _pause_s(self, began_s: float) -> float:
        """How long to wait after a picture that was asked for at `began_s`."""
        if not self._watched:
            return self._frame_s
        return min(self._frame_s, max(0.0, began_s + SHOWN_FRAME_S - time.monotonic()))

    def _see(self, picture: Picture) -> None:
        """Show a picture, and read it when it is wanted."""
        scene = self._gate.see(picture)
        self._camera_part = lighting(picture.image)
        if self._watched:
            self._glimpses.append(glimpse(picture.image))
        wish = self._wish
        if wish is None or self._camera_part.condition is not Condition.OK:
            self._ballot = None
            return
        if self._ballot is None or self._ballot.wish is not wish:
            self._ballot = _Ballot(wish, wish.at_once)
        elif scene is Scene.CHANGED and not self._ballot.open:
            self._ballot = _Ballot(wish)
        if scene is Scene.MOVING:
            # What is being read now was seen before the move: nobody waits for it any more.
            self._ballot = replace(self._ballot, readings=[])
        self._count()
        if self._ballot.open and (self._ballot.at_once or scene is not Scene.SETTLING) and scene is not Scene.MOVING:
            self._ask(picture)

    def _ask(self, picture: Picture) -> None:
        """Have a picture read; while another one is being read, the next picture will be a newer one."""
        if self._ballot is not None and self._reading.idle:
            self._reading.read(self._ballot, self._ballot.wish.reader, picture)

    def _count(self) -> None:
        """Take in what was read, if it is still wanted."""
        read, ballot = self._reading.done(), self._ballot
        if read is None or ballot is None or read.asked_by is not ballot:
            return
        if read.reading is None:
            ballot.open = False
            return
        ballot.readings.append(read.reading)
        if len(ballot.readings) < (1 if ballot.at_once else self._votes):
            return
        ballot.open = False
        look = Look(ballot.wish.ticket, vote(ballot.readings), read.picture.image, read.picture.at_s)
        self._looks.append((ballot.wish, look))


def _close_late(camera: Camera, _: None) -> None:
    """For a camera that has opened when nobody waits for it any more."""
    camera.close()
