"""A tournament of three rounds between two players, with swaps and the smaller total winning, by taps alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase, cells
from ui.widgets.choices import Toggle
from ui.widgets.sheets import Ranked

Driver = Any

ROWS = ("00011", "22233", "34,.0", "00112", "22,34")
TOTALS = {0: 11 + 22233 + 34 + 112 + 22, 2: 43 + 21100 + 0 + 33222 + 11000}
"""A reads each row from the left, C from the right with the last row first; a gap or a comma ends a number."""


def spots() -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(ROWS) for c, face in enumerate(row) if face != "."]


def set_up(driver: Driver) -> None:
    driver.press("New play")
    driver.press("Next")
    driver.press("2 players")
    driver.press("Next")
    for toggle in driver.widgets(Toggle):
        if toggle.text in ("Swaps", "Smallest wins"):
            driver.tap(toggle)
    driver.press("Next")
    driver.press("+")
    driver.press("+")
    driver.press("Begin")


def lay_all(driver: Driver, cells_to_lay: Sequence[tuple[int, int]]) -> None:
    """Lay each card, and swap one with the other player whenever that is due."""
    for cell in cells_to_lay:
        driver.tap(driver.app.page.board.grid.cells[cell])
        assert cell in cells(driver.app.view.state), driver.app.view.message
        if driver.app.view.state.phase is Phase.SWAP:
            other = {0: "C", 2: "A"}[driver.app.view.state.turn]
            driver.press(other)


def turn_over(driver: Driver) -> None:
    for face in "".join(ROWS).replace(".", ""):
        driver.press(face)
    driver.press("Add up")


def go_back_over_the_end(driver: Driver) -> None:
    """Begin the second round, find out that the first is wrong, and read it in again."""
    driver.press("To the table")
    lay_all(driver, [(0, 0)])
    while driver.app.view.state.rounds:
        driver.press("Undo")
    assert driver.app.view.state.phase is Phase.TURN_OVER
    assert len(cells(driver.app.view.state)) == len(spots())
    turn_over(driver)


def test_two_players_play_three_rounds_with_variants_b_and_d(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    set_up(driver)
    assert driver.app.view.state.setup == Setup(players=2, variants=frozenset("BD"), rounds=3)
    starters = []
    for number in range(3):
        starters.append(driver.app.view.to_act[0])
        lay_all(driver, spots())
        assert driver.app.view.state.phase is Phase.TURN_OVER
        turn_over(driver)
        assert driver.app.page.name == "result"
        assert len(driver.app.view.state.rounds) == number + 1
        assert driver.app.view.sheets[number].totals() == TOTALS
        if number == 0:
            go_back_over_the_end(driver)
        if number < 2:
            driver.press("To the table")
    assert starters == [0, 0, 0], "the winner starts"
    assert driver.app.view.over
    assert driver.app.view.sheets[-1].totals() == {0: 6, 2: 3}
    shown = [(ranked.place, ranked.named, ranked.figure) for ranked in driver.widgets(Ranked)]
    assert shown == [("1", "A", "6"), ("2", "C", "3")]
