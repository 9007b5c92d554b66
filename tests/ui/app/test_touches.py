"""Fingers: a doubled touch acts once, and the tap that wakes the screen only wakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window

from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.intents import Make
from hardware.wiring import DEFAULT
from ui.widgets.touches import DOUBLED_S, Touches

Driver = Any


@pytest.fixture
def table(start: Callable[..., Driver]) -> Driver:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(variants=frozenset("C")), {})
    driver.app.open("table")
    driver.settle()
    return driver


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def watched(driver: Driver, blank_s: float) -> Clock:
    """Have the app's touches watched by a clock of our own."""
    clock = Clock()
    driver.app.touches.close()
    driver.app.touches = Touches(Window, blank_s, clock)
    return clock


def test_a_touch_that_comes_twice_acts_once(table: Driver) -> None:
    clock = watched(table, 0)
    cell = table.app.page.board.grid.cells[(0, 0)]
    x, y = cell.to_window(*cell.center)
    table.touch(x, y)
    clock.now_s += DOUBLED_S / 2
    table.touch(x + 2, y - 2)
    assert cell.chosen
    clock.now_s += 2 * DOUBLED_S
    table.touch(x, y)
    assert not cell.chosen


def test_two_quick_touches_at_two_places_are_two(table: Driver) -> None:
    watched(table, 0)
    cell = table.app.page.board.grid.cells[(0, 0)]
    table.touch(*cell.to_window(*cell.center))
    key = table.named("3")
    table.touch(*key.to_window(*key.center))
    table.settle()
    assert table.app.view.revision == 1


def test_the_tap_that_wakes_the_screen_only_wakes(table: Driver) -> None:
    clock = watched(table, 60)
    cell = table.app.page.board.grid.cells[(0, 0)]
    assert table.pixels().max() > 100
    clock.now_s += 61
    table.settle()
    assert table.app.touches.dark
    assert table.pixels().max() == 0
    table.touch(*cell.to_window(*cell.center))
    assert not table.app.touches.dark
    assert not cell.chosen
    clock.now_s += 1
    table.touch(*cell.to_window(*cell.center))
    assert cell.chosen


@pytest.mark.parametrize("page", ["home", "table"])
def test_a_button_of_the_table_wakes_the_screen(table: Driver, page: str) -> None:
    clock = watched(table, 60)
    if page == "home":
        table.app.page.leave()
        table.settle()
    clock.now_s += 61
    table.settle()
    assert table.app.touches.dark
    pin = table.app.desk.panel.pins.factory.pin(DEFAULT.photograph)
    pin.drive_low()
    table.until(lambda: not table.app.touches.dark, "light")
    pin.drive_high()


def test_a_play_that_moves_on_wakes_the_screen(table: Driver) -> None:
    clock = watched(table, 60)
    clock.now_s += 61
    table.settle()
    assert table.app.touches.dark
    table.app.desk.put(Make(Placed(0, (0, 0), "3")))
    table.settle()
    assert not table.app.touches.dark


def test_escape_does_not_end_the_app(table: Driver) -> None:
    Window.dispatch("on_keyboard", 27, 41, None, [])
    table.frames(2)
    assert not EventLoop.quit


def test_an_idle_table_is_not_drawn_again(table: Driver) -> None:
    # The bars beside what scrolls fade for a second after the page has come up.
    table.wait(1.2)
    table.draws = True
    table.frames(5)
    drawn = []

    def note(_window: Any) -> None:
        drawn.append(1)

    Window.bind(on_draw=note)
    for _ in range(20):
        table.app.step()
        table.frames(1)
    Window.unbind(on_draw=note)
    assert not drawn
