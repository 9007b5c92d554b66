"""Who is who: a seat's letter on a shape of its own, in a colour of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Any

from kivy.graphics import Color, Mesh
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules import write_seat
from ui import theme as look
from ui.widgets import load_rules
from ui.widgets.text import Text

Outline = tuple[tuple[float, float], ...]


def _regular(corners: int, turn: float = 0.0, reach: float = 0.5) -> Outline:
    angles = [pi / 2 + turn + 2 * pi * number / corners for number in range(corners)]
    return tuple((0.5 + reach * cos(angle), 0.5 + reach * sin(angle)) for angle in angles)


OUTLINES: Mapping[str, Outline] = {
    "circle": _regular(32, reach=0.48),
    "square": ((0.07, 0.07), (0.93, 0.07), (0.93, 0.93), (0.07, 0.93)),
    "triangle": ((0.0, 0.06), (1.0, 0.06), (0.5, 0.98)),
    "diamond": _regular(4, reach=0.54),
    "pentagon": _regular(5, reach=0.52),
    "hexagon": _regular(6, pi / 6, 0.52),
    "octagon": _regular(8, pi / 8, 0.52),
    "shield": ((0.5, 0.0), (0.95, 0.4), (0.95, 0.95), (0.05, 0.95), (0.05, 0.4)),
    "arch": ((0.07, 0.05), (0.93, 0.05), (0.93, 0.6), (0.8, 0.85), (0.5, 0.97), (0.2, 0.85), (0.07, 0.6)),
    "flag": ((0.04, 0.1), (0.78, 0.1), (1.0, 0.5), (0.78, 0.9), (0.04, 0.9)),
}
"""The shapes' corners, the unit square's (0, 0) at the bottom left; all are convex."""


class Badge(Text):
    """A seat's letter on its shape."""

    seat = NumericProperty(0)

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.bold = True
        for name in ("pos", "size", "seat"):
            self.fbind(name, self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        self.text = write_seat(int(self.seat))
        draw_shape(self, int(self.seat), self.x, self.y, self.width, self.height)


def draw_shape(widget: Widget, seat: int, x: float, y: float, width: float, height: float) -> None:
    """Draw a seat's shape behind a widget, as large as fits into the box."""
    seat_look = look.SEATS[seat]
    side = min(width, height)
    left, low = x + (width - side) / 2, y + (height - side) / 2
    points = OUTLINES[seat_look.shape]
    vertices = [value for px, py in points for value in (left + side * px, low + side * py, 0, 0)]
    widget.canvas.before.clear()
    with widget.canvas.before:
        Color(*seat_look.colour)
        Mesh(vertices=vertices, indices=list(range(len(points))), mode="triangle_fan")


class Person(BoxLayout):
    """A seat's badge with the player's name, and perhaps a place before and a figure behind."""

    seat = NumericProperty(0)
    named = StringProperty("")
    figure = StringProperty("")
    place = StringProperty("")


class Band(BoxLayout):
    """A band in a seat's colour with its badge and the player's name: at this edge of the board they sit."""

    seat = NumericProperty(0)
    named = StringProperty("")


class PersonTap(ButtonBehavior, Person):
    """A person to tap, and what that does."""

    def __init__(self, deed: Callable[[], object], **rest: Any) -> None:
        super().__init__(always_release=False, **rest)
        self.bind(on_release=lambda _tap: deed())


load_rules(__file__)
