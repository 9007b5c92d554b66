"""A whole play of Casa Grande by taps alone, and what its board shows and lets a person do."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.games import GAMES
from companion.games.casa_grande import building, play_json
from companion.games.casa_grande.moves import read
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import Phase, State
from companion.intents import Make, Undo
from companion.parts import Part
from companion.store import Store
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.wiring import DEFAULT
from ui.app import CompanionApp
from ui.boards.laying import offers
from ui.desk import RULES, Desk, now
from ui.widgets.button import Tap
from ui.widgets.sheets import Counted, Ranked
from ui.widgets.text import Text
from vision.camera import Picture
from vision.watcher import Watcher

Driver = Any
Start = Callable[..., Driver]

NAMES = {0: "Ana", 1: "Ben", 2: "Zoë", 3: "Łukasz"}


@pytest.fixture
def begun(start: Start) -> Callable[..., Driver]:
    """A play under way on the table's page."""

    def run(size: tuple[int, int] = (800, 480), setup: Setup | None = None, *moves: str) -> Driver:
        driver = start(size)
        driver.app.desk.begin(GAMES["casa-grande"], setup or Setup(), NAMES)
        driver.app.open("table")
        driver.settle()
        for move in moves:
            driver.app.desk.put(Make(read(move)))
        driver.settle()
        assert driver.app.view.revision == len(moves)
        return driver

    return run


def state_of(driver: Driver) -> State:
    state: State = driver.app.view.state
    return state


def press_first(driver: Driver, beginning: str) -> None:
    """Tap the first button whose text begins like this."""
    (first, *_rest) = [tap for tap in driver.widgets(Tap) if tap.text.startswith(beginning) and not tap.disabled]
    driver.tap(first)
    driver.settle()


def take_turn(driver: Driver, chance: random.Random) -> None:
    """One seat's turn, each step by a tap."""
    driver.press("A real die")
    driver.press(str(chance.randint(1, 6)))
    bonus = state_of(driver).player(state_of(driver).turn).bonus
    if bonus and chance.random() < 0.25:
        press_first(driver, "Buy steps")
        press_first(driver, f"Move {state_of(driver).pips + 1} for 1")
    else:
        press_first(driver, "Move")
    if state_of(driver).phase is Phase.BLOCK:
        plots = [move.plot for move in building.legal_moves(state_of(driver), state_of(driver).turn)]
        driver.tap(driver.app.page.board.grid.cells[chance.choice(plots)])
        driver.settle()
    if state_of(driver).phase is not Phase.FLOOR:
        return
    best = offers(state_of(driver))[0]
    if not best.ways:
        driver.press("No platform")
        return
    driver.press("Lay a platform")
    press_first(driver, f"{best.piece}, ")
    way = best.ways[0]
    for _tap in range(40):
        driver.tap(driver.app.page.board.grid.cells[way.squares[0]])
        driver.settle()
        if driver.app.page.board._laying.move == way:
            break
    press_first(driver, f"Lay it: {len(way.squares) * state_of(driver).top(way.marked[0]).level} lire")
    assert state_of(driver).floors[-1].squares == way.squares


def test_four_players_play_to_the_end_by_taps_alone(start: Start) -> None:
    driver, chance = start((800, 480)), random.Random(4)
    driver.press("New play")
    driver.press("Casa Grande")
    driver.press("Next")
    driver.press("Next")
    driver.press("18: a short play")
    driver.press("Begin")
    assert driver.app.page.name == "table"
    assert state_of(driver).setup.blocks == 18
    while state_of(driver).phase is not Phase.OVER:
        assert state_of(driver).turns < 400
        take_turn(driver, chance)
    driver.settle()
    assert driver.app.page.name == "result"
    lire = {player.seat: player.lire for player in state_of(driver).players}
    assert driver.app.view.sheets[-1].totals() == lire
    assert sum(lire.values()) > 40
    assert {ranked.figure for ranked in driver.widgets(Ranked)} == {str(total) for total in lire.values()}
    assert any("squares on level" in line.told for line in driver.widgets(Counted))
    driver.press("Chart")
    assert driver.app.page.ids.sheets.charted
    driver.press("Home")
    assert driver.app.desk.store.unfinished() is None


