"""A light for each seat, one of them on, and a buzzer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from gpiozero import LED, Buzzer

from companion.language import later
from companion.parts import Condition, Part
from companion.rules import Seat, write_seat
from hardware.names import SEAT_LIGHT
from hardware.pins import Pins, give_back, trouble
from hardware.wiring import Wiring

BEEP_S = 0.08

BUZZER = "buzzer"


class Lights:
    """The seats' lights and the buzzer of a wiring. A pin that fails is named in `parts`; the others go on."""

    def __init__(self, pins: Pins, wiring: Wiring) -> None:
        self._devices: dict[str, Any] = {}
        self._pins: dict[str, int] = {}
        self._broken: dict[str, Part] = {}
        self._quiet_s: float | None = None
        self._has_pins = pins.factory is not None
        for seat, bcm in wiring.lights().items():
            self._open(pins, wiring, light_name(seat), bcm, LED)
        if wiring.buzzer is not None:
            self._open(pins, wiring, BUZZER, wiring.buzzer, Buzzer)

    def _open(self, pins: Pins, wiring: Wiring, name: str, bcm: int, kind: Callable[..., Any]) -> None:
        if not self._has_pins:
            return
        self._pins[name] = bcm
        device = pins.device(name, bcm, lambda: kind(bcm, active_high=wiring.active_high, pin_factory=pins.factory))
        if isinstance(device, Part):
            self._broken[name] = device
        else:
            self._devices[name] = device

    @property
    def names(self) -> tuple[str, ...]:
        """The lights, and the buzzer, that can be switched."""
        return tuple(self._devices)

    @property
    def parts(self) -> tuple[Part, ...]:
        """How each light and the buzzer are."""
        found = tuple(self._broken.get(name) or Part(name) for name in self._pins)
        if not self._has_pins or BUZZER in self._pins:
            return found
        return *found, Part(BUZZER, Condition.MISSING, later("No buzzer is wired: watch the screen."))

    def turn(self, seats: Collection[Seat]) -> None:
        """Light up whose turn it is, and no other seat."""
        on = {light_name(seat) for seat in seats}
        for name in [name for name in self._devices if name != BUZZER]:
            self.switch(name, name in on)

    def beep(self, now_s: float) -> None:
        """A short sound, which `poll` ends. `now_s` is monotonic."""
        self.switch(BUZZER, True)
        self._quiet_s = now_s + BEEP_S

    def poll(self, now_s: float) -> None:
        """End the sound when it is time."""
        if self._quiet_s is not None and now_s >= self._quiet_s:
            self.switch(BUZZER, False)
            self._quiet_s = None

    def switch(self, name: str, on: bool) -> None:
        """Switch one of `names`; any other name is not there, which is no mistake."""
        if name not in self._devices:
            return
        try:
            self._devices[name].value = on
        except Exception as error:  # as `Pins.device`
            self._broken[name] = trouble(name, self._pins[name], error)
            del self._devices[name]

    def close(self) -> None:
        """All off, and the pins given back. A second call does nothing."""
        # Off first: a pin that is given back may float.
        for name in self.names:
            self.switch(name, False)
        while self._devices:
            give_back(self._devices.popitem()[1])


def light_name(seat: Seat) -> str:
    """What a seat's light is called among the parts."""
    return SEAT_LIGHT.format(letter=write_seat(seat))
