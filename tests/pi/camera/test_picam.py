"""The camera's adapter on the real picamera2, and what the fake must have in common with it. `run` runs these."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from companion.parts import Condition
from companion.sight import Outcome, Reading
from vision.camera import SIZE, CameraError
from vision.picam import Picam
from vision.watcher import Watcher

pytestmark = pytest.mark.pi

HERE = Path(__file__).parent
FRAMES = Path("/root/frames")

METHODS = (
    "__init__",
    "global_camera_info",
    "create_preview_configuration",
    "configure",
    "camera_configuration",
    "start",
    "set_controls",
    "capture_arrays",
    "cancel_all_and_flush",
    "close",
)


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def fake() -> ModuleType:
    return module(HERE.parents[1] / "vision/fake_picamera2.py")


@pytest.fixture(scope="module")
def real() -> Any:
    return module(HERE / "virtual.py").VirtualPicamera2


@pytest.fixture
def scene(fake: ModuleType, real: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("picamera2.Picamera2", real)
    FRAMES.mkdir(exist_ok=True)
    show(fake.block((0, 0, 255), SIZE))


def show(image: Any) -> None:
    assert cv2.imwrite(str(FRAMES / "0.jpg"), image)


@pytest.mark.parametrize("method", METHODS)
def test_the_fake_has_the_signatures_of_the_real_package(fake: ModuleType, real: Any, method: str) -> None:
    ours = inspect.signature(getattr(fake.Picamera2, method)).parameters
    theirs = inspect.signature(getattr(real.__mro__[1], method)).parameters
    assert list(ours) == list(theirs)
    for name, parameter in theirs.items():
        assert ours[name].kind is parameter.kind
        simple = parameter.default is inspect.Parameter.empty or type(parameter.default) in (int, bool, str, dict)
        if simple:
            assert ours[name].default == parameter.default


@pytest.mark.usefixtures("scene")
def test_a_red_block_is_red_in_bgr() -> None:
    camera = Picam()
    camera.open()
    before = time.monotonic()
    picture = camera.grab()
    camera.close()
    print("size", camera.size, "shape", picture.image.shape)
    assert picture.image.shape == (1296, 2304, 3)
    assert picture.image.dtype == np.uint8
    assert picture.image.flags.c_contiguous
    assert picture.at_s >= before
    assert np.abs(picture.image[648, 1152].astype(int) - (0, 0, 255)).max() <= 4
    assert np.abs(picture.image[50, 50].astype(int) - 120).max() <= 4


@pytest.mark.usefixtures("scene")
def test_closed_and_opened_again_it_sees_what_has_changed(fake: ModuleType) -> None:
    camera = Picam()
    for colour in ((0, 0, 255), (255, 0, 0), (0, 255, 0)):
        show(fake.block(colour, SIZE))
        camera.open()
        seen = camera.grab().image[648, 1152].astype(int)
        camera.close()
        assert np.abs(seen - colour).max() <= 4


@pytest.mark.usefixtures("scene")
def test_a_camera_that_this_program_already_holds_is_busy() -> None:
    first = Picam()
    first.open()
    with pytest.raises(CameraError) as caught:
        Picam(wait=lambda _: None).open()
    assert first.grab().image.any()
    first.close()
    print(caught.value, repr(caught.value.__cause__))
    assert caught.value.condition is Condition.BUSY


@pytest.mark.usefixtures("scene")
def test_no_such_camera_is_explained() -> None:
    with pytest.raises(CameraError):
        Picam(7).open()


@pytest.mark.usefixtures("scene")
def test_the_watcher_reads_a_still_table() -> None:
    class Middle:
        def read(self, image: Any, /) -> Reading:
            return Reading(Outcome.CLEAR, ("R" if image[648, 1152, 2] > 200 else "?",), (), ())

    watcher = Watcher(Picam, still_s=0.3)
    watcher.start()
    watcher.look(3, Middle())
    end = time.monotonic() + 20
    while (look := watcher.poll()) is None:
        assert time.monotonic() < end, watcher.parts
        time.sleep(0.01)
    watcher.stop()
    assert (look.ticket, look.reading.rows) == (3, ("R",))


@pytest.mark.usefixtures("scene")
def test_five_hundred_frames_leave_memory_as_it_was() -> None:
    camera = Picam()
    camera.open()
    for _ in range(50):
        camera.grab()
    before = resident_mb()
    began = time.monotonic()
    for _ in range(500):
        camera.grab()
    seconds, grown = time.monotonic() - began, resident_mb() - before
    camera.close()
    print(f"500 frames in {seconds:.1f} s, {grown:.1f} MB more")
    assert grown < 20


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20
