"""A play as rows of the tables, and back. Each function works inside its caller's transaction."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from companion import schema
from companion.errors import JournalError, StoreError, brief, quoted
from companion.journal import Entry, Journal
from companion.journal_text import read_entry, write_entry
from companion.kept import Kept, KeptRoll
from companion.language import _
from companion.rules import Rules
from companion.score import ScoreSheet


def date_text(wall: datetime) -> str:
    """A date as it is stored: ISO 8601 in UTC, always of one length, so that texts sort as dates do.

    Raises: ValueError, when it has no time zone.
    """
    if wall.tzinfo is None:
        raise ValueError("a date without a time zone cannot be kept")
    return wall.astimezone(UTC).isoformat(timespec="microseconds")


def setup_text(rules: Rules[Any, Any, Any], setup: Any) -> str:
    """A setup as it is stored; equal setups are equal texts."""
    return json.dumps(rules.write_setup(setup), ensure_ascii=False, sort_keys=True)


def name_key(name: str) -> str:
    """What two spellings of one player's name have in common; empty for a name of nothing but space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def not_kept(play: str) -> str:
    """That there is no such play."""
    return _("The play {play} is not kept here: choose one of the list.").format(play=quoted(play))


def found(connection: sqlite3.Connection, play: str) -> tuple[str, str, int]:
    """A play's game, its status, and how many entries it has. Raises: StoreError."""
    row = connection.execute(
        "SELECT game, status, (SELECT count(*) FROM entry WHERE play = play.id) FROM play WHERE id = ?", (play,)
    ).fetchone()
    if row is None:
        raise StoreError(not_kept(play))
    game, status, revision = row
    return game, status, revision


def insert_play(
    connection: sqlite3.Connection,
    rules: Rules[Any, Any, Any],
    play: str,
    journal: Journal[Any, Any],
    status: str,
    started: datetime,
) -> None:
    """The play, its seats and players; no entries yet."""
    connection.execute(
        "INSERT INTO play (id, game, setup, status, started) VALUES (?, ?, ?, ?, ?)",
        (play, journal.game, setup_text(rules, journal.setup), status, date_text(started)),
    )
    for seat in rules.seats(journal.setup):
        name = journal.names.get(seat)
        connection.execute(
            "INSERT INTO seat (play, seat, name, player) VALUES (?, ?, ?, ?)",
            (play, seat, name, _player(connection, name or "")),
        )
    _seal(connection, play)


def insert_entries(
    connection: sqlite3.Connection, rules: Rules[Any, Any, Any], play: str, number: int, kept: Sequence[Kept[Any]]
) -> None:
    """Entries, numbered from `number`. Raises: StoreError, for one that could not be read again."""
    for index, each in enumerate(kept, start=number):
        # SQLite keeps -0.0 as 0.0, and the checksum tells the two apart.
        entry = play, index, _line(rules, each.entry), date_text(each.wall), each.spent_s + 0.0
        connection.execute(
            "INSERT INTO entry (play, number, line, wall, spent_s, crc) VALUES (?, ?, ?, ?, ?, ?)",
            (*entry, schema.checksum(*entry)),
        )


def insert_rolls(connection: sqlite3.Connection, play: str | None, rolls: Iterable[KeptRoll]) -> None:
    """Rolls of a play, or of none."""
    connection.executemany(
        "INSERT INTO roll (play, pips, source, wall) VALUES (?, ?, ?, ?)",
        [(play, roll.pips, roll.source, date_text(roll.wall)) for roll in rolls],
    )


def _line(rules: Rules[Any, Any, Any], entry: Entry[Any]) -> str:
    """An entry as it is stored: a play of which one line cannot be read is lost as a whole."""
    line = write_entry(rules, entry)
    try:
        if read_entry(rules, 1, line) == entry:
            return line
    except JournalError:
        pass
    sentence = _("The entry {entry} could not be read again, and was not kept: put in another one.")
    raise StoreError(sentence.format(entry=repr(brief(line))))


def set_finished(connection: sqlite3.Connection, play: str, wall: datetime, sheet: ScoreSheet) -> None:
    """The play is over, since `wall` or since it was first said to be, with this result."""
    connection.execute(
        "UPDATE play SET status = 'finished', finished = coalesce(finished, ?), title = ?, lower_wins = ? WHERE id = ?",
        (date_text(wall), sheet.title, sheet.lower_wins, play),
    )
    ranks = sheet.ranks()
    connection.executemany(
        "UPDATE seat SET total = ?, rank = ? WHERE play = ? AND seat = ?",
        [(total, ranks[seat], play, seat) for seat, total in sheet.totals().items()],
    )
    _seal(connection, play)


def set_open(connection: sqlite3.Connection, play: str) -> None:
    """The play goes on and has no result; another open one is left."""
    connection.execute("UPDATE play SET status = 'left' WHERE status = 'open' AND id <> ?", (play,))
    connection.execute(
        "UPDATE play SET status = 'open', finished = NULL, title = NULL, lower_wins = NULL WHERE id = ?", (play,)
    )
    connection.execute("UPDATE seat SET total = NULL, rank = NULL WHERE play = ?", (play,))
    _seal(connection, play)


def delete_play(connection: sqlite3.Connection, play: str) -> None:
    """Everything of a play but its rolls, and the players who have no seat in another one."""
    connection.execute("UPDATE roll SET play = NULL WHERE play = ?", (play,))
    connection.execute("DELETE FROM entry WHERE play = ?", (play,))
    connection.execute("DELETE FROM seat WHERE play = ?", (play,))
    connection.execute("DELETE FROM play WHERE id = ?", (play,))
    connection.execute("DELETE FROM player WHERE NOT EXISTS (SELECT 1 FROM seat WHERE seat.player = player.id)")


def _seal(connection: sqlite3.Connection, play: str) -> None:
    connection.execute("UPDATE play SET crc = ? WHERE id = ?", (schema.play_checksum(connection, play), play))


def _player(connection: sqlite3.Connection, name: str) -> int | None:
    key = name_key(name)
    if not key:
        return None
    connection.execute("INSERT INTO player (name, key) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", (name.strip(), key))
    player: int = connection.execute("SELECT id FROM player WHERE key = ?", (key,)).fetchone()[0]
    return player
