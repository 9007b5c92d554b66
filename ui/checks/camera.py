"""The camera that the settings ask for: its software, and whether one is plugged in."""

from __future__ import annotations

import json
from collections.abc import Iterator

from companion.errors import printable
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.checks.pins import ENVIRONMENT
from ui.config import Config

NAME = "camera"
PICTURES = (".jpg", ".jpeg", ".png", ".webp")
BY_HAND = "Plug one in, or play without: type what was played."
CABLE = "Switch the Pi off and push the ribbon cable in at both ends, contacts to the contacts; then start again."
_LIST = """
import json
from picamera2 import Picamera2
print(json.dumps([camera.get("Model", "camera") for camera in Picamera2.global_camera_info()]))
"""


def check(machine: Machine, config: Config) -> Iterator[Finding]:
    """Look for the kind of camera that is set; "auto" takes the first there is."""
    match config.camera.kind:
        case "none":
            yield Finding(NAME, Level.OK, "The settings say that there is none.")
        case "folder":
            yield _folder(config)
        case "webcam":
            yield from _webcam(machine, config)
        case "picamera2":
            yield from _ribbon(machine, Level.FAIL)
        case _:
            yield from _any(machine, config)


def _any(machine: Machine, config: Config) -> Iterator[Finding]:
    if machine.is_pi:
        found = list(_ribbon(machine, Level.WARN))
        if found[0].level is Level.OK or not webcams(machine):
            yield from found
            return
    yield from _webcam(machine, config)


def _folder(config: Config) -> Finding:
    folder = config.camera.folder
    shown = printable(str(folder))
    try:
        count = sum(path.suffix.lower() in PICTURES for path in folder.iterdir()) if folder else 0
    except OSError as error:
        fix = "Name a folder of pictures in the settings: [camera] folder"
        return Finding(NAME, Level.FAIL, f"{shown} cannot be looked into: {error.strerror}.", fix)
    if count == 0:
        return Finding(NAME, Level.WARN, f"No pictures lie in {shown}.", "Put JPEG or PNG files there.")
    return Finding(NAME, Level.OK, f"Pictures are taken from {shown}: {count} lie there.")


def webcams(machine: Machine) -> dict[str, str]:
    """The USB cameras: device to name."""
    cameras = {}
    for entry in machine.matching("/sys/class/video4linux/video*"):
        # A webcam has a second device, with index 1, for its metadata; a Pi's own codecs have other drivers.
        driver = (entry / "device/driver").resolve().name
        if driver == "uvcvideo" and machine.text(f"/sys/class/video4linux/{entry.name}/index") in ("", "0"):
            cameras[f"/dev/{entry.name}"] = machine.text(f"/sys/class/video4linux/{entry.name}/name") or "webcam"
    return cameras


def _webcam(machine: Machine, config: Config) -> Iterator[Finding]:
    cameras, wanted = webcams(machine), config.camera.device
    if wanted and not machine.path(wanted).exists():
        others = ", ".join(cameras) or "none"
        fix = "Plug it in, or name another in the settings: [camera] device"
        yield Finding(NAME, Level.FAIL, f"{printable(wanted)} is not there; webcams: {others}.", fix)
    elif not cameras and not wanted:
        level = Level.FAIL if config.camera.kind == "webcam" else Level.WARN
        yield Finding(NAME, level, "No camera is plugged in.", BY_HAND)
    else:
        device = wanted or next(iter(cameras))
        yield _free_or_held(machine, device, f"{printable(cameras.get(device, 'Camera'))} at {printable(device)}")


def _free_or_held(machine: Machine, device: str, told: str) -> Finding:
    # Sound and video services keep a look at every camera without taking pictures.
    holders = [who for who in machine.holders(device) if not who.startswith(("wireplumber", "pipewire"))]
    if not holders:
        return Finding(NAME, Level.OK, f"{told}.")
    return Finding(NAME, Level.WARN, f"{told} is in use by {' and '.join(holders)}.", "End that program first.")


def _ribbon(machine: Machine, without: Level) -> Iterator[Finding]:
    """The Pi's own camera, which needs libcamera and picamera2 of the operating system.

    `without` is how bad it is when none is plugged in.
    """
    for name in ("libcamera", "picamera2"):
        module = machine.modules.get(name)
        if module is None or module.state == "missing":
            yield _missing(machine, name)
            return
        if module.state == "broken":
            fix = "Install it again: sudo apt install --reinstall python3-libcamera python3-picamera2"
            yield Finding(NAME, Level.FAIL, f"{name} cannot be loaded: {module.detail}.", fix)
            return
    yield _listed(machine, without)


def _missing(machine: Machine, name: str) -> Finding:
    install = "sudo apt install python3-picamera2"
    if not machine.sees_system_packages:
        sentence = f"There is no {name} here: this virtual environment does not see the system's packages."
        return Finding(NAME, Level.FAIL, sentence, f"{install}, and {ENVIRONMENT}")
    system, own = _system_python(machine), machine.python_version.rpartition(".")[0]
    if system and system != own:
        sentence = f"There is no {name} for Python {own}: the system's camera software is for Python {system}."
        fix = "Make the environment again with the system's own: /usr/bin/python3 -m venv --clear"
        return Finding(NAME, Level.FAIL, sentence, f"{fix} --system-site-packages .venv")
    return Finding(NAME, Level.FAIL, f"{name}, which drives the Pi's camera, is not installed.", install)


def _system_python(machine: Machine) -> str:
    """The version of /usr/bin/python3, "3.13"; empty where that is not known."""
    try:
        return machine.path("/usr/bin/python3").readlink().name.removeprefix("python")
    except OSError:
        return ""


def _listed(machine: Machine, without: Level) -> Finding:
    ran = machine.python_script(_LIST, 10.0)
    if ran is None or ran.status is None:
        return Finding(NAME, Level.FAIL, "The camera software does not answer.", CABLE)
    lines = [line for line in ran.output.splitlines() if line.startswith("[")]
    if ran.status != 0 or not lines:
        return Finding(NAME, Level.FAIL, "The camera software fails when it looks for cameras.", CABLE)
    cameras = json.loads(lines[-1])
    if not cameras:
        return Finding(NAME, without, "No camera is found at the ribbon cable.", CABLE)
    return _free_or_held(machine, "/dev/media", f"{printable(', '.join(cameras))} at the ribbon cable")
