"""The power supply of a Pi: too weak a one loses cameras, cards and evenings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config

NAME = "power"
SUPPLY = "Use the official power supply and its own cable, and take other things off the USB ports."
COOL = "Give it air or a heat sink, and keep it out of the sun."

# Bits of `vcgencmd get_throttled`. Source: Raspberry Pi documentation, "vcgencmd".
_LOW_NOW, _SLOW_NOW, _LOW_BEFORE, _SLOW_BEFORE = 1 << 0, 0b1110, 1 << 16, 0b1110 << 16


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """What the firmware says about voltage and heat; nothing where there is no such firmware."""
    ran = machine.program(["vcgencmd", "get_throttled"], 2.0)
    told = re.search(r"throttled=0x([0-9a-fA-F]+)", ran.output) if ran else None
    if told is None:
        return
    bits = int(told[1], 16)
    if bits & _LOW_NOW:
        yield Finding(NAME, Level.FAIL, "The voltage is too low right now.", SUPPLY)
    elif bits & _LOW_BEFORE:
        yield Finding(NAME, Level.WARN, "The voltage has been too low since the Pi was started.", SUPPLY)
    elif bits & _SLOW_NOW:
        yield Finding(NAME, Level.WARN, "The Pi is slowed down because it is too hot.", COOL)
    elif bits & _SLOW_BEFORE:
        yield Finding(NAME, Level.WARN, "The Pi was slowed down by heat since it was started.", COOL)
    else:
        yield Finding(NAME, Level.OK, "Voltage and temperature have been right since the Pi was started.")
