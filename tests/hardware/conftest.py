"""Mock pins, and pins that misbehave on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from companion.parts import Part
from hardware.pins import Pins, open_pins


class StuckPin(MockPin):
    """A pin that something connects to ground, whatever pull it has."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


class BrittlePin(MockPin):
    """A pin that can no longer be read or set once `broken` is on."""

    broken = False

    def _get_state(self) -> Any:
        self._check()
        return super()._get_state()

    def _set_state(self, value: float) -> None:
        self._check()
        super()._set_state(value)

    def _check(self) -> None:
        if self.broken:
            raise OSError("the line is gone")


@pytest.fixture
def pins() -> Iterator[Pins]:
    opened = open_pins("mock")
    yield opened
    opened.close()


@pytest.fixture
def stuck_pins() -> Iterator[Pins]:
    """Pins that are all connected to ground until a test drives them high."""
    opened = Pins(MockFactory(pin_class=StuckPin), Part("pins"))
    yield opened
    opened.close()


@pytest.fixture
def brittle_pins() -> Iterator[Pins]:
    """Pins of which each fails once its `broken` is on."""
    opened = Pins(MockFactory(pin_class=BrittlePin), Part("pins"))
    yield opened
    for bcm in range(28):
        opened.factory.pin(bcm).broken = False
    opened.close()
