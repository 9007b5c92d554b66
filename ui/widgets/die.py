"""The die on the screen: it shows what the seven LEDs show, also where there are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.graphics import Color, Ellipse, RoundedRectangle
from kivy.properties import ListProperty
from kivy.uix.widget import Widget

from hardware.die import DARK
from hardware.wiring import PLACES
from ui import theme as look

SPOTS: Mapping[str, tuple[float, float]] = {
    "top_left": (0.25, 0.75),
    "top_right": (0.75, 0.75),
    "middle_left": (0.25, 0.5),
    "centre": (0.5, 0.5),
    "middle_right": (0.75, 0.5),
    "bottom_left": (0.25, 0.25),
    "bottom_right": (0.75, 0.25),
}
"""Where the pips are, on a die whose bottom left corner is (0, 0) and whose side is 1."""

PIP = 0.2
"""A pip's diameter, as a share of the side."""


class DieFace(Widget):
    """A die from above. `pattern` has a 1 for each pip that shows, in the order of `hardware.wiring.PLACES`."""

    pattern = ListProperty(DARK)

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        for name in ("pos", "size", "pattern"):
            self.fbind(name, self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        side = min(self.width, self.height)
        # The widget's own middle is not up to date while its place is being changed.
        left, low = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2
        self.canvas.clear()
        with self.canvas:
            Color(*look.CARD)
            RoundedRectangle(pos=(left, low), size=(side, side), radius=[side * 0.18])
            Color(*look.ON_CARD)
            for place, shows in zip(PLACES, self.pattern, strict=True):
                if shows:
                    x, y = SPOTS[place]
                    corner = left + side * (x - PIP / 2), low + side * (y - PIP / 2)
                    Ellipse(pos=corner, size=(side * PIP, side * PIP))
