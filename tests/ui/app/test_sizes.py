"""Every page in every size: nothing cut off, every target large enough, screens told apart without colours.

The screenshots stay in the folder that COMPANION_SCREENSHOTS names, if it does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kivy.core.window import Window
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.scrollview import ScrollView

from companion.games import GAMES
from companion.games.casa_grande import moves as casa_moves
from companion.games.casa_grande import setup as casa_setup
from companion.games.cassa_grande.moves import Placed, TurnedOver
from companion.games.cassa_grande.setup import Setup
from companion.intents import Make, Undo
from companion.language import _
from companion.sight import Match, Option, Proposal
from companion.view import Question
from ui import catalogues
from ui import theme as look
from ui.catalogues import LANGUAGES
from ui.checks.finding import Finding, Level
from ui.pump import Seen
from ui.screens import PAGES
from ui.widgets.button import Tap
from ui.widgets.text import LEAST_SIZE, Text
from vision.drawn import Scene, draw
from vision.recognisers.cassa_grande import CassaGrandeReader
from vision.watcher import Look

Driver = Any

SIZES = ((480, 320), (800, 480), (1280, 720), (720, 1280))
NAMES = {0: "Maximiliana-Josephine", 1: "Ben", 2: "Zoë", 3: "Łukasz"}
ROWS = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
TOWERS = (
    "A rolls 3", "A steps 0", "A builds 3,3", "A done",
    "B rolls 1", "B steps 0", "B builds 5,1", "B done",
    "C rolls 1", "C steps 0", "C builds 1,5", "C floors * 1,5! 1,6 2,6",
    "D rolls 1", "D steps 0", "D builds 1,6", "D done",
    "A rolls 3", "A steps 0", "A builds 3,1",
)  # fmt: skip
"""A play of Casa Grande in which somebody is compensated, up to A's first platform."""
PLACES = [(r, c) for r, row in enumerate(ROWS) for c, face in enumerate(row) if face != "."]


def put(driver: Driver, *moves: Any) -> None:
    for move in moves:
        driver.app.desk.put(move)
    driver.settle()


def laid(count: int) -> list[Make[Any]]:
    return [Make(Placed(number % 4, cell)) for number, cell in enumerate(PLACES[:count])]


def ask(driver: Driver, answers: int | None) -> None:
    """Have the play ask about so many cards, as after a look of the camera."""
    session = driver.app.desk.session
    options = tuple(Option((Placed(0, (3, 4 + number)),), 0.6, ()) for number in range(answers or 0))
    reason = "Camera: what lies on 9,9 is no card of this game; take it away."
    proposal = Proposal(Match.AMBIGUOUS if options else Match.UNEXPLAINED, options, (), reason)
    sentences = tuple(f"{NAMES[0]} lays a card face down on 3,{4 + number}." for number in range(len(options)))
    session._question = None if answers is None else Question(session.revision, proposal, sentences, 0.0)
    driver.settle()


@cache
def photographed() -> Look:
    """A look at the turned cards, one of them under a lamp."""
    lying = {place: ROWS[place[0]][place[1]] for place in PLACES}
    picture = draw(Scene(lying, seed=3, tilt_deg=18, glare=(2, 3)))
    return Look(0, CassaGrandeReader().read(picture), picture, 0.0)


def look_at_table(driver: Driver) -> None:
    """Have the play see the turned cards, as after a look of the camera."""
    session = driver.app.desk.session
    look = replace(photographed(), ticket=session.revision)
    driver.app.desk._pump._seen = Seen(look, driver.app.desk.game.review(session.state, look.reading))


def seen(driver: Driver) -> Iterator[str]:
    """All that the app can show, one after the other, by name."""
    yield "home"
    yield from tour(driver)
    driver.press("New play")
    yield "seats"
    driver.app.page._type_name(0)
    driver.settle()
    for key in "ZOE":
        driver.press(key if key == "Z" else key.lower())
    yield "keyboard"
    driver.press("Cancel")
    driver.press("Next")
    yield "variants"
    driver.press("Next")
    yield "house rules"
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(variants=frozenset("A")), NAMES)
    driver.app.open("table")
    put(driver, *(Make(Placed(number % 4, (number, number), "0")) for number in range(5)))
    yield "seven by seven cells"
    driver.tap(driver.app.page.board.grid.cells[(5, 5)])
    yield "face up"
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(rounds=2), NAMES)
    driver.app.open("table")
    driver.settle()
    yield "first card"
    put(driver, *laid(20))
    yield "placing"
    for count in range(4):
        ask(driver, count)
        yield f"question with {count} answers"
    driver.press("Choose")
    yield "choosing"
    driver.press("Close")
    ask(driver, None)
    put(driver, Make(Placed(0, (9, 9))))
    yield "refused"
    put(driver, Undo())
    yield "undone"
    put(driver, *laid(32)[19:])
    yield "turning over"
    driver.press("More")
    yield "more"
    driver.press("Close")
    look_at_table(driver)
    driver.until(lambda: driver.app.page.name == "review", "the photographed grid")
    driver.settle()
    yield "review of a doubtful card"
    driver.press("Later")
    yield "review with a doubt left"
    for face in "14":
        driver.tap(driver.app.page.ids.grid.spots[(2, 3)])
        driver.press(face)
    yield "review of a card that changed with another"
    driver.tap(driver.app.page.ids.grid.spots[(2, 3)])
    driver.press("1")
    put(driver, Make(TurnedOver(ROWS)))
    driver.until(lambda: driver.app.page.name == "result", "the result")
    driver.settle()
    yield "result of a round"
    driver.press("To the table")
    yield "second round"
    driver.app.desk.lay_aside()
    driver.app.open("home")
    driver.settle()
    yield "home with a play"
    yield from past(driver)
    yield from settings(driver)
    yield from towers(driver)


