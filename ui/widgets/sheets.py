"""Score sheets to look through: who has which rank and total, and each seat's lines with what does not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget
from kivy.utils import escape_markup, get_hex_from_color

from companion.game import Game
from companion.language import _
from companion.rules import Seat
from companion.score import ScoreLine, ScoreSheet
from companion.wording import line_sentence, seat_name, sheet_title
from ui import theme as look
from ui.widgets import load_rules
from ui.widgets.badge import PersonTap
from ui.widgets.button import Tap
from ui.widgets.chart import Chart, Course
from ui.widgets.panel import Row
from ui.widgets.scores import grouped
from ui.widgets.text import Paragraph

STANDING = "Standing"
"""The title of the sheet that adds up the rounds of a tournament."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The sheets of one play that have lines, the deciding one last, and whether the play is over."""

    game: Game
    names: Mapping[Seat, str]
    sheets: tuple[ScoreSheet, ...]
    over: bool


class Ranked(PersonTap):
    """A seat with its rank and total, to tap for its lines."""

    chosen = BooleanProperty(False)


class Counted(Row):
    """One line of a seat: as it lies, what does not count greyed, smaller and struck out, and its points."""

    line = StringProperty("")
    told = StringProperty("")
    points = StringProperty("")


class Sheets(BoxLayout):
    """The sheets of one play, one at a time, and the chart of how the totals grew. `heading` tells a sheet's end."""

    heading = StringProperty("")
    charted = BooleanProperty(False)
    small = NumericProperty(12)

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._scored: Scored | None = None
        self._sheet: int | None = None
        self._seat: Seat | None = None
        self.chart = Chart()
        self.fbind("small", self._draw)

    def on_kv_post(self, _base: Widget) -> None:
        """Its rules have been applied."""
        self._lists: Widget = self.ids.lists.__self__

    def begin(self) -> None:
        """Show what has been finished last, whatever was looked at before."""
        self._sheet, self._seat, self.charted = None, None, False

    def show(self, scored: Scored) -> None:
        """Draw these sheets, at least one; what is looked at stays in view."""
        self._scored = scored
        self._draw()

    def _draw(self, *_args: Any) -> None:
        scored = self._scored
        if scored is None:
            return
        last = len(scored.sheets) - 1
        newest = last if scored.over else max(0, last - (scored.sheets[last].title == STANDING))
        number = newest if self._sheet is None else min(self._sheet, last)
        sheet = scored.sheets[number]
        courses, columns = growth(scored.sheets)
        self.charted = self.charted and len(columns) > 1
        self.heading = _heading(scored, scored.sheets[last] if self.charted else sheet)
        self._draw_choice(scored, number, with_chart=len(columns) > 1)
        self._place(self.chart if self.charted else self._lists)
        self.chart.show(courses, columns)
        order = sorted(sheet.seats, key=lambda seat: sheet.ranks()[seat])
        seat = order[0] if self._seat is None else self._seat
        self._draw_people(scored, sheet, order, seat)
        self._draw_lines(scored, sheet, seat)

    def _place(self, widget: Widget) -> None:
        if widget.parent is None:
            self.ids.place.clear_widgets()
            self.ids.place.add_widget(widget)

    def _draw_choice(self, scored: Scored, number: int, *, with_chart: bool) -> None:
        choice = self.ids.choice
        choice.clear_widgets()
        if len(scored.sheets) < 2 and not with_chart:
            return
        for each, sheet in enumerate(scored.sheets):
            chosen = each == number and not self.charted
            choice.add_widget(Choice(sheet_title(sheet.title), partial(self._take_sheet, each), chosen=chosen))
        if with_chart:
            choice.add_widget(Choice(_("Chart"), self._take_chart, chosen=self.charted))

    def _draw_people(self, scored: Scored, sheet: ScoreSheet, order: Sequence[Seat], seat: Seat) -> None:
        ranks, totals = sheet.ranks(), sheet.totals()
        people = self.ids.people
        people.clear_widgets()
        for each in order:
            person = Ranked(
                partial(self._take_seat, each),
                seat=each,
                named=seat_name(each, scored.names),
                figure=grouped(totals[each]),
                place=str(ranks[each]),
                chosen=each == seat,
            )
            people.add_widget(person)

    def _draw_lines(self, scored: Scored, sheet: ScoreSheet, seat: Seat) -> None:
        lines = self.ids.lines
        lines.clear_widgets()
        name = seat_name(seat, scored.names)
        lines.add_widget(Paragraph(text=_("{name}'s lines").format(name=name), color=look.MUTED))
        for line in sheet.lines_of(seat):
            lines.add_widget(_counted(scored, line, self.small))
        self.ids.room.scroll_y = 1

    def _take_seat(self, seat: Seat) -> None:
        self._seat = seat
        self._draw()

    def _take_sheet(self, number: int) -> None:
        self._sheet, self.charted = number, False
        self._draw()

    def _take_chart(self) -> None:
        self.charted = True
        self._draw()


class Choice(Tap):
    """A sheet to be shown."""


def growth(sheets: Sequence[ScoreSheet]) -> tuple[tuple[Course, ...], tuple[str, ...]]:
    """How the totals that decide have grown from round to round, for a chart, and its columns' names.

    Nothing when their lines name no rounds.

    What was agreed on afterwards is the last column.
    """
    standing = sheets[-1]
    rounds = {int(line.facts["number"]) for line in standing.lines if "number" in line.facts}
    if not standing.by_round or not rounds:
        return (), ()
    numbers = range(1, max(rounds) + 1)
    agreed = any("number" not in line.facts for line in standing.lines)
    courses = []
    for seat in standing.seats:
        lines = standing.lines_of(seat)
        values = [sum(line.points for line in lines if int(line.facts.get("number", n + 1)) <= n) for n in numbers]
        courses.append(Course(seat, (*values, standing.total(seat)) if agreed else tuple(values)))
    return tuple(courses), (*map(str, numbers), *(("±",) if agreed else ()))


def _heading(scored: Scored, sheet: ScoreSheet) -> str:
    names = [seat_name(seat, scored.names) for seat in sheet.leaders()]
    goes_on = (sheet.title == STANDING or sheet.running) and not scored.over
    if len(names) > 1:
        shared = _("{names} share the lead") if goes_on else _("{names} share the win")
        return shared.format(names=" & ".join(names))
    return (_("{name} leads") if goes_on else _("{name} wins")).format(name=names[0])


def _counted(scored: Scored, line: ScoreLine, small: float) -> Counted:
    told = line_sentence(scored.game.sentences, line, scored.names)
    marked = _marked(line, small)
    return Counted(line=marked, told="" if marked else told, points=grouped(line.points))


def _marked(line: ScoreLine, small: float) -> str:
    """The line as it lies, in Kivy's markup: what is ignored is greyed, smaller and struck out."""
    if "line" not in line.facts:
        return ""
    counted, ignored = str(line.facts["counted"]), str(line.facts["ignored"])
    struck = f"[color={get_hex_from_color(look.FAINT)}][size={small:.0f}][s]{escape_markup(ignored)}[/s][/size][/color]"
    return f"[b]{escape_markup(counted)}[/b]{f' {struck}' if ignored else ''}"


load_rules(__file__)
