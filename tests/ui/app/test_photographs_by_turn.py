"""Pictures of confirmed readings, kept by turn while a play goes on at the simulated table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.parts import Condition
from ui.app import CompanionApp
from ui.config import Config, Data
from ui.photographs import LONG_SIDE_PX, PART
from ui.simulation import open_simulated

Driver = Any
Start = Callable[..., Driver]


@pytest.fixture
def start_play(drive: Callable[..., Driver], tmp_path: Path) -> Start:
    def started(photographs: bool = True) -> Driver:
        app = CompanionApp(open_simulated(Config(Data(tmp_path, photographs))))
        driver = drive(app, (480, 320))
        app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {0: "Ana", 2: "Zoë"})
        app.open("table")
        driver.settle()
        return driver

    return started


def confirm_a_card(driver: Driver) -> None:
    """Simulated hands lay a card, the camera asks, a person says yes."""
    driver.app.desk.simulated.play()
    driver.until(lambda: driver.app.view.question is not None, "the camera's question")
    driver.settle()
    driver.press("Confirm")


def pictures(driver: Driver) -> dict[int, Path]:
    kept: dict[int, Path] = driver.app.desk.photographs.of(driver.app.view.play)
    return kept


def test_confirmed_cards_have_their_photographs_by_entry(start_play: Start, tmp_path: Path) -> None:
    driver = start_play()
    confirm_a_card(driver)
    driver.until(lambda: list(pictures(driver)) == [0], "the first picture")
    driver.press("Undo")
    driver.until(lambda: driver.app.view.put_back, "the camera to see the card taken back")
    confirm_a_card(driver)
    driver.until(lambda: list(pictures(driver)) == [0, 2], "the picture of the card that was laid again")
    confirm_a_card(driver)
    driver.until(lambda: list(pictures(driver)) == [0, 2, 3], "the third picture")
    play = driver.app.view.play
    assert pictures(driver)[3] == tmp_path / "photographs" / play / "3.jpg"
    assert max(cv2.imread(str(pictures(driver)[3])).shape) <= LONG_SIDE_PX

    driver.app.page.leave()
    driver.app.open("play", play=play)
    driver.until(lambda: driver.app.page.pictured, "the play")
    driver.press("Photographs")
    scrubber = driver.app.page.scrubber
    driver.until(lambda: scrubber.texture is not None, "a picture")
    assert (scrubber.turn.number, scrubber.place) == (3, "2 of 2")
    driver.press("Earlier")
    assert scrubber.turn.number == 2
    assert scrubber.sentence == "Ana lays a card face down on 0,0."


def test_a_tapped_card_has_no_photograph(start_play: Start) -> None:
    driver = start_play()
    driver.until(lambda: driver.app.desk.seen is not None, "a look at the table")
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    driver.until(lambda: driver.app.view.revision == 1, "the tapped card")
    driver.app.desk.photographs.close()
    assert pictures(driver) == {}


def test_without_the_setting_nothing_is_kept(start_play: Start, tmp_path: Path) -> None:
    driver = start_play(photographs=False)
    confirm_a_card(driver)
    driver.app.desk.photographs.close()
    assert not (tmp_path / "photographs").exists()


def test_a_folder_that_cannot_be_written_is_told_and_the_play_goes_on(start_play: Start, tmp_path: Path) -> None:
    driver = start_play()
    (tmp_path / "photographs").write_bytes(b"")
    confirm_a_card(driver)
    driver.until(lambda: driver.app.desk.photographs.part.condition is Condition.FAILED, "the trouble")
    [part] = [part for part in driver.app.desk.parts if part.name == PART]
    assert part.sentence.startswith("Photographs by turn: ")
    confirm_a_card(driver)
    assert driver.app.view.revision == 2
