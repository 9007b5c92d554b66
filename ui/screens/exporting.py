"""Where to write something out for people, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.errors import CompanionError
from companion.language import _
from ui.background import in_background
from ui.desk import Desk
from ui.exports import FOLDER, STICK_FOLDER, sticks
from ui.widgets.dialog import choose, tell

Export = Callable[[Path], Path]
"""Writes into a folder; returns what a person is told to look for."""


def ask_where(desk: Desk, export: Export, own: str = FOLDER) -> None:
    """Ask for the folder if a stick is plugged in, then write; a dialog says where it lies.

    `own` is the folder's name in the data folder.
    """
    here = desk.store.database.path.parent / own
    plugged = sticks()
    if not plugged:
        _write(export, here)
        return
    choices = [(_("This computer"), partial(_write, export, here))]
    choices += [(stick.name, partial(_write, export, stick / STICK_FOLDER)) for stick in plugged]
    choose(_("Write it where?"), choices)


def _write(export: Export, folder: Path) -> None:
    in_background(partial(export, folder), _written, _failed)


def _written(path: Path) -> None:
    tell(_("Written"), _("It lies here: {path}").format(path=path))


def _failed(error: CompanionError) -> None:
    tell(_("This did not work"), str(error))
