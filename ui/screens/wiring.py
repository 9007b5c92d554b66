"""Trying out what is wired: every button's pin as it is, every light and LED lit by a tap."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.clock import Clock

from companion.language import _
from companion.parts import Condition
from hardware.buttons import RawPin
from hardware.names import shown
from hardware.wiring import PLACES
from ui.desk import now
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.die import DieFace
from ui.widgets.text import Paragraph

LIT_S = 1.0


class WiringPage(Page):
    """One line for each button, one key for each light."""

    def __init__(self, nav: Any, **rest: Any) -> None:
        super().__init__(nav, **rest)
        self._lines: dict[str, Paragraph] = {}
        self._face: DieFace | None = None
        self._dark_soon = Clock.create_trigger(self._go_dark, LIT_S)

    def opened(self, **_details: Any) -> None:
        """Make the lines and keys anew: what is wired is known by now."""
        panel = self.desk.panel
        buttons, lights = self.ids.buttons, self.ids.lights
        buttons.clear_widgets()
        lights.clear_widgets()
        self._lines = {}
        for pin in panel.buttons.levels():
            self._lines[pin.name] = Paragraph()
            buttons.add_widget(self._lines[pin.name])
        for part in panel.parts:
            if part.condition is not Condition.OK and part.sentence:
                buttons.add_widget(Paragraph(text=part.sentence))
        for name in panel.lights.names:
            lights.add_widget(Tap(shown(name), partial(self._flash, name)))
        for place in PLACES if panel.die.has_leds else ():
            lights.add_widget(Tap(_(place.replace("_", " ")), partial(self._light, place)))
        lights.add_widget(Tap(_("Roll"), self._roll, kind="primary"))
        self._face = DieFace(size_hint_y=None, height=lights.children[0].height)
        lights.add_widget(self._face)

    def tick(self) -> None:
        """The levels as they are."""
        panel, now_s = self.desk.panel, now().monotonic_s
        for pin in panel.buttons.levels():
            if pin.name in self._lines:
                self._lines[pin.name].text = _told(pin, now_s)
        if self._face is not None:
            self._face.pattern = panel.die.shows(now_s)

    def on_pre_leave(self, *_args: Any) -> None:
        """Nothing stays lit."""
        self._go_dark()

    def _flash(self, name: str) -> None:
        self._go_dark()
        self.desk.panel.lights.switch(name, True)
        self._dark_soon()

    def _light(self, place: str) -> None:
        self._go_dark()
        self.desk.panel.die.light(place)
        self._dark_soon()

    def _go_dark(self, *_args: Any) -> None:
        """All off: one alone is lit at a time, so that each can be told from the others."""
        self._dark_soon.cancel()
        panel = self.desk.panel
        for name in panel.lights.names:
            panel.lights.switch(name, False)
        if not panel.die.is_rolling:
            panel.die.light(None)

    def _roll(self) -> None:
        self.desk.panel.die.roll(now().monotonic_s)


def _told(pin: RawPin, now_s: float) -> str:
    facts = {"name": shown(pin.name), "bcm": pin.bcm, "level": _("high") if pin.high else _("low")}
    state = _("{name}: GPIO {bcm} is {level}, pressed") if pin.down else _("{name}: GPIO {bcm} is {level}, free")
    if pin.last_edge_s is None:
        return state.format(**facts)
    ago = _("last edge {seconds} s ago").format(seconds=round(max(0.0, now_s - pin.last_edge_s)))
    return f"{state.format(**facts)}; {ago}"


load_rules(__file__)
