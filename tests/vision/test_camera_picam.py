from __future__ import annotations

import sys
import threading
import time
import tracemalloc
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from companion.parts import Condition
from vision.camera import SIZE, CameraError
from vision.picam import SIZES, Picam
from vision.pixels import bgr

FORMATS = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "NV12", "YUV420")


def picam(**settings: Any) -> Picam:
    return Picam(**({"limit_s": 5.0, "clock": lambda: 7.0, "wait": lambda _: None} | settings))


def opened(**settings: Any) -> Picam:
    camera = picam(**settings)
    camera.open()
    return camera


def settled(world: Any, name: str) -> list[dict[str, Any]]:
    return [controls for controls in world.set if name in controls]


@pytest.mark.parametrize("padding", [0, 32])
@pytest.mark.parametrize("pixel_format", FORMATS)
def test_a_red_block_is_red_in_bgr_whatever_is_delivered(world: Any, pixel_format: str, padding: int) -> None:
    world.delivers, world.padding = pixel_format, padding
    image = opened().grab().image
    assert image.shape == (90, 160, 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert np.abs(image[45, 80].astype(int) - (0, 0, 255)).max() <= 3
    assert np.abs(image[5, 155].astype(int) - 120).max() <= 3


def test_colours_of_one_scene_agree_in_all_formats(fake: ModuleType) -> None:
    scene = np.random.default_rng(3).integers(0, 256, (6, 8, 3), np.uint8).repeat(8, 0).repeat(8, 1)
    for pixel_format in FORMATS:
        image = bgr(fake.packed(scene, pixel_format), pixel_format, (64, 48))
        exact = pixel_format not in ("NV12", "YUV420")
        assert np.abs(image.astype(int) - scene).mean() <= (0 if exact else 3)


def test_one_configuration_asks_for_what_the_table_needs(world: Any) -> None:
    opened()
    (asked,) = world.configured
    assert asked["main"]["size"] == SIZE == (2304, 1296)
    assert asked["main"]["format"] == "RGB888"
    assert asked["buffer_count"] == 2
    assert asked["queue"] is False
    assert asked["controls"] == {"AfMode": 1}


def test_a_picture_of_full_size_arrives(world: Any) -> None:
    world.size, world.exposed_at, world.lens_frames = None, 1, 2
    camera = opened()
    assert camera.grab().image.shape == (1296, 2304, 3)
    assert camera.size == SIZE


@pytest.mark.parametrize("where", ["configure", "start"])
def test_too_little_memory_makes_pictures_smaller(world: Any, where: str) -> None:
    world.size, world.memory_fails_at, world.fitting = None, where, 1152 * 648
    world.exposed_at, world.lens_frames = 1, 2
    assert opened().grab().image.shape == (648, 1152, 3)


def test_no_memory_at_all_is_a_sentence(world: Any) -> None:
    world.size, world.fitting = None, 0
    with pytest.raises(CameraError, match="memory does not suffice"):
        picam().open()
    assert [asked["main"]["size"] for asked in world.configured] == list(SIZES)
    assert world.closed == world.opened == 1


def test_the_lens_moves_once_and_pictures_wait_for_it(world: Any) -> None:
    world.lens_frames = 12
    camera = opened()
    triggered, fixed = settled(world, "AfMode")
    assert triggered["AfTrigger"] == 0
    assert fixed["AfMode"] == 0
    assert fixed["LensPosition"] == pytest.approx(2.5, abs=0.05)
    assert fixed["frame"] > triggered["frame"] + 5
    camera.grab()
    assert len(settled(world, "AfMode")) == 2


def test_a_lens_that_was_focused_is_not_focused_again_on_a_hand(world: Any) -> None:
    camera = opened()
    camera.close()
    camera.open()
    controls = world.configured[-1]["controls"]
    assert controls["AfMode"] == 0
    assert controls["LensPosition"] == pytest.approx(2.5, abs=0.05)


def test_a_focus_that_is_given_is_in_the_configuration(world: Any) -> None:
    opened(focus=1.5)
    assert world.configured[0]["controls"] == {"AfMode": 0, "LensPosition": 1.5}
    assert settled(world, "AfTrigger") == []


def test_exposure_is_fixed_where_it_has_settled_and_never_in_the_dark(world: Any) -> None:
    world.dark_frames = 20
    opened()
    (fixed,) = settled(world, "ExposureTime")
    assert fixed["frame"] >= 20 + world.exposed_at
    assert fixed["ExposureTime"] == 20_000
    assert fixed["ColourGains"] == (2.5, 1.8)
    assert fixed["AeEnable"] is False
    assert fixed["AwbEnable"] is False


def test_in_a_dark_room_exposure_is_fixed_once_there_is_light(world: Any) -> None:
    world.dark_frames = 150
    camera = opened()
    assert settled(world, "ExposureTime") == []
    while world.frame < 170:
        camera.grab()
    (fixed,) = settled(world, "ExposureTime")
    assert fixed["ExposureTime"] == 20_000


def test_only_controls_that_the_camera_has_are_set(world: Any) -> None:
    world.controls = ("AwbEnable",)
    camera = opened(mains_hz=50)
    camera.grab()
    assert world.configured[0]["controls"] == {}
    assert [set(controls) for controls in world.set] == [{"frame", "AwbEnable"}]


@pytest.mark.parametrize(("mains_hz", "period_us"), [(50, 10_000), (60, 8_333)])
def test_lamps_on_the_mains_draw_no_bands(world: Any, mains_hz: int, period_us: int) -> None:
    opened(mains_hz=mains_hz)
    assert world.configured[0]["controls"]["AeFlickerPeriod"] == period_us
    assert world.configured[0]["controls"]["AeFlickerMode"] == 1


def test_a_busy_camera_is_tried_three_times(world: Any) -> None:
    world.busy = 2
    pauses: list[float] = []
    camera = picam(wait=pauses.append)
    camera.open()
    assert len(pauses) == 2
    assert camera.grab().at_s == 7.0


def test_a_camera_that_stays_busy_is_explained(world: Any) -> None:
    world.busy = 9
    with pytest.raises(CameraError, match=r"in use by .*: end that program\.") as caught:
        picam().open()
    assert caught.value.condition is Condition.BUSY
    assert world.busy == 6


def test_no_camera_is_explained(world: Any) -> None:
    world.cameras = 0
    with pytest.raises(CameraError, match="push the camera's cable in") as caught:
        picam().open()
    assert caught.value.condition is Condition.MISSING


def test_missing_software_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2") as caught:
        picam().open()
    assert caught.value.condition is Condition.MISSING


def test_a_camera_that_vanishes_is_explained_and_can_be_opened_again(world: Any) -> None:
    camera = opened()
    world.vanishes_at = world.frame + 1
    with pytest.raises(CameraError, match=r"frontend has timed out.*cable"):
        camera.grab()
    camera.close()
    world.vanishes_at = None
    camera.open()
    assert camera.grab().image.any()


@pytest.mark.parametrize(
    "method",
    ["__init__", "global_camera_info", "create_preview_configuration", "configure", "camera_configuration", "start"],
)
def test_a_call_that_hangs_while_opening_ends_in_a_sentence(world: Any, method: str) -> None:
    world.hangs = method
    began = time.monotonic()
    with pytest.raises(CameraError, match="does not answer"):
        picam(limit_s=0.1).open()
    assert time.monotonic() - began < 3
    world.hangs = ""
    world.released.set()
    wait_for(lambda: world.closed == world.opened)


@pytest.mark.parametrize("method", ["capture_arrays", "set_controls"])
def test_a_capture_that_hangs_ends_in_a_sentence(world: Any, method: str) -> None:
    camera = picam(limit_s=0.1)
    world.hangs = method
    with pytest.raises(CameraError, match="does not answer"):
        camera.open()
    assert world.closed == 1


@pytest.mark.parametrize("method", ["close", "cancel_all_and_flush"])
def test_closing_a_camera_that_hangs_comes_back_and_so_does_opening(world: Any, method: str) -> None:
    camera = opened(limit_s=0.2)
    world.hangs = method
    camera.close()
    with pytest.raises(CameraError, match="still hangs"):
        camera.open()
    world.hangs = ""
    world.released.set()
    wait_for(lambda: world.closed == 1)
    camera.open()
    assert camera.grab().image.any()


def test_an_unknown_format_is_explained(world: Any) -> None:
    world.delivers = "SBGGR10"
    with pytest.raises(CameraError, match="SBGGR10"):
        picam().open()


def test_a_closed_camera_gives_no_picture(world: Any) -> None:
    camera = opened()
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="not open"):
        camera.grab()
    assert world.closed == 1


def test_memory_is_flat_over_five_hundred_pictures(world: Any) -> None:
    world.delivers = "NV12"
    camera = opened()
    for _ in range(20):
        camera.grab()
    tracemalloc.start()
    try:
        for _ in range(500):
            image = camera.grab().image
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Others allocate meanwhile, such as the measuring of coverage; 500 pictures would be ten times this.
    assert grown < 50 * image.nbytes
    assert sum(thread.name == "camera call" for thread in threading.enumerate()) <= 1


def wait_for(condition: Any, limit_s: float = 5.0) -> None:
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)
