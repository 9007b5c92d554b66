"""`companion table`: the app on the touchscreen."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.errors import CompanionError
from ui import config
from ui.config import Config
from ui.desk import Desk, open_desk
from ui.simulation import open_simulated
from ui.status import Status, tell
from ui.toolkit import prepare


class ScreenError(CompanionError):
    """No window can be opened."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What may follow `companion table`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings that go before all others")
    parser.add_argument(
        "--simulate", action="store_true", help="a table that is not there: drawn, with keys as buttons"
    )
    parser.add_argument("--full-screen", action="store_true", help="fill the screen")
    tell(
        parser,
        {
            Status.DONE: "the companion was closed",
            Status.BAD_INPUT: "the settings or the plays cannot be read, or there is no screen",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Open the app and stay until it is closed. Raises: CompanionError."""
    settings = config.load(arguments.config)
    _prepare(settings, arguments.full_screen)
    # Kivy is imported from here on, when it is set up, and by no other command.
    from kivy.core.window import Window

    if Window is None:
        raise ScreenError("There is no screen: connect one, or start this from the desktop.")
    from ui.app import CompanionApp, end_on_signals

    desk: Desk = open_simulated(settings) if arguments.simulate else open_desk(settings)
    app = CompanionApp(desk)
    end_on_signals(app.end)
    try:
        app.run()
    finally:
        # Whatever ended the app: no light stays on.
        desk.close()
    return Status.DONE


def _prepare(settings: Config, full_screen: bool) -> None:
    # Sounds are not played; without a sound card Kivy would complain.
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    try:
        prepare(settings.data.folder / "kivy", settings.screen.size, full_screen=full_screen)
    except OSError as error:
        raise ScreenError(f"{settings.data.folder} cannot be written: {error.strerror}.") from error
