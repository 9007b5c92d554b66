"""The app in each of its languages: in fonts that have the letters, and anew at once when the language changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.intents import Make, Undo
from ui import catalogues, gather
from ui.catalogues import LANGUAGES
from ui.fonts import best_font, missing
from ui.screens import PAGES
from ui.widgets.dialog import tell
from ui.widgets.text import PREFERRED, Text

Driver = Any

NAMES = {0: "Jürgen", 1: "Ben", 2: "Zoë", 3: "Łukasz"}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    catalogues.speak("en")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_letter_of_every_text_is_in_the_fonts_that_come_with_the_app(language: str) -> None:
    shown = [form for text in gather.read(language) if text.id for form in gather.forms(text.string)]
    assert not [text for text in (*shown, LANGUAGES[language]) if missing(text, best_font(text, PREFERRED))]


def texts(driver: Driver) -> list[str]:
    return [widget.text for widget in driver.widgets(Text) if widget.text and widget.opacity]


def begin(driver: Driver) -> None:
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(rounds=2), NAMES)
    driver.app.open("table")
    for move in (Placed(0, (0, 0)), Placed(1, (0, 1)), Placed(2, (0, 2))):
        driver.app.desk.put(Make(move))
    driver.app.desk.put(Undo())
    driver.settle()


def test_a_switch_in_the_middle_of_a_play_draws_all_in_the_new_language(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    begin(driver)
    before = texts(driver)
    assert "Zoë takes a card back in hand: 0,2." in before
    driver.app.speak("de")
    driver.settle()
    german = texts(driver)
    assert driver.app.page.name == "table"
    assert "Zoë nimmt eine Karte zurück auf die Hand: 0,2." in german
    assert set(before) & set(german) <= {*NAMES.values(), *"ABCD", "Pause"}
    driver.press("Undo")
    assert any("Ben nimmt eine Karte zurück" in text for text in texts(driver))
    driver.app.speak("en")
    driver.settle()
    assert "Ben takes a card back in hand: 0,1." in texts(driver)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_opened_again_in_the_new_language(start: Callable[..., Driver], name: str) -> None:
    driver = start((800, 480))
    begin(driver)
    details = {"play": {"play": driver.app.desk.session.play}}.get(name, {})
    page = driver.app.open(name, **details)
    driver.settle()
    shown = driver.app.page.name
    driver.app.speak("fr")
    driver.settle()
    assert driver.app.page.name == shown
    assert driver.app.page is not page
    assert not [widget for widget in driver.widgets(type(page)) if widget is page]


def test_an_open_dialog_does_not_keep_the_language_from_changing(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    tell("Title", "Text")
    driver.frames(2)
    driver.app.speak("fr")
    driver.press("Close")
    driver.named("New play")
