"""The simulated table: keys and on-screen hands, a camera that sees what lies there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import cells
from companion.session import UNSEEN_S
from ui.app import CompanionApp
from ui.config import Config, Data
from ui.simulation import open_simulated

Driver = Any


@pytest.fixture
def driver(drive: Callable[..., Driver], tmp_path: Path) -> Driver:
    app = CompanionApp(open_simulated(Config(Data(tmp_path))))
    driver = drive(app)
    app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {0: "Ana", 2: "Zoë"})
    app.open("table")
    driver.settle()
    return driver


def key(driver: Driver, letter: str) -> None:
    Window.dispatch("on_key_down", ord(letter), 0, letter, [])
    driver.settle()


def confirm(driver: Driver) -> None:
    """The camera asks about what lies there now, and a person says yes."""
    before = driver.app.view.revision
    driver.until(lambda: driver.app.view.question is not None, "the camera's question")
    driver.settle()
    driver.press("Confirm")
    assert driver.app.view.revision == before + 1


def test_cards_that_simulated_hands_lay_are_seen_and_confirmed(driver: Driver) -> None:
    for count in (1, 2):
        driver.press("Lay a card")
        confirm(driver)
        assert len(cells(driver.app.view.state)) == count
    laid = cells(driver.app.view.state)
    assert set(laid) == set(driver.app.desk.simulated.scene.laid)


def test_keys_are_the_buttons_of_the_table(driver: Driver) -> None:
    key(driver, " ")
    driver.until(lambda: driver.app.view.question is not None, "the camera's question")
    driver.wait(UNSEEN_S)
    key(driver, "c")
    driver.until(lambda: driver.app.view.revision == 1, "the confirmed card")
    key(driver, "u")
    driver.until(lambda: driver.app.view.revision == 2, "the undo")
    assert not driver.app.view.state.layout
    key(driver, "r")
    driver.until(lambda: len(driver.app.desk.panel.die.rolls) == 1, "a roll")


def test_a_card_that_is_tapped_lies_on_the_simulated_table_too(driver: Driver) -> None:
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    driver.settle()
    assert set(driver.app.desk.simulated.scene.laid) == {(0, 0)}
    assert driver.app.view.question is None
