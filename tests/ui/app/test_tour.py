"""The tour: at the first start, once, and whenever it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kivy.uix.behaviors import ButtonBehavior

from ui.app import CompanionApp
from ui.config import Config, Data
from ui.desk import Desk
from ui.screens.tour import SEEN, first_page, remember
from ui.simulation import open_simulated
from ui.widgets.drawings import asking, laying, result, seats, ways
from ui.widgets.text import Text

Driver = Any


@pytest.fixture
def begin(drive: Callable[..., Driver], tmp_path: Path) -> Callable[[Desk], Driver]:
    """Starts the app on this folder as `companion table` does."""

    def begun(desk: Desk) -> Driver:
        driver = drive(CompanionApp(desk, first=first_page(tmp_path)))
        driver.settle()
        return driver

    return begun


@pytest.fixture
def simulated(tmp_path: Path) -> Callable[[], Desk]:
    return lambda: open_simulated(Config(Data(tmp_path)))


def told(driver: Driver) -> str:
    return "\n".join(text.text for text in driver.widgets(Text))


def test_it_comes_at_the_first_start_and_not_again(begin: Callable[..., Driver], simulated: Callable[[], Desk]) -> None:
    driver = begin(simulated())
    headings = []
    while not driver.app.page.last:
        headings.append(driver.app.page.heading)
        driver.press("Next")
    driver.press("Back")
    assert driver.app.page.heading == headings[-1]
    driver.press("Next")
    driver.press("Begin")
    assert driver.app.page.name == "home"
    assert len(set(headings)) == 4
    assert begin(simulated()).app.page.name == "home"


def test_who_skips_it_can_come_back_to_it(
    begin: Callable[..., Driver], simulated: Callable[[], Desk], tmp_path: Path
) -> None:
    driver = begin(simulated())
    driver.press("Next")
    driver.press("Skip")
    assert driver.app.page.name == "home"
    assert (tmp_path / SEEN).exists()
    driver.press("Show me around")
    assert driver.app.page.first
    assert driver.named("Back").disabled


def test_at_a_simulated_table_it_tells_how_to_play_without_cards(
    begin: Callable[..., Driver], simulated: Callable[[], Desk]
) -> None:
    driver = begin(simulated())
    driver.press("Next")
    assert "drawn table" in told(driver)
    while not driver.app.page.last:
        driver.press("Next")
    assert driver.app.desk.simulated.help in told(driver)


def test_at_a_real_table_it_does_not(start: Callable[..., Driver]) -> None:
    driver = start()
    driver.press("Show me around")
    everything = told(driver)
    while not driver.app.page.last:
        driver.press("Next")
        everything += told(driver)
    assert "drawn table" not in everything
    assert "Keys" not in everything


def test_a_folder_that_cannot_be_written_is_nobodys_trouble(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    assert not remember(nowhere)
    assert first_page(tmp_path) == "tour"
    assert remember(tmp_path)
    assert first_page(tmp_path) == "home"


@pytest.mark.usefixtures("start")
@pytest.mark.parametrize("drawing", [seats, laying, asking, result, ways])
def test_nothing_in_a_drawing_can_be_tapped(drawing: Callable[[], Any]) -> None:
    found = [widget for widget in drawing().walk() if isinstance(widget, ButtonBehavior)]
    assert all(widget.disabled for widget in found)
