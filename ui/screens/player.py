"""A player's records: plays, wins, totals over time, and who was met most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from companion.games import GAMES
from companion.language import _
from companion.records import Meeting, Record, Result, meetings, players, records, results
from companion.store import Store
from companion.wording import sheet_title
from ui import dates
from ui import theme as look
from ui.background import in_background
from ui.screens.page import Page
from ui.theme import theme
from ui.widgets import load_rules
from ui.widgets.chart import Chart, Course
from ui.widgets.dialog import choose
from ui.widgets.panel import Row
from ui.widgets.scores import grouped
from ui.widgets.text import Paragraph

MOST_CHARTED = 24
"""So many of the newest plays stand in a chart."""

MOST_MET = 5


@dataclass(frozen=True, slots=True)
class Career:
    """All that is known of one player; `everybody` are the names to choose from."""

    everybody: tuple[str, ...]
    player: str
    records: tuple[Record, ...]
    results: tuple[Result, ...]
    meetings: tuple[Meeting, ...]


class Figure(Row):
    """What is counted, and the number."""

    named = StringProperty("")
    value = StringProperty("")


class PlayerPage(Page):
    """One player at a time."""

    player = StringProperty("")

    def opened(self, player: str = "", **_details: Any) -> None:
        """Read the records of this player, else of whoever was shown last."""
        self._read(player or self.player)

    def _read(self, player: str) -> None:
        in_background(partial(_career, self.desk.store, player), self._take, self.tell)

    def _take(self, career: Career) -> None:
        self._everybody, self.player = career.everybody, career.player
        place = self.ids.records
        place.clear_widgets()
        for widget in _told(career):
            place.add_widget(widget)
        self.ids.room.scroll_y = 1

    def ask_player(self) -> None:
        """Ask whose records shall be shown."""
        names = getattr(self, "_everybody", ())
        choose(_("Whose records?"), [(name, partial(self._read, name)) for name in names])


def _career(store: Store, player: str) -> Career:
    with store.reader() as reader:
        everybody = players(reader)
        chosen = player if player in everybody else next(iter(everybody), "")
        return Career(
            everybody,
            chosen,
            tuple(record for record in records(reader) if record.player == chosen),
            results(reader, chosen),
            tuple(meeting for meeting in meetings(reader) if meeting.player == chosen),
        )


def _told(career: Career) -> Iterator[Widget]:
    if not career.records:
        yield Paragraph(text=_("No finished play has this name yet."), color=look.MUTED)
    for record in career.records:
        of = [each for each in career.results if (each.game, each.title) == (record.game, record.title)]
        yield from _record(record, of)
    met = sorted(career.meetings, key=lambda meeting: -meeting.plays)[:MOST_MET]
    if met:
        yield Paragraph(text=_("Most played with"), bold=True)
    for meeting in met:
        told = _("{plays} plays: {ahead} ahead, {behind} behind, {level} level")
        value = told.format(plays=meeting.plays, ahead=meeting.ahead, behind=meeting.behind, level=meeting.level)
        yield Figure(named=meeting.other, value=value)


def _record(record: Record, of: Sequence[Result]) -> Iterator[Widget]:
    yield Paragraph(text=f"{GAMES[record.game].title} · {sheet_title(record.title)}", bold=True)
    shared = sum(each.rank == 1 and each.shared > 1 for each in of)
    wins = str(record.wins)
    if shared:
        wins = _("{wins}, {shared} of them shared").format(wins=wins, shared=shared)
    yield Figure(named=_("Plays"), value=str(record.plays))
    yield Figure(named=_("Wins"), value=wins)
    yield Figure(named=_("Mean"), value=grouped(round(record.mean)))
    yield Figure(named=_("Best"), value=grouped(record.best))
    yield Figure(named=_("Time played"), value=dates.duration(record.play_s))
    yield Figure(named=_("Last played"), value=dates.day(record.last_played))
    newest = of[-MOST_CHARTED:]
    if len(newest) > 1:
        wins_at = frozenset(at for at, each in enumerate(newest) if each.rank == 1)
        chart = Chart(size_hint_y=None, height=theme.target * 3.6)
        course = Course(0, tuple(each.total for each in newest), wins_at, badge=False)
        chart.show([course], [f"{each.finished.astimezone():%d.%m.}" for each in newest])
        yield chart
        yield Paragraph(text=_("A full mark is a win."), color=look.MUTED, base=theme.small)


load_rules(__file__)
