"""Who starts the program: on a Pi, devices belong to groups."""

from __future__ import annotations

from collections.abc import Iterator

from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config

NAME = "user"
GROUPS = ("gpio", "video", "input", "render")


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """Whether pins, camera, touch and screen may be used; only a Pi has these groups for sure."""
    if not machine.is_pi:
        return
    user = machine.user()
    if user.uid == 0:
        fix = "Start it as your ordinary user, without sudo."
        yield Finding("user", Level.WARN, "You are root: the touch screen and the files' owner may be wrong.", fix)
        return
    lacking = [group for group in GROUPS if group not in user.groups]
    later = [group for group in lacking if group in user.promised]
    if not lacking:
        yield Finding("user", Level.OK, f"{user.name} may use pins, camera, touch and screen.")
    elif lacking == later:
        sentence = f"{user.name} has joined {', '.join(later)}, which counts from the next start."
        yield Finding("user", Level.FAIL, sentence, "Start the Pi again: sudo reboot")
    else:
        sentence = f"{user.name} is not in these groups: {', '.join(lacking)}."
        fix = f"sudo usermod -aG {','.join(lacking)} {user.name}, then start the Pi again"
        yield Finding("user", Level.FAIL, sentence, fix)
