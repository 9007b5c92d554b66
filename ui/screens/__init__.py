"""The pages of the app, by name. A page is made when it is first opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ui.screens.home import HomePage
from ui.screens.page import Page
from ui.screens.result import ResultPage
from ui.screens.setup import SetupPage
from ui.screens.table import TablePage

PAGES: Mapping[str, Callable[..., Page]] = {
    "home": HomePage,
    "setup": SetupPage,
    "table": TablePage,
    "result": ResultPage,
}

__all__ = ["PAGES", "Page"]
