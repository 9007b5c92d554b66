"""What all pages have in common: they know the app, are told when they come up, and draw what they are shown."""

from __future__ import annotations

from typing import Any, Protocol

from kivy.properties import ObjectProperty
from kivy.uix.screenmanager import Screen

from companion.errors import CompanionError
from companion.language import _
from companion.parts import Part
from companion.view import View
from ui.desk import Desk
from ui.settings import Settings
from ui.widgets.dialog import tell


class Navigator(Protocol):
    """What a page needs of the app."""

    desk: Desk
    settings: Settings
    view: View[Any, Any] | None

    def open(self, name: str, **details: Any) -> Page:
        """Show another page."""
        ...

    def speak(self, language: str) -> None:
        """Another language from now on, by its name in `ui.catalogues.LANGUAGES`."""
        ...

    def end(self) -> None:
        """End the app."""
        ...


class Page(Screen):
    """One page of the app."""

    nav = ObjectProperty(None, rebind=False)

    def __init__(self, nav: Navigator, **rest: Any) -> None:
        super().__init__(nav=nav, **rest)

    @property
    def desk(self) -> Desk:
        """What lies beneath the screen."""
        desk: Desk = self.nav.desk
        return desk

    def opened(self, **details: Any) -> None:
        """The page has come up. `details` are what the page before handed on."""

    def show(self, view: View[Any, Any] | None, parts: tuple[Part, ...]) -> None:
        """The play under way, or how the parts are, has changed; also called once after `opened`."""

    def tick(self) -> None:
        """Thirty times a second while the page shows: for clocks, and for what else runs on by itself."""

    def tell(self, error: CompanionError) -> None:
        """Say what went wrong, in the error's own sentence."""
        tell(_("This did not work"), str(error))
