"""Every character that the app can show is in a font that it shows it in."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

import ui
from companion import language, wording
from companion.games import GAMES
from ui.fonts import best_font, characters, eastern_fonts, missing
from ui.screens.home import HomePage
from ui.widgets.badge import PersonTap
from ui.widgets.keyboard import ALIKE, DIGITS, LETTERS, Keyboard
from ui.widgets.scores import THIN_SPACE
from ui.widgets.text import PREFERRED, font_name

Driver = Any
FOLDER = Path(ui.__file__).parent
MARKS = ("⚀⚁⚂⚃⚄⚅", "✓ → ↶ ●")
NAMES = ("Jürgen", "Zoë", "Łukasz", "Þórdís", "Şerife", "Dvořák", "Ægir")


def in_python(path: Path) -> Iterator[str]:
    """The texts that a module gives to `_`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "counted"):
            yield from (argument.value for argument in node.args if isinstance(argument, ast.Constant))


def in_kv(path: Path) -> list[str]:
    return re.findall(r"_\('([^']*)'\)", path.read_text(encoding="utf-8"))


def own_texts() -> set[str]:
    modules = [text for path in FOLDER.rglob("*.py") for text in in_python(path)]
    return {str(text) for text in modules} | {text for path in FOLDER.rglob("*.kv") for text in in_kv(path)}


def test_the_apps_own_texts_are_in_its_fonts() -> None:
    texts = own_texts()
    assert len(texts) > 50
    assert not {text for text in texts if missing(text, best_font(text, PREFERRED))}


def test_no_text_of_a_rule_file_stands_outside_the_catalogue() -> None:
    found = [
        (path.name, text)
        for path in FOLDER.rglob("*.kv")
        for text in re.findall(r"\btext: '([^']*)'", path.read_text(encoding="utf-8"))
        if re.search(r"[A-Za-z]{4,}", text)
    ]
    assert found == [("home.kv", "Table Companion")]


def test_the_games_sentences_are_in_the_fonts() -> None:
    told = [wording.COMMON_REFUSALS, wording.COMMON_LINES, wording.TOLD]
    for game in GAMES.values():
        told += [game.sentences.refusals, game.sentences.events, game.sentences.lines]
    sentences = [sentence for each in told for sentence in each.values()]
    assert not [sentence for sentence in sentences if missing(sentence, best_font(sentence, PREFERRED))]


@pytest.mark.parametrize("text", [*NAMES, *MARKS, f"401{THIN_SPACE}567", *LETTERS, *DIGITS, *ALIKE.values()])
def test_names_and_marks_are_in_the_fonts_that_come_with_the_app(text: str) -> None:
    assert not missing(text, best_font(text, PREFERRED))
    assert font_name(text) in ("Roboto", "DejaVuSans")


def test_a_font_tells_what_it_has() -> None:
    roboto, dejavu = (characters(font) for font in PREFERRED)
    assert {ord("A"), ord("ß"), ord("Ł")} <= roboto
    assert ord("✓") not in roboto
    assert ord("✓") in dejavu
    assert characters(Path(__file__)) == frozenset()


def test_an_eastern_name_is_shown_in_a_font_that_the_system_has() -> None:
    font = best_font("山田", PREFERRED)
    # Without such a font anywhere, the name is shown in the app's own, as well as that can.
    assert missing("山田", font) == ("" if eastern_fonts() else "山田")


def test_texts_come_from_the_catalogue_when_they_are_shown(start: Callable[..., Driver]) -> None:
    class Catalogue(NullTranslations):
        def gettext(self, message: str) -> str:
            return f"<{message}>"

    language.use(Catalogue())
    try:
        driver = start()
        assert isinstance(driver.app.page, HomePage)
        driver.press("<New play>")
        driver.named("<Next>")
    finally:
        language.use(NullTranslations())


def test_a_name_is_typed_with_accents_and_digits(start: Callable[..., Driver]) -> None:
    driver = start()
    driver.press("New play")
    driver.press("Next")
    driver.tap(driver.widgets(PersonTap)[0])
    for key in ("Z", "o", "e", "ë", "Space", "123", "2"):
        driver.press(key)
    driver.press("Done")
    assert list(driver.app.page.names.values()) == ["Zoë 2"]
    driver.named("Zoë 2")


def test_a_plugged_in_keyboard_types_names_too() -> None:
    taken: list[str] = []
    keyboard = Keyboard(taken.append, title="Name")
    keyboard._plugged(None, "山田")
    keyboard._plugged_key(None, 13)
    assert taken == ["山田"]