def towers(driver: Driver) -> Iterator[str]:
    """A turn of Casa Grande in the middle of a play."""
    driver.app.desk.begin(GAMES["casa-grande"], casa_setup.Setup(), NAMES)
    driver.app.open("table")
    driver.settle()
    for line in TOWERS[:-3]:
        put(driver, Make(casa_moves.read(line)))
    yield "towers before a roll"
    driver.press("A real die")
    yield "towers: the pips of a real die"
    driver.press("Close")
    put(driver, Make(casa_moves.read(TOWERS[-3])))
    yield "towers: steps"
    driver.press("Buy steps")
    yield "towers: steps to buy"
    driver.press("Close")
    put(driver, Make(casa_moves.read(TOWERS[-2])))
    yield "towers: a block"
    if any(tap.text == _("Come closer") for tap in driver.widgets(Tap)):
        driver.press("Come closer")
        driver.press("Near left")
        yield "towers: closer"
    put(driver, Make(casa_moves.read(TOWERS[-1])))
    yield "towers: a platform"
    driver.press("Lay a platform")
    yield "towers: platforms"
    (strip,) = [tap for tap in driver.widgets(Tap) if tap.text.startswith("I3, ")]
    driver.tap(strip)
    driver.settle()
    driver.press("Next place")
    yield "towers: laying a platform"
    driver.app.open("result")
    driver.settle()
    yield "towers: result"
    driver.press("Chart")
    yield "towers: chart"
    driver.app.open("home")
    driver.app.desk.lay_aside()
    driver.app.open("setup")
    driver.settle()
    yield "which game"


def tour(driver: Driver) -> Iterator[str]:
    """The cards of the tour, the last of which leads home."""
    driver.press("Show me around")
    while not driver.app.page.last:
        yield f"tour {driver.app.page.place[0]}"
        driver.press("Next")
    yield "end of the tour"
    driver.press("Begin")


def settings(driver: Driver) -> Iterator[str]:
    """The pages about the companion itself."""
    driver.app.open("settings")
    driver.settle()
    yield "settings"
    driver.press("Switch off")
    yield "before switching off"
    driver.press("Switch the computer off")
    yield "switching off is to be held"
    driver.press("Not now")
    for page in ("camera", "wiring"):
        driver.app.open(page)
        driver.settle()
        yield page
    driver.app.open("about")
    driver.until(lambda: len(driver.app.page.ids.lines.children) > 3, "the doctor")
    driver.settle()
    yield "about"


def past(driver: Driver) -> Iterator[str]:
    """The pages about plays and players of the past."""
    play = driver.app.desk.store.unfinished().id
    driver.app.open("history")
    driver.until(lambda: len(driver.widgets(ButtonBehavior)) > 3, "the list of plays")
    driver.settle()
    yield "history"
    driver.app.open("play", play=play)
    driver.until(lambda: driver.app.page.heading != "", "the play")
    driver.settle()
    yield "play of the past"
    driver.press("Turns")
    driver.frames(3)
    yield "turns of a play of the past"
    driver.press("More")
    driver.press("Delete")
    yield "before a play is deleted"
    driver.press("Keep it")
    driver.app.open("player", player=NAMES[0])
    driver.until(lambda: driver.app.page.player == NAMES[0], "the player")
    driver.settle()
    yield "player"


def scrolls(widget: Any) -> bool:
    """Whether a finger can bring the widget into view."""
    while widget is not None and widget.parent is not widget:
        if isinstance(widget, ScrollView):
            return True
        widget = widget.parent
    return False


def cut(widget: Text) -> bool:
    """Whether a text that is shown is larger than its place."""
    if not widget.text.strip() or not widget.opacity:
        return False
    return widget.texture_size[1] > widget.height + 1 or widget.texture_size[0] > widget.width + 1


def faults(driver: Driver) -> list[str]:
    found = []
    width, height = Window.size
    for widget in driver.widgets():
        told = f"{type(widget).__name__} {getattr(widget, 'text', '') or getattr(widget, 'named', '')!r}"
        left, low = widget.to_window(widget.x, widget.y)
        if isinstance(widget, ButtonBehavior) and not widget.disabled and widget.opacity:
            if min(widget.size) < look.LEAST_TARGET:
                found.append(f"{told} is {widget.size}")
            inside = left >= -1 and low >= -1 and left + widget.width <= width + 1 and low + widget.height <= height + 1
            if not inside and not scrolls(widget):
                found.append(f"{told} lies at {left, low} and is {widget.size}")
        if isinstance(widget, Text) and cut(widget):
            found.append(f"{told} of {widget.texture_size} is cut in {widget.size}")
        if isinstance(widget, Text) and widget.text.strip() and widget.font_size < LEAST_SIZE:
            found.append(f"{told} has letters of {widget.font_size} px")
    return found


