"""The app on the touchscreen. It shows what the desk says and puts what is tapped into the inbox; it decides nothing.

`ui.toolkit.prepare` comes before this module is imported.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.screenmanager import NoTransition, ScreenManager

from companion.clock import Times
from companion.parts import Part
from companion.view import View
from ui.desk import Desk
from ui.pump import PUMPS_A_SECOND
from ui.screens import PAGES
from ui.screens.page import Page
from ui.theme import GROUND, theme
from ui.widgets.touches import Touches

BLANK_S = 900.0
"""After so many seconds without a touch the screen goes dark; 0: never."""

_Shown = tuple[View[Any, Any] | None, tuple[Part, ...]]


class CompanionApp(App):
    """The one window. Pages are made when they are first opened; `opened` names the one that shows."""

    title = "Table Companion"

    def __init__(self, desk: Desk, blank_s: float = BLANK_S, **rest: Any) -> None:
        super().__init__(**rest)
        self.desk = desk
        self.view: View[Any, Any] | None = None
        self._blank_s = blank_s
        self._ending = False
        self._shown: _Shown | None = None

    def build(self) -> ScreenManager:
        """The window's one widget."""
        Window.clearcolor = GROUND
        theme.fit(*Window.size)
        self._manager = ScreenManager(transition=NoTransition())
        self.touches = Touches(Window, self._blank_s)
        return self._manager

    def on_start(self) -> None:
        """The window is there."""
        Window.bind(size=self._fit, on_key_down=self._key)
        self.desk.start()
        self.open("home")
        self._pumping = Clock.schedule_interval(lambda _dt: self.step(), 1 / PUMPS_A_SECOND)

    def on_stop(self) -> None:
        """Everything off, before the window goes."""
        self._pumping.cancel()
        Window.unbind(size=self._fit, on_key_down=self._key)
        self.touches.close()
        self.desk.close()

    @property
    def page(self) -> Page:
        """The page that shows."""
        page: Page = self._manager.current_screen
        return page

    def open(self, name: str, **details: Any) -> Page:
        """Show a page. `details` are its own."""
        if not self._manager.has_screen(name):
            self._manager.add_widget(PAGES[name](self, name=name))
        page: Page = self._manager.get_screen(name)
        self._manager.current = name
        page.opened(**details)
        self._shown = None
        return page

    def end(self) -> None:
        """End the app with the next step. A signal's handler may call this."""
        self._ending = True

    def _fit(self, _window: Any, size: tuple[int, int]) -> None:
        theme.fit(*size)

    def _key(self, _window: Any, _code: int, _scan: int, letter: str | None, _modifiers: Any) -> bool:
        return self.desk.simulated is not None and letter is not None and self.desk.simulated.key(letter)

    def step(self) -> None:
        """Take in all that has come, and have the page drawn if that has changed anything."""
        if self._ending:
            self.stop()
            return
        self.view = self.desk.step()
        self.touches.step()
        # Clocks run on without anything to draw; a page that shows them asks for them.
        still = None if self.view is None else replace(self.view, times=_without_seconds(self.view.times))
        shown = (still, self.desk.parts)
        if shown != self._shown:
            self._shown = shown
            self.page.show(self.view, self.desk.parts)


def _without_seconds(times: Times) -> Times:
    return Times(0.0, {}, 0.0, times.paused)


def end_on_signals(end: Callable[[], None]) -> None:
    """SIGTERM and Ctrl-C end the app as its own button does: saved, lights off."""

    def handler(_number: int, _frame: FrameType | None) -> None:
        end()

    signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGTERM, handler)
