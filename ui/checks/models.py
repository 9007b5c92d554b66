"""The games' readers: their networks are there, undamaged, and load."""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import printable
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.checks.modules import READER, READERS
from ui.config import Config

NAME = "readers"


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """Whether every game's photographs can be read."""
    common = machine.modules.get(READERS)
    if common is None or common.state != "ok":
        why = printable(common.detail).rstrip(".") if common else "Python stopped before"
        fix = "Mend the packages; if they are in order, install again: deploy/run"
        yield Finding(NAME, Level.FAIL, f"Photographs cannot be read: {why}.", fix)
        return
    ready = []
    for name, reader in machine.modules.items():
        if not name.startswith(READER):
            continue
        game = name.removeprefix(READER)
        if reader.state == "ok":
            ready.append(game)
        else:
            why = printable(reader.detail).rstrip(".")
            fix = "Install the companion again: deploy/run"
            yield Finding(NAME, Level.FAIL, f"Photographs of {game} cannot be read: {why}.", fix)
    if ready:
        yield Finding(NAME, Level.OK, f"Photographs can be read of: {', '.join(ready)}.")
