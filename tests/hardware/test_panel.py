from __future__ import annotations

import random

import pytest
from gpiozero import LED

from companion.intents import Drawn, Pressed, Rolled
from companion.parts import Condition, Part
from hardware.die import ANIMATION_S
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.wiring import DEFAULT


def test_everything_is_told_by_one_poll_and_closed_at_the_end(pins: Pins) -> None:
    now_s = 50.0
    with Panel(DEFAULT, pins, lambda: now_s, random.Random(3)) as panel:
        assert {part.condition for part in panel.parts} == {Condition.OK}
        assert [part.name for part in panel.parts] == [
            *("pins", "confirm button", "undo button", "roll button", "photograph button"),
            *("seat A light", "seat B light", "seat C light", "seat D light", "buzzer", "die"),
        ]
        pins.factory.pin(22).drive_low()
        now_s = 50.1
        pins.factory.pin(22).drive_high()
        assert [type(intent) for intent in panel.poll(50.2)] == [Pressed]
        panel.lights.beep(50.2)
        panel.die.roll(50.2)
        assert panel.poll(50.2 + ANIMATION_S) == [
            Drawn(panel.die.rolls[0].pips, "led"),
            Rolled(panel.die.rolls[0].pips, "led", logged=True),
        ]
        assert not pins.factory.pin(18).state
    panel.close()
    LED(22, pin_factory=pins.factory).close()


def test_without_pins_only_the_pins_are_named_and_the_die_still_draws() -> None:
    missing = Part("pins", Condition.MISSING, "There are none.")
    with Panel(DEFAULT, Pins(None, missing)) as panel:
        assert panel.parts == (missing,)
        panel.lights.turn([0])
        panel.die.roll(1.0)
        assert panel.poll(1.0) == [
            Drawn(panel.die.rolls[0].pips, "led"),
            Rolled(panel.die.rolls[0].pips, "led", logged=True),
        ]


def test_a_pin_that_cannot_be_given_back_keeps_no_other_from_being_switched_off(
    pins: Pins, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    panel = Panel(DEFAULT, pins)
    panel.lights.turn([0])
    button = panel.pins.factory.pin(17)
    give_back = button.close
    monkeypatch.setattr(button, "close", lambda: (give_back(), _fail()))
    panel.close()
    assert not pins.factory.pin(21).state
    assert "could not be given back" in caplog.text
    LED(21, pin_factory=pins.factory).close()


def _fail() -> None:
    raise OSError("the line is gone")
