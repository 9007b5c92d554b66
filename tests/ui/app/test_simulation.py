"""The simulated table: keys and on-screen hands, a camera that sees what lies there."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion.asking import UNSEEN_S
from companion.games import GAMES
from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import cells
from companion.games.cassa_grande.tabletop import table
from companion.intents import Make
from ui.app import CompanionApp
from ui.config import Config, Data
from ui.simulation import open_simulated

Driver = Any

SOON_S = 5.0
"""Within this time the camera has seen, also on a computer that is busy with something else."""

HAND_S = 2.0
"""So long a hand stays: without it, the camera would have asked by then."""


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


def offered(driver: Driver) -> bool:
    """Whether the camera has something to be confirmed."""
    question = driver.app.view.question
    return question is not None and bool(question.proposal.options)


def confirm(driver: Driver) -> None:
    """The camera asks about what lies there now, and a person says yes."""
    before = driver.app.view.revision
    driver.until(lambda: offered(driver), "the camera's question")
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


def switch(driver: Driver, text: str) -> None:
    """Do this to the simulated table."""
    found = {each.text: each for each in driver.app.desk.simulated.switches}
    assert found[text].enabled
    found[text].deed()


def lay(driver: Driver, *spots: tuple[int, int]) -> None:
    for number, spot in enumerate(spots):
        driver.app.desk.put(Make(Placed((0, 2)[number % 2], spot)))
    driver.settle()


def watched(driver: Driver) -> None:
    """The camera has seen how things stand, as it has between two turns."""
    driver.until(lambda: driver.app.desk.seen is not None, "the camera")


def sentences(driver: Driver) -> list[str]:
    return [line.sentence for line in driver.app.page.ids.speech.said]


def test_a_wrong_card_is_refused_with_its_cell_and_its_rule_and_forgotten_when_it_is_gone(driver: Driver) -> None:
    lay(driver, (0, 0), (0, 1), (1, 0))
    switch(driver, "Lay a wrong card")
    ((row, column),) = set(driver.app.desk.simulated.scene.laid) - set(cells(driver.app.view.state))
    began = time.monotonic()
    driver.until(lambda: any("Touch rule" in told for told in sentences(driver)), "the refusal")
    assert time.monotonic() - began < SOON_S
    (told,) = [told for told in sentences(driver) if "Touch rule" in told]
    assert f"{row},{column}" in told
    assert len(cells(driver.app.view.state)) == 3
    switch(driver, "Take the wrong card away")
    driver.until(lambda: not any("Touch rule" in told for told in sentences(driver)), "the table to be well")
    switch(driver, "Lay a wrong card")


def test_while_a_hand_is_in_view_nothing_is_offered(driver: Driver) -> None:
    lay(driver, (0, 0), (0, 1), (1, 0))
    watched(driver)
    simulation = driver.app.desk.simulated
    switch(driver, "A hand reaches in")
    assert simulation.scene.arm is not None
    driver.press("Lay a card")
    end = time.monotonic() + HAND_S
    driver.until(lambda: offered(driver) or time.monotonic() > end)
    assert not offered(driver)
    switch(driver, "Take the hand away")
    confirm(driver)
    switch(driver, "A lamp glares")
    assert simulation.scene.glare in simulation.scene.laid
    switch(driver, "Turn the lamp off")
    assert simulation.scene.glare is None


def test_two_cards_that_come_at_once_are_one_question(driver: Driver) -> None:
    lay(driver, (0, 0), (0, 1), (1, 0))
    watched(driver)
    switch(driver, "Lay two cards at once")
    assert not driver.app.desk.simulated.can_play
    driver.until(lambda: offered(driver), "the camera's question")
    options = driver.app.view.question.proposal.options
    assert {len(option.moves) for option in options} == {2}
    new = set(driver.app.desk.simulated.scene.laid) - set(cells(driver.app.view.state))
    assert {move.cell for option in options for move in option.moves} == new


def test_switches_that_make_no_sense_now_are_out_of_use(driver: Driver) -> None:
    enabled = {each.text: each.enabled for each in driver.app.desk.simulated.switches}
    assert enabled["A hand reaches in"]
    assert not enabled["A lamp glares"], "no card lies"
    assert not enabled["Lay a wrong card"], "any first card is right"


@pytest.mark.parametrize("variants", ["", "C", "AE"])
def test_hands_go_on_with_a_play_that_is_resumed(drive: Callable[..., Driver], tmp_path: Path, variants: str) -> None:
    app = CompanionApp(open_simulated(Config(Data(tmp_path))))
    driver = drive(app)
    app.desk.begin(GAMES["cassa-grande"], Setup(players=2, variants=frozenset(variants)), {})
    app.open("table")
    driver.settle()
    if "E" in variants:
        driver.press("All are dealt")
    for cell in ((0, 0), (0, 1), (1, 0)):
        legal = (move for move in rules.legal_moves(app.view.state) if isinstance(move, Placed) and move.cell == cell)
        app.desk.put(Make(next(legal)))
        driver.settle()
    play = app.view.play
    app.desk.lay_aside()
    app.desk.resume(play)
    driver.settle()
    watched(driver)
    lying = table(app.view.state)
    assert len(lying) == 3
    assert app.desk.simulated.scene.laid == lying
    assert app.desk.simulated.can_play
    driver.press("Lay a card")
    confirm(driver)
    assert app.desk.simulated.scene.laid == table(app.view.state)


def test_what_may_go_wrong_is_found_under_more(driver: Driver) -> None:
    lay(driver, (0, 0), (0, 1))
    driver.press("More")
    driver.press("The drawn table")
    driver.press("A hand reaches in")
    assert driver.app.desk.simulated.scene.arm is not None
    driver.press("More")
    driver.press("The drawn table")
    driver.press("Take the hand away")
    assert driver.app.desk.simulated.scene.arm is None
