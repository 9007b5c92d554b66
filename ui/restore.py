"""Plays brought back from a backup: what is missing here is added, and nothing that is here is changed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion import exchange
from companion.database import Database
from companion.errors import CompanionError
from companion.files import told
from companion.games import GAMES
from companion.store import Store
from ui.backup import PHOTOGRAPHS, backups_in, check, copy_missing, made
from ui.exports import STICK_FOLDER, sticks


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was found, and when it was made."""

    path: Path
    when: datetime


@dataclass(frozen=True, slots=True)
class Ready:
    """What a backup holds: its plays as JSON texts by their ids, and why others cannot be read."""

    plays: dict[str, str]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """What came of one play: entries that were added, None when it was here already, or why it was left out."""

    added: int | None = None
    problem: str = ""


def found(own: Path) -> list[Backup]:
    """The backups in this computer's own folder and on what is plugged in, the newest first. Raises: StoreError."""
    folders = [own, *(stick / STICK_FOLDER for stick in sticks())]
    dated = [(path, made(path)) for folder in folders for path in backups_in(folder)]
    backups = [Backup(path, when) for path, when in dated if when is not None]
    return sorted(backups, key=lambda backup: backup.when, reverse=True)


def ready(backup: Path) -> Ready:
    """Read a backup; the file itself is not touched, any thread may do so. Raises: CompanionError."""
    check(backup)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / backup.name
        with told(backup):
            shutil.copyfile(backup, copy)
        with Store(Database.salvaged(copy), {name: game.rules for name, game in GAMES.items()}) as store:
            plays, problems = {}, []
            for play in reversed(store.plays()):
                try:
                    plays[play.id] = exchange.to_json(store, [play.id])
                except CompanionError as error:
                    problems.append(str(error))
            return Ready(plays, tuple(problems))


def bring_back(store: Store, plays: Iterable[str], source: str) -> Iterator[BroughtBack]:
    """Add plays, given as JSON texts, one at a time, on the thread that the store belongs to.

    One that cannot be added stops no other.
    """
    sentences = {name: game.sentences for name, game in GAMES.items()}
    for text in plays:
        try:
            (taken,) = exchange.take_json(store, text, sentences, source)
        except CompanionError as error:
            yield BroughtBack(problem=str(error))
        else:
            yield BroughtBack(taken.added)


def bring_photographs_back(backup: Path, photographs: Path) -> None:
    """Copy the photographs beside a backup that are not here. Raises: StoreError."""
    copy_missing(backup.parent / PHOTOGRAPHS, photographs)
