"""Where the evening begins: go on with a play, or begin one."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.properties import StringProperty

from companion.errors import StoreError
from companion.games import GAMES
from companion.kept import SavedPlay
from companion.language import _
from companion.parts import Part
from companion.view import View
from companion.wording import seat_name
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.panel import Row


class Beside(Row):
    """Two ways beside each other."""


class HomePage(Page):
    """Resume, a new play, and the other pages."""

    words = StringProperty("")

    def opened(self, **_details: Any) -> None:
        """Offer what can be done now."""
        ways = self.ids.ways
        ways.clear_widgets()
        saved = self._unfinished()
        self.words = _("Put the cards on the table.") if saved is None else _told(saved)
        if saved is not None:
            self._add(_("Go on"), lambda: self._resume(saved), "primary")
        self._add(_("New play"), lambda: self.nav.open("setup"), "plain" if saved else "primary")
        beside = Beside()
        for name, text in (("history", _("History")), ("settings", _("Settings"))):
            beside.add_widget(Tap(text, partial(self.nav.open, name)))
        ways.add_widget(beside)
        self._add(_("Show me around"), partial(self.nav.open, "tour"))
        self._add(_("Close the companion"), self.nav.end, "quiet")

    def show(self, _view: View[Any, Any] | None, _parts: tuple[Part, ...]) -> None:
        """Nothing here follows the play."""

    def _add(self, text: str, deed: Any, kind: str = "plain") -> None:
        self.ids.ways.add_widget(Tap(text, deed, kind=kind))

    def _unfinished(self) -> SavedPlay | None:
        try:
            return self.desk.store.unfinished()
        except StoreError as error:
            self.tell(error)
            return None

    def _resume(self, saved: SavedPlay) -> None:
        try:
            self.desk.resume(saved.id)
        except StoreError as error:
            self.tell(error)
        else:
            self.nav.open("table")


def _told(saved: SavedPlay) -> str:
    names = ", ".join(seat_name(seat, saved.names) for seat in saved.seats)
    when = f"{saved.started.astimezone():%d.%m. %H:%M}"
    return _("{game} with {names}, begun {when}").format(game=GAMES[saved.game].title, names=names, when=when)


load_rules(__file__)
