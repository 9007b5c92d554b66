"""What the table's page asks of a game's view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from companion.view import View


class Board(FloatLayout):
    """A game's table from above.

    What is tapped becomes a move through `put`, which the page sets. `tray` is a widget that the page shows beside
    the board (faces to choose from, opponents), or None; `hint` is a sentence that goes with it, before the prompt,
    and `beside` one worth a look that asks for nothing. `turn` is how many seats further round the table the board is
    looked at from than from seat A: B is 1. `hints`: whether the board marks what may be done.
    """

    put = ObjectProperty(None)
    turn = NumericProperty(0)
    hints = BooleanProperty(True)
    tray = ObjectProperty(None, allownone=True)
    hint = StringProperty("")
    beside = StringProperty("")

    def ways(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """What else may be looked at or done here: what it is called, and what it does."""
        return ()

    def show(self, view: View[Any, Any]) -> None:
        """Draw the play as it stands."""
        raise NotImplementedError
