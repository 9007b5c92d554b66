"""The pump: thirty times a second it empties the inbox, the panel and the camera's slot into the session.

It runs on one thread, the screen's. Nothing that it calls waits: the camera reads on a thread of its own, the pins call
back on theirs, and all they do is leave something behind to be fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from companion.clock import Moment
from companion.intents import Control, Intent, Pressed
from companion.parts import Part
from companion.session import Session
from companion.view import Tone, View
from hardware.panel import Panel
from ui.eyes import Eye, Eyes
from vision.watcher import Look

PUMPS_A_SECOND = 30

Inbox = SimpleQueue[Intent[Any]]


class Watching(Protocol):
    """The camera's thread: `vision.watcher.Watcher`. None of these waits."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """How the camera is."""
        ...

    def look(self, ticket: int, reader: Eye) -> None:
        """From now on read still pictures like this, and put the ticket to what was read."""
        ...

    def photograph(self, ticket: int) -> None:
        """Read the next still picture, though nothing has moved."""
        ...

    def poll(self) -> Look | None:
        """The newest reading that was not fetched yet."""
        ...


class Pump:
    """Joins one session with what lies beneath the screen. `eyes` may be missing, as the camera may.

    An inbox outlives its plays; each play has a pump of its own.
    """

    def __init__(
        self,
        session: Session[Any, Any, Any],
        inbox: Inbox,
        panel: Panel,
        watcher: Watching,
        eyes: Eyes | None,
        moment: Callable[[], Moment],
    ) -> None:
        self.session = session
        self._inbox, self._panel, self._watcher, self._eyes, self._moment = inbox, panel, watcher, eyes, moment
        self._looking_for = -1
        self._at_once = False
        self._beeped = 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """How everything beneath the screen is."""
        return (*self._panel.parts, *self._watcher.parts)

    def step(self) -> View[Any, Any]:
        """Take in all that has come, and give back the play as it stands."""
        now = self._moment()
        for intent in self._panel.poll(now.monotonic_s):
            self._take(intent, now)
        while (put := self._next()) is not None:
            self._take(put, now)
        self._look(now)
        view = self.session.view(now)
        self._show(view, now)
        return view

    def _next(self) -> Intent[Any] | None:
        try:
            return self._inbox.get_nowait()
        except Empty:
            return None

    def _take(self, intent: Intent[Any], now: Moment) -> None:
        match intent:
            case Pressed(Control.ROLL):
                self._panel.die.roll(now.monotonic_s)
            case Pressed(Control.PHOTOGRAPH):
                self._at_once = True
            case _:
                self.session.handle(intent, now)

    def _look(self, now: Moment) -> None:
        look = self._watcher.poll()
        if look is not None:
            self.session.see(look.reading, look.ticket, now)
        if self._eyes is not None and self._looking_for != self.session.revision:
            self._looking_for = self.session.revision
            self._watcher.look(self._looking_for, self._eyes(self.session.state))
        # Only now does the watcher know what is to be read: the same step may have brought a move.
        if self._at_once:
            self._watcher.photograph(self.session.revision)
            self._at_once = False

    def _show(self, view: View[Any, Any], now: Moment) -> None:
        """The light of whoever is at turn; one beep for each refusal."""
        self._panel.lights.turn(() if view.over else view.to_act)
        message = view.message
        if message is not None and message.tone is not Tone.TOLD and message.number > self._beeped:
            self._panel.lights.beep(now.monotonic_s)
            self._beeped = message.number
