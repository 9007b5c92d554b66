"""The database of plays: it can be opened, and every page of it is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote

from companion import schema
from companion.errors import printable
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config

NAME = "plays"


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """Look into the database without changing it."""
    path = config.data.plays
    shown = printable(str(path))
    if not path.exists():
        yield Finding(NAME, Level.OK, f"None is kept yet; {shown} is made with the first.")
        return
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, timeout=1)) as connection:
            yield _look(connection, shown)
    except sqlite3.Error as error:
        yield Finding(NAME, Level.FAIL, f"{shown} cannot be read: {error}.", SET_ASIDE)


SET_ASIDE = "Start the companion: it sets the damaged file aside and takes the last good copy."


def _look(connection: sqlite3.Connection, shown: str) -> Finding:
    version = schema.version(connection)
    if version > len(schema.STEPS):
        sentence = f"{shown} was written by a newer companion."
        return Finding(NAME, Level.FAIL, sentence, "Install the newest version of the companion.")
    if connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION:
        return Finding(NAME, Level.FAIL, f"{shown} is no database of plays.", SET_ASIDE)
    whole = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if whole != "ok":
        return Finding(NAME, Level.FAIL, f"{shown} is damaged: {printable(str(whole))}.", SET_ASIDE)
    count = connection.execute("SELECT count(*) FROM play").fetchone()[0]
    return Finding(NAME, Level.OK, f"{count} kept in {shown}, which is whole.")
