"""One play of the past: its sheets, its turns in sentences, its photographs, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.recycleview import RecycleView
from kivy.uix.widget import Widget

from companion.errors import CompanionError
from companion.language import _
from companion.store import Store
from companion.wording import seat_name
from ui import dates
from ui import theme as look
from ui.background import in_background
from ui.exports import export_play
from ui.past import Past, past
from ui.screens.exporting import ask_where
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.dialog import Dialog, choose
from ui.widgets.keyboard import Keyboard
from ui.widgets.panel import Row
from ui.widgets.scrubber import Scrubber, Turn
from ui.widgets.sheets import Scored, Sheets
from ui.widgets.text import Text

MOST_NOTE = 80
"""Letters of a note."""


class TurnRow(ButtonBehavior, Row):
    """One sentence about a turn; a tap shows its photograph, where there is one."""

    number = StringProperty("")
    sentence = StringProperty("")
    pictured = BooleanProperty(False)
    show = ObjectProperty(None, allownone=True)

    def __init__(self, **rest: Any) -> None:
        super().__init__(always_release=False, **rest)

    def on_release(self) -> None:
        """Show the photograph."""
        if self.pictured:
            self.show()


class Turns(RecycleView):
    """The sentences about all turns that hold."""


class PlayPage(Page):
    """A play that is kept, finished or not."""

    heading = StringProperty("")
    beside = StringProperty("")
    part = StringProperty("result")
    unfinished = BooleanProperty(False)
    pictured = BooleanProperty(False)

    def __init__(self, nav: Any, **rest: Any) -> None:
        super().__init__(nav, **rest)
        self.sheets, self.turns, self.scrubber = Sheets(), Turns(), Scrubber()
        self._past: Past | None = None
        self._play = ""

    def opened(self, play: str = "", **_details: Any) -> None:
        """Read this play."""
        self._play, self._past, self.part = play, None, "result"
        self.heading = self.beside = ""
        self.unfinished = self.pictured = False
        self.ids.place.clear_widgets()
        in_background(partial(past, self.desk.store, self.desk.photographs, play), self._take, self.tell)

    def _take(self, found: Past) -> None:
        if found.play.id != self._play:
            return
        self._past = found
        names, whole = found.play.journal.names, found.play
        seats = found.game.rules.seats(whole.journal.setup)
        self.heading = ", ".join(seat_name(seat, names) for seat in seats)
        self.unfinished = whole.finished is None
        self.pictured = bool(found.photographs)
        self.sheets.begin()
        self._tell_beside(whole.note)
        self._draw_turns(found)
        self.scrubber.show(_pictured(found))
        self.take_part("result")

    def _tell_beside(self, note: str) -> None:
        if self._past is None:
            return
        dated = dates.day_and_time(self._past.play.started), dates.duration(self._past.play_s)
        self.beside = " · ".join(filter(None, (self._past.game.title, *dated, note)))

    def _draw_turns(self, found: Past) -> None:
        rows = []
        for line in found.lines:
            show = partial(self._show_photograph, line.number)
            for first, sentence in zip((True, *(False for _each in line.sentences)), line.sentences, strict=False):
                number = str(line.number + 1) if first else ""
                pictured = first and line.number in found.photographs
                rows.append({"number": number, "sentence": sentence, "pictured": pictured, "show": show})
        self.turns.data = rows

    def take_part(self, part: str) -> None:
        """Show the result, the turns or the photographs."""
        found = self._past
        if found is None:
            return
        self.part = part
        self.ids.place.clear_widgets()
        self.ids.place.add_widget(self._shown(part, found))

    def _shown(self, part: str, found: Past) -> Widget:
        if part == "turns":
            return self.turns
        if part == "photographs":
            return self.scrubber
        if not found.sheets:
            return Text(text=_("Nothing has been scored yet."), color=look.MUTED, halign="center")
        self.sheets.show(Scored(found.game, found.play.journal.names, found.sheets, found.over))
        return self.sheets

    def _show_photograph(self, number: int) -> None:
        self.scrubber.to_entry(number)
        self.take_part("photographs")

    def go_on(self) -> None:
        """Play on in it."""
        self._resume("table")

    def more(self) -> None:
        """What else can be done with this play."""
        if self._past is None:
            return
        choices: list[tuple[str, Callable[[], object]]] = [
            (_("Write a note"), self._ask_note),
            (_("Export"), partial(ask_where, self.desk, partial(_export, self.desk.store, self._play))),
            (_("Delete"), self._ask_delete),
        ]
        if not self.unfinished:
            choices.insert(1, (_("Correct it"), partial(self._resume, "result")))
        choose(_("What now?"), choices)

    def _resume(self, page: str) -> None:
        try:
            self.desk.resume(self._play)
        except CompanionError as error:
            self.tell(error)
        else:
            self.nav.open(page)

    def _ask_note(self) -> None:
        note = self._past.play.note if self._past is not None else ""
        Keyboard(self._note, title=_("Note"), text=note, capital=not note, most=MOST_NOTE, optional=True).show()

    def _note(self, text: str) -> None:
        try:
            self.desk.store.note(self._play, text)
        except CompanionError as error:
            self.tell(error)
        else:
            self.opened(play=self._play)

    def _ask_delete(self) -> None:
        text = _("{play} leaves the list and all records, with its photographs. Nothing brings it back.")
        dialog = Dialog(title=_("Delete for good?"), text=text.format(play=f"{self.heading}, {self.beside}"))
        dialog.add(_("Keep it"), kind="primary")
        dialog.add(_("Delete"), self._delete)
        dialog.show()

    def _delete(self) -> None:
        session = self.desk.session
        if session is not None and session.play == self._play:
            self.desk.lay_aside()
        try:
            self.desk.store.delete(self._play)
        except CompanionError as error:
            self.tell(error)
            return
        in_background(partial(self.desk.photographs.delete, self._play), lambda _done: None, self.tell)
        self.nav.open("history")


def _pictured(found: Past) -> list[Turn]:
    """The turns that hold and have a photograph."""
    return [
        Turn(line.number, " ".join(line.sentences), found.photographs[line.number])
        for line in found.lines
        if line.number in found.photographs
    ]


def _export(store: Store, play: str, folder: Path) -> Path:
    with store.reader() as reader:
        return export_play(reader, play, folder)[0]


load_rules(__file__)
