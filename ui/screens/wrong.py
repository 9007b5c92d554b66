"""The button "This was wrong": picture, play and reading are kept as a problem that can be read again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from companion.errors import CompanionError
from companion.language import _
from ui.background import in_background
from ui.desk import Desk, now
from ui.problems import Problem, save
from ui.pump import Seen
from ui.widgets.dialog import tell

FOLDER = "problems"
"""In the data folder."""


def keep(desk: Desk, seen: Seen | None, right: tuple[str, ...] | None = None) -> None:
    """Keep what was seen; `right` is what a person says the grid shows. A dialog says what came of it."""
    session = desk.session
    if session is None or seen is None:
        tell(_("This was wrong"), _("Nothing has been read yet: photograph the table first."))
        return
    folder = desk.store.database.path.parent / FOLDER
    problem = Problem(session.journal, seen.look.picture, right)
    # To encode a picture and to have it on the disk takes longer than the screen can wait.
    in_background(partial(save, folder, problem, seen.look.reading, now().wall), _kept, _failed)


def _kept(bundle: Path) -> None:
    tell(_("Kept. Thank you."), str(bundle))


def _failed(error: CompanionError) -> None:
    tell(_("This did not work"), str(error))
