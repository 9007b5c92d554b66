"""What the doctor tells about pins, on a GPIO chip that the kernel simulates; `run` makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.pins import open_pins
from ui.checks import pins
from ui.checks.finding import Level
from ui.checks.gpiochip import read_chips
from ui.checks.machine import Machine
from ui.config import default

pytestmark = pytest.mark.pi

CONFIRM, HOGGED = 17, 25


def test_the_kernel_tells_the_chip_and_who_uses_its_lines() -> None:
    [header] = [chip for chip in read_chips(Path("/")) if chip.label == "pinctrl-bcm2711"]
    assert (header.lines, header.problem) == (54, "")
    assert header.users == {HOGGED: "spi0"}
    opened = open_pins()
    try:
        import lgpio

        handle = lgpio.gpiochip_open(int(header.device.removeprefix("gpiochip")))
        lgpio.gpio_claim_input(handle, CONFIRM)
        [header] = [chip for chip in read_chips(Path("/")) if chip.label == "pinctrl-bcm2711"]
        assert header.users == {HOGGED: "spi0", CONFIRM: "lg"}
        lgpio.gpiochip_close(handle)
    finally:
        opened.close()


def test_busy_pins_are_told_by_owner() -> None:
    failing = [finding.sentence for finding in pins.check(Machine(), default()) if finding.level is Level.FAIL]
    assert [told for told in failing if told.startswith("GPIO")] == ["GPIO 25 (seat C's light) is in use by 'spi0'."]
