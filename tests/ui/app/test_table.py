"""The table's page: what it says and shows besides the cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.session import Manners
from hardware.die import pattern
from ui.app import CompanionApp
from ui.boards.cells import turned
from ui.config import Config, Data, Play
from ui.screens.saying import clock
from ui.simulation import open_simulated
from ui.widgets.die import DieFace
from ui.widgets.preview import Preview

Driver = Any
Start = Callable[..., Driver]

NAMES = {0: "Ana", 2: "Zoë"}
TWO = ("00011", "22233", "34,.0", "00112", "22,34")


@pytest.fixture
def driver(start: Start) -> Driver:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), NAMES)
    driver.app.open("table")
    driver.settle()
    return driver


def cell(driver: Driver, spot: tuple[int, int]) -> Any:
    return driver.app.page.board.grid.cells[spot]


def lay(driver: Driver, spots: Sequence[tuple[int, int]]) -> None:
    for spot in spots:
        driver.tap(cell(driver, spot))


def said(driver: Driver) -> list[str]:
    return [line.sentence for line in driver.app.page.ids.speech.said]


def more(driver: Driver, text: str) -> None:
    driver.press("More")
    driver.press(text)


def test_a_tap_where_no_card_may_lie_is_told_the_rule(driver: Driver) -> None:
    lay(driver, [(0, 0)])
    driver.tap(cell(driver, (2, 2)))
    assert said(driver)[0].startswith("Touch rule: a card on 2,2")
    assert driver.app.view.revision == 1
    lay(driver, [(1, 1)])
    assert not said(driver)[0].startswith("Touch rule")


def test_without_hints_nothing_is_marked_and_the_rules_hold_just_the_same(driver: Driver) -> None:
    lay(driver, [(0, 0)])
    assert any(each.legal for each in driver.app.page.board.grid.cells.values())
    driver.app.desk.hints = False
    lay(driver, [(0, 1)])
    assert not any(each.legal for each in driver.app.page.board.grid.cells.values())
    lay(driver, [(0, 2)])
    assert driver.app.view.revision == 3


def test_the_limits_are_announced_and_said_no_longer_than_they_are_news(driver: Driver) -> None:
    lay(driver, [(k, k) for k in range(5)])
    loud = [line for line in driver.app.page.ids.speech.said if line.tone == "loud"]
    assert [line.sentence for line in loud] == [
        "The limits are set, 5 by 5: all take their comma back and may play it."
    ]
    assert sum("limits are set" in sentence for sentence in said(driver)) == 1
    lay(driver, [(0, 1)])
    assert not any("limits are set" in sentence for sentence in said(driver))


def test_the_clock_of_a_turn(start: Start) -> None:
    driver = start((800, 480))
    driver.app.desk._manners = Manners(turn_limit_s=90)
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), NAMES)
    driver.app.open("table")
    driver.settle()
    assert driver.app.page.left in ("1:30", "1:29")
    driver.press("Pause")
    stood = driver.app.page.left
    driver.wait(1.1)
    assert driver.app.page.left == stood


@pytest.mark.parametrize(
    ("left_s", "shown"), [(0.0, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (60.0, "1:00"), (61, "1:01")]
)
def test_a_second_counts_until_it_is_over(left_s: float, shown: str) -> None:
    assert clock(left_s) == shown


def test_without_a_limit_there_is_no_clock_and_before_a_roll_no_die(driver: Driver) -> None:
    driver.settle()
    assert driver.app.page.left == ""
    assert not driver.app.page.rolled


def test_a_roll_is_shown_until_the_next_one(driver: Driver) -> None:
    more(driver, "Roll the die")
    die = driver.app.desk.panel.die
    driver.until(lambda: len(die.rolls) == 1 and not die.is_rolling, "the roll")
    driver.settle()
    (face,) = [widget for widget in driver.widgets(DieFace) if widget.width > 0]
    assert tuple(face.pattern) == pattern(die.rolls[-1].pips)
    lay(driver, [(0, 0)])
    assert driver.app.page.rolled


def test_the_board_turns_to_whoever_plays(driver: Driver) -> None:
    lay(driver, [(0, 0), (0, 1)])
    more(driver, "Turn the board to whoever plays")
    assert driver.app.page.board.turn == driver.app.view.to_act[0] == 0
    assert cell(driver, (0, 0)).x < cell(driver, (0, 1)).x
    assert driver.app.page._band.named == "Ana"
    lay(driver, [(0, 2)])
    assert driver.app.page.board.turn == 2
    assert cell(driver, (0, 0)).x > cell(driver, (0, 1)).x
    assert driver.app.page._band.named == "Zoë"
    more(driver, "Leave the board as A sees it")
    assert cell(driver, (0, 0)).x < cell(driver, (0, 1)).x


@pytest.mark.parametrize("seat", range(4))
def test_a_turned_grid_has_the_seats_side_below(seat: int) -> None:
    # Seats sit clockwise, A below: the left edge is nearest to B, the upper to C, the right to D.
    nearest = [(2, 0), (0, -2), (-2, 0), (0, 2)][seat]
    assert turned(nearest, seat) == (2, 0)
    assert {turned(spot, seat) for spot in ((0, 1), (1, 0), (0, -1), (-1, 0))} == {(0, 1), (1, 0), (0, -1), (-1, 0)}


def test_the_camera_is_shown_in_the_boards_place(drive: Start, tmp_path: Path) -> None:
    app = CompanionApp(open_simulated(Config(Data(tmp_path), play=Play())))
    driver = drive(app, (800, 480))
    app.desk.begin(GAMES["cassa-grande"], Setup(players=2), NAMES)
    app.open("table")
    driver.settle()
    driver.press("Lay a card")
    driver.until(lambda: app.view.question is not None, "the camera's question")
    more(driver, "Camera")
    (preview,) = driver.widgets(Preview)
    driver.until(lambda: preview.frames > 0, "a picture")
    driver.until(lambda: any(mark.new for mark in preview._marks), "the new card in the picture")
    app.open("home")
    assert not preview.running
    app.open("table")
    driver.settle()
    assert preview.running
    driver.press("Board")
    assert not preview.running
    assert not driver.widgets(Preview)
