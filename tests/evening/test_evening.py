"""A whole evening without a screen: real session, store, buttons on mock pins, and a camera that watches a folder.

The pictures in the folder are drawn from what really lies on the simulated table; the companion sees nothing else.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.clock import Moment
from companion.games import GAMES
from companion.games.cassa_grande import scoring
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase
from companion.intents import Make
from companion.journal import Journal, replay
from companion.parts import Condition, Part
from companion.rules import SEAT_LETTERS
from companion.session import Session
from companion.sight import Match
from companion.store import Store
from companion.view import View
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.wiring import DEFAULT
from ui.eyes import EYES
from ui.pump import Pump
from ui.simulated import SimulatedTable
from vision.album import Album
from vision.camera import Picture
from vision.drawn import Scene, draw
from vision.drawncamera import put
from vision.watcher import Watcher

GAME = GAMES["cassa-grande"]
RULES = {name: game.rules for name, game in GAMES.items()}
NAMES = {0: "Ana", 1: "Ben", 2: "Zoë", 3: "Łukasz"}
SETUP = Setup(rounds=3, variants=frozenset("BD"))
PATIENCE_S = 60.0
STILL_S = 0.1


class Hanging(Album):
    """A folder camera whose cable can be made bad: then a grab does not come back."""

    def __init__(self, folder: Path, cable: threading.Event) -> None:
        super().__init__(folder)
        self._cable = cable

    def grab(self) -> Picture:
        self._cable.wait()
        return super().grab()


class Evening:
    """Everything joined, and the people: they lay cards and press buttons."""

    def __init__(self, folder: Path, store: Store, session: Session[Any, Any, Any], seed: int) -> None:
        self.store, self.session, self.rng = store, session, random.Random(seed)
        self.table = SimulatedTable(session.state, self.rng)
        self.factory = MockFactory()
        self.panel = Panel(DEFAULT, Pins(self.factory, Part("pins")))
        self.cable = threading.Event()
        self.cable.set()
        self.pictures = folder / "pictures"
        self.pictures.mkdir(exist_ok=True)
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self.watcher = Watcher(
            lambda: Hanging(self.pictures, self.cable), still_s=STILL_S, votes=2, frame_s=0.05, limit_s=0.5
        )
        eyes = EYES[GAME.name](session.journal.setup)
        self.pump = Pump(session, self.inbox, self.panel, self.watcher, eyes, now)
        self.drawn, self.seed = 0, seed

    @contextmanager
    def under_way(self) -> Iterator[None]:
        self.show()
        self.watcher.start()
        try:
            yield
        finally:
            self.cable.set()
            self.watcher.stop()
            self.panel.close()

    def camera_is_well(self) -> bool:
        return all(part.condition is Condition.OK for part in self.watcher.parts)

    def show(self) -> None:
        """What the camera sees from now on."""
        self.drawn += 1
        scene = Scene(self.table.laid, seed=self.seed, tilt_deg=18, shot=self.drawn, knocked_mm=self.rng.uniform(0, 2))
        put(draw(scene), self.pictures / "table.jpg")

    def until(self, wanted: Callable[[View[Any, Any]], bool], what: str) -> View[Any, Any]:
        """Pump as the screen does, until the view is as wanted."""
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            view = self.pump.step()
            if wanted(view):
                return view
            time.sleep(1 / 60)
        raise AssertionError(f"waited in vain for {what}: {self.pump.step()}, {self.pump.parts}")

    def press(self, bcm: int | None) -> None:
        assert bcm is not None
        self.factory.pin(bcm).drive_low()
        self.until_time(0.06)
        self.factory.pin(bcm).drive_high()
        self.until_time(0.06)

    def until_time(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.until(lambda _: time.monotonic() > end, "time to pass")

    def confirm_seen(self, moves: tuple[Any, ...]) -> None:
        """The camera proposes these moves, a person presses the big button, the play goes on."""
        before = self.session.revision
        view = self.until(lambda v: v.question is not None and v.question.proposal.match is Match.CLEAR, str(moves))
        assert view.question is not None
        assert view.question.proposal.options[0].moves == moves
        assert view.revision == before
        self.until_time(0.35)
        self.press(DEFAULT.confirm)
        self.until(lambda v: v.revision == before + len(moves), "the confirmed move")
        self.follow()

    def follow(self) -> None:
        self.table.follow(self.session.state)

    def turn(self) -> None:
        """One card is laid (and, in variant B, one is swapped: that is put in by touch, for no camera sees it)."""
        move = self.table.lay(self.session.state)
        self.show()
        self.confirm_seen((move,))
        self.swap()

    def swap(self) -> None:
        if self.session.state.phase is Phase.SWAP:
            before = self.session.revision
            self.inbox.put(Make(self.table.swap(self.session.state)))
            self.until(lambda v: v.revision == before + 1, "the swap")
            self.follow()

    def touch_turn(self) -> None:
        """The same by touch alone."""
        before = self.session.revision
        self.inbox.put(Make(self.table.lay(self.session.state)))
        self.until(lambda v: v.revision == before + 1, "the move that was put in by touch")
        self.follow()
        self.swap()

    def undo(self) -> None:
        before = self.session.revision
        self.press(DEFAULT.undo)
        assert self.until(lambda v: v.revision == before + 1, "the undo").hands
        self.follow()
        self.show()
        self.until(lambda v: v.put_back, "the table to be put back")

    def place_all(self, by_touch: range = range(0)) -> None:
        laid = 0
        while self.session.state.phase is Phase.PLACE:
            self.touch_turn() if laid in by_touch else self.turn()
            laid += 1

    def turn_over(self) -> tuple[str, ...]:
        rows = self.table.rows(self.session.state)
        self.table.turn_over()
        self.show()
        self.confirm_seen((RULES[GAME.name].read("turned over " + " ".join(rows)),))
        self.show()
        return rows


def now() -> Moment:
    return Moment(time.monotonic(), datetime.now(UTC))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Store.open(tmp_path / "plays.sqlite", RULES, now().wall) as store:
        journal: Journal[Any, Any] = Journal(GAME.name, SETUP, NAMES)
        store.begin("evening", journal, now().wall)
        joined = Evening(tmp_path, store, Session(GAME, "evening", journal, store, now()), seed=7)
        with joined.under_way():
            yield joined


def test_a_tournament_of_three_rounds_with_an_undo_over_a_rounds_end_and_a_camera_that_hangs(evening: Evening) -> None:
    grids = []
    evening.place_all()
    grids.append(evening.turn_over())

    # Somebody has seen that round 2 began too early: back over the end of round 1, and forward again.
    evening.turn()
    assert len(evening.session.state.rounds) == 1
    while evening.session.state.rounds:
        evening.undo()
    assert evening.session.state.phase is Phase.TURN_OVER
    assert evening.turn_over() == grids[0]

    # The camera's cable comes loose in the middle of round 2: the play goes on by touch, then by camera again.
    for _ in range(5):
        evening.turn()
    evening.cable.clear()
    evening.until(lambda _: not evening.camera_is_well(), "the camera's sentence")
    for _ in range(4):
        evening.touch_turn()
    evening.show()
    evening.cable.set()
    evening.until(lambda _: evening.camera_is_well(), "the camera to be back")
    evening.place_all()
    grids.append(evening.turn_over())

    evening.place_all()
    grids.append(evening.turn_over())

    view = evening.pump.step()
    assert view.over
    _check(view, evening, grids)


def _check(view: View[Any, Any], evening: Evening, grids: list[tuple[str, ...]]) -> None:
    assert [state.rows for state in view.state.rounds] == grids
    for sheet, rows in zip(view.sheets, grids, strict=False):
        assert sheet.totals() == scoring.sheet(rows, SETUP.seats, lower_wins=True).totals()
    saved = evening.store.plays()[0]
    assert saved.finished is not None
    assert dict(saved.totals) == view.sheets[-1].totals()
    journal, kept = evening.store.load("evening")
    assert journal.entries == evening.session.journal.entries
    assert replay(GAME.rules, journal).state == view.state
    assert sum(each.spent_s for each in kept) == pytest.approx(saved.play_s)
    assert sum(view.times.seat_s.values()) <= view.times.play_s
    assert {SEAT_LETTERS[seat] for seat in saved.names} == set("ABCD")
