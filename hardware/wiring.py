"""Which pin is what: the `[wiring]` table of the configuration, checked as a whole.

Pins are named by their BCM numbers. Whatever is left out is not there; everything can be done on the screen too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from companion.errors import DataError, brief, quoted
from companion.intents import Control
from companion.rules import SEAT_LETTERS, Seat, read_seat
from hardware.presses import Key

PINS = range(28)
"""The BCM numbers of the 40-pin header."""

BUSES = {"id": (0, 1), "i2c": (2, 3), "spi": (7, 8, 9, 10, 11), "uart": (14, 15)}
"""The pins of each bus. `id` is the memory by which a board on the header tells what it is.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header", alternative functions.
"""

PLACES = ("top_left", "top_right", "middle_left", "centre", "middle_right", "bottom_left", "bottom_right")
"""Where the seven LEDs of the die sit; patterns of pips are in this order."""

CENTRAL = (Control.CONFIRM, Control.UNDO, Control.ROLL, Control.PHOTOGRAPH)
"""The buttons in the middle of the table."""

SETTINGS = ("buses", "pull", "active_high", "hold_s", "debounce_s")

DEFAULT_TEXT = """\
[wiring]
buses = ["id", "i2c", "spi", "uart"]  # in use by others: their pins are refused here
pull = "up"         # "up": each button connects its pin to ground; "down": to 3.3 V
active_high = true  # each light connects its pin to ground through a resistor; false: to 3.3 V
hold_s = 1.0        # how long a button is kept down to mean its second meaning
debounce_s = 0.02   # how long a contact must stay open before its press has ended
confirm = 17
undo = 27
roll = 22
photograph = 23
buzzer = 18

[wiring.die]
top_left = 5
top_right = 6
middle_left = 12
centre = 13
middle_right = 16
bottom_left = 19
bottom_right = 20

[wiring.seats]
A = { light = 21 }
B = { light = 24 }
C = { light = 25 }
D = { light = 26 }
"""
"""A wiring with four buttons, a buzzer, the die and four lights that keeps off every bus, as TOML."""


class WiringError(DataError):
    """The wiring cannot be used."""


@dataclass(frozen=True, slots=True)
class SeatPins:
    """The BCM pins of one seat's own button and light."""

    button: int | None = None
    light: int | None = None


@dataclass(frozen=True, slots=True)
class Wiring:
    """All BCM pins, each None or absent where nothing is connected, and how they are used.

    `die` goes from the names in `PLACES` to pins; `buses` names those of `BUSES` whose pins belong to others.
    """

    confirm: int | None = None
    undo: int | None = None
    roll: int | None = None
    photograph: int | None = None
    buzzer: int | None = None
    seats: Mapping[Seat, SeatPins] = field(default_factory=dict)
    die: Mapping[str, int] = field(default_factory=dict)
    pull: str = "up"
    active_high: bool = True
    hold_s: float = 1.0
    debounce_s: float = 0.02
    buses: tuple[str, ...] = tuple(BUSES)

    @classmethod
    def from_table(cls, table: Mapping[str, object]) -> Wiring:
        """The wiring in a `[wiring]` table as tomllib reads it.

        Raises: WiringError, naming everything that is wrong.
        """
        reader = _Reader(table)
        wiring = reader.wiring()
        if reader.problems:
            raise WiringError(reader.problems)
        return wiring

    def buttons(self) -> dict[Key, int]:
        """The pin of every button, the central ones first."""
        pins = {Key(control): getattr(self, control.value) for control in CENTRAL}
        pins |= {Key(Control.SEAT, seat): own.button for seat, own in sorted(self.seats.items())}
        return {key: pin for key, pin in pins.items() if pin is not None}

    def lights(self) -> dict[Seat, int]:
        """The pin of every seat's light."""
        return {seat: own.light for seat, own in sorted(self.seats.items()) if own.light is not None}


NOTHING = Wiring()
"""Nothing is connected."""


