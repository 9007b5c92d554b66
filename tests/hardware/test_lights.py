from __future__ import annotations

from gpiozero import LED

from companion.parts import Condition, Part
from hardware.lights import BEEP_S, Lights
from hardware.pins import Pins
from hardware.wiring import SeatPins, Wiring

SEATS = {seat: SeatPins(light=bcm) for seat, bcm in enumerate((21, 24, 25))}
WIRING = Wiring(buzzer=18, seats=SEATS)


def levels(pins: Pins) -> list[bool]:
    return [pins.factory.pin(bcm).state for bcm in (21, 24, 25)]


def test_the_light_of_the_turn_alone_is_on(pins: Pins) -> None:
    lights = Lights(pins, WIRING)
    assert levels(pins) == [False, False, False]
    lights.turn([1])
    assert levels(pins) == [False, True, False]
    lights.turn([0, 2])
    assert levels(pins) == [True, False, True]
    lights.turn([9])
    assert levels(pins) == [False, False, False]
    lights.close()


def test_lights_to_33_volts_are_on_when_low(pins: Pins) -> None:
    lights = Lights(pins, Wiring(seats=SEATS, active_high=False))
    assert levels(pins) == [True, True, True]
    lights.turn([1])
    assert levels(pins) == [True, False, True]
    lights.close()


def test_a_beep_ends_by_itself(pins: Pins) -> None:
    lights, buzzer = Lights(pins, WIRING), pins.factory.pin(18)
    lights.beep(5.0)
    lights.poll(5.0 + BEEP_S / 2)
    assert buzzer.state
    lights.poll(5.0 + BEEP_S)
    assert not buzzer.state
    lights.poll(6.0)
    buzzer.assert_states([False, True, False])
    lights.close()


def test_parts_name_what_is_missing_busy_and_failing(brittle_pins: Pins) -> None:
    pins = brittle_pins
    with LED(24, pin_factory=pins.factory):
        lights = Lights(pins, Wiring(seats=SEATS))
        assert lights.names == ("seat A light", "seat C light")
        first, second, third, buzzer = lights.parts
        assert (first, third) == (Part("seat A light"), Part("seat C light"))
        assert second.condition is Condition.BUSY
        assert buzzer == Part("buzzer", Condition.MISSING, "No buzzer is wired: watch the screen.")
        pins.factory.pin(21).broken = True
        lights.turn([0, 2])
        assert lights.parts[0].condition is Condition.FAILED
        assert pins.factory.pin(25).state
        lights.turn([0])
        assert not pins.factory.pin(25).state
        lights.close()


def test_closing_turns_everything_off_and_may_be_done_twice(pins: Pins) -> None:
    lights = Lights(pins, WIRING)
    lights.turn([0, 1, 2])
    lights.close()
    lights.close()
    lights.turn([0])
    lights.beep(1.0)
    assert [pins.factory.pin(bcm).function for bcm in (18, 21, 24, 25)] == ["input"] * 4
    assert levels(pins) == [False, False, False]
    LED(21, pin_factory=pins.factory).close()


def test_without_pins_there_are_no_lights() -> None:
    lights = Lights(Pins(None, Part("pins", Condition.MISSING, "None.")), WIRING)
    assert (lights.parts, lights.names) == ((), ())
    lights.turn([0])
    lights.beep(1.0)
    lights.poll(2.0)
    lights.close()
