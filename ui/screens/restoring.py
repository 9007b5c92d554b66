"""Asks which backup is to be read, adds its plays one after the other, and says what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from kivy.clock import Clock

from companion.errors import CompanionError
from companion.language import _
from ui.background import in_background
from ui.backup import FOLDER
from ui.desk import Desk
from ui.restore import Backup, BroughtBack, Ready, bring_back, bring_photographs_back, found, ready
from ui.widgets.dialog import ask, choose, tell

MOST_TOLD = 3
"""So many problems are told in full."""


def ask_which(desk: Desk) -> None:
    """Which of the backups that are found; a stick may take its time to answer."""
    own = desk.store.database.path.parent / FOLDER
    in_background(partial(found, own), partial(_choose, desk, own), _failed)


def _choose(desk: Desk, own: Path, backups: list[Backup]) -> None:
    if not backups:
        tell(_("Bring plays back"), _("No backup is found: plug in the stick that it is on, then try again."))
        return
    choices = [(_named(backup, own), partial(_ask_sure, desk, backup)) for backup in backups]
    choose(_("Which backup?"), choices)


def _named(backup: Backup, own: Path) -> str:
    where = _("this computer") if backup.path.parent == own else backup.path.parent.parent.name
    return _("{when}, {where}").format(when=f"{backup.when:%d.%m.%Y %H:%M}", where=where)


def _ask_sure(desk: Desk, backup: Backup) -> None:
    told = _("Plays that are missing here are added. Nothing that is here is changed.")
    ask(_("Bring plays back"), told, _("Bring them back"), partial(_read, desk, backup))


def _read(desk: Desk, backup: Backup) -> None:
    photographs = desk.photographs.folder

    def job() -> Ready:
        read = ready(backup.path)
        bring_photographs_back(backup.path, photographs)
        return read

    in_background(job, partial(_begin, desk, backup), _failed)


def _begin(desk: Desk, backup: Backup, read: Ready) -> None:
    under_way = desk.session.play if desk.session is not None else None
    plays = [text for play, text in read.plays.items() if play != under_way]
    results = [BroughtBack(problem=problem) for problem in read.problems]
    _step(bring_back(desk.store, plays, str(backup.path)), results)


def _step(coming: Iterator[BroughtBack], results: list[BroughtBack]) -> None:
    """One play a frame: each is on the disk before the next one is begun, and the screen goes on."""
    result = next(coming, None)
    if result is None:
        _tell(results)
        return
    results.append(result)
    Clock.schedule_once(lambda _dt: _step(coming, results))


def _tell(results: list[BroughtBack]) -> None:
    added = sum(result.added is not None for result in results)
    problems = [result.problem for result in results if result.problem]
    told = [_("Added: {added}. Here already: {here}.").format(added=added, here=len(results) - added - len(problems))]
    told += problems[:MOST_TOLD]
    if len(problems) > MOST_TOLD:
        told.append(_("Left out besides: {count}.").format(count=len(problems) - MOST_TOLD))
    tell(_("Bring plays back"), "\n\n".join(told))


def _failed(error: CompanionError) -> None:
    tell(_("This did not work"), str(error))
