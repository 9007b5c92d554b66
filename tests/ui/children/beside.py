"""Something that goes on beside the app, in its own process and on its own thread."""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from ui.main import main

TIMES_A_SECOND = 30


def run_table(arguments: Sequence[str], beside: Callable[[Any], None]) -> int:
    """`companion table`; `beside` is called with the app thirty times a second. Returns the exit status."""
    threading.Thread(target=_begin, args=(beside,), daemon=True).start()
    return main(["table", *arguments])


def _begin(beside: Callable[[Any], None]) -> None:
    # Kivy must not be imported before the command has set it up.
    while "ui.app" not in sys.modules:
        time.sleep(0.02)
    from kivy.app import App
    from kivy.clock import Clock

    while (app := App.get_running_app()) is None or app.root is None or app.root.current_screen is None:
        time.sleep(0.02)
    Clock.schedule_interval(lambda _dt: _loudly(beside, app), 1 / TIMES_A_SECOND)


def _loudly(beside: Callable[[Any], None], app: Any) -> None:
    try:
        beside(app)
    except Exception:
        # The app would write it down and go on, and the test would wait.
        traceback.print_exc()
        os._exit(70)


def seen(*kinds: type) -> list[Any]:
    """What can be tapped now, of these kinds."""
    from kivy.core.window import Window

    top = Window.children[0].walk() if Window.children else ()
    return [widget for widget in top if isinstance(widget, kinds) and not widget.disabled]
