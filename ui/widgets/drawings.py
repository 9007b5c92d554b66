"""Small drawings of what happens at a table, made of the same parts as the pages themselves. Nothing in them is tapped.

They show the cells that the rules allow and the points that the rules give, not a picture of these.
"""

from __future__ import annotations

from collections.abc import Mapping

from kivy.properties import BooleanProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.placing import legal_cells
from companion.games.cassa_grande.scoring import sheet
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import State
from companion.language import _
from companion.sight import Spot
from ui.boards.cells import BACK, Grid, Look
from ui.widgets import load_rules
from ui.widgets.badge import Badge, Person
from ui.widgets.panel import Column, Row, Tiles
from ui.widgets.text import Text

ROWS = ("120", "041", "213")
"""The cards of the drawn result, as seat A reads them."""

LAID: tuple[Spot, ...] = ((0, 0), (1, 1), (0, 1), (1, 0))
PLACES: Mapping[int, tuple[float, float]] = {0: (0.5, 0.08), 1: (0.1, 0.5), 2: (0.5, 0.92), 3: (0.9, 0.5)}
"""Where each seat is at the table, as shares of its width and height."""


class TableTop(FloatLayout):
    """A table seen from above."""


class Keys(Tiles):
    """A few of what looks like buttons."""


class Key(Text):
    """What looks like a button."""

    primary = BooleanProperty(False)


def seats() -> Widget:
    """Four people around their cards."""
    top = TableTop()
    cards = Grid(_nothing, size_hint=(0.5, 0.5), pos_hint={"center_x": 0.5, "center_y": 0.5})
    cards.show(_looks(_played(4)))
    top.add_widget(cards)
    for seat, (x, y) in PLACES.items():
        top.add_widget(Badge(seat=seat, pos_hint={"center_x": x, "center_y": y}))
    return top


def laying() -> Widget:
    """Cards, and the cells where the next one may lie."""
    state = _played(2)
    grid = Grid(_nothing)
    grid.show(
        dict.fromkeys(_around(LAID[:2]), Look()) | _looks(state) | dict.fromkeys(legal_cells(state), Look(legal=True))
    )
    return grid


def asking() -> Widget:
    """A card that was laid, and what the companion asks."""
    grid, answers = Grid(_nothing, size_hint=(1, 0.7)), Keys(cols=2)
    grid.show(_looks(_played(3)))
    answers.add_widget(Key(text=_("Confirm"), primary=True))
    answers.add_widget(Key(text=_("No")))
    return _stack(grid, answers)


def result() -> Widget:
    """Cards turned over, and what two of the seats have."""
    grid, totals = Grid(_nothing), Row(size_hint_y=0.3)
    grid.show({(r, c): Look(face, marked=r == 0) for r, row in enumerate(ROWS) for c, face in enumerate(row)})
    for seat, points in sheet(ROWS, (0, 2)).totals().items():
        totals.add_widget(Widget(size_hint_x=0.2))
        totals.add_widget(Person(seat=seat, figure=str(points), pos_hint={"center_y": 0.5}))
        totals.add_widget(Widget(size_hint_x=0.2))
    return _stack(grid, totals)


def ways() -> Widget:
    """The buttons beside the board."""
    keys = Keys(cols=2)
    for text in (_("Undo"), _("Redo"), _("Photograph"), _("More")):
        keys.add_widget(Key(text=text, primary=text in (_("Undo"), _("More"))))
    return _stack(Widget(), keys, Widget())


def _nothing(_spot: Spot) -> None:
    """Nothing is tapped in a drawing."""


def _stack(*parts: Widget) -> Widget:
    column = Column()
    for part in parts:
        column.add_widget(part)
    return column


def _played(count: int) -> State:
    """A play in which so many cards were laid."""
    state = rules.new(Setup())
    for seat, cell in enumerate(LAID[:count]):
        state, _events = rules.apply(state, Placed(seat, cell))
    return state


def _looks(state: State) -> dict[Spot, Look]:
    return {card.cell: Look(BACK, card.seat, marked=card is state.layout[-1]) for card in state.layout}


def _around(spots: tuple[Spot, ...]) -> list[Spot]:
    """The rectangle that is one cell wider on each side."""
    rows, columns = [row for row, _column in spots], [column for _row, column in spots]
    wide = range(min(columns) - 1, max(columns) + 2)
    return [(row, column) for row in range(min(rows) - 1, max(rows) + 2) for column in wide]


load_rules(__file__)
