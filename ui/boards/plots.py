"""One square of Casa Grande's board: a plot with what lies uppermost on it, or a part of the track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle
from kivy.uix.behaviors import ButtonBehavior
from kivy.utils import get_color_from_hex

from companion.sight import Spot
from ui import theme as look
from ui.widgets import load_rules
from ui.widgets.text import Text

HIGHEST = 6
"""From this level on a top gets no lighter."""

LIGHTER = 0.09
"""How much lighter each level is, as a share of the way to white."""


def _colour(code: str) -> look.Colour:
    red, green, blue, alpha = get_color_from_hex(code)
    return red, green, blue, alpha


COLOURS = {
    "gray": _colour("#a3abb3"),
    "orange": _colour("#f08a3c"),
    "purple": _colour("#b48de8"),
    "beige": _colour("#e3cf9f"),
}
"""The players' colours as they are in the box; a letter on each tells them apart as well."""


@dataclass(frozen=True, slots=True)
class Plot:
    """How one square looks.

    `kind`: `plot` (free), `block`, `hole` or `mark` (an unmarked or marked square of a floor), `track`, `corner`.
    `colour` is the owner's, by name; `text` stands on it. `legal`: something may be done here; `marked`: look here;
    `chosen`: being worked on; `taps`: something happens when it is tapped.
    """

    kind: str = "plot"
    colour: str = ""
    text: str = ""
    level: int = 0
    legal: bool = False
    marked: bool = False
    chosen: bool = False
    taps: bool = False


class PlotCell(ButtonBehavior, Text):
    """A square of the board."""

    def __init__(self, spot: Spot, **rest: Any) -> None:
        super().__init__(**rest)
        self.plot = Plot()
        self.spot = spot
        self.always_release = False
        self.fbind("pos", self._draw)
        self.fbind("size", self._draw)

    def wear(self, plot: Plot) -> None:
        """Take on a look."""
        if plot != self.plot:
            self.plot = plot
            self.text, self.disabled = plot.text, not plot.taps
            self.color = self.disabled_color = look.ON_CARD if plot.colour else look.MUTED
            self._draw()

    def _draw(self, *_: Any) -> None:
        plot, side = self.plot, self.width
        self.canvas.before.clear()
        with self.canvas.before:
            if plot.kind in ("track", "corner"):
                self._draw_track(side)
            else:
                self._draw_plot(side)
            if plot.legal:
                Color(*look.ACCENT)
                inset = side * 0.08
                Line(
                    width=max(1, side * 0.02),
                    dash_length=4,
                    dash_offset=3,
                    rectangle=(self.x + inset, self.y + inset, side - 2 * inset, side - 2 * inset),
                )
            if plot.marked or plot.chosen:
                Color(*look.ACCENT)
                Line(width=max(1.5, side * (0.05 if plot.chosen else 0.03)), rectangle=(self.x, self.y, side, side))

    def _draw_track(self, side: float) -> None:
        corner = self.plot.kind == "corner"
        Color(*(look.RAISED if corner else look.SURFACE))
        Rectangle(pos=self.pos, size=self.size)
        if corner:
            # A corner is told by a frame as well as by its colour.
            Color(*COLOURS["orange"])
            Line(width=max(1, side * 0.03), rectangle=(self.x + 2, self.y + 2, side - 4, side - 4))
        if self.plot.colour:
            Color(*COLOURS[self.plot.colour])
            Ellipse(pos=(self.x + side * 0.1, self.y + side * 0.1), size=(side * 0.8, side * 0.8))

    def _draw_plot(self, side: float) -> None:
        plot = self.plot
        Color(*look.EDGE[:3], 0.4)
        Line(width=1, rectangle=(self.x, self.y, side, side))
        if not plot.colour:
            return
        ground = lighter(COLOURS[plot.colour], plot.level)
        Color(*ground)
        if plot.kind == "block":
            RoundedRectangle(
                pos=(self.x + side * 0.07, self.y + side * 0.07), size=(side * 0.86, side * 0.86), radius=[side * 0.14]
            )
            return
        Rectangle(pos=self.pos, size=self.size)
        Color(*look.ON_CARD[:3], 0.75)
        if plot.kind == "mark":
            Line(
                width=max(1, side * 0.035),
                rectangle=(self.x + side * 0.12, self.y + side * 0.12, side * 0.76, side * 0.76),
            )
        else:
            Line(width=max(1, side * 0.02), circle=(self.x + side / 2, self.y + side / 2, side * 0.36))


def lighter(colour: look.Colour, level: int) -> look.Colour:
    """A colour the lighter the higher it lies."""
    share = LIGHTER * min(max(0, level - 1), HIGHEST)
    red, green, blue = (part + (1 - part) * share for part in colour[:3])
    return red, green, blue, 1.0


load_rules(__file__)
