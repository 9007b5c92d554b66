"""A grid of cells, each of which may hold a card and may be tapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from companion.sight import Spot
from ui.widgets import load_rules
from ui.widgets.badge import draw_shape
from ui.widgets.text import Text

BACK = "back"

NEW_CELLS = 40
"""So many cells are made in one turn of the screen's thread; the others come with the next."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one cell looks. `face` is empty where no card lies, `BACK` for a card's back, else what the card shows.

    `seat` is whose card it is, -1 for nobody's; `legal`: a card may be laid; `marked`: look here; `chosen`: being
    worked on; `taps`: something happens when it is tapped.
    """

    face: str = ""
    seat: int = -1
    legal: bool = False
    marked: bool = False
    chosen: bool = False
    taps: bool = False


class Cell(ButtonBehavior, Text):
    """One cell of the grid."""

    face = StringProperty("")
    seat = NumericProperty(-1)
    legal = BooleanProperty(False)
    marked = BooleanProperty(False)
    chosen = BooleanProperty(False)
    taps = BooleanProperty(False)
    edge = NumericProperty(1)

    def __init__(self, spot: Spot, **rest: Any) -> None:
        super().__init__(**rest)
        self.spot = spot
        self.always_release = False
        for name in ("pos", "size", "seat", "face"):
            self.fbind(name, self._draw)

    def wear(self, look: Look) -> None:
        """Take on a look."""
        self.face, self.seat, self.legal = look.face, look.seat, look.legal
        self.marked, self.chosen, self.taps = look.marked, look.chosen, look.taps
        self.disabled = not look.taps
        self._draw()

    def _draw(self, *_: Any) -> None:
        corner = self.ids.get("corner")
        if corner is None:
            return
        corner.canvas.before.clear()
        if self.seat >= 0 and self.face:
            draw_shape(corner, int(self.seat), corner.x, corner.y, corner.width, corner.height)


class Grid(FloatLayout):
    """Cells in rows and columns, square and as large as the place allows; `tapped` is told which one.

    `turn`: by how many seats the grid is turned, so that the side of that seat (B is 1) lies below. `make` makes the
    cell for a spot; whatever it makes can `wear` the looks that are shown.
    """

    turn = NumericProperty(0)

    def __init__(
        self, tapped: Callable[[Spot], object], make: Callable[[Spot], Any] | None = None, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self._tapped, self._make = tapped, make or Cell
        self._cells: dict[Spot, Any] = {}
        self._spare: list[Any] = []
        self._looks: dict[Spot, Any] = {}
        self._go_on = Clock.create_trigger(lambda _dt: self._fill())
        self._rearrange = Clock.create_trigger(self._arrange, -1)
        self.fbind("pos", self._rearrange)
        self.fbind("size", self._rearrange)
        self.fbind("turn", self._rearrange)

    @property
    def cells(self) -> Mapping[Spot, Any]:
        """The cells, by their place."""
        return self._cells

    def show(self, looks: Mapping[Spot, Any]) -> None:
        """Draw these cells, which fill a rectangle. Cells that stay keep their widgets."""
        for spot in [spot for spot in self._cells if spot not in looks]:
            self._spare.append(self._cells.pop(spot))
            self.remove_widget(self._spare[-1])
        self._looks = dict(looks)
        self._fill()

    def _fill(self) -> None:
        """Have each look worn, by as many new cells as one turn of the screen's thread has time for."""
        new = 0
        for spot, look in self._looks.items():
            if spot not in self._cells:
                if not self._spare and new == NEW_CELLS:
                    self._go_on()
                    continue
                new += not self._spare
                cell = self._spare.pop() if self._spare else self._made(spot)
                cell.spot = spot
                self._cells[spot] = cell
                self.add_widget(cell)
            self._cells[spot].wear(look)
        self._arrange()

    def _made(self, spot: Spot) -> Any:
        cell = self._make(spot)
        cell.bind(on_release=lambda cell: self._tapped(cell.spot))
        return cell

    def _arrange(self, *_: Any) -> None:
        if not self._cells:
            return
        placed = {spot: turned(spot, int(self.turn)) for spot in self._looks}
        rows = [row for row, _ in placed.values()]
        columns = [column for _, column in placed.values()]
        top, left = min(rows), min(columns)
        high, wide = max(rows) - top + 1, max(columns) - left + 1
        pitch = int(min(self.width / wide, self.height / high))
        x = self.x + (self.width - pitch * wide) / 2
        y = self.y + (self.height + pitch * high) / 2
        for spot, cell in self._cells.items():
            row, column = placed[spot]
            cell.size = pitch, pitch
            cell.pos = x + pitch * (column - left), y - pitch * (row - top + 1)


def turned(spot: Spot, seats: int) -> Spot:
    """Where a spot lies when the grid is turned so that the side of the seat so many further on lies below.

    Seats sit clockwise: below is A, at the left B, above C, at the right D. The result may be negative.
    """
    row, column = spot
    return ((row, column), (-column, row), (-row, -column), (column, -row))[seats % 4]


load_rules(__file__)
