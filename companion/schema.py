"""The tables of the database, and the steps that bring an older one up to date."""

from __future__ import annotations

import json
import sqlite3
import zlib
from itertools import chain

APPLICATION = 0x54426C43
"""What a database of this program carries in its header ("TBlC"), so that no other file is taken for one."""

_FIRST = (
    """CREATE TABLE player (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        key TEXT NOT NULL UNIQUE  -- the name without what two spellings of one name differ in
    ) STRICT""",
    """CREATE TABLE play (
        id TEXT NOT NULL PRIMARY KEY,
        game TEXT NOT NULL,
        setup TEXT NOT NULL,  -- the journal's header lines, a JSON object
        status TEXT NOT NULL CHECK (status IN ('open', 'left', 'finished')),
        started TEXT NOT NULL,  -- dates are ISO 8601 in UTC, all of one length, so that they sort
        finished TEXT,
        title TEXT,  -- of the sheet that decided the play
        lower_wins INTEGER,
        crc INTEGER NOT NULL DEFAULT 0,  -- as `play_checksum` makes it
        note TEXT NOT NULL DEFAULT '',
        CHECK ((status = 'finished') = (finished IS NOT NULL)),
        CHECK ((finished IS NULL) = (title IS NULL)),
        CHECK ((finished IS NULL) = (lower_wins IS NULL))
    ) STRICT""",
    # Exactly one unfinished play is offered; the others are left.
    "CREATE UNIQUE INDEX play_open ON play (status) WHERE status = 'open'",
    """CREATE TABLE seat (
        play TEXT NOT NULL REFERENCES play,
        seat INTEGER NOT NULL,
        name TEXT,  -- as it stands in the journal
        player INTEGER REFERENCES player,
        total INTEGER,
        rank INTEGER,
        PRIMARY KEY (play, seat)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX seat_player ON seat (player)",
    """CREATE TABLE entry (
        play TEXT NOT NULL REFERENCES play,
        number INTEGER NOT NULL,  -- from 0, without a gap
        line TEXT NOT NULL,  -- as in a text journal
        wall TEXT NOT NULL,
        spent_s REAL NOT NULL CHECK (spent_s >= 0),
        crc INTEGER NOT NULL,  -- as `checksum` makes it
        PRIMARY KEY (play, number)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE roll (
        id INTEGER PRIMARY KEY,
        play TEXT REFERENCES play,
        pips INTEGER NOT NULL,
        source TEXT NOT NULL,
        wall TEXT NOT NULL CHECK (wall GLOB '*+00:00' AND julianday(wall) IS NOT NULL)
    ) STRICT""",
    # A person at two seats counts once: next to min(), SQLite takes the other columns from the row with the minimum.
    """CREATE VIEW result AS
        SELECT seat.player, play.id AS play, play.game, play.title, play.lower_wins, play.finished,
               min(seat.rank) AS rank, seat.total,
               (SELECT total(spent_s) FROM entry WHERE entry.play = play.id) AS play_s
        FROM play JOIN seat ON seat.play = play.id
        WHERE play.status = 'finished' AND seat.player IS NOT NULL
        GROUP BY play.id, seat.player""",
)

STEPS: tuple[tuple[str, ...], ...] = (_FIRST,)
"""What makes version 1 of nothing, version 2 of version 1, and so on. A step that was shipped is never changed."""


_NAMES = (
    "SELECT status, note FROM play LIMIT 0",
    "SELECT name, player FROM seat LIMIT 0",
    "SELECT id, name, key FROM player LIMIT 0",
    "SELECT id, play, pips, source, wall FROM roll LIMIT 0",
    "SELECT player, play, game, title, lower_wins, finished, rank, total, play_s FROM result LIMIT 0",
)
"""What is read of the tables elsewhere; where a bit of a column's name has flipped, this fails."""


def version(connection: sqlite3.Connection) -> int:
    """The schema's version in the file; 0 for a file without tables."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return found


def checksum(*values: str | int | float | None) -> int:
    """What is kept with a row, so that a bit that flips on the card cannot turn it into another one unnoticed."""
    return zlib.crc32(json.dumps(values).encode())


def play_checksum(connection: sqlite3.Connection, play: str) -> int:
    """The checksum of a play without its entries: its setup, dates and result."""
    row = connection.execute(
        "SELECT id, game, setup, started, finished, title, lower_wins FROM play WHERE id = ?", (play,)
    ).fetchone()
    seats = connection.execute("SELECT seat, total, rank FROM seat WHERE play = ? ORDER BY seat", (play,)).fetchall()
    return checksum(*row, *chain.from_iterable(seats))


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether the file is sound: its pages, its references, every play and every entry.

    It looks only at what the tables of every version have. The connection is in autocommit mode.

    Raises: sqlite3.Error, UnicodeDecodeError.
    """
    # One transaction: else what another program writes meanwhile would look like damage.
    connection.execute("BEGIN")
    try:
        return _is_whole(connection)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _is_whole(connection: sqlite3.Connection) -> bool:
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        return False
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        return False
    for names in _NAMES:
        connection.execute(names)
    plays = connection.execute("SELECT id, crc FROM play").fetchall()
    entries = connection.execute("SELECT play, number, line, wall, spent_s, crc FROM entry")
    return all(play_checksum(connection, play) == crc for play, crc in plays) and all(
        checksum(*entry) == crc for *entry, crc in entries
    )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to date, wholly or not at all. The connection is in autocommit mode.

    Raises: sqlite3.Error, and the file is as it was before.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in STEPS[version(connection) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(STEPS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
