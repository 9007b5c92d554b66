"""The clock. A Pi has no battery for it: without a network it starts in the past, and plays would get wrong dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config

NAME = "clock"
EARLIEST = datetime(2026, 11, 1, tzinfo=UTC)
"""Before this the program did not exist."""

SET_IT = "Connect the network for a minute, or set it: sudo date -s '2027-01-31 19:30'"


def check(machine: Machine, config: Config) -> Iterator[Finding]:
    """Whether the date can be true, and whether anything keeps it true."""
    now = machine.now()
    shown = f"{now.day} {now:%B %Y %H:%M %Z}".rstrip()
    if now < EARLIEST:
        yield Finding(NAME, Level.FAIL, f"The clock says {shown}: it has not been set.", SET_IT)
        return
    newest = _newest_play(config)
    if newest is not None and newest - now > timedelta(days=1):
        yield Finding(NAME, Level.FAIL, f"The clock says {shown}, and the last play was later than that.", SET_IT)
    elif _is_kept(machine):
        yield Finding(NAME, Level.OK, f"{shown}, set from the network.")
    else:
        fix = "Only the dates of plays may be wrong; to set the clock, connect the network for a minute."
        yield Finding(NAME, Level.WARN, f"{shown}; nothing has set the clock from the network.", fix)


def _newest_play(config: Config) -> datetime | None:
    try:
        times = [path.stat().st_mtime for path in config.data.folder.iterdir()]
    except OSError:
        return None
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _is_kept(machine: Machine) -> bool:
    if machine.path("/run/systemd/timesync/synchronized").exists():
        return True
    ran = machine.program(["timedatectl", "show", "--property=NTPSynchronized", "--value"], 2.0)
    return ran is not None and ran.output.strip() == "yes"
