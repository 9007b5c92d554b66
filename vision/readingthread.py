"""The thread that reads pictures, one at a time: the camera's thread goes on taking them meanwhile."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError, brief
from companion.language import _, later
from companion.parts import Condition, Part
from companion.sight import Reading
from vision.camera import Picture

READER = "reading"
"""The name of the part that reads pictures."""

LIMIT_S = 20.0
"""Reading a picture takes longer than this only when something is wrong, on the slowest computer too."""

_HANGS = later("Reading a picture takes too long: tap the moves, or start the companion again.")


class Reader(Protocol):
    """What reads one picture."""

    def read(self, image: NDArray[np.uint8], /) -> Reading:
        """The reading of (H, W, 3) uint8 BGR."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What came of a picture that was read for somebody: a reading, or None when the reader failed."""

    asked_by: Any
    picture: Picture
    reading: Reading | None


class ReadingThread:
    """Reads one picture at a time, and never two at once: a reader may remember what it saw before.

    `limit_s` is how long a picture may take before the part says so; nothing can be stopped in Python, and a reader
    that comes back after all is used again. `clock` gives monotonic seconds.
    """

    def __init__(self, limit_s: float = LIMIT_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_s, self._clock = limit_s, clock
        self._asked: SimpleQueue[tuple[Any, Reader, Picture] | None] = SimpleQueue()
        self._answers: deque[Read] = deque(maxlen=1)
        self._since_s: float | None = None
        self._part = Part(READER)
        # A daemon: what hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="reading", daemon=True)

    @property
    def part(self) -> Part:
        """How the reading is."""
        since_s = self._since_s
        if since_s is not None and self._clock() - since_s > self._limit_s:
            return Part(READER, Condition.FAILED, _HANGS)
        return self._part

    @property
    def idle(self) -> bool:
        """Whether it waits for a picture, and all that was read has been fetched."""
        return self._since_s is None and not self._answers

    def start(self) -> None:
        """Begin; once."""
        self._thread.start()

    def stop(self, limit_s: float) -> None:
        """End it; a reader that hangs is not waited for any longer than this."""
        self._asked.put(None)
        if self._thread.ident is not None:
            self._thread.join(limit_s)

    def read(self, asked_by: Any, reader: Reader, picture: Picture) -> None:
        """Read a picture for somebody; only when `idle`."""
        self._since_s = self._clock()
        self._asked.put((asked_by, reader, picture))

    def done(self) -> Read | None:
        """What has been read since the last call."""
        try:
            return self._answers.popleft()
        except IndexError:
            return None

    def _run(self) -> None:
        while (asked := self._asked.get()) is not None:
            asked_by, reader, picture = asked
            reading = self._reading(reader, picture)
            self._answers.append(Read(asked_by, picture, reading))
            # Last of all: from now on there may be the next one.
            self._since_s = None

    def _reading(self, reader: Reader, picture: Picture) -> Reading | None:
        try:
            reading = reader.read(picture.image)
        except Exception as error:  # The reading of one picture must not end all reading.
            reason = str(error) if isinstance(error, CompanionError) else _unforeseen(error)
            self._part = Part(READER, Condition.FAILED, reason)
            return None
        self._part = Part(READER)
        return reading


def _unforeseen(error: Exception) -> str:
    sentence = _("The picture could not be read ({error}): photograph the table again.")
    return sentence.format(error=brief(str(error) or type(error).__name__))