class _Reader:
    """One table being checked: wrong values are noted in `problems`, never raised."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self.problems: list[tuple[str, str]] = []
        self._table = table
        self._used: dict[int, str] = {}
        self._buses: tuple[str, ...] = ()

    def wiring(self) -> Wiring:
        names = tuple(control.value for control in CENTRAL)
        self._only(self._table, "wiring", (*names, "buzzer", "die", "seats", *SETTINGS))
        self._buses = self._read_buses()
        pins = {name: self._pin(self._table, "wiring", name) for name in (*names, "buzzer")}
        return Wiring(
            **pins,
            die=dict(self._read_die()),
            seats=dict(self._read_seats()),
            pull=self._read_pull(),
            active_high=self._read_active_high(),
            hold_s=self._seconds("hold_s", 0.3, 5.0, NOTHING.hold_s),
            debounce_s=self._seconds("debounce_s", 0.005, 0.1, NOTHING.debounce_s),
            buses=self._buses,
        )

    def _read_die(self) -> Iterator[tuple[str, int]]:
        table = self._subtable(self._table, "wiring", "die")
        self._only(table, "wiring.die", PLACES)
        for place in PLACES:
            pin = self._pin(table, "wiring.die", place)
            if pin is not None:
                yield place, pin

    def _read_seats(self) -> Iterator[tuple[Seat, SeatPins]]:
        seats = self._subtable(self._table, "wiring", "seats")
        self._only(seats, "wiring.seats", tuple(SEAT_LETTERS))
        for letter in SEAT_LETTERS:
            where = f"wiring.seats.{letter}"
            own = self._subtable(seats, "wiring.seats", letter)
            self._only(own, where, ("button", "light"))
            pins = SeatPins(self._pin(own, where, "button"), self._pin(own, where, "light"))
            if pins != SeatPins():
                yield read_seat(letter), pins

    def _read_buses(self) -> tuple[str, ...]:
        value = self._table.get("buses", list(BUSES))
        if isinstance(value, list) and all(isinstance(bus, str) and bus in BUSES for bus in value):
            return tuple(bus for bus in BUSES if bus in value)
        self._note("wiring.buses", f"must be a list of the buses in use, of {' '.join(BUSES)}", value)
        # What belongs to whom is not known: no pin is called wrong for it.
        return ()

    def _read_pull(self) -> str:
        value = self._table.get("pull", NOTHING.pull)
        if isinstance(value, str) and value in ("up", "down"):
            return value
        self._note("wiring.pull", "must be 'up' or 'down'", value)
        return NOTHING.pull

    def _read_active_high(self) -> bool:
        value = self._table.get("active_high", NOTHING.active_high)
        if isinstance(value, bool):
            return value
        self._note("wiring.active_high", "must be true or false", value)
        return NOTHING.active_high

    def _seconds(self, key: str, low: float, high: float, default: float) -> float:
        value = self._table.get(key, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        self._note(f"wiring.{key}", f"must be from {low} to {high} seconds", value)
        return default

    def _pin(self, table: Mapping[str, object], where: str, key: str) -> int | None:
        if key not in table:
            return None
        value, path = table[key], f"{where}.{key}"
        # TOML's true is Python's True, which is an int.
        if not isinstance(value, int) or isinstance(value, bool) or value not in PINS:
            self._note(path, f"must be a BCM pin number from {PINS[0]} to {PINS[-1]}", value)
            return None
        bus = next((bus for bus in self._buses if value in BUSES[bus]), None)
        if bus:
            self._note(path, f"is a pin of the bus {bus}: take another, or leave {bus} out of wiring.buses", value)
        if value in self._used:
            self._note(path, f"is the pin of {self._used[value]} too: give each its own", value)
        self._used.setdefault(value, path)
        return value

    def _subtable(self, table: Mapping[str, object], where: str, key: str) -> Mapping[str, object]:
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        self._note(f"{where}.{key}", "must be a table", value)
        return {}

    def _only(self, table: Mapping[str, object], where: str, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                close = get_close_matches(key, known, n=1)
                hint = f"did you mean {close[0]}?" if close else f"allowed are {' '.join(known)}."
                path = f"{where}.{brief(key)}"
                self.problems.append((path, f"{path} is not known here: {hint}"))

    def _note(self, path: str, rule: str, found: object) -> None:
        self.problems.append((path, f"{path} {rule} (found {quoted(found)})."))


DEFAULT = Wiring.from_table(tomllib.loads(DEFAULT_TEXT)["wiring"])
"""The wiring of `DEFAULT_TEXT`."""
