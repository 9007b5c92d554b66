"""Buttons: large enough for a finger, one of them at most in the accent's colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty, OptionProperty
from kivy.uix.behaviors import ButtonBehavior

from ui.widgets import load_rules
from ui.widgets.text import Text


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


load_rules(__file__)
