"""The photographed grid gone over: doubtful cards put right by touch, added up by the rules, and problems kept."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion import asking
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase
from companion.intents import Make, Undo
from companion.parts import Part
from companion.session import Manners
from companion.sight import UNKNOWN, Match, Reading, Spot
from companion.store import Store
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.wiring import DEFAULT
from ui import eyes, problems
from ui.app import CompanionApp
from ui.desk import RULES, Desk, now
from ui.problems import Verdict
from ui.screens.review import Face, Total
from ui.widgets import photogrid
from vision.drawn import Scene
from vision.drawncamera import DrawnCamera
from vision.watcher import Watcher

Driver = Any
Turned = Callable[..., Driver]

FOUR = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
"""Source: rule digest, worked example; the totals too."""

TOTALS = {0: 35344, 1: 15448, 2: 401567, 3: 230626}
NAMES = {0: "Ana", 1: "Ben", 2: "Zoë", 3: "Łukasz"}
FACES = {(r, c): face for r, row in enumerate(FOUR) for c, face in enumerate(row) if face != "."}
GLARED: Spot = (2, 3)

MIDDLE = 2
"""Row and column of the card that is laid first: cells of the play count from there."""

CELLS = {(r - MIDDLE, c - MIDDLE): face for (r, c), face in FACES.items()}
ORDER = sorted(CELLS, key=lambda cell: (max(map(abs, cell)), cell))


class Table:
    """A desk whose camera sees a drawn table that the test lays out, and whose buttons the test presses."""

    def __init__(self, folder: Path, votes: int) -> None:
        self.folder = folder
        folder.mkdir()
        self.scene = Scene(seed=3, tilt_deg=18, reach=3, size=(800, 600))
        self.factory = MockFactory()
        store = Store.open(folder / "plays.sqlite", RULES, now().wall)
        camera = DrawnCamera(lambda: self.scene)
        watcher = Watcher(lambda: camera, still_s=0.05, votes=votes, frame_s=0.05)
        self.desk = Desk(store, Panel(DEFAULT, Pins(self.factory, Part("pins"))), watcher)

    def shows(self, glare: Spot | None = None, **changes: Any) -> None:
        """From now on; `glare` is a spot of the grid."""
        lamp = None if glare is None else (glare[0] - MIDDLE, glare[1] - MIDDLE)
        self.scene = dataclasses.replace(self.scene, glare=lamp, **changes)

    def press(self, driver: Driver, bcm: int | None) -> None:
        assert bcm is not None
        self.factory.pin(bcm).drive_low()
        driver.wait(0.06)
        self.factory.pin(bcm).drive_high()
        driver.wait(0.06)

    @property
    def problems(self) -> list[Path]:
        return sorted((self.folder / "problems").glob("*"))


@pytest.fixture
def votes() -> int:
    """How many readings of a still table are taken together."""
    return 1


@pytest.fixture
def table(tmp_path: Path, votes: int) -> Table:
    return Table(tmp_path / "data", votes)


@pytest.fixture
def turned(table: Table, drive: Callable[..., Driver]) -> Turned:
    """Starts the app where all cards are laid and lie open, and the camera has seen the grid."""

    def started(size: tuple[int, int] = (480, 320), **scene: Any) -> Driver:
        table.shows(laid=CELLS, **scene)
        driver = drive(CompanionApp(table.desk), size)
        table.desk.begin(GAMES["cassa-grande"], Setup(), NAMES)
        for number, cell in enumerate(ORDER):
            table.desk.put(Make(Placed(number % 4, cell)))
        driver.app.open("table")
        until(driver, lambda: driver.app.page.name == "review", "the photographed grid")
        driver.settle()
        return driver

    return started


class Tampered:
    """Looks at the table as always, and then changes what was read: `changes` is given the reading and its number."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, changes: Callable[[Reading, int], Reading]) -> None:
        self._changes, self._count = changes, 0
        self._make_eyes = eyes.EYES["cassa-grande"]
        monkeypatch.setitem(eyes.EYES, "cassa-grande", self._eyes)

    def _eyes(self, setup: Any) -> Any:
        seeing = self._make_eyes(setup)
        return lambda state: _Eye(self, seeing(state))

    def change(self, reading: Reading) -> Reading:
        self._count += 1
        return self._changes(reading, self._count) if reading.finished else reading


