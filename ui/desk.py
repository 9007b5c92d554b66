"""Everything beneath the screen, joined for one evening: the store, the pins, the camera, and the play under way.

The app calls `step` thirty times a second. Whatever may be missing is missing in `parts`, with a sentence.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from companion.clock import Moment
from companion.game import Game
from companion.games import GAMES
from companion.intents import Intent
from companion.journal import Journal
from companion.parts import Part
from companion.records import by_age
from companion.rules import Seat
from companion.session import Manners, Session
from companion.store import Store
from companion.view import View
from hardware.panel import Panel
from ui.cameras import camera_factory
from ui.config import Camera as CameraSettings
from ui.config import Config, Data
from ui.eyes import EYES, Eye
from ui.photographs import FOLDER, Photographs
from ui.pump import Draft, Inbox, Pump, Seen, Watching
from vision.camera import Camera as Device
from vision.glimpse import Glimpse
from vision.watcher import Look, Watcher

NewCamera = Callable[[], Device]
"""Gives the camera each time that it is opened."""

RULES = {name: game.rules for name, game in GAMES.items()}


def now() -> Moment:
    """The time, for everything that asks for it as an argument."""
    return Moment(time.monotonic(), datetime.now(UTC))


class Camera(Watching, Protocol):
    """The camera's thread, with the pictures for a preview and its beginning and end."""

    def preview(self) -> Glimpse | None:
        """The newest picture that was not fetched yet."""
        ...

    def start(self) -> None:
        """Begin to watch."""
        ...

    def reopen(self, camera_factory: NewCamera) -> None:
        """Close the camera, and go on with one from here."""
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

    def preview(self) -> Glimpse | None:
        """There is no picture."""
        return None

    def start(self) -> None:
        """Nothing has to be started."""

    def reopen(self, camera_factory: NewCamera) -> None:
        """There is none to be opened."""

    def stop(self) -> None:
        """Nothing has to be ended."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that a person can do to a simulated table."""

    text: str
    deed: Callable[[], object]
    enabled: bool = True


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

    @property
    def switches(self) -> Sequence[Switch]:
        """What a person can do to the table now."""
        ...

    @property
    def help(self) -> str:
        """What keys do, in a sentence."""
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
        photographs: Photographs | None = None,
        config: Config | None = None,
        cameras: Callable[[CameraSettings], NewCamera | None] = camera_factory,
    ) -> None:
        self.store, self.panel, self.camera, self.simulated = store, panel, camera, simulated
        self.game: Game | None = None
        self._manners, self._moment = manners or Manners(), moment
        self._inbox: Inbox = Inbox()
        self._pump: Pump | None = None
        self._pressed_idly = 0
        self.config = config or Config(Data(store.database.path.parent))
        """The settings in use."""

        self._cameras = cameras

        self.hints = self.config.screen.hints
        """Whether the boards mark what may be done."""

        self.pays = self.config.screen.pays
        """Whether they say what it would pay."""

        self.photographs = photographs or Photographs(store.database.path.parent / FOLDER)

    @property
    def session(self) -> Session[Any, Any, Any] | None:
        """The play under way."""
        return self._pump.session if self._pump is not None else None

    @property
    def parts(self) -> tuple[Part, ...]:
        """How everything beneath the screen is."""
        return (*self.panel.parts, *self.camera.parts, self.photographs.part)

    @property
    def pressed(self) -> int:
        """A count that changes when something happens at the buttons."""
        return self._pressed_idly + (self._pump.pressed if self._pump is not None else 0)

    @property
    def seen(self) -> Seen | None:
        """What the camera has seen of the play as it stands."""
        return self._pump.seen if self._pump is not None else None

    def draft(self, draft: Draft | None) -> None:
        """From now on, confirming buttons mean this; None: what the session asks."""
        if self._pump is not None:
            self._pump.draft = draft

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
        self.photographs.open(session.play, by_age(self.store))
        self._pump.keep = self.photographs.keep
        if self.simulated is not None:
            self.simulated.begin(game.name, session.state)

    def lay_aside(self) -> None:
        """Close the play under way; it is kept as it stands."""
        self._pump = None
        self.panel.lights.turn(())

    def put(self, intent: Intent[Any]) -> None:
        """What a person asked for; it is taken in with the next step. Any thread may call this."""
        self._inbox.put(intent)

    def heed(self, config: Config) -> None:
        """Do as the settings say from now on; the pins stay as they were opened."""
        is_other_camera = config.camera != self.config.camera
        self.config = config
        if is_other_camera:
            self.open_camera_anew()
        self.hints, self.pays = config.screen.hints, config.screen.pays
        self.photographs.on = config.data.photographs
        self._manners = Manners(config.play.auto_confirm, config.play.turn_limit_s)
        if self.session is not None:
            self.session.manners = self._manners

    def open_camera_anew(self) -> None:
        """Open the camera once more: it focuses on what lies there now, and fixes exposure and colours for it."""
        factory = self._cameras(self.config.camera)
        if factory is not None:
            self.camera.reopen(factory)

    def redraw(self) -> None:
        """Say everything about the play under way anew: the language has changed."""
        if self._pump is not None:
            self._pump.redraw()

    def step(self) -> View[Any, Any] | None:
        """Take in all that has come; the play as it stands, or None when none is under way."""
        if self._pump is None:
            # What is pressed where there is no play means nothing, and must not be waiting for the next one.
            self._pressed_idly += len(self.panel.poll(self._moment().monotonic_s))
            return None
        view = self._pump.step()
        if self.simulated is not None:
            self.simulated.step(view, self._moment().monotonic_s)
        return view

    def close(self) -> None:
        """Lights off, pins and camera given back, the file closed."""
        self.panel.close()
        self.camera.stop()
        self.photographs.close()
        self.store.close()


def open_desk(config: Config, moment: Callable[[], Moment] = now) -> Desk:
    """The desk of these settings. Raises: StoreError."""
    store = Store.open(config.data.plays, RULES, moment().wall)
    factory = camera_factory(config.camera)
    camera: Camera = NoCamera() if factory is None else Watcher(factory)
    photographs = Photographs(config.data.folder / FOLDER, on=config.data.photographs)
    manners = Manners(config.play.auto_confirm, config.play.turn_limit_s)
    return Desk(store, Panel(config.wiring), camera, manners, moment, photographs=photographs, config=config)
