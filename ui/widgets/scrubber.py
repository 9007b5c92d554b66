"""Photographs to go through one after the other, each with what was done at that turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from numpy.typing import NDArray

from companion.errors import CompanionError, FileError
from companion.language import _
from ui.background import in_background
from ui.widgets import load_rules

SHOWN_PX = 960
"""The longer side of what is put on the screen at most."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An entry with a picture: its number in the journal, from 0, what it meant, and the picture's file."""

    number: int
    sentence: str
    path: Path


class Scrubber(BoxLayout):
    """One photograph at a time. They are loaded by a thread, all into one texture."""

    texture = ObjectProperty(None, allownone=True)
    sentence = StringProperty("")
    place = StringProperty("")
    trouble = StringProperty("")
    first = BooleanProperty(True)
    last = BooleanProperty(True)
    proportion = NumericProperty(1.6)

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._turns: tuple[Turn, ...] = ()
        self._at = 0
        self._loading = False
        self._shown: Path | None = None

    def show(self, turns: Sequence[Turn]) -> None:
        """Go through these, from the last one back."""
        self._turns = tuple(turns)
        self.to(len(self._turns) - 1)

    @property
    def turn(self) -> Turn | None:
        """Which one is shown."""
        return self._turns[self._at] if self._turns else None

    def to_entry(self, number: int) -> None:
        """Show the picture of this entry, or the newest before it."""
        before = [at for at, turn in enumerate(self._turns) if turn.number <= number]
        self.to(before[-1] if before else 0)

    def step(self, by: int) -> None:
        """On, or back."""
        self.to(self._at + by)

    def to(self, at: int) -> None:
        """Show the picture with this place in the row."""
        count = len(self._turns)
        self._at = max(0, min(at, count - 1))
        self.first, self.last = self._at == 0, self._at >= count - 1
        turn = self.turn
        if turn is None:
            self.sentence, self.place, self.texture = _("There are no photographs of this play."), "", None
            return
        self.sentence = turn.sentence
        self.place = _("{number} of {count}").format(number=self._at + 1, count=count)
        self._load()

    def _load(self) -> None:
        """One at a time: whoever steps fast sees the newest of those that were asked for meanwhile."""
        turn = self.turn
        if turn is None or self._loading or turn.path == self._shown:
            return
        self._loading, self._shown = True, turn.path
        in_background(lambda: load(turn.path), self._loaded, self._failed)

    def _loaded(self, pixels: NDArray[np.uint8]) -> None:
        self._loading, self.trouble = False, ""
        height, width = pixels.shape[:2]
        if self.texture is None or self.texture.size != (width, height):
            texture = Texture.create(size=(width, height), colorfmt="rgb")
            # A texture's rows begin at the bottom: it is turned over once, not each picture.
            texture.flip_vertical()
            self.texture, self.proportion = texture, width / height
        self.texture.blit_buffer(pixels.reshape(-1), colorfmt="rgb", bufferfmt="ubyte")
        self.canvas.ask_update()
        self._load()

    def _failed(self, error: CompanionError) -> None:
        self._loading, self.trouble = False, str(error)
        self._load()


def load(path: Path) -> NDArray[np.uint8]:
    """A photograph for the screen, (h, w, 3) uint8 RGB. Raises: FileError."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise FileError(path.name, error.strerror or _("the system does not say why")) from error
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise FileError(path.name, _("it is damaged"))
    height, width = image.shape[:2]
    factor = min(1.0, SHOWN_PX / max(height, width))
    size = max(1, round(width * factor)), max(1, round(height * factor))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB), np.uint8)


load_rules(__file__)