class _Eye:
    def __init__(self, tampered: Tampered, eye: Any) -> None:
        self._tampered, self._eye = tampered, eye

    def read(self, image: Any) -> Reading:
        reading: Reading = self._eye.read(image)
        return self._tampered.change(reading)


def exchanged(reading: Reading, one: Spot, other: Spot) -> Reading:
    """The reading with two cards taken for each other, surely."""
    rows = [list(row) for row in reading.rows]
    first, second = rows[one[0]][one[1]], rows[other[0]][other[1]]
    rows[one[0]][one[1]], rows[other[0]][other[1]] = second, first
    beliefs = {one: {second: 0.99, first: 0.01}, other: {first: 0.99, second: 0.01}}
    sightings = tuple(
        dataclasses.replace(sighting, belief=beliefs.get(sighting.spot, sighting.belief))
        for sighting in reading.sightings
    )
    return dataclasses.replace(reading, rows=tuple(map("".join, rows)), sightings=sightings)


def until(driver: Driver, wanted: Callable[[], bool], what: str) -> None:
    """Wait, and leave the camera's and the reader's threads some time to work."""

    def rested() -> bool:
        time.sleep(0.005)
        return wanted()

    driver.until(rested, what)


def spot(driver: Driver, where: Spot) -> Any:
    return driver.app.page.ids.grid.spots[where]


def totals(driver: Driver) -> list[str]:
    return [total.figure.replace("\u2009", "") for total in driver.widgets(Total)]


def offered(driver: Driver) -> list[str]:
    return [face.text for face in reversed(driver.app.page.ids.choices.children) if face.kind == "plain"]


def said(driver: Driver) -> str:
    return " ".join(each.sentence for each in driver.app.page.ids.speech.said)


def test_a_doubtful_card_comes_first_and_one_tap_puts_it_right(turned: Turned) -> None:
    driver = turned(glare=GLARED)
    assert spot(driver, GLARED).doubtful
    assert spot(driver, GLARED).chosen
    assert offered(driver)[0] == FACES[GLARED]
    assert set(offered(driver)) == set("01234,")
    driver.press(FACES[GLARED])
    assert not [each for each in driver.app.page.ids.grid.spots.values() if each.doubtful]
    assert totals(driver) == [str(total) for total in TOTALS.values()]
    assert driver.app.view.state.phase is Phase.TURN_OVER
    driver.press("Confirm")
    until(driver, lambda: driver.app.page.name == "result", "the result")
    assert driver.app.view.sheets[-1].totals() == TOTALS


