"""Pictures are read beside the watching: they keep coming, and what comes late is dropped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.parts import Condition
from companion.sight import Outcome, Reading
from vision.camera import Picture
from vision.readingthread import ReadingThread
from vision.watcher import Watcher


class Table:
    """A camera in front of a shade of grey; each picture is taken a second after the one before."""

    def __init__(self) -> None:
        self.shade = 100
        self.taken = 0

    def open(self) -> None:
        pass

    def grab(self) -> Picture:
        self.taken += 1
        image = np.full((36, 64, 3), 60, np.uint8)
        image[9:27, 16:48] = self.shade
        return Picture(image, float(self.taken))

    def close(self) -> None:
        pass


class SlowReader:
    """Reads the shade in the middle once `free` lets it."""

    def __init__(self) -> None:
        self.reads = 0
        self.began = threading.Event()
        self.free = threading.Event()

    def read(self, image: NDArray[np.uint8], /) -> Reading:
        self.reads += 1
        self.began.set()
        assert self.free.wait(10)
        return Reading(Outcome.CLEAR, (f"{image[18, 32, 0]:03}",), (), ())


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def slow() -> Iterator[SlowReader]:
    reader = SlowReader()
    yield reader
    reader.free.set()


@pytest.fixture
def watcher(table: Table) -> Iterator[Watcher]:
    watcher = Watcher(
        lambda: table, still_s=2.0, votes=1, limit_s=0.5, read_limit_s=0.05, wait=lambda _: time.sleep(0.001)
    )
    watcher.start()
    yield watcher
    watcher.stop()


def eventually(get: Callable[[], Any], limit_s: float = 10.0) -> Any:
    end = time.monotonic() + limit_s
    while not (found := get()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)
    return found


def pass_pictures(table: Table, count: int = 12) -> None:
    goal = table.taken + count
    eventually(lambda: table.taken >= goal)


def test_pictures_keep_coming_while_a_slow_reader_reads(watcher: Watcher, table: Table, slow: SlowReader) -> None:
    watcher.look(1, slow)
    assert slow.began.wait(5)
    watcher.preview()
    pass_pictures(table, 50)
    table.shade = 180
    pass_pictures(table, 3)
    shown = eventually(watcher.preview)
    assert shown.pixels[18, 32, 0] == 180
    assert slow.reads == 1
    assert watcher.parts[0].condition is Condition.OK


def test_what_was_seen_before_a_move_is_dropped_when_it_is_read_at_last(
    watcher: Watcher, table: Table, slow: SlowReader
) -> None:
    watcher.look(1, slow)
    assert slow.began.wait(5)
    table.shade = 200
    pass_pictures(table)
    slow.free.set()
    assert eventually(watcher.poll).reading.rows == ("200",)
    pass_pictures(table)
    assert watcher.poll() is None


def test_while_a_picture_is_read_the_newest_one_waits(watcher: Watcher, table: Table, slow: SlowReader) -> None:
    watcher.look(1, slow)
    assert slow.began.wait(5)
    watcher.photograph(2)
    pass_pictures(table, 30)
    before = table.taken
    slow.free.set()
    look = eventually(watcher.poll)
    assert look.ticket == 2
    assert look.at_s >= before
    assert slow.reads == 2


def test_a_reader_that_hangs_is_a_part_with_a_sentence_until_it_comes_back(
    watcher: Watcher, table: Table, slow: SlowReader
) -> None:
    watcher.look(1, slow)
    part = eventually(lambda: next((p for p in watcher.parts if p.condition is Condition.FAILED), None))
    assert part.name == "reading"
    assert "tap the moves" in part.sentence
    pass_pictures(table)
    slow.free.set()
    assert eventually(watcher.poll).ticket == 1
    assert watcher.parts[1].condition is Condition.OK


def test_stopping_does_not_wait_for_a_reader_that_hangs(table: Table, slow: SlowReader) -> None:
    watcher = Watcher(lambda: table, still_s=2.0, votes=1, wait=lambda _: time.sleep(0.001))
    watcher.start()
    watcher.look(1, slow)
    assert slow.began.wait(5)
    began = time.monotonic()
    watcher.stop()
    assert time.monotonic() - began < 3.0


def test_pictures_come_more_often_while_somebody_watches() -> None:
    table, pauses = Table(), list[float]()

    def wait(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(0.001)

    watcher = Watcher(lambda: table, frame_s=0.5, wait=wait)
    watcher.start()
    pass_pictures(table)
    assert set(pauses) == {0.5}
    watcher.preview()
    pass_pictures(table)
    assert pauses[-1] <= 0.05
    watcher.stop()


def test_it_is_busy_until_the_picture_is_read(slow: SlowReader) -> None:
    reading = ReadingThread()
    reading.start()
    picture = Picture(np.full((36, 64, 3), 77, np.uint8), 1.0)
    busy = [not reading.idle]
    reading.read("somebody", slow, picture)
    busy.append(not reading.idle)
    assert busy == [False, True]
    slow.free.set()
    read = eventually(reading.done)
    assert (read.asked_by, read.picture, read.reading.rows) == ("somebody", picture, ("077",))
    eventually(lambda: reading.idle)
    reading.stop(1.0)
