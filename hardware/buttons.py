"""The buttons of the table: pins in, presses out.

gpiozero's bounce time, hold and press events are not used, only the raw edges: callbacks run on the pin library's one
thread, where they put the edge into a queue and return. `Buttons.poll` does the rest; the thread of the screen calls it
about 30 times a second.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from gpiozero import InputDevice

from companion.intents import Notice, Pressed
from companion.language import later
from companion.parts import Condition, Part
from hardware.names import SEAT_BUTTON, facts_of
from hardware.pins import Pins, give_back, trouble
from hardware.presses import Key, Recogniser
from hardware.wiring import CENTRAL, Wiring

LOG = logging.getLogger(__name__)

Edge = tuple[Key, bool, float]

LATEST_S = 1.0
"""An edge older than this when it is delivered was not stamped by our clock."""


NOT_WIRED = later("No {part} is wired: use the one on the screen.")
STUCK = later("The {part} on GPIO {bcm} has been down since the start: release it, or check its wiring.")


@dataclass(frozen=True, slots=True)
class RawPin:
    """One button's pin as it is now, for a page on which a person tries every button. `last_edge_s` is monotonic."""

    name: str
    bcm: int
    high: bool
    down: bool
    last_edge_s: float | None


class Buttons:
    """All buttons of a wiring. `clock` gives monotonic seconds, the same that `poll` is called with."""

    def __init__(self, pins: Pins, wiring: Wiring, clock: Callable[[], float] = time.monotonic) -> None:
        self._edges: SimpleQueue[Edge] = SimpleQueue()
        self._broken: dict[Key, Part] = {}
        # Kept for as long as the buttons are: a device that is collected stops its events without a word.
        self._watched: dict[Key, _Watched] = {}
        self._wired = wiring.buttons() if pins.factory is not None else {}
        for key, bcm in self._wired.items():
            device = pins.device(part_name(key), bcm, partial(self._watch, pins, wiring, key, bcm, clock))
            if isinstance(device, Part):
                self._broken[key] = device
            else:
                self._watched[key] = device
        stuck = [key for key in self._watched if self._level(key)]
        self._recogniser = Recogniser(tuple(self._watched), wiring.hold_s, wiring.debounce_s, stuck)
        self._has_pins = pins.factory is not None

    def _watch(self, pins: Pins, wiring: Wiring, key: Key, bcm: int, clock: Callable[[], float]) -> _Watched:
        device = InputDevice(bcm, pull_up=wiring.pull == "up", pin_factory=pins.factory)
        try:
            return _Watched(device, key, bcm, self._edges, clock)
        except Exception:
            device.close()
            raise

    def poll(self, now_s: float) -> list[Pressed | Notice]:
        """Everything that was pressed up to now."""
        while True:
            try:
                self._recogniser.feed(*self._edges.get_nowait())
            except Empty:
                break
        intents = self._recogniser.tick(now_s)
        self._check_levels(now_s)
        return intents

    def _check_levels(self, now_s: float) -> None:
        """Make up for edges that a pin library lost: a level that differs in two polls running counts as one."""
        for key, watched in self._watched.items():
            down = self._level(key)
            differs = down is not None and down != self._recogniser.is_down(key)
            if differs and watched.differed:
                self._recogniser.feed(key, bool(down), now_s)
            watched.differed = differs

    def _level(self, key: Key) -> bool | None:
        """Whether the button is down; None, with a note among the parts, for as long as its pin cannot be read."""
        watched = self._watched[key]
        try:
            down = watched.is_down()
        except Exception as error:  # as `Pins.device`
            self._broken[key] = trouble(part_name(key), watched.bcm, error)
            return None
        self._broken.pop(key, None)
        return down

    @property
    def parts(self) -> tuple[Part, ...]:
        """How every button is, in the order of the wiring; the central ones are named even when they are not wired."""
        if not self._has_pins:
            return ()
        keys = dict.fromkeys((*map(Key, CENTRAL), *self._wired))
        return tuple(self._part(key) for key in keys)

    def _part(self, key: Key) -> Part:
        name = part_name(key)
        if key in self._broken:
            return self._broken[key]
        if key not in self._watched:
            return Part(
                name, Condition.MISSING, later("No {part} is wired: use the one on the screen."), {"part": name}
            )
        if self._recogniser.is_stuck(key):
            bcm = self._watched[key].bcm
            return Part(name, Condition.FAILED, STUCK, {**facts_of(name), "bcm": bcm})
        return Part(name)

    def levels(self) -> tuple[RawPin, ...]:
        """The raw level and the last edge of every button's pin that can be read."""
        found = []
        for key, watched in self._watched.items():
            down = self._level(key)
            if down is not None:
                high = down is not watched.device.pull_up
                found.append(RawPin(part_name(key), watched.bcm, high, down, self._recogniser.last_edge_s(key)))
        return tuple(found)

    def last_length_s(self, key: Key) -> float | None:
        """How long the button's last press was, once it has ended."""
        return self._recogniser.last_length_s(key) if key in self._watched else None

    def close(self) -> None:
        """Give the pins back. A second call does nothing."""
        while self._watched:
            give_back(self._watched.popitem()[1])


def part_name(key: Key) -> str:
    """What a button is called among the parts."""
    return f"{key.name} button" if key.seat is None else SEAT_BUTTON.format(letter=key.name)


class _Watched:
    """One button's device and where its edges go."""

    def __init__(self, device: Any, key: Key, bcm: int, edges: SimpleQueue[Edge], clock: Callable[[], float]) -> None:
        self.device, self.key, self.bcm, self.differed = device, key, bcm, False
        self._edges, self._clock = edges, clock
        device.pin.edges = "both"
        # gpiozero keeps only a weak reference to this method.
        device.pin.when_changed = self._changed

    def is_down(self) -> bool:
        return bool(self.device.is_active)

    def _changed(self, ticks: float, state: int) -> None:
        try:
            factory, now_s = self.device.pin_factory, self._clock()
            # The kernel's stamp, on our clock: this thread may have waited for others.
            late_s = factory.ticks_diff(factory.ticks(), ticks)
            at_s = now_s - late_s if 0 <= late_s < LATEST_S else now_s
            self._edges.put((self.key, bool(state) is not self.device.pull_up, at_s))
        except Exception:
            # An exception would end the thread that serves all pins. The lost edge is made up for by its level.
            LOG.exception("An edge of the %s was lost.", part_name(self.key))

    def close(self) -> None:
        self.device.pin.when_changed = None
        self.device.close()
