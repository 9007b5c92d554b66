"""Camera, screen, fonts, power, clock, disk, plays."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion import schema
from ui.checks.finding import Level
from ui.checks.machine import Ran, Space


def settings(folder: Path, text: str) -> Path:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def webcam(bench: Any, name: str = "video0", driver: str = "uvcvideo", index: int = 0) -> Any:
    entry = f"/sys/class/video4linux/{name}"
    bench.files({f"{entry}/name": f"Cam {name}\n", f"{entry}/index": str(index), f"/dev/{name}": ""})
    drivers = bench.root / "sys/bus/usb/drivers" / driver
    drivers.mkdir(parents=True, exist_ok=True)
    (bench.root / f"sys/class/video4linux/{name}/device").mkdir()
    (bench.root / f"sys/class/video4linux/{name}/device/driver").symlink_to(drivers)
    return bench


def one(bench: Any, name: str, config: Path | None = None) -> Any:
    [found] = [finding for finding in bench.examine(config) if finding.name == name]
    return found


# Camera


def test_an_environment_that_does_not_see_libcamera(pi_4: Any) -> None:
    pi_4.files({"/venv/pyvenv.cfg": "include-system-site-packages = false\n"})
    pi_4.scripts.modules |= dict.fromkeys(("libcamera", "picamera2", "simplejpeg"), ("missing", ""))
    found = pi_4.only(Level.FAIL)
    assert "no libcamera" in found.sentence
    assert "virtual environment" in found.sentence
    assert "apt install python3-picamera2" in found.fix
    assert "--system-site-packages" in found.fix


def test_camera_software_for_another_python(pi_4: Any) -> None:
    pi_4.scripts.modules["libcamera"] = ("missing", "")
    (pi_4.root / "usr/bin").mkdir()
    (pi_4.root / "usr/bin/python3").symlink_to("python3.11")
    found = pi_4.only(Level.FAIL)
    assert found.sentence == "There is no libcamera for Python 3.13: the system's camera software is for Python 3.11."


def test_picamera2_is_not_installed(pi_4: Any) -> None:
    pi_4.scripts.modules["picamera2"] = ("missing", "")
    assert pi_4.only(Level.FAIL).fix == "sudo apt install python3-picamera2"


def test_libcamera_that_does_not_load(pi_4: Any) -> None:
    pi_4.scripts.modules["libcamera"] = ("broken", "libcamera.so.0.5: cannot open shared object file")
    found = pi_4.only(Level.FAIL)
    assert "libcamera.so.0.5" in found.sentence
    assert "--reinstall" in found.fix


@pytest.mark.parametrize(
    ("cameras", "level", "part"),
    [
        (Ran(0, "log line\n[]\n"), Level.WARN, "No camera is found"),
        (Ran(None, ""), Level.FAIL, "does not answer"),
        (Ran(1, ""), Level.FAIL, "fails when it looks"),
        (Ran(0, '["imx708"]\n'), Level.OK, "imx708"),
    ],
)
def test_what_the_camera_software_finds(pi_4: Any, cameras: Ran, level: Level, part: str) -> None:
    pi_4.scripts.cameras = cameras
    found = one(pi_4, "camera")
    assert found.level is level
    assert part in found.sentence


def test_the_ribbon_camera_that_the_settings_ask_for_must_be_there(pi_4: Any, tmp_path: Path) -> None:
    pi_4.scripts.cameras = Ran(0, "[]")
    assert one(pi_4, "camera", settings(tmp_path, '[camera]\nkind = "picamera2"')).level is Level.FAIL


def test_a_webcam_stands_in_for_a_ribbon_camera(pi_4: Any) -> None:
    pi_4.scripts.modules["picamera2"] = ("missing", "")
    assert one(webcam(pi_4), "camera").level is Level.OK


def test_webcams_are_told_from_codecs_and_from_their_own_metadata(bench: Any) -> None:
    webcam(bench, "video0", index=1)
    webcam(bench, "video10", driver="bcm2835-codec")
    assert "No camera" in one(bench, "camera").sentence
    assert one(webcam(bench, "video4"), "camera").sentence == "Cam video4 at /dev/video4."


def test_a_camera_in_use_and_by_whom(bench: Any) -> None:
    webcam(bench).files({"/proc/900/comm": "cheese\n", "/proc/901/comm": "wireplumber\n"})
    for number in (900, 901):
        (bench.root / f"proc/{number}/fd").mkdir()
        (bench.root / f"proc/{number}/fd/3").symlink_to("/dev/video0")
    found = one(bench, "camera")
    assert (found.level, found.sentence) == (Level.WARN, "Cam video0 at /dev/video0 is in use by cheese (process 900).")


def test_the_webcam_that_the_settings_name(bench: Any, tmp_path: Path) -> None:
    config = settings(tmp_path, '[camera]\nkind = "webcam"\ndevice = "/dev/video7"')
    found = one(webcam(bench), "camera", config)
    assert (found.level, found.sentence) == (Level.FAIL, "/dev/video7 is not there; webcams: /dev/video0.")


def test_a_folder_of_pictures(bench: Any, tmp_path: Path) -> None:
    config = settings(tmp_path, '[camera]\nkind = "folder"\nfolder = "pictures"')
    assert one(bench, "camera", config).level is Level.FAIL
    (tmp_path / "pictures").mkdir()
    assert one(bench, "camera", config).level is Level.WARN
    (tmp_path / "pictures/one.JPG").touch()
    assert one(bench, "camera", config).level is Level.OK


def test_no_camera_on_purpose(bench: Any, tmp_path: Path) -> None:
    assert one(bench, "camera", settings(tmp_path, '[camera]\nkind = "none"')).level is Level.OK


# Screen and fonts


def test_screens(bench: Any) -> None:
    assert "Wayland" in one(bench, "display").sentence
    bench.machine.environment.update(WAYLAND_DISPLAY="", DISPLAY=":0")
    assert "(X)" in one(bench, "display").sentence
    bench.machine.environment["DISPLAY"] = ""
    assert one(bench, "display").level is Level.WARN
    bench.files({"/dev/dri/card0": "", "/sys/class/drm/card1-DSI-1/status": "disconnected\n"})
    assert one(bench, "display").sentence == "No screen is connected."
    bench.files({"/sys/class/drm/card1-HDMI-A-1/status": "connected\n"})
    assert one(bench, "display").level is Level.OK
    assert "HDMI-A-1" in one(bench, "display").sentence


def test_touch(bench: Any) -> None:
    assert one(bench, "touch").sentence == "FT5406 touch."
    bench.files({"/proc/bus/input/devices": 'N: Name="Mouse"\nB: PROP=0\n'})
    assert one(bench, "touch").level is Level.WARN


def test_fonts_that_are_missing_are_warnings(bench: Any) -> None:
    for path in bench.root.rglob("*.ttf"):
        path.unlink()
    found = [finding for finding in bench.examine() if finding.name == "fonts"]
    assert [finding.level for finding in found] == [Level.WARN, Level.WARN]
    assert "fonts-dejavu-core" in found[0].fix
    assert "Japanese" in found[1].sentence


# Power


@pytest.mark.parametrize(
    ("bits", "level", "part"),
    [
        ("0x0", Level.OK, "right"),
        ("0x50005", Level.FAIL, "too low right now"),
        ("0x50000", Level.WARN, "has been too low"),
        ("0x8", Level.WARN, "too hot"),
        ("0xe0000", Level.WARN, "slowed down by heat"),
    ],
)
def test_power(pi_4: Any, bits: str, level: Level, part: str) -> None:
    pi_4.scripts.programs["vcgencmd"] = Ran(0, f"throttled={bits}\n")
    found = one(pi_4, "power")
    assert found.level is level
    assert part in found.sentence


def test_no_firmware_to_ask(bench: Any) -> None:
    bench.scripts.programs["vcgencmd"] = Ran(1, "Can't open device file: /dev/vcio\n")
    assert [finding for finding in bench.examine() if finding.name == "power"] == []


# Clock


def test_a_clock_that_was_never_set(bench: Any) -> None:
    bench.change(now=lambda: datetime(1970, 1, 1, 0, 3, tzinfo=UTC))
    found = one(bench, "clock")
    assert found.level is Level.FAIL
    assert "1 January 1970" in found.sentence
    assert "sudo date" in found.fix


def test_a_clock_behind_the_last_play(bench: Any) -> None:
    bench.files({"/home/ana/.local/share/table-companion/plays.sqlite": ""})
    later = datetime(2027, 3, 1, tzinfo=UTC).timestamp()
    os.utime(bench.root / "home/ana/.local/share/table-companion/plays.sqlite", (later, later))
    found = one(bench, "clock")
    assert found.level is Level.FAIL
    assert "last play" in found.sentence


def test_a_clock_that_nothing_sets(bench: Any) -> None:
    (bench.root / "run/systemd/timesync/synchronized").unlink()
    assert one(bench, "clock").level is Level.WARN
    bench.scripts.programs["timedatectl"] = Ran(0, "yes\n")
    assert one(bench, "clock").level is Level.OK


# Disk


@pytest.mark.parametrize(
    ("number", "part", "fix"),
    [
        (errno.ENOSPC, "full", "Make room"),
        (errno.EROFS, "read-only", "raspi-config"),
        (errno.EACCES, "may not write", "chown"),
        (errno.EIO, os.strerror(errno.EIO), "another card"),
    ],
)
def test_a_folder_that_cannot_be_written(bench: Any, number: int, part: str, fix: str) -> None:
    def refuse(folder: Path) -> None:
        raise OSError(number, os.strerror(number), str(folder))

    found = one(bench.change(try_to_write=refuse), "disk")
    assert found.level is Level.FAIL
    assert part in found.sentence
    assert fix in found.fix


@pytest.mark.parametrize(
    ("space", "level"),
    [
        (Space(10 * 2**20), Level.FAIL),
        (Space(10 * 2**30, 0), Level.FAIL),
        (Space(300 * 2**20), Level.WARN),
        (Space(10 * 2**30), Level.OK),
    ],
)
def test_room(bench: Any, space: Space, level: Level) -> None:
    found = one(bench.change(space=lambda folder: space), "disk")  # noqa: ARG005
    assert found.level is level
    assert "MiB free" in found.sentence


def test_space_that_is_not_told(bench: Any) -> None:
    def refuse(folder: Path) -> Space:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))

    assert one(bench.change(space=refuse), "disk").level is Level.WARN


def test_a_file_where_the_folder_should_be(bench: Any) -> None:
    bench.files({"/home/ana/.local/share/table-companion": ""})
    found = one(bench, "disk")
    assert found.level is Level.FAIL
    assert "is a file" in found.sentence


# Plays


def database(bench: Any) -> Path:
    path = bench.root / "home/ana/.local/share/table-companion/plays.sqlite"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.migrate(connection)
    return path


def test_a_sound_database(bench: Any) -> None:
    assert "None is kept yet" in one(bench, "plays").sentence
    database(bench)
    assert one(bench, "plays").level is Level.OK


def test_a_damaged_database(bench: Any) -> None:
    path = database(bench)
    content = bytearray(path.read_bytes())
    content[4096:6000] = bytes(1904)
    path.write_bytes(content)
    found = one(bench, "plays")
    assert found.level is Level.FAIL
    assert "last good copy" in found.fix
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100])
def test_a_file_that_is_no_database(bench: Any, content: bytes) -> None:
    database(bench).write_bytes(content)
    assert one(bench, "plays").level is Level.FAIL


def test_a_database_of_a_newer_program(bench: Any) -> None:
    with closing(sqlite3.connect(database(bench))) as connection:
        connection.execute(f"PRAGMA user_version = {len(schema.STEPS) + 1}")
    assert "newer" in one(bench, "plays").sentence