def test_a_wrong_card_is_opened_with_one_tap_and_the_score_follows(
    turned: Turned, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, other = (2, 0), (2, 1)
    Tampered(monkeypatch, lambda reading, _: exchanged(reading, wrong, other))
    driver = turned()
    assert not spot(driver, wrong).doubtful
    read_wrongly = totals(driver)
    assert read_wrongly != [str(total) for total in TOTALS.values()]
    driver.tap(spot(driver, wrong))
    assert driver.widgets(Face)
    driver.press(FACES[wrong])
    assert totals(driver) != read_wrongly
    changed = [where for where, each in driver.app.page.ids.grid.spots.items() if each.doubtful]
    assert changed == [other], "what had to change with it is asked about"
    driver.press(FACES[other])
    assert totals(driver) == [str(total) for total in TOTALS.values()]
    driver.press("Confirm")
    assert driver.app.view.sheets[-1].totals() == TOTALS


@pytest.mark.parametrize("votes", [3])
def test_cards_that_flicker_between_two_readings_are_a_question_and_never_an_entry(
    table: Table, turned: Turned, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (0, 1), (0, 2)
    Tampered(monkeypatch, lambda reading, count: exchanged(reading, one, other) if count % 2 else reading)
    table.desk._manners = Manners(auto_confirm=True)
    driver = turned()
    revision = driver.app.view.revision
    assert {where for where, each in driver.app.page.ids.grid.spots.items() if each.doubtful} == {one, other}
    assert driver.app.view.question.proposal.match is Match.AMBIGUOUS
    driver.press("Later")
    table.press(driver, DEFAULT.confirm)
    until(driver, lambda: "2 cards are doubtful" in said(driver), "the sentence about the doubt")
    assert driver.app.view.revision == revision
    assert driver.app.view.state.phase is Phase.TURN_OVER


def test_a_four_player_round_by_buttons_and_camera_with_a_doubtful_card_corrected(
    table: Table, drive: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A press counts for what a person can have seen; this person is quick.
    monkeypatch.setattr(asking, "UNSEEN_S", 0.0)
    driver = drive(CompanionApp(table.desk), (800, 480))
    table.desk.begin(GAMES["cassa-grande"], Setup(), NAMES)
    driver.app.open("table")
    driver.settle()
    laid: dict[Spot, str] = {}
    for cell in ORDER:
        laid[cell] = UNKNOWN
        table.shows(laid=dict(laid))
        until(driver, lambda: driver.app.view.question is not None, f"the question about {cell}")
        table.press(driver, DEFAULT.confirm)
        until(driver, lambda: driver.app.view.revision == len(laid), f"the card on {cell}")
        assert driver.app.view.state.layout[-1].cell == cell
    assert driver.app.view.state.phase is Phase.TURN_OVER
    table.shows(laid=CELLS, glare=GLARED)
    until(driver, lambda: driver.app.page.name == "review", "the photographed grid")
    driver.settle()
    driver.press(FACES[GLARED])
    driver.wait(0.3)
    table.press(driver, DEFAULT.confirm)
    until(driver, lambda: driver.app.page.name == "result", "the result")
    assert driver.app.view.sheets[-1].totals() == TOTALS
    assert driver.app.desk.session.journal.revision == len(FACES) + 1


def test_a_press_of_the_button_confirms_the_corrected_grid_and_not_the_one_that_was_read(
    table: Table, turned: Turned, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, other = (2, 0), (2, 1)
    Tampered(monkeypatch, lambda reading, _: exchanged(reading, wrong, other))
    driver = turned()
    driver.tap(spot(driver, wrong))
    driver.press(FACES[wrong])
    driver.press(FACES[other])
    driver.wait(asking.UNSEEN_S)
    table.press(driver, DEFAULT.confirm)
    until(driver, lambda: driver.app.view.over, "the grid put in")
    assert driver.app.view.state.rounds[-1].rows == FOUR


def test_what_the_camera_sees_later_changes_nothing_that_a_person_has_begun(table: Table, turned: Turned) -> None:
    driver = turned(glare=GLARED)
    driver.press("1")
    seen = driver.app.desk.seen
    table.shows(glare=(5, 1))
    until(driver, lambda: driver.app.desk.seen is not seen, "another look")
    driver.settle()
    assert spot(driver, GLARED).said
    assert not spot(driver, (5, 1)).doubtful
    driver.press("More")
    driver.press("Back")
    assert driver.app.page.name == "table"
    driver.press("More")
    driver.press("Review")
    assert spot(driver, GLARED).said
    driver.press("More")
    driver.press("Photograph")
    until(driver, lambda: spot(driver, (5, 1)).doubtful, "the new photograph")
    assert not spot(driver, GLARED).said


@pytest.mark.parametrize("size", [(480, 320), (800, 480)])
def test_what_cannot_be_says_by_which_rule(turned: Turned, size: tuple[int, int]) -> None:
    driver = turned(size)
    fours = [where for where, face in FACES.items() if face == "4"]
    for where in fours:
        driver.tap(spot(driver, where))
        driver.press("4")
    driver.tap(spot(driver, (0, 0)))
    assert "4" not in offered(driver)
    driver.press("4")
    told = said(driver) if size[0] > 480 else driver.widgets()[0].text
    assert "Deck: the grid shows 4 5 times" in told
    assert driver.app.page.ids.grid.spots[(0, 0)].symbol == "1"


def test_adding_up_with_a_doubt_left_asks_first(turned: Turned) -> None:
    driver = turned(glare=GLARED)
    driver.press("Later")
    driver.press("Confirm")
    assert driver.app.view.state.phase is Phase.TURN_OVER
    driver.press("Add up")
    assert driver.app.view.over


def test_rings_pulse_gently_and_come_to_rest(turned: Turned, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photogrid, "PULSING_S", 0.6)
    driver = turned(glare=GLARED)
    doubtful = spot(driver, GLARED)
    grid = driver.app.page.ids.grid
    glows: list[float] = []
    doubtful.bind(glow=lambda _spot, glow: glows.append(glow))
    driver.press("Later")
    until(driver, lambda: not grid.pulsing, "the rings at rest")
    assert len(set(glows)) >= 3
    assert len(glows) <= 0.6 * 20 + 2
    assert doubtful.glow == 1.0
    marks = [child.text for child in doubtful.children if child.text]
    assert "?" in marks, "no colour alone tells of a doubt"
    driver.press("More")
    driver.press("Back")
    assert not grid.pulsing


def test_a_step_back_leaves_the_page_and_a_look_from_before_is_not_used(table: Table, turned: Turned) -> None:
    driver = turned(glare=GLARED)
    table.desk.put(Undo())
    driver.settle()
    assert driver.app.page.name == "table"
    assert driver.app.desk.seen is None or driver.app.desk.seen.look.ticket == driver.app.view.revision
    assert driver.app.view.state.phase is Phase.PLACE


def test_a_window_that_turns_keeps_what_was_said(turned: Turned) -> None:
    driver = turned((800, 480), glare=GLARED)
    driver.press("1")
    driver.resize((480, 800))
    assert spot(driver, GLARED).said
    driver.named("Confirm")


def test_without_a_camera_no_review_is_offered(start: Callable[..., Driver]) -> None:
    driver = start((1280, 720))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(), NAMES)
    driver.app.open("table")
    for number, cell in enumerate(ORDER):
        driver.app.desk.put(Make(Placed(number % 4, cell)))
    driver.settle()
    assert driver.app.page.name == "table"
    assert not {"Review", "This was wrong"} & {action.text for action in driver.app.page._actions()}
    driver.app.open("review")
    driver.settle()
    assert driver.app.page.name == "table"


def test_a_problem_that_is_kept_can_be_read_again(table: Table, turned: Turned) -> None:
    driver = turned((800, 480), glare=GLARED)
    driver.press("1")
    for count in (1, 2):
        driver.press("This was wrong")
        until(driver, lambda: getattr(driver.widgets()[0], "title", "") == "Kept. Thank you.", "the word of thanks")
        driver.press("Close")
        assert len(table.problems) == count, "an old one is never replaced"
    problem = problems.load(table.problems[0])
    assert problem.right == FOUR
    assert problem.journal.revision == len(FACES)
    again = problems.read_again(problem)
    assert (again.verdict, again.rows) == (Verdict.ASKS, FOUR)


def test_a_problem_that_cannot_be_kept_is_told_and_nothing_is_lost(table: Table, turned: Turned) -> None:
    driver = turned((800, 480), glare=GLARED)
    driver.press("1")
    (table.folder / "problems").write_text("a file is in the way")
    driver.press("This was wrong")
    until(driver, lambda: getattr(driver.widgets()[0], "title", "") == "This did not work", "the sentence")
    driver.press("Close")
    assert spot(driver, GLARED).said
    driver.press("Confirm")
    assert driver.app.view.over
