"""How everything looks: colours, and sizes that follow the window.

Colours are (red, green, blue, alpha) from 0 to 1. Sizes are pixels. Contrasts are those of WCAG 2: at least 4.5 for
every text, 3 for every mark.
"""

from __future__ import annotations

from dataclasses import dataclass

from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, NumericProperty
from kivy.utils import get_color_from_hex

Colour = tuple[float, float, float, float]

LEAST_TARGET = 44
"""The least side of anything that is tapped."""


def _colour(code: str) -> Colour:
    red, green, blue, alpha = get_color_from_hex(code)
    return red, green, blue, alpha


GROUND = _colour("#191d21")
SURFACE = _colour("#252b31")
RAISED = _colour("#343c44")
PRESSED = _colour("#46515b")
EDGE = _colour("#76828d")
INK = _colour("#f4f1e8")
MUTED = _colour("#b9c0c6")
FAINT = _colour("#8b959d")
ACCENT = _colour("#f0b840")
ON_ACCENT = _colour("#1d1706")
WARNING = _colour("#ff9b82")
CARD = _colour("#f7f2e2")
ON_CARD = _colour("#22262a")
BACK = _colour("#4c6274")
SHADE = (0.0, 0.0, 0.0, 0.72)


@dataclass(frozen=True, slots=True)
class SeatLook:
    """How a seat is told from the others: a colour, and for those who cannot rely on it a shape beside its letter."""

    colour: Colour
    shape: str


SEATS = (
    SeatLook(_colour("#f08a76"), "circle"),
    SeatLook(_colour("#6cb8f0"), "square"),
    SeatLook(_colour("#a5d46a"), "triangle"),
    SeatLook(_colour("#cf9ff0"), "diamond"),
    SeatLook(_colour("#f2d466"), "pentagon"),
    SeatLook(_colour("#63d2c0"), "hexagon"),
    SeatLook(_colour("#f5a9cb"), "octagon"),
    SeatLook(_colour("#d6c3a5"), "shield"),
    SeatLook(_colour("#b5bfff"), "arch"),
    SeatLook(_colour("#dfe5ea"), "flag"),
)
"""By the seat's number."""


class Theme(EventDispatcher):
    """The sizes that fit the window. kv rules that name one follow it when the window changes."""

    portrait = BooleanProperty(False)
    scale = NumericProperty(1.0)
    gap = NumericProperty(10.0)
    target = NumericProperty(52.0)
    small = NumericProperty(14.0)
    body = NumericProperty(18.0)
    title = NumericProperty(26.0)
    radius = NumericProperty(10.0)

    def fit(self, width: float, height: float) -> None:
        """Follow a window of this size."""
        short, long = sorted((width, height))
        self.scale = min(1.9, max(0.7, min(short / 480, long / 800)))
        self.portrait = height > width
        self.gap = round(10 * self.scale)
        self.target = max(LEAST_TARGET, round(52 * self.scale))
        self.small = max(12, round(14 * self.scale))
        self.body = max(14, round(18 * self.scale))
        self.title = max(18, round(27 * self.scale))
        self.radius = round(10 * self.scale)


theme = Theme()
