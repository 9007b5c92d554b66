"""A photographed grid seen from above: each spot with what it is taken to show, and the doubtful ones pulsing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, pi
from typing import Any

import numpy as np
from kivy.clock import Clock
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget
from numpy.typing import NDArray

from companion.sight import GAP, Spot
from ui.widgets import load_rules

PULSES_A_SECOND = 15
"""How often the rings are drawn anew while they pulse."""

PULSE_S = 1.6
"""From one swelling of a ring to the next."""

PULSING_S = 8.0
"""After that long the rings stand still."""


class Picture(Widget):
    """A picture in a texture that is made once for each size."""

    texture = ObjectProperty(None, allownone=True)

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Draw (h, w, 3) uint8 RGB, rows from top to bottom."""
        height, width = pixels.shape[:2]
        texture = self.texture
        if texture is None or texture.size != (width, height):
            texture = Texture.create(size=(width, height), colorfmt="rgb")
            # A texture's rows begin at the bottom.
            texture.flip_vertical()
        texture.blit_buffer(pixels.reshape(-1), colorfmt="rgb", bufferfmt="ubyte")
        self.texture = texture
        self.canvas.ask_update()


class PhotoSpot(ButtonBehavior, FloatLayout):
    """One spot of the grid, over its part of the picture.

    A doubtful one has a ring and a question mark, one that a person spoke of a tick, the one being looked at a frame.
    """

    symbol = StringProperty("")
    doubtful = BooleanProperty(False)
    said = BooleanProperty(False)
    chosen = BooleanProperty(False)
    glow = NumericProperty(1.0)

    def __init__(self, spot: Spot, **rest: Any) -> None:
        super().__init__(always_release=False, **rest)
        self.spot = spot


class PhotoGrid(FloatLayout):
    """The grid, as large as the place allows; `tapped` is told which spot."""

    tapped = ObjectProperty(None)

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._spots: dict[Spot, PhotoSpot] = {}
        self._size = (1, 1)
        self._pulsed_s = 0.0
        self._pulse = Clock.create_trigger(self._swell, 1 / PULSES_A_SECOND, interval=True)
        self._rearrange = Clock.create_trigger(self._arrange, -1)
        self.fbind("pos", self._rearrange)
        self.fbind("size", self._rearrange)

    @property
    def spots(self) -> Mapping[Spot, PhotoSpot]:
        """The spots, by row and column."""
        return self._spots

    @property
    def pulsing(self) -> bool:
        """Whether rings are swelling just now."""
        return bool(self._pulse.is_triggered)

    def picture(self, pixels: NDArray[np.uint8] | None) -> None:
        """Draw the grid's picture, (h, w, 3) uint8 RGB, under the spots; None: there is none."""
        self.ids.picture.opacity = 0.0 if pixels is None else 1.0
        if pixels is not None:
            self.ids.picture.show(pixels)

    def show(self, rows: tuple[str, ...], doubtful: Iterable[Spot], said: Iterable[Spot], chosen: Spot | None) -> None:
        """Draw what the spots show; the rings pulse for a while."""
        self._size = len(rows), len(rows[0])
        symbols = {(row, column): symbol for row, line in enumerate(rows) for column, symbol in enumerate(line)}
        for spot in [spot for spot in self._spots if spot not in symbols]:
            self.remove_widget(self._spots.pop(spot))
        doubtful, said = set(doubtful), set(said)
        for spot, symbol in symbols.items():
            if spot not in self._spots:
                self._spots[spot] = PhotoSpot(spot, on_release=lambda each: self.tapped(each.spot))
                self.add_widget(self._spots[spot])
            each = self._spots[spot]
            each.symbol = "" if symbol == GAP else symbol
            each.doubtful, each.said, each.chosen, each.glow = spot in doubtful, spot in said, spot == chosen, 1.0
        self._arrange()
        self._pulsed_s = 0.0
        self.rest()
        if doubtful:
            self._pulse()

    def rest(self) -> None:
        """The rings stand still."""
        self._pulse.cancel()

    def _swell(self, passed_s: float) -> None:
        self._pulsed_s += passed_s
        over = self._pulsed_s >= PULSING_S
        glow = 1.0 if over else 0.7 + 0.3 * cos(2 * pi * self._pulsed_s / PULSE_S)
        for each in self._spots.values():
            if each.doubtful:
                each.glow = glow
        if over:
            self.rest()

    def _arrange(self, *_: Any) -> None:
        high, wide = self._size
        pitch = int(min(self.width / wide, self.height / high))
        left = self.x + (self.width - pitch * wide) // 2
        top = self.y + (self.height + pitch * high) // 2
        self.ids.picture.size = pitch * wide, pitch * high
        self.ids.picture.pos = left, top - pitch * high
        for (row, column), each in self._spots.items():
            each.size = pitch, pitch
            each.pos = left + pitch * column, top - pitch * (row + 1)


load_rules(__file__)