OPENING = ("A rolls 3", "A steps 0", "A builds 3,3", "A done")


def test_a_tap_beside_the_lane_is_told_the_rule(begun: Callable[..., Driver]) -> None:
    driver = begun((800, 480), None, "A rolls 3", "A steps 0")
    driver.tap(driver.app.page.board.grid.cells[(7, 7)])
    driver.settle()
    assert "Lane rule" in driver.app.view.message.sentence
    assert state_of(driver).phase is Phase.BLOCK


def test_the_owner_of_a_floor_that_is_built_on_is_told_aloud(begun: Callable[..., Driver]) -> None:
    moves = ["A rolls 3", "A steps 0", "A builds 3,3", "A floors * 3,3! 3,4"]
    driver = begun((800, 480), Setup(players=2, start=(15, 10)), *moves, "B rolls 3", "B steps 0", "B builds 3,3")
    spoken = [line.sentence for line in driver.app.page.ids.speech.said if line.tone == "loud"]
    assert spoken == ["Ben builds on Ana's floor: Ana gains 1 on the bonus scale."]


def test_a_platform_that_the_box_lacks_is_entered_square_by_square(begun: Callable[..., Driver]) -> None:
    driver = begun((800, 480), None, "A rolls 3", "A steps 0", "A builds 3,3")
    driver.press("Lay a platform")
    driver.press("Another one, square by square")
    for plot in ((3, 3), (3, 3), (3, 4), (4, 4)):
        driver.tap(driver.app.page.board.grid.cells[plot])
        driver.settle()
    press_first(driver, "Lay it: 3 lire")
    assert state_of(driver).floors[0].squares == ((3, 3), (3, 4), (4, 4))
    assert state_of(driver).players[0].lire == 3


def test_without_hints_nothing_is_marked_and_a_wrong_place_is_refused_by_its_rule(begun: Callable[..., Driver]) -> None:
    driver = begun((800, 480), None, "A rolls 3", "A steps 0", "A builds 3,3")
    driver.app.desk.hints = False
    driver.app.page.show(driver.app.view, ())
    assert not any("pays" in line.sentence for line in driver.app.page.ids.speech.said)
    driver.press("Lay a platform")
    press_first(driver, "I3, 2 left")
    driver.tap(driver.app.page.board.grid.cells[(3, 3)])
    driver.settle()
    assert not any(cell.plot.legal for cell in driver.app.page.board.grid.cells.values())
    driver.press("Lay it")
    assert "Marked squares" in driver.app.view.message.sentence


def test_the_board_can_be_seen_level_by_level_and_plot_by_plot(begun: Callable[..., Driver]) -> None:
    driver = begun((800, 480), None, *OPENING[:3], "A floors * 3,3! 3,4", "B rolls 5", "B steps 0")
    cells = driver.app.page.board.grid.cells
    assert (cells[(3, 3)].plot.kind, cells[(3, 3)].text) == ("mark", "A1")
    driver.press("More")
    driver.press("Levels")
    driver.press("Only level 1")
    assert cells[(3, 4)].plot.kind == "hole"
    driver.app.desk.put(Make(read("C rolls 1")))
    driver.settle()
    driver.tap(cells[(3, 3)])
    driver.settle()
    assert any("Level 1: platform * of Ana" in text.text for text in driver.widgets(Text))


