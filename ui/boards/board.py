"""What the table's page asks of a game's view."""

from __future__ import annotations

from typing import Any

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from companion.view import View


class Board(FloatLayout):
    """A game's table from above.

    What is tapped becomes a move through `put`, which the page sets. `tray` is a widget that the page shows beside
    the board (faces to choose from, opponents), or None; `hint` is a sentence that goes with it, before the prompt.
    """

    put = ObjectProperty(None)
    tray = ObjectProperty(None, allownone=True)
    hint = StringProperty("")

    def show(self, view: View[Any, Any]) -> None:
        """Draw the play as it stands."""
        raise NotImplementedError
