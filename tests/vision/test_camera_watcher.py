from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.parts import Condition
from companion.sight import Outcome, Reading
from vision.camera import Camera, CameraError, NoPictureError, Picture, checked, within
from vision.picam import Picam
from vision.watcher import FRAME_S, Look, Watcher


class Table:
    """A camera in front of a shade of grey; each picture is taken a second after the one before."""

    def __init__(self) -> None:
        self.shade = 100
        self.trouble: Exception | None = None
        self.hangs = ""
        self.released = threading.Event()
        self.opened = self.closed = self.taken = 0

    def _enter(self, method: str) -> None:
        if method == self.hangs:
            self.released.wait(60)

    def open(self) -> None:
        self._enter("open")
        self.opened += 1

    def grab(self) -> Picture:
        self._enter("grab")
        if self.trouble is not None:
            raise self.trouble
        self.taken += 1
        image = np.full((36, 64, 3), 60, np.uint8)
        image[9:27, 16:48] = self.shade
        return Picture(image, float(self.taken))

    def close(self) -> None:
        self._enter("close")
        self.closed += 1


class ShadeReader:
    """Reads the shade in the middle; waits for `free` when it is told to."""

    def __init__(self) -> None:
        self.reads = 0
        self.error: Exception | None = None
        self.free = threading.Event()
        self.free.set()
        self.began = threading.Event()

    def read(self, image: NDArray[np.uint8], /) -> Reading:
        self.began.set()
        assert self.free.wait(10)
        self.reads += 1
        if self.error is not None:
            raise self.error
        return Reading(Outcome.CLEAR, (f"{image[18, 32, 0]:03}",), (), ())


@contextmanager
def watching(factory: Callable[[], Camera], **settings: Any) -> Iterator[Watcher]:
    watcher = Watcher(factory, **({"still_s": 2.0, "limit_s": 0.3, "wait": lambda _: time.sleep(0.001)} | settings))
    watcher.start()
    try:
        yield watcher
    finally:
        began = time.monotonic()
        watcher.stop()
        assert time.monotonic() - began < 2.0


def eventually(get: Callable[[], Any], limit_s: float = 10.0) -> Any:
    end = time.monotonic() + limit_s
    while not (found := get()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)
    return found


def pass_pictures(table: Table, count: int = 12) -> None:
    goal = table.taken + count
    eventually(lambda: table.taken >= goal)


def test_a_new_ticket_is_read_once_and_each_change_again() -> None:
    table, reader = Table(), ShadeReader()
    with watching(lambda: table) as watcher:
        watcher.look(7, reader)
        look: Look = eventually(watcher.poll)
        assert (look.ticket, look.reading.rows) == (7, ("100",))
        assert look.picture[18, 32, 0] == 100
        pass_pictures(table)
        watcher.look(7, reader)
        pass_pictures(table)
        assert watcher.poll() is None
        assert reader.reads == 3
        table.shade = 200
        assert eventually(watcher.poll).reading.rows == ("200",)
        assert [part.condition for part in watcher.parts] == [Condition.OK, Condition.OK]
    assert table.closed == table.opened == 1


def test_a_read_that_is_late_for_its_ticket_is_dropped() -> None:
    table, slow, quick = Table(), ShadeReader(), ShadeReader()
    slow.free.clear()
    with watching(lambda: table, votes=1) as watcher:
        watcher.look(1, slow)
        assert slow.began.wait(5)
        watcher.look(2, quick)
        slow.free.set()
        assert eventually(watcher.poll).ticket == 2
        pass_pictures(table)
        assert watcher.poll() is None


def test_a_look_that_lies_ready_when_its_ticket_is_undone_is_dropped() -> None:
    table, reader = Table(), ShadeReader()
    with watching(lambda: table, votes=1) as watcher:
        watcher.look(1, reader)
        eventually(lambda: reader.reads)
        pass_pictures(table, 3)
        watcher.look(0, None)
        assert watcher.poll() is None


