from __future__ import annotations

import gc
import logging
import time
from collections.abc import Iterator

import pytest
from gpiozero import LED

from companion.intents import Control, Notice, Pressed
from companion.parts import Condition, Part
from hardware.buttons import Buttons, RawPin
from hardware.pins import Pins
from hardware.presses import Key
from hardware.wiring import DEFAULT, SeatPins, Wiring

WIRING = Wiring(confirm=17, undo=27, roll=22, photograph=23, seats={1: SeatPins(button=24)})


class Clock:
    """Monotonic seconds that stand still until a test moves them on."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Table:
    """Buttons on mock pins, and fingers."""

    def __init__(self, pins: Pins, clock: Clock, wiring: Wiring = WIRING) -> None:
        self.pins, self.clock = pins, clock
        self.buttons = Buttons(pins, wiring, clock)

    def down(self, bcm: int) -> None:
        self.pins.factory.pin(bcm).drive_low()

    def up(self, bcm: int) -> None:
        self.pins.factory.pin(bcm).drive_high()

    def wait(self, seconds: float) -> list[Pressed | Notice]:
        """What is told in that time, asked 30 times a second."""
        told, end_s = [], self.clock.now_s + seconds
        while self.clock.now_s < end_s:
            self.clock.now_s = min(self.clock.now_s + 1 / 30, end_s)
            told += self.buttons.poll(self.clock.now_s)
        return told

    def press(self, bcm: int, seconds: float = 0.06) -> list[Pressed | Notice]:
        self.down(bcm)
        told = self.wait(seconds)
        self.up(bcm)
        return told + self.wait(0.1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(pins: Pins, clock: Clock) -> Iterator[Table]:
    laid = Table(pins, clock)
    yield laid
    laid.buttons.close()


def test_every_button_tells_what_it_is_for(table: Table) -> None:
    for bcm, control, seat in (
        (17, Control.CONFIRM, None),
        (27, Control.UNDO, None),
        (22, Control.ROLL, None),
        (23, Control.PHOTOGRAPH, None),
        (24, Control.SEAT, 1),
    ):
        start_s = table.clock.now_s
        (told,) = table.press(bcm)
        assert isinstance(told, Pressed)
        assert (told.control, told.held, told.seat) == (control, False, seat)
        assert told.at_s == pytest.approx(start_s, abs=0.01)
        assert table.buttons.last_length_s(Key(control, seat)) == pytest.approx(0.06, abs=0.01)


def test_bounces_on_the_pin_are_one_press(table: Table) -> None:
    for _ in range(5):
        table.down(17)
        table.up(17)
    assert [type(intent) for intent in table.wait(0.2)] == [Pressed]


def test_a_long_press_is_held_and_nothing_else(table: Table) -> None:
    (told,) = table.press(17, 1.2)
    assert isinstance(told, Pressed)
    assert told.held


def test_a_poll_that_comes_late_loses_nothing(table: Table) -> None:
    for _ in range(20):
        table.down(17)
        table.clock.now_s += 0.05
        table.up(17)
        table.clock.now_s += 0.1
    assert [type(intent) for intent in table.buttons.poll(table.clock.now_s)] == [Pressed] * 20


def test_the_stamp_is_the_pin_librarys_and_not_the_moment_of_delivery(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.pins.factory, "ticks", lambda: time.monotonic() + 0.4)
    (told,) = table.press(17)
    assert isinstance(told, Pressed)
    assert told.at_s == pytest.approx(100.0 - 0.4, abs=0.01)
    monkeypatch.setattr(table.pins.factory, "ticks", lambda: 1e9)
    (told,) = table.press(17)
    assert isinstance(told, Pressed)
    assert told.at_s == pytest.approx(100.16, abs=0.01)


def test_a_callback_that_raises_kills_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> float:
        raise RuntimeError("no clock")

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(table.pins.factory, "ticks", broken)
        table.down(17)
    assert [record.getMessage() for record in caplog.records] == ["An edge of the confirm button was lost."]
    # The lost edge is made up for by the level; the next press works as if nothing had been.
    assert table.wait(0.1) == []
    table.up(17)
    assert [type(intent) for intent in table.wait(0.1)] == [Pressed]
    assert [type(intent) for intent in table.press(17)] == [Pressed]


def test_a_callback_takes_less_than_5_ms(table: Table) -> None:
    took_s = []
    for _ in range(200):
        start_s = time.perf_counter()
        table.down(17)
        table.up(17)
        took_s.append((time.perf_counter() - start_s) / 2)
    assert sorted(took_s)[190] < 0.005


def test_the_garbage_collector_takes_no_button(table: Table) -> None:
    gc.collect()
    assert [type(intent) for intent in table.press(17)] == [Pressed]


def test_no_bounce_time_of_gpiozero_is_set(table: Table) -> None:
    assert [table.pins.factory.pin(bcm).bounce for bcm in (17, 27, 22, 23, 24)] == [None] * 5


def test_parts_name_what_is_missing_and_what_is_busy(pins: Pins, clock: Clock) -> None:
    with LED(27, pin_factory=pins.factory):
        table = Table(pins, clock, Wiring(confirm=17, undo=27, seats={1: SeatPins(button=24)}))
        confirm, undo, roll, photograph, seat = table.buttons.parts
        assert confirm == Part("confirm button")
        assert (undo.condition, undo.name) == (Condition.BUSY, "undo button")
        assert "GPIO 27" in undo.sentence
        assert (roll.name, roll.condition) == ("roll button", Condition.MISSING)
        assert roll.sentence == "No roll button is wired: use the one on the screen."
        assert photograph.condition is Condition.MISSING
        assert seat == Part("seat B button")
        assert [type(intent) for intent in table.press(17)] == [Pressed]
        table.buttons.close()


def test_a_button_that_is_down_at_the_start_is_named_and_ignored_until_released(stuck_pins: Pins, clock: Clock) -> None:
    table = Table(stuck_pins, clock, Wiring(undo=27))
    sentence = "The undo button on GPIO 27 has been down since the start: release it, or check its wiring."
    [undo] = [part for part in table.buttons.parts if part.name == "undo button"]
    assert (undo.condition, undo.sentence) == (Condition.FAILED, sentence)
    assert table.wait(2.0) == []
    table.up(27)
    assert table.wait(0.1) == []
    assert Part("undo button") in table.buttons.parts
    assert [type(intent) for intent in table.press(27)] == [Pressed]
    table.buttons.close()


def test_a_pin_that_fails_is_named_and_may_come_back(brittle_pins: Pins, clock: Clock) -> None:
    table = Table(brittle_pins, clock, Wiring(confirm=17, undo=27))
    brittle_pins.factory.pin(27).broken = True
    assert [type(intent) for intent in table.press(17)] == [Pressed]
    undo = table.buttons.parts[1]
    assert undo.condition is Condition.FAILED
    assert "GPIO 27 does not work (the line is gone)" in undo.sentence
    assert [raw.name for raw in table.buttons.levels()] == ["confirm button"]
    brittle_pins.factory.pin(27).broken = False
    assert [type(intent) for intent in table.press(27)] == [Pressed]
    assert table.buttons.parts[1] == Part("undo button")
    table.buttons.close()


def test_a_page_for_trying_out_shows_raw_levels_and_last_edges(table: Table) -> None:
    assert table.buttons.levels()[0] == RawPin("confirm button", 17, high=True, down=False, last_edge_s=None)
    table.down(17)
    table.wait(0.1)
    raw = table.buttons.levels()[0]
    assert (raw.high, raw.down) == (False, True)
    assert raw.last_edge_s == pytest.approx(100.0, abs=0.01)


def test_buttons_to_33_volts_work_the_other_way_round(pins: Pins, clock: Clock) -> None:
    table = Table(pins, clock, Wiring(confirm=17, pull="down"))
    assert table.buttons.levels()[0].down is False
    table.up(17)
    table.wait(0.06)
    table.down(17)
    assert [type(intent) for intent in table.wait(0.1)] == [Pressed]
    table.buttons.close()


def test_closing_twice_gives_the_pins_back_once(table: Table) -> None:
    table.buttons.close()
    table.buttons.close()
    LED(17, pin_factory=table.pins.factory).close()
    assert table.wait(0.1) == []


def test_without_pins_there_are_no_buttons(clock: Clock) -> None:
    buttons = Buttons(Pins(None, Part("pins", Condition.MISSING, "None.")), DEFAULT, clock)
    assert buttons.parts == ()
    assert buttons.poll(1.0) == []
    assert buttons.levels() == ()
    assert buttons.last_length_s(Key(Control.CONFIRM)) is None
    buttons.close()
