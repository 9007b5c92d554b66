"""The camera: aimed and focused with the picture before one's eyes."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.properties import NumericProperty, StringProperty

from companion.errors import CompanionError
from companion.language import _
from companion.parts import Condition, Part
from companion.view import View
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.choices import Ask
from ui.widgets.preview import Preview
from ui.widgets.text import Paragraph
from vision.camera import TOO_DARK, brightness
from vision.glimpse import Glimpse
from vision.sharpness import middle, overexposed, sharpness

FOCUSED = 0.8
"""Less than this share of the sharpest picture so far is worth a word."""


class CameraPage(Page):
    """The live picture, how sharp it is, and what the settings say of the camera."""

    sharp = NumericProperty(0.0)
    best = NumericProperty(0.0)
    words = StringProperty("")

    def __init__(self, nav: Any, **rest: Any) -> None:
        super().__init__(nav, **rest)
        self._preview = Preview(self.desk)
        self._preview.bind(seen=lambda _preview, seen: self._measure(seen))
        self._part: Part | None = None
        self.ids.picture.add_widget(self._preview)

    def opened(self, **_details: Any) -> None:
        """Look, and begin to compare anew."""
        self.sharp = self.best = 0.0
        place = self.ids.place
        place.clear_widgets()
        asks = Ask()
        place.add_widget(asks)
        asks.ids.questions.add_widget(Tap(_("Focus again"), self._open_anew))
        asks.ids.questions.add_widget(Paragraph(text=_("The lens focuses, and adjusts to the light.")))
        turns = [(str(turn), _("{count}°").format(count=turn)) for turn in (0, 90, 180, 270)]
        asks.one_of(_("Turn the picture; A sits below"), turns, self._get("rotation"), partial(self._take, "rotation"))
        mains = [("0", _("No")), ("50", _("50 Hz")), ("60", _("60 Hz"))]
        asks.one_of(_("Dark bands under a lamp"), mains, self._get("flicker_hz"), partial(self._take, "flicker_hz"))
        self._preview.start()

    def on_pre_leave(self, *_args: Any) -> None:
        """Nobody looks any more."""
        self._preview.stop()

    def show(self, _view: View[Any, Any] | None, parts: tuple[Part, ...]) -> None:
        """The camera's own sentence goes before what the picture says."""
        found = [part for part in parts if part.name == "camera" and part.condition is not Condition.OK]
        self._part = found[0] if found else None
        if self._part is not None:
            self.words = self._part.sentence
        elif not self.desk.has_camera:
            self.words = _("No camera is set up: connect one, and start again.")
        else:
            self._judge()

    def _measure(self, seen: Glimpse | None) -> None:
        if seen is None:
            return
        self.sharp = sharpness(middle(seen.image))
        self.best = max(self.best, self.sharp)
        if self._part is None:
            self._judge()

    def _judge(self) -> None:
        seen = self._preview.seen
        if seen is None:
            self.words = _("Waiting for the first picture.")
        elif brightness(seen.pixels) < TOO_DARK:
            self.words = _("Too dark: switch a lamp on.")
        elif overexposed(seen.pixels):
            self.words = _("Too bright: turn the lamp away or dim it.")
        elif self.sharp < FOCUSED * self.best:
            self.words = _("It was sharper before: turn the lens back.")
        else:
            self.words = _("Let the whole layout be in the picture, A below.")

    def _get(self, key: str) -> str:
        return str(self.nav.settings.get("camera", key))

    def _take(self, key: str, value: str) -> None:
        try:
            self.nav.settings.change("camera", key, int(value))
        except CompanionError as error:
            self.tell(error)
        else:
            self.sharp = self.best = 0.0

    def _open_anew(self) -> None:
        self.desk.open_camera_anew()
        self.sharp = self.best = 0.0


load_rules(__file__)
