"""What was scored: the sheets of the play under way, and a rematch."""

from __future__ import annotations

from typing import Any

from companion.errors import CompanionError
from companion.intents import Undo
from companion.language import _
from companion.parts import Part
from companion.view import View
from ui.screens.page import Page
from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.sheets import Scored


class ResultPage(Page):
    """The sheets of the play under way."""

    def opened(self, **_details: Any) -> None:
        """The newest finished sheet first."""
        self.ids.sheets.begin()

    def show(self, view: View[Any, Any] | None, _parts: tuple[Part, ...]) -> None:
        """Draw the sheets as they stand; an undo may have taken the last one away."""
        game = self.desk.game
        if view is None or game is None:
            return
        sheets = tuple(sheet for sheet in view.sheets if sheet.lines)
        if not sheets:
            self.nav.open("table")
            return
        self._view = view
        self.ids.sheets.show(Scored(game, view.names, sheets, view.over))
        self._draw_ways()

    def _draw_ways(self) -> None:
        ways = self.ids.ways
        ways.clear_widgets()
        ways.add_widget(Tap(_("Undo"), lambda: self.desk.put(Undo()), disabled=self._view.undoable == 0))
        if self._view.over:
            ways.add_widget(Tap(_("Rematch"), self._rematch))
        ways.add_widget(Tap(_("Home") if self._view.over else _("To the table"), self._leave, kind="primary"))

    def _rematch(self) -> None:
        """The same people play again; where the game says so, the winner starts."""
        session, game = self.desk.session, self.desk.game
        if session is None or game is None:
            return
        setup, names = session.journal.setup, session.journal.names
        if game.rematch is not None:
            setup = game.rematch(session.state, self._view.sheets[-1].leaders())
        try:
            self.desk.begin(game, setup, names)
        except CompanionError as error:
            self.tell(error)
        else:
            self.nav.open("table")

    def _leave(self) -> None:
        if self._view.over:
            self.desk.lay_aside()
        self.nav.open("home" if self._view.over else "table")


load_rules(__file__)
