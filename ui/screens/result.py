"""What was scored: ranks and totals, and each seat's lines with what does not count greyed."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.utils import escape_markup, get_hex_from_color

from companion.errors import CompanionError
from companion.intents import Undo
from companion.parts import Part
from companion.score import ScoreLine, ScoreSheet
from companion.view import View
from companion.wording import line_sentence, seat_name
from ui import theme as look
from ui.language import _
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.badge import PersonTap
from ui.widgets.button import Tap
from ui.widgets.panel import Row
from ui.widgets.scores import grouped
from ui.widgets.text import Paragraph


class Ranked(PersonTap):
    """A seat with its rank and total, to tap for its lines."""

    chosen = BooleanProperty(False)


class Counted(Row):
    """One line of a seat: as it lies, what does not count greyed, and its points."""

    line = StringProperty("")
    told = StringProperty("")
    points = StringProperty("")


class ResultPage(Page):
    """The sheets of the play under way."""

    heading = StringProperty("")
    over = BooleanProperty(False)

    def opened(self, **_details: Any) -> None:
        """The newest finished sheet first."""
        self._sheet: int | None = None
        self._seat: int | None = None

    def show(self, view: View[Any, Any] | None, _parts: tuple[Part, ...]) -> None:
        """Draw the sheets as they stand; an undo may have taken the last one away."""
        if view is None:
            return
        sheets = [sheet for sheet in view.sheets if sheet.lines]
        if not sheets:
            self.nav.open("table")
            return
        self._view, self._sheets, self.over = view, sheets, view.over
        self._draw()

    def _draw(self) -> None:
        last = len(self._sheets) - 1
        newest = last if self.over else max(0, last - (self._sheets[last].title == "Standing"))
        number = newest if self._sheet is None else min(self._sheet, last)
        sheet = self._sheets[number]
        self.heading = self._heading(sheet)
        self._draw_choice(number)
        ranks, totals = sheet.ranks(), sheet.totals()
        order = sorted(ranks, key=lambda seat: ranks[seat])
        seat = order[0] if self._seat is None else self._seat
        people = self.ids.people
        people.clear_widgets()
        for each in order:
            person = Ranked(
                partial(self._take_seat, each),
                seat=each,
                named=seat_name(each, self._view.names),
                figure=grouped(totals[each]),
                place=str(ranks[each]),
                chosen=each == seat,
            )
            people.add_widget(person)
        self._draw_lines(sheet, seat)
        self._draw_ways()

    def _heading(self, sheet: ScoreSheet) -> str:
        names = [seat_name(seat, self._view.names) for seat in sheet.leaders()]
        if len(names) > 1:
            return _("{names} share the win").format(names=" & ".join(names))
        leads = _("{name} wins") if self.over or sheet.title != "Standing" else _("{name} leads")
        return leads.format(name=names[0])

    def _draw_choice(self, number: int) -> None:
        choice = self.ids.choice
        choice.clear_widgets()
        if len(self._sheets) > 1:
            for each, sheet in enumerate(self._sheets):
                choice.add_widget(Tap(sheet.title, partial(self._take_sheet, each), chosen=each == number))

    def _take_seat(self, seat: int) -> None:
        self._seat = seat
        self._draw()

    def _take_sheet(self, number: int) -> None:
        self._sheet = number
        self._draw()

    def _draw_lines(self, sheet: ScoreSheet, seat: int) -> None:
        lines = self.ids.lines
        lines.clear_widgets()
        lines.add_widget(
            Paragraph(text=_("{name}'s lines").format(name=seat_name(seat, self._view.names)), color=look.MUTED)
        )
        for line in sheet.lines_of(seat):
            lines.add_widget(self._counted(line))
        self.ids.room.scroll_y = 1

    def _counted(self, line: ScoreLine) -> Counted:
        game = self.desk.game
        told = "" if game is None else line_sentence(game.sentences, line, self._view.names)
        return Counted(line=_marked(line), told="" if "line" in line.facts else told, points=grouped(line.points))

    def _draw_ways(self) -> None:
        ways = self.ids.ways
        ways.clear_widgets()
        ways.add_widget(Tap(_("Undo"), lambda: self.desk.put(Undo()), disabled=self._view.undoable == 0))
        if self.over:
            ways.add_widget(Tap(_("Rematch"), self._rematch))
        ways.add_widget(Tap(_("Home") if self.over else _("To the table"), self._leave, kind="primary"))

    def _rematch(self) -> None:
        session, game = self.desk.session, self.desk.game
        if session is None or game is None:
            return
        try:
            self.desk.begin(game, session.journal.setup, session.journal.names)
        except CompanionError as error:
            self.tell(error)
        else:
            self.nav.open("table")

    def _leave(self) -> None:
        if self.over:
            self.desk.lay_aside()
        self.nav.open("home" if self.over else "table")


def _marked(line: ScoreLine) -> str:
    """The line as it lies, what is ignored greyed, in Kivy's markup."""
    if "line" not in line.facts:
        return ""
    counted, ignored = str(line.facts["counted"]), str(line.facts["ignored"])
    grey = get_hex_from_color(look.FAINT)
    return f"[b]{escape_markup(counted)}[/b][color={grey}]{escape_markup(ignored)}[/color]"


load_rules(__file__)