def overlaps(driver: Driver) -> list[str]:
    """Targets that lie on one another."""
    taps = [widget for widget in driver.widgets(ButtonBehavior) if not widget.disabled and not scrolls(widget)]
    boxes = [(*tap.to_window(tap.x, tap.y), *tap.to_window(tap.right, tap.top), tap) for tap in taps]
    return [
        f"{one[4]} on {other[4]}"
        for number, one in enumerate(boxes)
        for other in boxes[number + 1 :]
        if min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1
    ]


@pytest.fixture(autouse=True)
def doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks at the whole machine, which takes its time: what it finds is put."""
    long = Finding("packages", Level.WARN, "Two packages share their files; one breaks the other.", "pip uninstall one")
    monkeypatch.setattr("ui.screens.about.examine", lambda *_: [Finding("disk", Level.OK, "There is room."), long])


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each of the app's languages, spoken during the test."""
    catalogues.speak(request.param)
    yield request.param
    catalogues.speak("en")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut_off_and_every_target_is_large_enough(
    start: Callable[..., Driver], size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    driver = start(size)
    folder = Path(os.environ.get("COMPANION_SCREENSHOTS", tmp_path))
    found, pages = {}, set()
    for name in seen(driver):
        driver.frames(3)
        shot = driver.shot(folder / language / f"{size[0]}x{size[1]}" / f"{name}.png")
        assert shot.stat().st_size > 1000
        pages.add(driver.app.page.name)
        if wrong := faults(driver) + overlaps(driver):
            found[name] = wrong
    assert not found
    assert pages == set(PAGES), "each page must be walked through: add yours to `seen`"


UNTOLD = re.compile("|".join(("Table Companion", "Cassa Grande", "Zoe", "/\\S+", *LANGUAGES.values(), *NAMES.values())))
"""What is the same in every language."""


def test_every_text_of_every_page_comes_from_the_catalogue(
    start: Callable[..., Driver], speak_in_capitals: Callable[[], None]
) -> None:
    speak_in_capitals()
    driver, found = start((1280, 720)), set()
    for name in seen(driver):
        for widget in driver.widgets(Text):
            told = UNTOLD.sub("", re.sub(r"\[.*?\]", "", widget.text)) if widget.opacity else ""
            # The test has put the questions; the doctor speaks English, as on the command line.
            if re.search(r"[a-z]{2}", told) and not name.startswith(("question", "choosing", "about")):
                found.add((name, widget.text))
    assert not found


def luminance(colour: look.Colour) -> float:
    """Source: WCAG 2.2, "relative luminance"."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: look.Colour, other: look.Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", [look.GROUND, look.SURFACE, look.RAISED])
@pytest.mark.parametrize("ink", [look.INK, look.MUTED, look.ACCENT, look.WARNING])
def test_texts_stand_out_from_what_they_are_on(ink: look.Colour, ground: look.Colour) -> None:
    assert contrast(ink, ground) >= 4.5


def test_letters_stand_out_from_badges_buttons_and_cards() -> None:
    assert all(contrast(look.ON_CARD, seat.colour) >= 4.5 for seat in look.SEATS)
    assert contrast(look.ON_CARD, look.CARD) >= 4.5
    assert contrast(look.ON_ACCENT, look.ACCENT) >= 4.5
    assert all(contrast(seat.colour, look.BACK) >= 2 for seat in look.SEATS)


def test_seats_are_told_apart_in_a_grey_picture(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(), {})
    driver.app.open("table")
    put(driver, *laid(4))
    grey = driver.pixels().mean(axis=2)
    shapes = []
    for cell in PLACES[:4]:
        corner = driver.app.page.board.grid.cells[cell].ids.corner
        x, y = (int(value) for value in corner.to_window(*corner.center))
        half = int(corner.width / 2)
        patch = grey[480 - y - half : 480 - y + half, x - half : x + half]
        shapes.append(patch > (patch.min() + patch.max()) / 2)
    differing = [np.mean(one != other) for i, one in enumerate(shapes) for other in shapes[i + 1 :]]
    assert min(differing) > 0.1


def test_a_name_that_is_too_long_is_shortened_and_not_broken_inside(start: Callable[..., Driver]) -> None:
    driver = start((480, 320))
    driver.app.desk.begin(GAMES["cassa-grande"], Setup(), NAMES)
    driver.app.open("table")
    driver.settle()
    name = next(text for text in driver.widgets(Text) if text.text == NAMES[0])
    assert name.shorten
    assert name.texture_size[1] < 2 * LEAST_SIZE, "one line"
    put(driver, *laid(1))
    assert name.text == NAMES[1]
    assert not name.shorten
