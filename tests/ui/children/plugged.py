"""`companion table` played by taps as fast as it can, until it is killed.

Usage: plugged.py SEED [what follows `companion table`...]. It says on standard output

    offered PLAY     the play that the first page offers to go on with, or `nothing`
    kept PLAY NUMBER ENTRY     an entry that the screen shows as made
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

from beside import run_table, seen

MOST_ENTRIES = 150
"""A play as long as this is left for a new one."""

LOOKS_A_TAP = 2
"""A second touch of the same place within 40 ms would be taken for a doubled one."""


class Hand:
    """A hand that taps on whatever carries the play on, now and then on Undo, and tells what is shown."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._told: tuple[str, int] = ("", 0)
        self._offered = False
        self._looks = 0

    def __call__(self, app: Any) -> None:
        """One look and one tap."""
        if not self._offered:
            self._offered = True
            saved = app.desk.store.unfinished()
            way = _tap("Go on")
            print("offered", "nothing" if saved is None or way is None else saved.id, flush=True)
        if app.page.name == "table" and app.view is not None:
            self._tell(app)
        self._looks += 1
        widget = self._next(app) if self._looks % LOOKS_A_TAP == 0 else None
        if widget is not None:
            _finger(widget)

    def _tell(self, app: Any) -> None:
        from companion.journal_text import write_entry

        session = app.desk.session
        play, told = self._told
        since = told if play == session.play else 0
        for number in range(since, app.view.revision):
            entry = write_entry(app.desk.game.rules, session.journal.entries[number])
            print("kept", session.play, number, entry, flush=True)
        self._told = (session.play, app.view.revision)

    def _next(self, app: Any) -> Any:
        from ui.boards.cells import Cell

        long = self._told[1] >= MOST_ENTRIES
        match app.page.name:
            case "home":
                return _tap("New play") if long else _tap("Go on") or _tap("New play")
            case "table" if long:
                return _tap("Home") or _tap("More")
            case "table":
                cells = [cell for cell in seen(Cell) if cell.taps]
                undo = _tap("Undo")
                if undo is not None and (not cells or app.view.state.phase.name != "PLACE" or self._rng.random() < 0.1):
                    return undo
                return self._rng.choice(cells) if cells else None
        return _tap("Begin") or _tap("Next") or _tap("Skip")


def _tap(text: str) -> Any:
    from ui.widgets.button import Tap

    return next((tap for tap in seen(Tap) if tap.text == text), None)


def _finger(widget: Any) -> None:
    """Put a finger on the middle of a widget, and take it away."""
    from kivy.base import EventLoop
    from kivy.core.window import Window
    from kivy.input.providers.mouse import MouseMotionEvent

    x, y = widget.to_window(*widget.center)
    place = (x / Window.width, y / Window.height, "left")
    touch = MouseMotionEvent("mouse", "finger", place, is_touch=True, type_id="touch")
    touch.scale_for_screen(*Window.system_size)
    for kind in ("begin", "end"):
        EventLoop.post_dispatch_input(kind, touch)


if __name__ == "__main__":
    hand: Callable[[Any], None] = Hand(int(sys.argv[1]))
    sys.exit(run_table(sys.argv[2:], hand))