def test_photograph_reads_though_nothing_has_moved() -> None:
    table, reader = Table(), ShadeReader()
    with watching(lambda: table, still_s=1e9) as watcher:
        watcher.look(4, reader)
        pass_pictures(table)
        assert reader.reads == 0
        watcher.photograph(5)
        assert eventually(watcher.poll).ticket == 5
        assert reader.reads == 1


def test_while_hands_move_nothing_is_read() -> None:
    table, reader = Table(), ShadeReader()

    def stir(_: float) -> None:
        table.shade = 100 + 50 * (table.taken % 2)

    with watching(lambda: table, wait=stir) as watcher:
        watcher.look(1, reader)
        watcher.photograph(1)
        pass_pictures(table, 60)
        assert reader.reads == 0


@pytest.mark.parametrize(
    ("error", "sentence"), [(CompanionError("Lay it flat."), "Lay it flat."), (ZeroDivisionError("oops"), "oops")]
)
def test_a_reader_that_fails_is_a_part_and_the_watching_goes_on(error: Exception, sentence: str) -> None:
    table, reader = Table(), ShadeReader()
    reader.error = error
    with watching(lambda: table) as watcher:
        watcher.look(1, reader)
        part = eventually(lambda: next((p for p in watcher.parts if p.condition is Condition.FAILED), None))
        assert part.name == "reading"
        assert sentence in part.sentence
        reader.error = None
        watcher.photograph(1)
        assert eventually(watcher.poll).ticket == 1
        assert watcher.parts[1].condition is Condition.OK


def test_the_dark_is_no_empty_table() -> None:
    table, reader = Table(), ShadeReader()
    dark = Picture(np.full((36, 64, 3), 3, np.uint8), 0.0)
    table.grab = lambda: dark  # type: ignore[method-assign]
    with watching(lambda: table) as watcher:
        watcher.look(1, reader)
        watcher.photograph(1)
        eventually(lambda: "too dark" in watcher.parts[0].sentence)
        assert reader.reads == 0
        del table.grab
        assert eventually(watcher.poll).reading.rows == ("100",)


def test_trouble_is_told_and_the_camera_opened_again_with_growing_pauses() -> None:
    table, reader, pauses = Table(), ShadeReader(), list[float]()
    table.trouble = CameraError("Plug it in.", Condition.BUSY)

    def wait(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(0.001)

    with watching(lambda: table, wait=wait) as watcher:
        watcher.look(1, reader)
        eventually(lambda: len(pauses) >= 8)
        assert pauses[:8] == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]
        assert watcher.parts[0].condition is Condition.BUSY
        assert watcher.parts[0].sentence == "Plug it in."
        assert watcher.poll() is None
        table.trouble = None
        assert eventually(watcher.poll).ticket == 1
        assert watcher.parts[0].condition is Condition.OK


def test_no_picture_yet_needs_no_new_camera() -> None:
    table, reader = Table(), ShadeReader()
    table.trouble = NoPictureError("Put one in.", Condition.MISSING)
    with watching(lambda: table) as watcher:
        watcher.look(1, reader)
        eventually(lambda: watcher.parts[0].sentence == "Put one in.")
        table.trouble = None
        eventually(watcher.poll)
        assert table.opened == 1


def test_a_camera_that_fails_in_a_way_nobody_thought_of_is_opened_again() -> None:
    table, reader = Table(), ShadeReader()
    table.trouble = KeyError("main")
    with watching(lambda: table) as watcher:
        watcher.look(1, reader)
        eventually(lambda: watcher.parts[0].condition is Condition.FAILED)
        table.trouble = None
        eventually(watcher.poll)


@pytest.mark.parametrize("method", ["open", "grab"])
def test_a_camera_that_hangs_is_replaced(method: str) -> None:
    hung, table, reader = Table(), Table(), ShadeReader()
    hung.hangs = method
    cameras = iter([hung, table])
    with watching(lambda: next(cameras), limit_s=0.05, open_limit_s=0.05) as watcher:
        watcher.look(1, reader)
        assert eventually(watcher.poll).reading.rows == ("100",)
        assert watcher.parts[0].condition is Condition.OK
    hung.released.set()
    eventually(lambda: hung.closed >= 1)


