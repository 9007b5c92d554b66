"""`companion table`: the app on the touchscreen."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from companion.errors import CompanionError
from ui import catalogues, config
from ui.alone import alone
from ui.backlight import BacklightError, backlight, shine
from ui.config import Config, ConfigError
from ui.desk import Desk, open_desk
from ui.root import refuse_sudo
from ui.settings import Settings
from ui.simulation import open_simulated
from ui.status import Status, tell
from ui.toolkit import opens_window, prepare

LOG = "companion.log"
"""In the data folder: what went wrong in the app, for whoever mends it."""


class FolderError(CompanionError):
    """The data folder cannot be used."""


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
            Status.BAD_INPUT: "the settings or the plays cannot be read, or a companion is running here already",
            Status.NO_SCREEN: "no screen can be opened",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Open the app and stay until it is closed. Raises: CompanionError."""
    refuse_sudo()
    settings = config.load(arguments.config)
    own = config.own_file(arguments.config)
    keep = Settings(settings, _below(arguments.config, own), own)
    with alone(settings.data.folder):
        return _run(settings, keep, arguments)


def _below(file: Path | None, own: Path | None) -> Config | None:
    """The settings but for the owner's own file; None when they lack what only that file says."""
    try:
        return config.load(file, without=own)
    except ConfigError:
        return None


def _run(settings: Config, keep: Settings, arguments: argparse.Namespace) -> Status:
    _prepare(settings, arguments.full_screen)
    if not opens_window():
        print("No screen can be opened: connect one, or start this from the desktop.", file=sys.stderr)
        return Status.NO_SCREEN
    # Kivy is imported from here on, when it is set up, and by no other command.
    from ui.app import CompanionApp, end_on_signals
    from ui.mishaps import Mishaps
    from ui.screens.tour import first_page

    catalogues.speak(catalogues.wanted(settings.screen.language, os.environ))
    _shine(settings)
    desk: Desk = open_simulated(settings) if arguments.simulate else open_desk(settings)
    app = CompanionApp(desk, keep, ahead=True, first=first_page(settings.data.folder))
    end_on_signals(app.end)
    try:
        with Mishaps(settings.data.folder / LOG, app):
            app.run()
    finally:
        # Whatever ended the app: no light stays on.
        desk.close()
    return Status.DONE


def _shine(settings: Config) -> None:
    device = backlight()
    if settings.screen.brightness and device is not None:
        try:
            shine(device, settings.screen.brightness)
        except BacklightError as error:
            # Too dark or too bright, it is a screen still.
            print(error, file=sys.stderr)


def _prepare(settings: Config, full_screen: bool) -> None:
    # Sounds are not played; without a sound card Kivy would complain.
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    try:
        prepare(settings.data.folder / "kivy", settings.screen.size, full_screen=full_screen)
    except OSError as error:
        raise FolderError(f"{settings.data.folder} cannot be written: {error.strerror}.") from error
