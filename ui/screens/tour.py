"""A tour of a few cards, each with a drawing: at the very first start, and whenever somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.widget import Widget

from companion.language import _
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.drawings import asking, laying, result, seats, ways

SEEN = "tour-seen"
"""The file in the data folder that says that the tour was shown."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the tour."""

    heading: str
    sentence: str
    drawing: Callable[[], Widget]


def first_page(folder: Path) -> str:
    """The page to begin with, by the data folder: the tour for somebody who has not seen it."""
    try:
        return "home" if (folder / SEEN).exists() else "tour"
    except OSError:
        return "home"


def remember(folder: Path) -> bool:
    """Note that the tour was shown. Returns whether that could be written; if not, it is shown again."""
    try:
        (folder / SEEN).touch()
    except OSError:
        return False
    return True


class TourPage(Page):
    """One card at a time."""

    heading = StringProperty("")
    sentence = StringProperty("")
    place = StringProperty("")
    first = BooleanProperty(True)
    last = BooleanProperty(False)

    def opened(self, **_details: Any) -> None:
        """From the first card on."""
        self._cards = self._tell()
        self._turn_to(0)

    def next(self) -> None:
        """The next card; after the last one it is over."""
        if self.last:
            self.leave()
        else:
            self._turn_to(self._at + 1)

    def back(self) -> None:
        """The card before."""
        self._turn_to(max(0, self._at - 1))

    def leave(self) -> None:
        """Home; the tour does not come by itself again."""
        remember(self.desk.store.database.path.parent)
        self.nav.open("home")

    def _turn_to(self, number: int) -> None:
        card = self._cards[number]
        self._at = number
        self.heading, self.sentence = card.heading, card.sentence
        self.place = f"{number + 1}/{len(self._cards)}"
        self.first, self.last = number == 0, number == len(self._cards) - 1
        drawing = self.ids.drawing
        drawing.clear_widgets()
        drawing.add_widget(card.drawing())

    def _tell(self) -> Sequence[Card]:
        lay = _("Lay a card on the table. Without a camera, tap a marked cell here.")
        if self.desk.simulated is not None:
            lay = _("No cards at hand? “Lay a card” lays one on the drawn table.")
        keys = self.desk.simulated.help if self.desk.simulated is not None else ""
        help_ = _("Undo takes a step back. Under “More” is everything else.")
        return (
            Card(_("Welcome"), _("You play at your table. The companion keeps rules and scores."), seats),
            Card(_("Lay a card"), lay, laying),
            Card(_("The camera asks"), _("It says what it has seen. Nothing counts before you confirm."), asking),
            Card(_("The result"), _("Once all cards are turned over, every line is added up."), result),
            Card(_("Where to find help"), f"{help_}\n{keys}".strip(), ways),
        )


load_rules(__file__)
