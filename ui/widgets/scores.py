"""The totals so far, seat by seat."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty

from companion.view import View
from companion.wording import seat_name
from ui.widgets import load_rules
from ui.widgets.badge import Person
from ui.widgets.panel import Tiles

THIN_SPACE = "\u2009"
"""Between groups of digits: a comma or a full stop would mean something in some games."""


def grouped(number: int) -> str:
    """A number with its digits in groups of three."""
    return f"{number:,}".replace(",", THIN_SPACE)


class ScoreStrip(Tiles):
    """A badge and a total for each seat, with the name where there is room; empty before anything is scored."""

    names = BooleanProperty(False)

    def show(self, view: View[Any, Any]) -> None:
        """The totals that decide the play."""
        sheet = view.sheets[-1]
        totals = sheet.totals() if sheet.lines else {}
        wanted = [
            (seat, seat_name(seat, view.names) if self.names else "", grouped(total)) for seat, total in totals.items()
        ]
        if wanted == [(person.seat, person.named, person.figure) for person in self.children[::-1]]:
            return
        self.clear_widgets()
        for seat, named, figure in wanted:
            self.add_widget(Person(seat=seat, named=named, figure=figure))


load_rules(__file__)
