"""What a rule refuses and yet stood on the table: the people may agree to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.intents import Make
from companion.journal import Played

Driver = Any


def test_what_was_refused_is_played_when_the_table_agrees(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    away = Placed(2, (3, 3))
    driver.app.desk.put(Make(Placed(0, (0, 0))))
    driver.app.desk.put(Make(away))
    driver.settle()
    assert driver.app.view.revision == 1
    assert driver.app.page.ids.speech.said[0].tone == "refused"
    driver.press("We play it this way")
    assert driver.app.desk.session.journal.entries[-1] == Played(away, agreed=True)
    assert driver.app.view.state.layout[-1].cell == away.cell


def test_what_cannot_be_is_not_offered(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
    driver.app.open("table")
    driver.app.desk.put(Make(Placed(0, (0, 0))))
    driver.app.desk.put(Make(Placed(2, (0, 0))))
    driver.settle()
    assert driver.app.page.ids.speech.said[0].tone == "refused"
    assert "We play it this way" not in {getattr(widget, "text", "") for widget in driver.widgets()}
