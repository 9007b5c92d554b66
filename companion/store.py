"""What was played: journals, finished plays, players, rolls. The one way to the disk.

What a call has taken is on the disk when the call returns; what it cannot take it refuses, and nothing is changed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion import rows, schema
from companion.database import Database
from companion.errors import CompanionError, StoreError, quoted
from companion.journal import Journal
from companion.journal_text import read_entry
from companion.kept import Kept, KeptRoll, SavedPlay, WholePlay
from companion.language import _
from companion.rules import Rules
from companion.score import ScoreSheet

BUSY_S = 2.0
"""How long a call waits, in seconds, while another program writes."""


class Store:
    """The plays in one file. For one thread; close it, or use it in a `with` statement.

    `games` are the rules by the games' names.
    """

    def __init__(self, database: Database, games: Mapping[str, Rules[Any, Any, Any]]) -> None:
        self.database = database
        self.games = games

    @classmethod
    def open(
        cls, path: Path, games: Mapping[str, Rules[Any, Any, Any]], wall: datetime, busy_s: float = BUSY_S
    ) -> Self:
        """Open the file as `Database.open` does. Raises: StoreError."""
        return cls(Database.open(path, wall, busy_s), games)

    @property
    def notices(self) -> tuple[str, ...]:
        """What people should know of the file since it was opened, in sentences."""
        return self.database.notices

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def reader(self) -> Store:
        """The same plays, to be read on another thread, which closes it. Raises: StoreError."""
        return Store(Database.reading(self.database.path, BUSY_S), self.games)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def begin(self, play: str, journal: Journal[Any, Any], wall: datetime) -> None:
        """Begin a play: its game, setup and names; its entries come with `append`. Another open play is left.

        Raises: StoreError.
        """
        with self.database.transaction() as connection:
            if connection.execute("SELECT 1 FROM play WHERE id = ?", (play,)).fetchone():
                raise StoreError(_("The play {play} was begun before: begin another one.").format(play=quoted(play)))
            connection.execute("UPDATE play SET status = 'left' WHERE status = 'open'")
            rows.insert_play(connection, self._rules(journal.game), play, journal, "open", wall)

    def append(self, play: str, number: int, kept: Sequence[Kept[Any]], result: ScoreSheet | None = None) -> None:
        """Keep entries, numbered from `number`: all or none.

        With a result the play is finished, without it is open, even if it was finished or left before.

        Raises: StoreError, also when `number` is not the next one: somebody else has played on.
        """
        if not kept:
            raise ValueError("there is no entry to keep")
        with self.database.transaction() as connection:
            game, status, revision = rows.found(connection, play)
            if number != revision:
                raise StoreError(
                    _(
                        "{kept} entries of this play are kept, and entry {number} was to follow: another companion "
                        "plays on in it. Close one of the two, then open the play again."
                    ).format(kept=revision, number=number)
                )
            rows.insert_entries(connection, self._rules(game), play, number, kept)
            if result is not None:
                rows.set_finished(connection, play, kept[-1].wall, result)
            elif status != "open":
                rows.set_open(connection, play)

    def finish(self, play: str, wall: datetime, sheet: ScoreSheet) -> None:
        """The play is over, with this result. Raises: StoreError."""
        with self.database.transaction() as connection:
            rows.found(connection, play)
            rows.set_finished(connection, play, wall, sheet)

    def reopen(self, play: str) -> None:
        """The play goes on and has no result any more; another open play is left. Raises: StoreError."""
        with self.database.transaction() as connection:
            rows.found(connection, play)
            rows.set_open(connection, play)

    def leave(self, play: str) -> None:
        """Lay an unfinished play aside: it is no longer offered, until it is played on. Raises: StoreError."""
        with self.database.transaction() as connection:
            rows.found(connection, play)
            connection.execute("UPDATE play SET status = 'left' WHERE id = ? AND status = 'open'", (play,))

    def note(self, play: str, text: str) -> None:
        """Put a note to a play, in the place of the one before. Raises: StoreError."""
        with self.database.transaction() as connection:
            rows.found(connection, play)
            connection.execute("UPDATE play SET note = ? WHERE id = ?", (text, play))

    def delete(self, play: str) -> None:
        """Take a play away for good, and who has a seat in no other one; its rolls stay. Raises: StoreError."""
        with self.database.transaction() as connection:
            rows.found(connection, play)
            rows.delete_play(connection, play)

    def add(self, whole: WholePlay, result: ScoreSheet | None) -> int | None:
        """Take in a play from elsewhere, or what it has more than the one here. `result` finishes it.

        A new one that is unfinished is left. Returns how many entries were added to the play, None when nothing was,
        neither entries nor rolls.

        Raises: StoreError, also when the play is here with other entries.
        """
        journal, rules = whole.journal, self._rules(whole.journal.game)
        with self.database.transaction() as connection:
            known = connection.execute("SELECT 1 FROM play WHERE id = ?", (whole.id,)).fetchone()
            have = self._in_common(whole) if known else 0
            here = Counter(self.rolls(whole.id))
            rolls = tuple((Counter(replace(roll, play=whole.id) for roll in whole.rolls) - here).elements())
            if known and have == journal.revision and not rolls:
                return None
            if not known:
                rows.insert_play(connection, rules, whole.id, journal, "left", whole.started)
                connection.execute("UPDATE play SET note = ? WHERE id = ?", (whole.note, whole.id))
            rows.insert_entries(connection, rules, whole.id, have, whole.kept[have:])
            rows.insert_rolls(connection, whole.id, rolls)
            if result is not None and (not known or have < journal.revision):
                rows.set_finished(connection, whole.id, whole.finished or whole.started, result)
        return journal.revision - have

    def same(self, journal: Journal[Any, Any]) -> str | None:
        """The id of a play that has this very journal. Raises: StoreError."""
        setup = rows.setup_text(self._rules(journal.game), journal.setup)
        alike = self.database.rows(
            "SELECT id FROM play WHERE game = ? AND setup = ?"
            " AND (SELECT count(*) FROM entry WHERE play = play.id) = ? ORDER BY started, id",
            journal.game,
            setup,
            journal.revision,
        )
        return next((play for (play,) in alike if self.load(play)[0] == journal), None)

    def unfinished(self) -> SavedPlay | None:
        """The one play to go on with, if there is one. Raises: StoreError."""
        return next((play for play in self.plays() if not (play.finished or play.left)), None)

    def plays(self) -> tuple[SavedPlay, ...]:
        """All plays, the newest first. Raises: StoreError."""
        seats: dict[str, list[tuple[Any, ...]]] = {}
        for play, *seat in self.database.rows("SELECT play, seat, name, total, rank FROM seat ORDER BY play, seat"):
            seats.setdefault(play, []).append(tuple(seat))
        found = self.database.rows(
            "SELECT id, game, started, finished, status, note, count(entry.number), total(entry.spent_s)"
            " FROM play LEFT JOIN entry ON entry.play = play.id GROUP BY play.id ORDER BY started DESC, play.rowid DESC"
        )
        return tuple(_saved(row, seats[row[0]]) for row in found)

    def load(self, play: str) -> tuple[Journal[Any, Any], tuple[Kept[Any], ...]]:
        """A play's journal, and its entries with their times. Raises: StoreError."""
        whole = self.whole(play)
        return whole.journal, whole.kept

    def whole(self, play: str) -> WholePlay:
        """All that is kept of one play. Raises: StoreError."""
        found = self.database.rows("SELECT game, setup, started, finished, note FROM play WHERE id = ?", play)
        if not found:
            raise StoreError(rows.not_kept(play))
        game, setup, started, finished, note = found[0]
        rules = self._rules(game)
        named = self.database.rows("SELECT seat, name FROM seat WHERE play = ? AND name IS NOT NULL", play)
        lines = self.database.rows(
            "SELECT number, line, wall, spent_s, crc FROM entry WHERE play = ? ORDER BY number", play
        )
        try:
            for index, (*entry, crc) in enumerate(lines):
                if entry[0] != index or crc != schema.checksum(play, *entry):
                    raise StoreError(_("Entry {number} is damaged or missing.").format(number=index + 1))
            kept = tuple(
                Kept(read_entry(rules, number + 1, line), datetime.fromisoformat(wall), spent_s)
                for number, line, wall, spent_s, _crc in lines
            )
            journal = Journal(
                game, rules.read_setup(json.loads(setup)), dict(named), tuple(each.entry for each in kept)
            )
        except (CompanionError, ValueError) as error:
            sentence = _("The play of {day} cannot be read: begin another one, or go back to a backup. {why}")
            raise StoreError(sentence.format(day=started[:10], why=error)) from error
        dates = datetime.fromisoformat(started), _date(finished)
        return WholePlay(play, journal, kept, *dates, note, self.rolls(play))

    def rolled(self, play: str | None, pips: int, source: str, wall: datetime) -> None:
        """Log a roll of the die; `play` is None outside any play. Raises: StoreError."""
        with self.database.transaction() as connection:
            if play is not None:
                rows.found(connection, play)
            rows.insert_rolls(connection, play, [KeptRoll(play, pips, source, wall)])

    def rolls(self, play: str | None = None) -> tuple[KeptRoll, ...]:
        """The rolls of one play, or all that were ever logged, in their order. Raises: StoreError."""
        found = self.database.rows(
            "SELECT play, pips, source, wall FROM roll WHERE ?1 IS NULL OR play = ?1 ORDER BY id", play
        )
        return tuple(KeptRoll(of, pips, source, datetime.fromisoformat(wall)) for of, pips, source, wall in found)

    def backup(self, target: Path) -> None:
        """Write all plays to one file, in the place of whatever stands there. Raises: StoreError."""
        self.database.backup(target)

    def _rules(self, game: str) -> Rules[Any, Any, Any]:
        if game not in self.games:
            sentence = _("This companion does not know the game {game}: update the companion.")
            raise StoreError(sentence.format(game=quoted(game)))
        return self.games[game]

    def _in_common(self, whole: WholePlay) -> int:
        """How many entries of a play are here: all of them, when the play here went on. Raises: StoreError."""
        journal, ported = self.load(whole.id)[0], whole.journal
        common = min(journal.revision, ported.revision)
        if replace(journal, entries=journal.entries[:common]) != replace(ported, entries=ported.entries[:common]):
            raise StoreError(
                _(
                    "The play {play} is kept here with other entries, and was not changed: give the one that comes in "
                    "another id to have both."
                ).format(play=quoted(whole.id))
            )
        return common


def _saved(row: tuple[Any, ...], seats: Sequence[tuple[Any, ...]]) -> SavedPlay:
    play, game, started, finished, status, note, revision, play_s = row
    return SavedPlay(
        id=play,
        game=game,
        seats=tuple(seat for seat, *_ in seats),
        names={seat: name for seat, name, _, _ in seats if name is not None},
        started=datetime.fromisoformat(started),
        finished=_date(finished),
        left=status == "left",
        revision=revision,
        play_s=play_s,
        totals={seat: total for seat, _, total, _ in seats if total is not None},
        ranks={seat: rank for seat, _, _, rank in seats if rank is not None},
        note=note,
    )


def _date(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