def test_an_undo_of_a_whole_turn_tells_the_hands_everything(begun: Callable[..., Driver]) -> None:
    driver = begun((800, 480), None, *OPENING[:3], "A floors * 3,3! 3,4 4,4")
    driver.app.desk.put(Undo(4))
    driver.settle()
    assert state_of(driver).phase is Phase.ROLL
    assert driver.app.view.hands == (
        "Take Ana's platform * off: 3,3, 3,4, 4,4.",
        "Take Ana's block off 3,3.",
        "Move Ana's piece back from space 18 to space 15.",
        "Ana pays 3 lire back to the bank: 3.",
    )


@pytest.mark.parametrize("size", [(480, 320), (800, 480), (1280, 720), (720, 1280)], ids=str)
def test_a_block_goes_where_it_is_tapped_in_every_size(begun: Callable[..., Driver], size: tuple[int, int]) -> None:
    driver = begun(size, None, "A rolls 3", "A steps 0")
    if size == (480, 320):
        driver.press("Come closer")
        driver.press("Near right")
    cell = driver.app.page.board.grid.cells[(3, 5)]
    assert min(cell.size) >= 44
    driver.tap(cell)
    driver.settle()
    assert state_of(driver).top((3, 5)) is not None


def test_hints_may_mark_places_without_saying_what_they_pay(begun: Callable[..., Driver]) -> None:
    driver = begun((800, 480), None, "A rolls 3", "A steps 0", "A builds 3,3")
    driver.app.desk.pays = False
    driver.app.page.show(driver.app.view, ())
    driver.press("Lay a platform")
    assert not [tap.text for tap in driver.widgets(Tap) if "lire" in tap.text]


PHOTOS = Path(__file__).parents[2] / "vision" / "towers"
GOLDEN = Path(__file__).parents[2] / "games" / "casa_grande" / "golden" / "play.json"


class ShownCamera:
    """A camera that looks at one photograph until another is put before it."""

    def __init__(self) -> None:
        self.number = 0
        self._shots = np.random.default_rng(1)
        self._pictures: dict[int, Any] = {}

    def open(self) -> None:
        """Nothing has to be made ready."""

    def grab(self) -> Picture:
        """The photograph, with noise of its own each time."""
        time.sleep(0.03)
        if self.number not in self._pictures:
            self._pictures[self.number] = cv2.imread(str(PHOTOS / f"casa_7010_{self.number:02}.jpg"))
        noise = self._shots.normal(0, 1.0, (1, 1, 3))
        image = np.clip(self._pictures[self.number] + noise, 0, 255).astype(np.uint8)
        return Picture(image, time.monotonic())

    def close(self) -> None:
        """Nothing is held."""


def test_a_play_is_led_by_the_camera_people_build_and_confirm(drive: Callable[..., Driver], tmp_path: Path) -> None:
    play = play_json.read(GOLDEN.read_text())
    store, camera = Store.open(tmp_path / "plays.sqlite", RULES, now().wall), ShownCamera()
    panel = Panel(DEFAULT, Pins(MockFactory(), Part("pins")))
    driver = drive(CompanionApp(Desk(store, panel, Watcher(lambda: camera))))
    driver.app.desk.begin(GAMES["casa-grande"], play.setup, NAMES)
    driver.app.open("table")
    driver.until(lambda: driver.app.desk.seen is not None, "the empty board")
    by_camera = 0
    for number, turn in enumerate(play.turns[:8], start=1):
        driver.press("A real die")
        driver.press(str(turn.die))
        camera.number = number
        wanted = turn.moves[1:]
        driver.until(lambda: driver.app.view.question is not None, f"the camera's question in turn {number}")
        driver.settle()
        options = [option.moves for option in driver.app.view.question.proposal.options]
        if options[:1] == [wanted] and len(options) == 1:
            driver.press("Confirm")
            by_camera += 1
        else:
            for move in wanted:
                driver.app.desk.put(Make(move))
        driver.settle()
        assert state_of(driver).turns == number
    assert by_camera >= 5
    assert [player.lire for player in state_of(driver).players] == [5, 4, 5, 3]
