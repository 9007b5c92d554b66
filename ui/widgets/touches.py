"""What comes between a finger and the widgets: a doubled touch acts once, and the tap that wakes the screen only wakes.

Some screens report one touch through two drivers, a few milliseconds apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

DOUBLED_S = 0.04
NEAR_PX = 12.0


class Touches:
    """Watches a window's touches. After `blank_s` seconds without one the screen goes dark; 0: never."""

    def __init__(self, window: Any, blank_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._window, self._clock = window, clock
        self.blank_s = blank_s
        self._last: tuple[float, float, float] | None = None
        self._active_s = clock()
        self._dark: Widget | None = None
        window.bind(on_touch_down=self._down, on_touch_up=self._other, on_touch_move=self._other)

    @property
    def dark(self) -> bool:
        """Whether the screen is dark."""
        return self._dark is not None

    def step(self) -> None:
        """To be called now and then: darkens the screen when it is time."""
        if self.blank_s and self._dark is None and self._clock() - self._active_s >= self.blank_s:
            self._dark = Widget()
            with self._dark.canvas:
                Color(0, 0, 0, 1)
                Rectangle(pos=(0, 0), size=(1e5, 1e5))
            self._window.add_widget(self._dark)

    def wake(self) -> None:
        """Light again: a touch, a button of the table, or a play that moves on."""
        self._active_s = self._clock()
        if self._dark is not None:
            self._window.remove_widget(self._dark)
            self._dark = None

    def forget(self) -> None:
        """What was touched last is no longer compared with."""
        self._last = None

    def close(self) -> None:
        """Watch no more."""
        self.wake()
        self._window.unbind(on_touch_down=self._down, on_touch_up=self._other, on_touch_move=self._other)

    def _down(self, _window: Any, touch: Any) -> bool:
        """Whether nobody else shall have this touch."""
        at, (x, y) = self._clock(), touch.pos
        last, self._last = self._last, (at, x, y)
        was_dark = self.dark
        self.wake()
        doubled = last is not None and at - last[0] < DOUBLED_S and abs(x - last[1]) + abs(y - last[2]) < NEAR_PX
        if was_dark or doubled:
            touch.ud["companion.swallowed"] = True
            return True
        return False

    def _other(self, _window: Any, touch: Any) -> bool:
        return bool(touch.ud.get("companion.swallowed"))
