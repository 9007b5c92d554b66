"""The players around a drawn table: seat A at the near side, the others clockwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from companion.language import _
from companion.rules import Seat
from ui.widgets import load_rules
from ui.widgets.badge import PersonTap
from ui.widgets.panel import Column


class Seating(Column):
    """Taps around a table; `tapped` is told which seat."""

    def __init__(self, seats: Sequence[Seat], names: Mapping[Seat, str], tapped: Callable[[Seat], object]) -> None:
        super().__init__()
        places = _places(seats)
        for seat in seats:
            person = PersonTap(partial(tapped, seat), seat=seat, named=names.get(seat) or _("Name?"))
            person.size_hint = 0.36, None
            person.pos_hint = places[seat]
            self.ids.table.add_widget(person)


def _places(seats: Sequence[Seat]) -> dict[Seat, dict[str, float]]:
    """Where each seat's tap is. Up to four sit one at each side: A at the bottom, B left, C opposite, D right."""
    sides = (
        {"center_x": 0.5, "y": 0.0},
        {"x": 0.0, "center_y": 0.5},
        {"center_x": 0.5, "top": 1.0},
        {"right": 1.0, "center_y": 0.5},
    )
    if max(seats) < len(sides):
        return {seat: sides[seat] for seat in seats}
    return {seat: _around(number, len(seats)) for number, seat in enumerate(seats)}


def _around(number: int, count: int) -> dict[str, float]:
    """Three columns, clockwise from the near side's middle, for up to ten."""
    ring = ((1, 0), (0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (2, 2), (2, 1), (2, 0))
    column, row = ring[number * len(ring) // count]
    return {"center_x": (0.17, 0.5, 0.83)[column], "center_y": 0.12 + 0.253 * row}


load_rules(__file__)
