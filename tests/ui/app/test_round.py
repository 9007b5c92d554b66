"""A play by taps alone: to the result, closed and gone on with, and back over a round's end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase
from ui.widgets.sheets import Ranked

Driver = Any
Start = Callable[..., Driver]

FOUR = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
"""Source: rule digest, worked example; the totals too."""

TOTALS = {0: 35344, 1: 15448, 2: 401567, 3: 230626}

TWO = ("00011", "22233", "34,.0", "00112", "22,34")
NAMES = {0: "Ana", 2: "Zoë"}


def place(rows: Sequence[str]) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(rows) for c, face in enumerate(row) if face != "."]


def lay(driver: Driver, cells: Sequence[tuple[int, int]]) -> None:
    for cell in cells:
        before = driver.app.view.revision
        driver.tap(driver.app.page.board.grid.cells[cell])
        assert driver.app.view.revision == before + 1, f"{cell}: {driver.app.view.message}"


def read_in(driver: Driver, rows: Sequence[str]) -> None:
    for face in "".join(rows).replace(".", ""):
        driver.press(face)
    driver.press("Add up")


def test_four_players_play_a_round_by_taps_alone(start: Start) -> None:
    driver = start()
    driver.press("New play")
    for step in ("Next", "Next", "Next", "Begin"):
        driver.press(step)
    assert driver.app.page.name == "table"
    lay(driver, place(FOUR))
    assert driver.app.view.state.phase is Phase.TURN_OVER
    read_in(driver, FOUR)
    assert driver.app.page.name == "result"
    assert driver.app.view.sheets[-1].totals() == TOTALS
    shown = [(ranked.place, ranked.named, ranked.figure) for ranked in driver.widgets(Ranked)]
    assert shown == [
        ("1", "C", "401\u2009567"),
        ("2", "D", "230\u2009626"),
        ("3", "A", "35\u2009344"),
        ("4", "B", "15\u2009448"),
    ]
    driver.press("Home")
    assert driver.app.page.name == "home"
    assert driver.app.desk.store.unfinished() is None


def test_a_play_goes_on_where_it_was_when_the_app_was_closed(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), NAMES)
    driver.app.open("table")
    driver.settle()
    lay(driver, place(TWO)[:7])
    state = driver.app.view.state
    driver.close()

    driver = start()
    assert "Zoë" in driver.app.page.words
    driver.press("Go on")
    assert driver.app.view.state == state
    lay(driver, place(TWO)[7:])
    assert driver.app.view.state.phase is Phase.TURN_OVER


def test_undo_goes_back_over_the_end_of_a_round(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2, rounds=2), NAMES)
    driver.app.open("table")
    driver.settle()
    lay(driver, place(TWO))
    read_in(driver, TWO)
    assert driver.app.page.name == "result"
    driver.press("To the table")
    lay(driver, [(0, 0)])
    for _ in range(2):
        driver.press("Undo")
    state = driver.app.view.state
    assert state.phase is Phase.TURN_OVER
    assert not state.rounds
    assert any(said.sentence in driver.app.view.hands for said in driver.app.page.ids.speech.said)
    read_in(driver, TWO)
    assert driver.app.page.name == "result"
    assert len(driver.app.view.state.rounds) == 1


@pytest.mark.parametrize("variants", ["A", "C"])
def test_a_card_that_lies_face_up_is_chosen_after_its_cell(start: Start, variants: str) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2, variants=frozenset(variants)), NAMES)
    driver.app.open("table")
    driver.settle()
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    assert driver.named(",").disabled, "the comma waits"
    driver.press("3")
    assert [card.face for card in driver.app.view.state.layout] == ["3"]


def test_variant_b_swaps_with_whoever_is_tapped(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(variants=frozenset("B")), {0: "Ana", 3: "Łukasz"})
    driver.app.open("table")
    driver.settle()
    lay(driver, [(0, 0)])
    assert driver.app.view.state.phase is Phase.SWAP
    driver.press("Łukasz")
    assert driver.app.view.state.turn == 1


def test_variant_e_is_dealt_with_one_tap(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(variants=frozenset("E")), {})
    driver.app.open("table")
    driver.settle()
    driver.press("All are dealt")
    assert driver.app.view.state.phase is Phase.PLACE


def test_a_wrong_grid_is_refused_with_its_rule_and_can_be_put_right(start: Start) -> None:
    driver = start()
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), NAMES)
    driver.app.open("table")
    driver.settle()
    lay(driver, place(TWO))
    read_in(driver, ("4" + TWO[0][1:], *TWO[1:]))
    said = driver.app.page.ids.speech.said[0]
    assert (said.tone, said.sentence[:5]) == ("refused", "Deck:")
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    driver.press("0")
    driver.press("Add up")
    assert driver.app.view.over


def test_pausing_stops_the_clocks_and_the_board(start: Start) -> None:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(), {})
    driver.app.open("table")
    driver.settle()
    driver.press("Pause")
    assert driver.app.view.times.paused
    driver.tap(driver.app.page.board.grid.cells[(0, 0)])
    assert driver.app.view.revision == 0
    driver.press("Go on")
    assert not driver.app.view.times.paused
    lay(driver, [(0, 0)])


def test_a_window_that_changes_its_size_keeps_what_was_typed(start: Start) -> None:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(players=2), NAMES)
    driver.app.open("table")
    driver.settle()
    lay(driver, place(TWO))
    driver.press("0")
    driver.resize((480, 800))
    assert driver.app.page.board.grid.cells[(0, 0)].face == "0"
    driver.press("0")
    assert driver.app.page.board.grid.cells[(0, 1)].face == "0"
