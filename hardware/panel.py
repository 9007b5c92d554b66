"""The buttons, the lights and the die of one table together."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from types import TracebackType

from companion.intents import Drawn, Notice, Pressed, Rolled
from companion.parts import Part
from hardware.buttons import Buttons
from hardware.die import Die
from hardware.lights import Lights
from hardware.pins import Pins, open_pins
from hardware.wiring import Wiring


class Panel:
    """All that is wired to one table; as a context it switches everything off at its end.

    `clock` gives monotonic seconds, the same that `poll` is called with; the die's numbers come from `generator`, by
    default the system's.
    """

    def __init__(
        self,
        wiring: Wiring,
        pins: Pins | None = None,
        clock: Callable[[], float] = time.monotonic,
        generator: random.Random | None = None,
    ) -> None:
        self.pins = open_pins() if pins is None else pins
        self.hold_s = wiring.hold_s
        self.buttons = Buttons(self.pins, wiring, clock)
        self.lights = Lights(self.pins, wiring)
        self.die = Die(self.pins, wiring, generator)

    @property
    def parts(self) -> tuple[Part, ...]:
        """How the pins are, and each part on them."""
        return self.pins.part, *self.buttons.parts, *self.lights.parts, *self.die.parts

    def poll(self, now_s: float) -> list[Pressed | Notice | Drawn | Rolled]:
        """Everything that happened up to now; to be called about 30 times a second, by one thread."""
        self.lights.poll(now_s)
        return [*self.buttons.poll(now_s), *self.die.poll(now_s)]

    def close(self) -> None:
        """Everything off, and all pins given back. A second call does nothing."""
        self.buttons.close()
        self.lights.close()
        self.die.close()
        self.pins.close()

    def __enter__(self) -> Panel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
