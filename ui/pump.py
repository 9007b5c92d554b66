"""The pump: thirty times a second it empties the inbox, the panel and the camera's slot into the session.

It runs on one thread, the screen's. Nothing that it calls waits: the camera reads on a thread of its own, the pins call
back on theirs, and all they do is leave something behind to be fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.asking import UNSEEN_S
from companion.clock import Moment
from companion.games import GAMES
from companion.intents import Confirm, Control, Intent, Make, Pressed
from companion.parts import Part
from companion.review import Review
from companion.session import Session
from companion.view import View
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


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The newest look at the table as it stands, and what a person may go over in it, where there is anything."""

    look: Look
    review: Review | None


@dataclass(frozen=True, slots=True)
class Draft:
    """What a press of a confirming button means while a page has something of its own to confirm.

    `since_s`: an earlier press was no answer to it. `begun`: a person has changed what the camera saw, so that what it
    sees meanwhile is not asked.
    """

    revision: int
    intent: Intent[Any]
    since_s: float
    begun: bool = False


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
        self._seen: Seen | None = None
        self._asked: Look | None = None
        self.keep: Callable[[int, NDArray[np.uint8]], object] | None = None
        """What keeps the picture of a confirmed reading, by its entry's number."""

        self.draft: Draft | None = None
        """Set by the page that shows it, and taken back when that is left."""

        self.pressed = 0
        """How often something happened at the buttons, the die included."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """How everything beneath the screen is."""
        return (*self._panel.parts, *self._watcher.parts)

    @property
    def seen(self) -> Seen | None:
        """What the camera has seen since the last entry."""
        return self._seen if self._seen is not None and self._seen.look.ticket == self.session.revision else None

    def step(self) -> View[Any, Any]:
        """Take in all that has come, and give back the play as it stands."""
        now = self._moment()
        for intent in self._panel.poll(now.monotonic_s):
            self.pressed += 1
            self._take(intent, now)
        while (put := self._next()) is not None:
            self._take(put, now)
        self._look(now)
        self.session.tick(now)
        view = self.session.view(now)
        self._show(view, now)
        return view

    def redraw(self) -> None:
        """Say everything anew, after the language has changed; the camera looks once more for what it remarks."""
        self.session.redraw()
        self._at_once = True

    def _next(self) -> Intent[Any] | None:
        try:
            return self._inbox.get_nowait()
        except Empty:
            return None

    def _take(self, intent: Intent[Any], now: Moment) -> None:
        match intent:
            case Pressed(Control.ROLL):
                self._panel.die.roll(now.monotonic_s)
                # At once: the number is logged before anybody sees it.
                for drawn in self._panel.die.poll(now.monotonic_s):
                    self.session.handle(drawn, now)
            case Pressed(Control.PHOTOGRAPH):
                self._at_once = True
            case Pressed(Control.CONFIRM | Control.SEAT) if (draft := self._drafted) is not None:
                if intent.at_s >= draft.since_s + UNSEEN_S:
                    self._handle(draft.intent, now)
            case _:
                self._handle(intent, now)

    def _handle(self, intent: Intent[Any], now: Moment) -> None:
        """Into the session; when it was a yes to what the camera saw, the picture is kept."""
        revision, look = self.session.revision, self._confirmed(intent)
        self.session.handle(intent, now)
        self._keep(look, revision)

    def _confirmed(self, intent: Intent[Any]) -> Look | None:
        match intent:
            case Confirm() | Pressed() if self.session.question is not None:
                return self._asked
            case Make() if (seen := self.seen) is not None and seen.review is not None:
                return seen.look
        return None

    def _keep(self, look: Look | None, revision: int) -> None:
        if self.keep is not None and look is not None and self.session.revision > revision:
            self.keep(self.session.revision - 1, look.picture)

    @property
    def _drafted(self) -> Draft | None:
        return self.draft if self.draft is not None and self.draft.revision == self.session.revision else None

    def _look(self, now: Moment) -> None:
        look = self._watcher.poll()
        # A look of the table before the last entry, or before an undo, says nothing any more.
        if look is not None and look.ticket == self.session.revision:
            review = GAMES[self.session.journal.game].review
            self._seen = Seen(look, review(self.session.state, look.reading) if review is not None else None)
            if self._drafted is None or not self._drafted.begun:
                question, revision = self.session.question, self.session.revision
                self.session.see(look.reading, look.ticket, now)
                if self.session.question is not question:
                    self._asked = look
                self._keep(look, revision)
        if self._eyes is not None and self._looking_for != self.session.revision:
            self._looking_for = self.session.revision
            self._watcher.look(self._looking_for, self._eyes(self.session.state))
        # Only now does the watcher know what is to be read: the same step may have brought a move.
        if self._at_once:
            self._watcher.photograph(self.session.revision)
            self._at_once = False

    def _show(self, view: View[Any, Any], now: Moment) -> None:
        """The light of whoever is at turn; one beep for each message that wants to be heard."""
        self._panel.lights.turn(() if view.over else view.to_act)
        message = view.message
        if message is not None and message.beeps and message.number > self._beeped:
            self._panel.lights.beep(now.monotonic_s)
            self._beeped = message.number
