"""Buttons: large enough for a finger, one of them at most in the accent's colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, OptionProperty
from kivy.uix.behaviors import ButtonBehavior

from ui.widgets import load_rules
from ui.widgets.text import Text

HOLD_S = 1.0


class Tap(ButtonBehavior, Text):
    """A button with a text, and what it does.

    `kind`: the `primary` one of a page, `plain`, or `quiet`; `chosen` marks it as taken.
    """

    kind = OptionProperty("plain", options=("primary", "plain", "quiet"))
    chosen = BooleanProperty(False)

    def __init__(self, text: str = "", deed: Callable[[], object] | None = None, **rest: Any) -> None:
        super().__init__(text=text, always_release=False, **rest)
        if deed is not None:
            self.bind(on_release=lambda _tap: deed())


class Hold(Tap):
    """A button that must be held down for a while; let go of too soon, it does nothing."""

    def __init__(self, text: str, deed: Callable[[], object], **rest: Any) -> None:
        super().__init__(text, **rest)
        self._waiting = Clock.create_trigger(lambda _dt: deed(), HOLD_S)

    def on_press(self) -> None:
        """The time begins."""
        self._waiting()

    def on_release(self) -> None:
        """Too soon, or it is done already."""
        self._waiting.cancel()

    def on_touch_up(self, touch: Any) -> bool:
        """A finger that has slid off does not hold the button."""
        self._waiting.cancel()
        return bool(super().on_touch_up(touch))


load_rules(__file__)
