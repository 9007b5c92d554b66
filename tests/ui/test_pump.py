from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion import intents as ask
from companion.clock import Moment
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.intents import Control, Pressed
from companion.journal import Journal
from companion.parts import Part
from companion.session import Manners, Session
from companion.store import Store
from hardware.die import ANIMATION_S
from hardware.panel import Panel
from hardware.pins import open_pins
from hardware.wiring import DEFAULT
from ui.pump import Pump
from vision.watcher import Look

GAME = GAMES["cassa-grande"]
START = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)


class Watching:
    """A camera's thread that notes what is asked of it."""

    parts: tuple[Part, ...] = (Part("camera"),)

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def look(self, ticket: int, reader: object) -> None:
        self.asked.append(("look", ticket))
        assert reader is not None

    def photograph(self, ticket: int) -> None:
        self.asked.append(("photograph", ticket))

    def poll(self) -> Look | None:
        return None


class NoEye:
    """An eye that nothing is shown to."""

    def read(self, _image: Any) -> Any:
        raise AssertionError("nothing is read here")


class Evening:
    """A pump over a real session, store and mock pins, with a clock that a test turns."""

    def __init__(self, folder: Path) -> None:
        self.s = 1000.0
        self.store = Store.open(folder / "plays.sqlite", {GAME.name: GAME.rules}, START)
        journal: Journal[Any, Any] = Journal(GAME.name, Setup(players=2))
        self.store.begin("p", journal, START)
        self.session: Session[Any, Any, Any] = Session(GAME, "p", journal, self.store, self.now())
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self.panel, self.watching = Panel(DEFAULT, open_pins("mock"), lambda: self.s), Watching()
        self.pump = Pump(self.session, self.inbox, self.panel, self.watching, lambda _: NoEye(), self.now)

    def now(self) -> Moment:
        return Moment(self.s, START)

    def step(self, *intents: Any) -> Any:
        for intent in intents:
            self.inbox.put(intent)
        return self.pump.step()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.panel.close()
    made.store.close()


def test_a_photograph_is_of_the_table_after_the_move_that_came_with_it(evening: Evening) -> None:
    evening.step(Pressed(Control.PHOTOGRAPH, 999.0))
    assert evening.watching.asked == [("look", 0), ("photograph", 0)]
    evening.step(Pressed(Control.PHOTOGRAPH, 999.0), ask.Make(Placed(0, (0, 0))))
    evening.step()
    assert evening.watching.asked[2:] == [("look", 1), ("photograph", 1)]


def test_in_another_language_the_camera_is_asked_for_its_remarks_again(evening: Evening) -> None:
    evening.step()
    evening.pump.redraw()
    evening.step()
    assert evening.watching.asked == [("look", 0), ("photograph", 0)]


def test_a_refusal_beeps_once_and_what_is_told_does_not(evening: Evening) -> None:
    buzzer = evening.panel.pins.factory.pin(DEFAULT.buzzer)
    evening.step(ask.Notice("Roll 4 ms before undo: roll was taken."))
    assert not buzzer.state
    evening.step(ask.Make(Placed(2, (0, 0))))
    assert buzzer.state
    evening.s += 1.0
    evening.step()
    evening.s += 1.0
    evening.step()
    assert not buzzer.state


def test_a_pump_that_stood_still_for_long_shows_the_roll_and_goes_on(evening: Evening) -> None:
    evening.step(Pressed(Control.ROLL, 999.0))
    assert evening.panel.die.is_rolling
    evening.s += 10 * ANIMATION_S
    view = evening.step(ask.Make(Placed(0, (0, 0))))
    assert [roll.pips for roll in evening.store.rolls("p")] == [evening.panel.die.rolls[0].pips]
    assert not evening.panel.die.is_rolling
    assert view.revision == 1


def test_a_number_is_logged_before_anybody_sees_it_and_one_that_is_cut_is_logged_too(evening: Evening) -> None:
    for number in range(1, 6):
        evening.step(Pressed(Control.ROLL, 999.0))
        assert evening.panel.die.is_rolling
        assert len(evening.store.rolls("p")) == number
        evening.s += ANIMATION_S / 3
    evening.s += ANIMATION_S
    evening.step()
    assert [roll.pips for roll in evening.store.rolls("p")] == [roll.pips for roll in evening.panel.die.rolls]
    assert [roll.cut for roll in evening.panel.die.rolls] == [True] * 4 + [False]


def test_a_turn_that_takes_as_long_as_it_may_beeps_once(evening: Evening) -> None:
    evening.session.manners = Manners(turn_limit_s=30.0)
    buzzer = evening.panel.pins.factory.pin(DEFAULT.buzzer)
    evening.s += 29.9
    evening.step()
    assert not buzzer.state
    evening.s += 0.2
    message = evening.step().message
    assert message is not None
    assert message.sentence.startswith("A, the time for this turn is up")
    assert buzzer.state
    for _ in range(3):
        evening.s += 1.0
        view = evening.step()
    assert not buzzer.state
    assert view.message == message


def test_the_light_is_that_of_the_seat_at_turn(evening: Evening) -> None:
    evening.step()
    lights = [evening.panel.pins.factory.pin(bcm) for bcm in (21, 24, 25, 26)]
    assert [bool(light.state) for light in lights] == [True, False, False, False]
    evening.step(ask.Make(Placed(0, (0, 0))))
    assert [bool(light.state) for light in lights] == [False, False, True, False]
