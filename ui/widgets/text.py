"""Texts: each in a font that has all its characters, and where that is wanted as small as its place demands."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import kivy
from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.core.text import LabelBase
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.label import Label

from ui.fonts import best_font
from ui.widgets import load_rules

_SHIPPED = Path(kivy.__file__).parent / "data/fonts"
PREFERRED = (_SHIPPED / "Roboto-Regular.ttf", _SHIPPED / "DejaVuSans.ttf")
"""Both come with Kivy: the first has letters, the second arrows, marks and dice too."""

LEAST_SIZE = 12
"""Smaller letters cannot be read, px."""

MOST_IN_NAME = 3
"""What has more words is a sentence."""


@lru_cache(maxsize=4096)
def font_name(text: str) -> str:
    """The name of a font that can show a text, registered with Kivy."""
    font = best_font(text, PREFERRED)
    if font == PREFERRED[0]:
        return "Roboto"
    LabelBase.register(font.stem, str(font))
    return font.stem


def _height(text: str, width: float, options: dict[str, Any]) -> float:
    """How high a text becomes when it is broken into lines of this width; infinite if one of its words is wider."""
    label = CoreLabel(**options)
    line_height: float = label.get_extents("Ây")[1] * 1.05
    space = label.get_extents("n n")[0] - label.get_extents("nn")[0]
    lines = 0
    for paragraph in text.split("\n"):
        lines, used = lines + 1, 0.0
        for word in paragraph.split(" "):
            long = label.get_extents(word)[0] if word else 0.0
            if long > width:
                return float("inf")
            if used and used + space + long > width:
                lines, used = lines + 1, long
            else:
                used += (space if used else 0.0) + long
    return lines * line_height


@lru_cache(maxsize=2048)
def fitting_size(text: str, width: float, height: float, wanted: float, font: str, bold: bool) -> float:
    """The largest font size up to the wanted one with which a text fits a box; px."""
    size = wanted
    while size > LEAST_SIZE and _height(text, width, {"font_size": size, "font_name": font, "bold": bold}) > height:
        size -= 1
    return size


@lru_cache(maxsize=2048)
def is_long_name(text: str, width: float, font: str, bold: bool) -> bool:
    """Whether a few words, of which one is too wide for a line even in the smallest letters."""
    options = {"font_size": LEAST_SIZE, "font_name": font, "bold": bold}
    return len(text.split()) <= MOST_IN_NAME and _height(text, width, options) == float("inf")


class Text(Label):
    """A text. `base` is its wanted size, 0 the usual one; with `fits` it becomes smaller until it fits its box.

    A name that is too long even so is shortened with dots: broken inside a word it could not be read.
    """

    # Two properties: were both set in rules, a window that changes its size would leave the wrong one.
    base = NumericProperty(0)
    usual = NumericProperty(18)
    fits = BooleanProperty(False)
    inset = NumericProperty(0)

    def __init__(self, **rest: Any) -> None:
        self._refit = Clock.create_trigger(self._fit, -1)
        super().__init__(shorten_from="right", **rest)
        for name in ("text", "size", "base", "usual", "fits", "bold", "inset"):
            self.fbind(name, self._refit)
        self._fit()

    def _fit(self, *_: Any) -> None:
        text, wanted = self.text, self.base or self.usual
        self.font_name = font_name(text)
        if not self.fits:
            self.font_size = wanted
            return
        width, height = self.width - 2 * self.inset, self.height
        self.font_size = fitting_size(text, width, height, wanted, self.font_name, self.bold)
        self.shorten = self.font_size <= LEAST_SIZE and is_long_name(text, width, self.font_name, self.bold)


class Paragraph(Text):
    """A text of full width that is as high as it needs."""


load_rules(__file__)
