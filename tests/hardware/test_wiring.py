from __future__ import annotations

import contextlib
import tomllib
from typing import Any

import pytest

from companion.errors import DataError
from companion.intents import Control
from hardware.presses import Key
from hardware.wiring import BUSES, DEFAULT, DEFAULT_TEXT, PLACES, SeatPins, Wiring, WiringError


def problems(text: str) -> list[tuple[str, str]]:
    with pytest.raises(WiringError) as caught:
        Wiring.from_table(tomllib.loads(text))
    assert isinstance(caught.value, DataError)
    return list(caught.value.problems)


def test_the_default_wiring_keeps_off_every_bus() -> None:
    assert Wiring.from_table(tomllib.loads(DEFAULT_TEXT)["wiring"]) == DEFAULT
    pins = [*DEFAULT.buttons().values(), *DEFAULT.lights().values(), *DEFAULT.die.values(), DEFAULT.buzzer]
    assert len(pins) == len(set(pins)) == 16
    assert not set(pins) & {pin for bus in BUSES.values() for pin in bus}
    assert tuple(DEFAULT.die) == PLACES


def test_everything_may_be_left_out() -> None:
    assert Wiring.from_table({}) == Wiring()
    assert Wiring().buttons() == {}
    wiring = Wiring.from_table({"seats": {"J": {"button": 4}, "B": {"light": 5}, "A": {}}})
    assert wiring.seats == {1: SeatPins(light=5), 9: SeatPins(button=4)}
    assert wiring.buttons() == {Key(Control.SEAT, 9): 4}
    assert wiring.lights() == {1: 5}


def test_all_that_is_wrong_is_named_at_once() -> None:
    found = problems("""
        confrim = 17
        undo = 28
        roll = "22"
        photograph = true
        buzzer = 5
        hold_s = 9
        debounce_s = 0.5
        pull = "sideways"
        active_high = 1
        [die]
        top_left = 5
        middle = 6
        [seats.A]
        button = 5
        lamp = 6
        [seats.K]
        button = 7
        [seats]
        B = 3
    """)
    assert found == [
        ("wiring.confrim", "wiring.confrim is not known here: did you mean confirm?"),
        ("wiring.undo", "wiring.undo must be a BCM pin number from 0 to 27 (found 28)."),
        ("wiring.roll", "wiring.roll must be a BCM pin number from 0 to 27 (found '22')."),
        ("wiring.photograph", "wiring.photograph must be a BCM pin number from 0 to 27 (found True)."),
        (
            "wiring.die.middle",
            "wiring.die.middle is not known here: did you mean middle_left?",
        ),
        (
            "wiring.die.top_left",
            "wiring.die.top_left is the pin of wiring.buzzer too: give each its own (found 5).",
        ),
        ("wiring.seats.K", "wiring.seats.K is not known here: allowed are A B C D E F G H I J."),
        (
            "wiring.seats.A.lamp",
            "wiring.seats.A.lamp is not known here: allowed are button light.",
        ),
        (
            "wiring.seats.A.button",
            "wiring.seats.A.button is the pin of wiring.buzzer too: give each its own (found 5).",
        ),
        ("wiring.seats.B", "wiring.seats.B must be a table (found 3)."),
        ("wiring.pull", "wiring.pull must be 'up' or 'down' (found 'sideways')."),
        ("wiring.active_high", "wiring.active_high must be true or false (found 1)."),
        ("wiring.hold_s", "wiring.hold_s must be from 0.3 to 5.0 seconds (found 9)."),
        ("wiring.debounce_s", "wiring.debounce_s must be from 0.005 to 0.1 seconds (found 0.5)."),
    ]


@pytest.mark.parametrize(("bus", "pin"), [(bus, pin) for bus, pins in BUSES.items() for pin in pins])
def test_a_pin_of_a_bus_is_refused_unless_the_bus_is_said_to_be_off(bus: str, pin: int) -> None:
    sentence = f"wiring.undo is a pin of the bus {bus}: take another, or leave {bus} out of wiring.buses (found {pin})."
    assert problems(f"undo = {pin}") == [("wiring.undo", sentence)]
    others = [other for other in BUSES if other != bus]
    assert Wiring.from_table({"undo": pin, "buses": others}).undo == pin


@pytest.mark.parametrize("buses", ["spi", ["spy"], [1], {}])
def test_unknown_buses_are_named(buses: Any) -> None:
    with pytest.raises(WiringError, match=r"^wiring\.buses must be a list of the buses in use, of id i2c spi uart"):
        Wiring.from_table({"undo": 7, "buses": buses})


@pytest.mark.parametrize(("key", "value"), [("hold_s", 0.3), ("hold_s", 5), ("debounce_s", 0.005), ("debounce_s", 0.1)])
def test_times_at_their_limits_are_allowed(key: str, value: float) -> None:
    assert getattr(Wiring.from_table({key: value}), key) == value


@pytest.mark.parametrize("value", [0.29, 5.1, float("nan"), float("inf"), True, "1"])
def test_a_wrong_hold_time_is_refused(value: Any) -> None:
    with pytest.raises(WiringError, match=r"^wiring\.hold_s must be from 0\.3 to 5\.0 seconds"):
        Wiring.from_table({"hold_s": value})


@pytest.mark.parametrize("table", [{"die": 3}, {"seats": [1]}, {"seats": {"A": 4}}])
def test_a_table_must_be_one(table: dict[str, Any]) -> None:
    with pytest.raises(WiringError, match="must be a table"):
        Wiring.from_table(table)


def test_no_value_breaks_the_check() -> None:
    wild = [None, [], {}, "x", -1, 10**99, 1.5, True]
    for key in ("confirm", "buses", "pull", "active_high", "hold_s", "debounce_s", "die", "seats", "buzzer"):
        for value in wild:
            with contextlib.suppress(WiringError):
                assert isinstance(Wiring.from_table({key: value}), Wiring)