@pytest.mark.parametrize("method", ["open", "grab", "close"])
def test_stopping_does_not_wait_for_a_camera_that_hangs(method: str) -> None:
    table = Table()
    table.hangs = method
    with watching(lambda: table, limit_s=60.0, open_limit_s=60.0):
        time.sleep(0.05)
    table.released.set()


def test_the_newest_frame_wins_and_is_shown_once() -> None:
    table = Table()
    with watching(lambda: table) as watcher:
        pass_pictures(table, 30)
        table.shade = 222
        watcher.preview()
        pass_pictures(table, 3)
        shown = watcher.preview()
        assert shown is not None
        assert shown.pixels[18, 32, 0] == shown.image[18, 32, 0] == 222
    watcher.preview()
    assert watcher.preview() is None


def test_stopping_before_starting_is_allowed() -> None:
    Watcher(Table).stop()


def test_the_watcher_reads_through_the_pis_camera(world: Any) -> None:
    reader = ShadeReader()
    with watching(lambda: Picam(wait=lambda _: None), still_s=0.05, limit_s=5.0) as watcher:
        watcher.look(1, reader)
        assert eventually(watcher.poll).picture.shape == (90, 160, 3)
        world.vanishes_at = world.frame
        eventually(lambda: "cable" in watcher.parts[0].sentence)
        world.vanishes_at = None
        assert eventually(watcher.poll).ticket == 1
    assert world.closed == world.opened


def test_within_gives_a_late_result_to_whoever_tidies_up() -> None:
    free, late = threading.Event(), list[int]()

    def call() -> int:
        free.wait(10)
        return 5

    with pytest.raises(TimeoutError):
        within(0.01, call, late.append)
    free.set()
    eventually(lambda: late == [5])
    assert within(5.0, lambda: 3) == 3
    with pytest.raises(KeyError):
        within(5.0, lambda: {}[1])


def test_a_camera_that_cannot_be_made_does_not_end_the_watching() -> None:
    made: list[Table] = []

    def factory() -> Camera:
        made.append(Table())
        if len(made) == 1:
            raise CameraError("No camera is here: plug one in.", Condition.MISSING)
        if len(made) == 2:
            raise RuntimeError("no such thing")
        return made[-1]

    with watching(factory) as watcher:
        watcher.look(1, ShadeReader())
        assert eventually(watcher.poll).ticket == 1
    assert made[0].closed == 0


def test_a_camera_that_is_opened_anew_is_another_one_without_a_pause() -> None:
    first, second, pauses = Table(), Table(), []
    second.shade = 200

    def wait(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(0.001)

    with watching(lambda: first, wait=wait) as watcher:
        watcher.look(1, ShadeReader())
        assert eventually(watcher.poll).reading.rows == ("100",)
        watcher.reopen(lambda: second)
        assert eventually(watcher.poll).reading.rows == ("200",)
        assert (first.opened, first.closed, second.opened) == (1, 1, 1)
        assert max(pauses) <= FRAME_S
        assert watcher.parts[0].condition is Condition.OK


def test_a_camera_in_trouble_is_opened_anew_too() -> None:
    broken, well = Table(), Table()
    broken.trouble = CameraError("It is loose.")
    with watching(lambda: broken) as watcher:
        eventually(lambda: broken.closed)
        watcher.reopen(lambda: well)
        watcher.look(1, ShadeReader())
        assert eventually(watcher.poll).ticket == 1


@pytest.mark.parametrize(
    "image",
    [
        np.full((36, 64), 100, np.uint8),
        np.full((36, 64, 4), 100, np.uint8),
        np.full((36, 64, 3), 100, np.float32),
        np.full((36, 64, 3), 100, np.uint16),
        np.zeros((0, 0, 3), np.uint8),
    ],
)
def test_what_is_no_picture_is_a_trouble_of_the_camera(image: Any) -> None:
    with pytest.raises(CameraError, match="pictures cannot be used"):
        checked(Picture(image, 1.0))
