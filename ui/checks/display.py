"""The screen: something draws on it, and a finger is felt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.errors import printable
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config

NAME = "display"


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """Wayland, X, or the screen without a desktop; then the touch screens."""
    yield _screen(machine)
    touch = touch_screens(machine)
    if touch:
        yield Finding("touch", Level.OK, f"{printable(', '.join(touch))}.")
    else:
        fix = "Plug in the screen's USB or ribbon cable; until then use a mouse or the keys."
        yield Finding("touch", Level.WARN, "No touch screen is found.", fix)


def _screen(machine: Machine) -> Finding:
    for variable, title in (("WAYLAND_DISPLAY", "Wayland"), ("DISPLAY", "X")):
        if machine.environment.get(variable):
            return Finding(NAME, Level.OK, f"A desktop is there ({title}).")
    connected = [
        entry.parent.name.partition("-")[2]
        for entry in machine.matching("/sys/class/drm/card*-*/status")
        if machine.text(f"/sys/class/drm/{entry.parent.name}/status") == "connected"
    ]
    if connected:
        return Finding(NAME, Level.OK, f"No desktop; the screen at {', '.join(connected)} is drawn on directly.")
    if machine.matching("/dev/dri/card*"):
        fix = "Plug in the screen and its power, then start again."
        return Finding(NAME, Level.WARN, "No screen is connected.", fix)
    fix = "For the screens, start it on a desktop or on a Pi with a screen; the other commands work without."
    return Finding(NAME, Level.WARN, "There is no screen and no desktop here.", fix)


def touch_screens(machine: Machine) -> list[str]:
    """The names of all devices on which one points directly. Source: linux/input.h, INPUT_PROP_DIRECT (bit 1)."""
    names = []
    for block in machine.text("/proc/bus/input/devices").split("\n\n"):
        name = re.search(r'^N: Name="(.*)"$', block, re.MULTILINE)
        properties = re.search(r"^B: PROP=([0-9a-f]+)$", block, re.MULTILINE)
        if name and properties and int(properties[1], 16) & 0b10:
            names.append(name[1])
    return names
