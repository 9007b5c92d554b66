"""Everything beneath the screen, joined for one evening: the store, the pins, the camera, and the play under way.

The app calls `step` thirty times a second. Whatever may be missing is missing in `parts`, with a sentence.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.clock import Moment
from companion.game import Game
from companion.games import GAMES
from companion.intents import Intent
from companion.journal import Journal
from companion.parts import Part
from companion.rules import Seat
from companion.session import Manners, Session
from companion.store import Store
from companion.view import View
from hardware.panel import Panel
from ui.cameras import camera_factory
from ui.config import Config
from ui.eyes import EYES, Eye
from ui.pump import Inbox, Pump, Watching
from vision.watcher import Look, Watcher

RULES = {name: game.rules for name, game in GAMES.items()}


def now() -> Moment:
    """The time, for everything that asks for it as an argument."""
    return Moment(time.monotonic(), datetime.now(UTC))


class Camera(Watching, Protocol):
    """The camera's thread, with the pictures for a preview and its beginning and end."""

    def preview(self) -> NDArray[np.uint8] | None:
        """The newest picture that was not fetched yet, (H, W, 3) uint8 BGR."""
        ...

    def start(self) -> None:
        """Begin to watch."""
        ...

    def stop(self) -> None:
        """End it."""
        ...


class NoCamera:
    """In the camera's place where the settings say that there is none."""

    parts: tuple[Part, ...] = ()

    def look(self, ticket: int, reader: Eye) -> None:
        """Nothing looks."""

    def photograph(self, ticket: int) -> None:
        """Nothing is photographed."""

    def poll(self) -> Look | None:
        """Nothing is seen."""
        return None

    def preview(self) -> NDArray[np.uint8] | None:
        """There is no picture."""
        return None

    def start(self) -> None:
        """Nothing has to be started."""

    def stop(self) -> None:
        """Nothing has to be ended."""


class Companion(Protocol):
    """Somebody who follows the play beside the people: the simulation of a table."""

    def begin(self, game: str, state: Any) -> None:
        """A play comes to the table in this state."""
        ...

    def step(self, view: View[Any, Any], now_s: float) -> None:
        """Thirty times a second, after the session."""
        ...

    @property
    def can_play(self) -> bool:
        """Whether `play` does anything now."""
        ...

    def play(self) -> None:
        """Do at the table what is to be done next."""
        ...

    def key(self, letter: str) -> bool:
        """A key of the keyboard is pressed. Returns whether it means anything."""
        ...


class Desk:
    """One evening. `moment` gives the time; `simulated` follows the play where the table is not a real one."""

    def __init__(
        self,
        store: Store,
        panel: Panel,
        camera: Camera,
        manners: Manners | None = None,
        moment: Callable[[], Moment] = now,
        simulated: Companion | None = None,
    ) -> None:
        self.store, self.panel, self.camera, self.simulated = store, panel, camera, simulated
        self.game: Game | None = None
        self._manners, self._moment = manners or Manners(), moment
        self._inbox: Inbox = Inbox()
        self._pump: Pump | None = None

    @property
    def session(self) -> Session[Any, Any, Any] | None:
        """The play under way."""
        return self._pump.session if self._pump is not None else None

    @property
    def parts(self) -> tuple[Part, ...]:
        """How everything beneath the screen is."""
        return (*self.panel.parts, *self.camera.parts)

    @property
    def has_camera(self) -> bool:
        """Whether there shall be a camera, well or not."""
        return not isinstance(self.camera, NoCamera)

    def start(self) -> None:
        """Begin to watch the table."""
        self.camera.start()

    def begin(self, game: Game, setup: Any, names: Mapping[Seat, str]) -> None:
        """Begin a play; the one before is left. Raises: StoreError."""
        moment = self._moment()
        play = f"{moment.wall:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"
        journal: Journal[Any, Any] = Journal(game.name, setup, dict(names))
        self.store.begin(play, journal, moment.wall)
        self._open(game, Session(game, play, journal, self.store, moment, manners=self._manners))

    def resume(self, play: str) -> None:
        """Go on with a play that is kept. Raises: StoreError."""
        journal, kept = self.store.load(play)
        game = GAMES[journal.game]
        self._open(game, Session(game, play, journal, self.store, self._moment(), kept, self._manners))

    def _open(self, game: Game, session: Session[Any, Any, Any]) -> None:
        make_eyes = EYES.get(game.name)
        eyes = make_eyes(session.journal.setup) if make_eyes is not None and self.has_camera else None
        self._inbox = Inbox()
        self.game = game
        self._pump = Pump(session, self._inbox, self.panel, self.camera, eyes, self._moment)
        if self.simulated is not None:
            self.simulated.begin(game.name, session.state)

    def lay_aside(self) -> None:
        """Close the play under way; it is kept as it stands."""
        self._pump = None
        self.panel.lights.turn(())

    def put(self, intent: Intent[Any]) -> None:
        """What a person asked for; it is taken in with the next step. Any thread may call this."""
        self._inbox.put(intent)

    def step(self) -> View[Any, Any] | None:
        """Take in all that has come; the play as it stands, or None when none is under way."""
        if self._pump is None:
            # What is pressed where there is no play means nothing, and must not be waiting for the next one.
            self.panel.poll(self._moment().monotonic_s)
            return None
        view = self._pump.step()
        if self.simulated is not None:
            self.simulated.step(view, self._moment().monotonic_s)
        return view

    def close(self) -> None:
        """Lights off, pins and camera given back, the file closed."""
        self.panel.close()
        self.camera.stop()
        self.store.close()


def open_desk(config: Config, moment: Callable[[], Moment] = now) -> Desk:
    """The desk of these settings. Raises: StoreError."""
    store = Store.open(config.data.plays, RULES, moment().wall)
    factory = camera_factory(config.camera)
    camera: Camera = NoCamera() if factory is None else Watcher(factory)
    return Desk(store, Panel(config.wiring), camera, Manners(config.play.auto_confirm), moment)
