"""What the camera sees now, with what was found drawn into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kivy.clock import Clock
from kivy.graphics import Color, Line, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.relativelayout import RelativeLayout

from companion.language import _
from companion.sight import Point
from ui import theme as look
from ui.widgets import load_rules
from vision.glimpse import Glimpse

ASKS_A_SECOND = 30
"""Oftener than pictures come, so that each is shown soon; where none came, nothing is drawn."""


class Watched(Protocol):
    """What a preview needs: `ui.desk.Desk`."""

    @property
    def camera(self) -> Any:
        """Gives a `Glimpse`, or None, by `preview()`."""
        ...


@dataclass(frozen=True, slots=True)
class Mark:
    """A card that was found: its corners in pixels of the whole picture. `new`: the one that is asked about."""

    corners: Sequence[Point]
    new: bool = False


class Preview(RelativeLayout):
    """The camera's picture, live between `start` and `stop`.

    All pictures go into one texture: a new one for each would fill the memory. `mark` draws what was found.
    `seen` is the newest `Glimpse`, for whoever measures pictures.
    """

    seen = ObjectProperty(None, allownone=True)
    text = StringProperty("")
    running = BooleanProperty(False)

    def __init__(self, desk: Watched, **rest: Any) -> None:
        self.desk = desk
        self.texture: Texture | None = None
        self.frames = 0
        self._marks: tuple[Mark, ...] = ()
        self._shape = (0, 0)
        self._event = Clock.create_trigger(self._fetch, 1 / ASKS_A_SECOND, interval=True)
        super().__init__(**rest)
        self.fbind("size", self._draw)

    def start(self) -> None:
        """Show what the camera sees from now on."""
        if not self.running:
            self.running = True
            self.text = "" if self.texture is not None else _("The camera shows nothing yet.")
            self._event()

    def stop(self) -> None:
        """Rest; the last picture stays."""
        self.running = False
        self._event.cancel()

    def mark(self, marks: Sequence[Mark]) -> None:
        """Draw these cards into the picture instead of those before."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self._draw()

    def _fetch(self, _dt: float) -> None:
        glimpse = self.desk.camera.preview()
        if glimpse is not None:
            self.show(glimpse)

    def show(self, glimpse: Glimpse) -> None:
        """Put a picture into the texture."""
        pixels = glimpse.pixels
        height, width = pixels.shape[:2]
        texture = self.texture
        anew = texture is None or texture.size != (width, height)
        if texture is None or anew:
            self.texture = texture = Texture.create(size=(width, height), colorfmt="rgb")
            # A texture's rows begin at the bottom: it is turned over once, not each picture.
            texture.flip_vertical()
        texture.blit_buffer(pixels.reshape(-1), colorfmt="rgb", bufferfmt="ubyte")
        self.seen, self.text = glimpse, ""
        self.frames += 1
        if anew or self._shape != glimpse.image.shape[:2]:
            self._shape = glimpse.image.shape[:2]
            self._draw()
        else:
            self.canvas.ask_update()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Where the picture lies within the widget: left, bottom, width, height."""
        high, wide = self._shape
        if not high:
            return 0.0, 0.0, 0.0, 0.0
        scale = min(self.width / wide, self.height / high)
        return (self.width - wide * scale) / 2, (self.height - high * scale) / 2, wide * scale, high * scale

    def _draw(self, *_args: Any) -> None:
        ground = self.ids.get("ground")
        if ground is None:
            return
        ground.canvas.clear()
        if self.texture is None:
            return
        left, low, width, height = self.box
        with ground.canvas:
            Color(1, 1, 1, 1)
            Rectangle(texture=self.texture, pos=(left, low), size=(width, height))
            for mark in self._marks:
                self._draw_mark(mark)

    def _draw_mark(self, mark: Mark) -> None:
        """An outline; the new card's is thicker and has a cross in it, for those who do not see the colour."""
        left, low, width, height = self.box
        scale = width / self._shape[1]
        points = [(left + x * scale, low + height - y * scale) for x, y in mark.corners]
        flat = [value for point in points for value in point]
        Color(*(look.ACCENT if mark.new else look.INK))
        Line(points=flat, close=True, width=2.2 if mark.new else 1.1)
        if mark.new:
            for one, other in ((0, 2), (1, 3)):
                Line(points=[*points[one], *points[other]], width=1.4)


load_rules(__file__)
