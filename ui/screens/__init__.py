"""The pages of the app, by name. A page is made when it is first opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ui.screens.about import AboutPage
from ui.screens.camera import CameraPage
from ui.screens.history import HistoryPage
from ui.screens.home import HomePage
from ui.screens.page import Page
from ui.screens.play import PlayPage
from ui.screens.player import PlayerPage
from ui.screens.result import ResultPage
from ui.screens.review import ReviewPage
from ui.screens.settings import SettingsPage
from ui.screens.setup import SetupPage
from ui.screens.table import TablePage
from ui.screens.tour import TourPage
from ui.screens.wiring import WiringPage

PAGES: Mapping[str, Callable[..., Page]] = {
    "home": HomePage,
    "setup": SetupPage,
    "table": TablePage,
    "review": ReviewPage,
    "result": ResultPage,
    "history": HistoryPage,
    "play": PlayPage,
    "player": PlayerPage,
    "settings": SettingsPage,
    "camera": CameraPage,
    "wiring": WiringPage,
    "about": AboutPage,
    "tour": TourPage,
}

__all__ = ["PAGES", "Page"]
