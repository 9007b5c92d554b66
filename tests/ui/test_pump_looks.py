"""What the camera has seen, and what a page that goes over it has confirmed by a button."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from companion.asking import UNSEEN_S
from companion.clock import Moment
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.intents import Control, Intent, Make, Notice, Pressed, Undo
from companion.journal import Journal
from companion.parts import Part
from companion.session import Session
from companion.sight import UNKNOWN, Outcome, Reading, Sighting
from companion.store import Store
from hardware.panel import Panel
from hardware.pins import open_pins
from hardware.wiring import DEFAULT
from ui.pump import Draft, Pump
from vision.watcher import Look

GAME = GAMES["cassa-grande"]
START = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
CARD = Sighting((0, 0), ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)), {UNKNOWN: 1.0})
FIRST_CARD = Reading(Outcome.CLEAR, (UNKNOWN,), (), (CARD,))


class Watching:
    """A camera's thread whose looks a test makes."""

    parts: tuple[Part, ...] = (Part("camera"),)

    def __init__(self) -> None:
        self.next: Look | None = None

    def look(self, ticket: int, reader: object) -> None:
        """Nothing looks by itself."""

    def photograph(self, ticket: int) -> None:
        """Nothing is photographed."""

    def poll(self) -> Look | None:
        look, self.next = self.next, None
        return look


class Evening:
    """A pump over a real session, store and mock pins, with a clock and a camera that a test turns."""

    def __init__(self, folder: Path) -> None:
        self.s = 1000.0
        self.store = Store.open(folder / "plays.sqlite", {GAME.name: GAME.rules}, START)
        journal: Journal[Any, Any] = Journal(GAME.name, Setup(players=2))
        self.store.begin("p", journal, START)
        self.session: Session[Any, Any, Any] = Session(GAME, "p", journal, self.store, self.now())
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self.panel, self.watching = Panel(DEFAULT, open_pins("mock"), lambda: self.s), Watching()
        self.pump = Pump(self.session, self.inbox, self.panel, self.watching, None, self.now)

    def now(self) -> Moment:
        return Moment(self.s, START)

    def step(self, *intents: Intent[Any]) -> Any:
        for intent in intents:
            self.inbox.put(intent)
        return self.pump.step()

    def sees(self, ticket: int) -> Any:
        self.watching.next = Look(ticket, FIRST_CARD, np.zeros((40, 40, 3), np.uint8), self.s)
        return self.step()

    def draft(self, intent: Intent[Any], *, begun: bool = False) -> None:
        self.pump.draft = Draft(self.session.revision, intent, self.s, begun)

    def press(self, after_s: float) -> Any:
        self.s += after_s
        return self.step(Pressed(Control.CONFIRM, self.s))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.panel.close()
    made.store.close()


def test_the_newest_look_is_kept_until_the_play_goes_on(evening: Evening) -> None:
    evening.sees(0)
    seen = evening.pump.seen
    assert seen is not None
    assert (seen.look.reading, seen.review) == (FIRST_CARD, None)
    evening.step(Make(Placed(0, (0, 0))))
    later = evening.pump.seen
    assert later is None


def test_a_late_look_of_what_was_undone_is_dropped(evening: Evening) -> None:
    evening.step(Make(Placed(0, (0, 0))))
    evening.step(Undo())
    view = evening.sees(1)
    assert evening.pump.seen is None
    assert view.question is None


def test_a_button_confirms_what_the_page_has_and_not_what_the_camera_asks(evening: Evening) -> None:
    evening.sees(0)
    evening.draft(Notice("Look at the doubtful card."))
    view = evening.press(UNSEEN_S)
    assert (view.revision, view.message.sentence) == (0, "Look at the doubtful card.")
    evening.draft(Make(Placed(0, (0, 0))))
    assert evening.press(UNSEEN_S / 2).revision == 0, "nobody can have seen it yet"
    assert evening.press(UNSEEN_S).revision == 1


def test_a_draft_of_an_earlier_state_means_nothing(evening: Evening) -> None:
    evening.draft(Make(Placed(0, (0, 0))))
    evening.step(Make(Placed(0, (0, 0))))
    view = evening.press(1.0)
    assert view.revision == 1
    assert "nothing to confirm" in view.message.sentence


@pytest.mark.parametrize("begun", [True, False])
def test_what_is_seen_meanwhile_is_not_asked_once_a_person_has_begun(evening: Evening, begun: bool) -> None:
    evening.draft(Notice(""), begun=begun)
    view = evening.sees(0)
    assert (view.question is None) == begun
    assert evening.pump.seen is not None
