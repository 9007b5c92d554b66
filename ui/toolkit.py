"""Kivy made ready for a table: to be called before anything else of Kivy is imported.

Kivy reads its settings when its modules are imported, so this comes first, and nothing of Kivy is at this module's top.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

FRAMES_A_SECOND = 30

SCREENS = "x11,wayland,kmsdrm"
"""What SDL may draw on, in this order: two kinds of desktop, or a screen without one."""


def prepare(home: Path, size: tuple[int, int], *, full_screen: bool = False) -> None:
    """Set up Kivy. `home` is where it may keep its own files; `size` is (width, height) of the window in pixels.

    Raises: OSError when `home` cannot be made.
    """
    home.mkdir(parents=True, exist_ok=True)
    # Kivy would take the command line for its own, and its logging for everybody's; SDL would take the signals.
    os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONFIG="1", KIVY_NO_FILELOG="1", KIVY_LOG_MODE="PYTHON")
    os.environ.update(KIVY_HOME=str(home), KIVY_WINDOW="sdl2", SDL_NO_SIGNAL_HANDLERS="1")
    # Left to itself, SDL would draw on nothing where no screen can be opened, and nobody would know.
    os.environ.setdefault("SDL_VIDEODRIVER", SCREENS)
    # A library for touch screens that SDL has no need of is missing on most computers, and Kivy tells it at length.
    logging.getLogger("kivy").addFilter(lambda record: "MTDev" not in record.getMessage())
    from kivy.config import Config

    width, height = size
    for section, key, value in (
        ("kivy", "exit_on_escape", 0),
        ("kivy", "log_level", "error"),
        ("graphics", "width", width),
        ("graphics", "height", height),
        ("graphics", "fullscreen", "auto" if full_screen else 0),
        ("graphics", "maxfps", FRAMES_A_SECOND),
        ("graphics", "multisamples", 0),
    ):
        Config.set(section, key, str(value))
    # With Kivy's own list each touch would arrive twice on a Raspberry Pi: by the window, and by the device.
    Config.remove_section("input")
    Config.add_section("input")
    Config.set("input", "mouse", "mouse,disable_multitouch")


def opens_window() -> bool:
    """Whether a window can be opened on a screen; if so, it is open now."""
    log = logging.getLogger("kivy")
    level = log.level
    # Kivy would tell at length, with a traceback, what the caller says in a sentence.
    log.setLevel(logging.CRITICAL + 1)
    try:
        from kivy.core.window import Window
    except SystemExit:
        return False
    finally:
        log.setLevel(level)
    return Window is not None
