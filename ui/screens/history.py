"""All plays that are kept, the newest first."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.recycleview import RecycleView

from companion.kept import SavedPlay
from companion.language import _
from companion.records import players
from companion.rows import name_key
from companion.store import Store
from companion.wording import seat_name
from ui import dates
from ui.background import in_background
from ui.desk import now
from ui.exports import export_results
from ui.screens.exporting import ask_where
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.dialog import choose


class PlayRow(ButtonBehavior, BoxLayout):
    """One play: who played, when, for how long, and who won."""

    saved = ObjectProperty(None, allownone=True)
    open = ObjectProperty(None, allownone=True)
    named = StringProperty("")
    beside = StringProperty("")
    ending = StringProperty("")
    finished = BooleanProperty(True)

    def __init__(self, **rest: Any) -> None:
        super().__init__(always_release=False, **rest)

    def on_saved(self, _row: PlayRow, saved: SavedPlay) -> None:
        """The list has given this row a play."""
        self.named = ", ".join(seat_name(seat, saved.names) for seat in saved.seats)
        told = (dates.day_and_time(saved.started), dates.duration(saved.play_s), saved.note)
        self.beside = " · ".join(filter(None, told))
        self.ending = ending(saved)
        self.finished = saved.finished is not None

    def on_release(self) -> None:
        """Show the play."""
        self.open(self.saved.id)


class Plays(RecycleView):
    """Rows for the plays in view; they are used again while the list scrolls."""


class HistoryPage(Page):
    """The plays of everybody, or of one player."""

    player = StringProperty("")
    words = StringProperty("")

    def opened(self, **_details: Any) -> None:
        """Read the list anew; what was chosen before stays."""
        in_background(partial(_read, self.desk.store), self._take, self.tell)

    def _take(self, read: tuple[tuple[SavedPlay, ...], tuple[str, ...]]) -> None:
        self._plays, self._players = read
        if self.player not in self._players:
            self.player = ""
        self._draw()

    def _draw(self) -> None:
        key = name_key(self.player)
        shown = [play for play in self._plays if not key or key in map(name_key, play.names.values())]
        self.words = "" if shown else _("No play is kept yet.")
        self.ids.plays.data = [{"saved": play, "open": self._open} for play in shown]

    def _open(self, play: str) -> None:
        self.nav.open("play", play=play)

    def ask_player(self) -> None:
        """Ask whose plays shall be shown."""
        choices = [(_("Everybody"), partial(self._filter, ""))]
        choices += [(name, partial(self._filter, name)) for name in getattr(self, "_players", ())]
        choose(_("Whose plays?"), choices)

    def _filter(self, player: str) -> None:
        self.player = player
        self._draw()
        self.ids.plays.scroll_y = 1

    def export(self) -> None:
        """Write all results as a table."""
        ask_where(self.desk, partial(_export, self.desk.store))


def ending(saved: SavedPlay) -> str:
    """How a play has ended: who has won, or that it has not."""
    winners = [seat_name(seat, saved.names) for seat, rank in saved.ranks.items() if rank == 1]
    if saved.finished is None or not winners:
        return _("Not finished")
    if len(winners) > 1:
        return _("{names} share the win").format(names=" & ".join(winners))
    return _("{name} wins").format(name=winners[0])


def _read(store: Store) -> tuple[tuple[SavedPlay, ...], tuple[str, ...]]:
    with store.reader() as reader:
        return reader.plays(), players(reader)


def _export(store: Store, folder: Path) -> Path:
    with store.reader() as reader:
        return export_results(reader, folder, now().wall)


load_rules(__file__)
