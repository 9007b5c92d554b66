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
from ui import catalogues, litter
from ui.config import Config
from ui.desk import Desk
from ui.pump import PUMPS_A_SECOND, Seen
from ui.screens import PAGES
from ui.screens.page import Page
from ui.settings import Settings
from ui.theme import GROUND, theme
from ui.widgets.touches import Touches

AHEAD_S = 0.4
"""How long the hands are left alone between two pages that are made ahead."""

_Shown = tuple[View[Any, Any] | None, tuple[Part, ...], Seen | None]

_Stirred = tuple[object, ...]
"""What wakes a dark screen when it changes."""


class CompanionApp(App):
    """The one window, which begins with the page `first`.

    Pages are made when they are first opened; with `ahead`, in the quiet seconds after the start.
    """

    title = "Table Companion"

    def __init__(
        self, desk: Desk, settings: Settings | None = None, *, ahead: bool = False, first: str = "home", **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.desk = desk
        self.settings = settings or Settings(desk.config)
        self.view: View[Any, Any] | None = None
        self._ahead, self._first = ahead, first
        self._ending = False
        self._shown: _Shown | None = None
        self._details: dict[str, Any] = {}
        self._stirred: _Stirred = ()

    def build(self) -> ScreenManager:
        """The window's one widget."""
        Window.clearcolor = GROUND
        theme.fit(*Window.size)
        self._manager = ScreenManager(transition=NoTransition())
        self.touches = Touches(Window, 0)
        self.settings.heed = self._heed
        self._blank(self.settings.config)
        return self._manager

    def on_start(self) -> None:
        """The window is there."""
        Window.bind(size=self._fit, on_key_down=self._key)
        self.desk.start()
        self.open(self._first)
        litter.begin()
        self._pumping = Clock.schedule_once(self._beat)
        self._begin_ahead()

    def on_stop(self) -> None:
        """Everything off, before the window goes."""
        self._pumping.cancel()
        Window.unbind(size=self._fit, on_key_down=self._key)
        self.touches.close()
        self.desk.close()
        litter.end()

    def _heed(self, config: Config) -> None:
        """Do as the settings say, now that they are these."""
        self.desk.heed(config)
        self._blank(config)

    def _blank(self, config: Config) -> None:
        self.touches.blank_s = 60.0 * config.screen.blank_after_min

    @property
    def page(self) -> Page:
        """The page that shows."""
        page: Page = self._manager.current_screen
        return page

    def open(self, name: str, **details: Any) -> Page:
        """Show a page. `details` are its own."""
        self._make(name)
        page: Page = self._manager.get_screen(name)
        self._manager.current = name
        self._details = details
        page.opened(**details)
        self._shown = None
        return page

    def speak(self, language: str) -> None:
        """Another language from now on: every page is made anew, and the one that shows is opened again."""
        catalogues.speak(language)
        self.desk.redraw()
        shown = self.page.name
        self._manager.clear_widgets()
        self.open(shown, **self._details)
        self._begin_ahead()

    def _make(self, name: str) -> None:
        if not self._manager.has_screen(name):
            self._manager.add_widget(PAGES[name](self, name=name))
            litter.keep()

    def _begin_ahead(self) -> None:
        Clock.unschedule(self._make_ahead)
        if self._ahead:
            Clock.schedule_once(self._make_ahead, AHEAD_S)

    def _make_ahead(self, *_: Any) -> None:
        """Make the next page that is not made yet, and come back for the others: one at a time is hardly felt."""
        for name in PAGES:
            if not self._manager.has_screen(name):
                self._make(name)
                Clock.schedule_once(self._make_ahead, AHEAD_S)
                return

    def _beat(self, *_: Any) -> None:
        # Kivy would end an interval with the first error in it; this goes on whatever `step` may raise.
        self._pumping = Clock.schedule_once(self._beat, 1 / PUMPS_A_SECOND)
        self.step()

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
        stirred = _stirred(self.desk.pressed, self.view)
        if stirred != self._stirred:
            self._stirred = stirred
            self.touches.wake()
        self.touches.step()
        # Clocks run on without anything to draw; a page that shows them asks for them.
        still = None if self.view is None else replace(self.view, times=_without_seconds(self.view.times))
        shown = (still, self.desk.parts, self.desk.seen)
        if shown != self._shown:
            self._shown = shown
            self.page.show(self.view, self.desk.parts)
        self.page.tick()


def _stirred(pressed: int, view: View[Any, Any] | None) -> _Stirred:
    """Buttons, entries, messages and questions; not what the camera merely notes."""
    if view is None:
        return (pressed,)
    message = None if view.message is None else view.message.number
    return pressed, view.play, view.revision, message, view.question is not None


def _without_seconds(times: Times) -> Times:
    return Times(0.0, {}, 0.0, times.paused)


def end_on_signals(end: Callable[[], None]) -> None:
    """SIGTERM and Ctrl-C end the app as its own button does: saved, lights off."""

    def handler(_number: int, _frame: FrameType | None) -> None:
        end()

    signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGTERM, handler)
