"""One SQLite file that outlasts the plug: how it is opened, copied, set aside when damaged, and written.

Beside the file NAME may stand NAME.copy, the last good copy; NAME.version-N, the file before it was migrated from
version N; and NAME.damaged-DATE. A connection belongs to one thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Any

from companion import schema
from companion.errors import StoreError, printable
from companion.files import NO_ROOM, NOT_WRITABLE, beside, one_at_a_time, quoted_part, replace, sync_folder, told
from companion.language import _, later

COPY = ".copy"
_WITH_WAL = ("", "-wal", "-shm")
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What reading the tables comes to in a damaged file. The last one: they are not as they were made."""

_SENTENCES = {
    sqlite3.SQLITE_FULL: NO_ROOM,
    sqlite3.SQLITE_READONLY: NOT_WRITABLE,
    sqlite3.SQLITE_CANTOPEN: NOT_WRITABLE,
    sqlite3.SQLITE_PERM: NOT_WRITABLE,
    sqlite3.SQLITE_BUSY: later("{path} is held by another program: close the other companion, then do it again."),
    sqlite3.SQLITE_CORRUPT: later("{path} is damaged: start the companion again, it then takes the last good copy."),
    sqlite3.SQLITE_IOERR: later("{path} cannot be read or written: check the memory card, then do it again."),
}
_OTHER = later("{path} cannot be used ({error}): start the companion again, or name another place.")
_SENTENCES[sqlite3.SQLITE_NOTADB] = _SENTENCES[sqlite3.SQLITE_CORRUPT]
_SENTENCES[sqlite3.SQLITE_LOCKED] = _SENTENCES[sqlite3.SQLITE_BUSY]


class Database:
    """An open database. `notices` are sentences about what happened when it was opened."""

    def __init__(self, path: Path, connection: sqlite3.Connection, notices: Iterable[str] = ()) -> None:
        self.path = path
        self.notices = tuple(notices)
        self._connection = connection
        self._file = _identity(path)

    @classmethod
    def open(cls, path: Path, wall: datetime, busy_s: float) -> Database:
        """Open the file, or make it and its folders.

        A damaged one is set aside and the last good copy takes its place; an older one is migrated after a snapshot;
        then the last good copy is renewed. `wall` dates what is set aside. `busy_s` is how long to wait for others.

        Raises: StoreError; a file of a newer version or of another program is not touched.
        """
        path = path.absolute()
        with told(path):
            # A link is followed once, so that what stands beside the file stands beside the real one.
            path = path.resolve()
            path.parent.mkdir(parents=True, exist_ok=True)
            with one_at_a_time(path.parent), _explained(path):
                return _opened(path, wall, busy_s)

    @classmethod
    def reading(cls, path: Path, busy_s: float) -> Database:
        """Open a file that is open elsewhere too, only to read it: without any check. Raises: StoreError."""
        with _explained(path):
            connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", timeout=busy_s, isolation_level=None, uri=True)
        return cls(path, _forgiving(connection))

    @classmethod
    def salvaged(cls, path: Path) -> Database:
        """Open a copy to take out of it what can be read, damaged or not; an older one is brought up to date in place.

        Raises: StoreError.
        """
        with told(path), _explained(path), ExitStack() as unless_ours:
            connection = unless_ours.enter_context(closing(_connected(path, 0)))
            if not _is_ours(connection, path, foreign=False):
                raise StoreError(_about(path, _(_SENTENCES[sqlite3.SQLITE_CORRUPT])))
            if schema.version(connection) < len(schema.STEPS):
                schema.migrate(connection)
            unless_ours.pop_all()
        return cls(path, connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query finds. Raises: StoreError."""
        with _explained(self.path):
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is done inside is on the disk at the end, or nothing is. Raises: StoreError."""
        with told(self.path), _explained(self.path):
            # SQLite would go on writing into a file that has no name any more.
            if _identity(self.path) != self._file:
                raise StoreError(_about(self.path, _("{path} was moved or deleted: put it back, or start again.")))
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def backup(self, target: Path) -> None:
        """Write the whole database to one file, in the place of whatever stands there. Raises: StoreError."""
        target = target.absolute()
        if target.resolve() == self.path:
            raise StoreError(_about(target, _("{path} is the database itself: name another file for the backup.")))
        with told(target), _explained(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy(self._connection, target)


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from every other one; None when there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors, and those of values that it cannot hold, into StoreErrors that say what to do."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise StoreError(
            _("The character {sign} cannot be kept: type it again without it.").format(sign=quoted_part(error))
        ) from error
    except OverflowError as error:
        raise StoreError(
            _("A number or date is too large to be kept: give a smaller one, or set the clock.")
        ) from error
    except sqlite3.ProgrammingError:
        raise  # a mistake of ours
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        # On a full disk SQLite cannot make its shared memory and speaks of a failing disk.
        primary = sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & 0xFF
        names = {"path": printable(str(path)), "folder": printable(str(path.parent)), "error": error}
        raise StoreError(_(_SENTENCES.get(primary, _OTHER)).format(**names)) from error


def _opened(path: Path, wall: datetime, busy_s: float) -> Database:
    notices = []
    connection = _sound(path, busy_s, foreign=beside(path, COPY).exists())
    if connection is None:
        notices += _put_in_place(path, wall)
        connection = _connected(path, busy_s)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        version = schema.version(connection)
        if version < len(schema.STEPS):
            _copy(connection, beside(path, f".version-{version}"))
            schema.migrate(connection)
        notices += _renew_copy(connection, path)
    except BaseException:
        connection.close()
        raise
    return Database(path, connection, notices)


def _connected(path: Path, busy_s: float) -> sqlite3.Connection:
    return _forgiving(sqlite3.connect(path, timeout=busy_s, isolation_level=None))


def _forgiving(connection: sqlite3.Connection) -> sqlite3.Connection:
    # A name in which a bit has flipped is shown as well as it can be; the checksums guard what matters more.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    return connection


def _sound(path: Path, busy_s: float, foreign: bool) -> sqlite3.Connection | None:
    """A connection to the file, or None when it is missing or damaged. `foreign`: another program's counts as damaged.

    Raises: StoreError, sqlite3.Error, OSError; the file is then not touched.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if not S_ISREG(status.st_mode):
        raise StoreError(_about(path, _("{path} is not a file: name a file to keep the plays in.")))
    if status.st_size == 0:
        return None  # SQLite would take it for a new database, and the plays would be gone without a word.
    with ExitStack() as unless_sound:
        connection = unless_sound.enter_context(closing(_connected(path, busy_s)))
        try:
            sound = _is_sound(connection, path, foreign)
        except UnicodeDecodeError:  # even SQLite's message repeats what is no text
            sound = False
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                raise
            sound = False
        if sound:
            unless_sound.pop_all()
    return connection if sound else None


def _is_sound(connection: sqlite3.Connection, path: Path, foreign: bool) -> bool:
    return _is_ours(connection, path, foreign) and schema.is_whole(connection)


def _is_ours(connection: sqlite3.Connection, path: Path, foreign: bool) -> bool:
    """Whether it is a database of this program, and of no newer one."""
    ours = connection.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION,)
    if not ours and not foreign:
        raise StoreError(_about(path, _("{path} belongs to another program: name another file to keep the plays in.")))
    version = schema.version(connection)
    if ours and version > len(schema.STEPS):
        raise StoreError(
            _(
                "{path} was written by a newer companion (its version is {version}, this one knows {known}): "
                "update the companion, or name another file."
            ).format(path=printable(str(path)), version=version, known=len(schema.STEPS))
        )
    return ours and version > 0


def _put_in_place(path: Path, wall: datetime) -> list[str]:
    """Set aside what is damaged, and put the last good copy there, or a new file. Returns what to tell."""
    copy = beside(path, COPY)
    aside = _set_aside(path, wall)
    if aside is None and not copy.exists():
        _begin(path)
        return []
    lost = _about(path, _("{path} was missing.")) if aside is None else _was_damaged(path, aside)
    good = _sound(copy, 0, foreign=True)
    if good is not None:
        with closing(good):
            made = datetime.fromtimestamp(copy.stat().st_mtime, wall.tzinfo)
            _copy(good, path)
        copied = _("The last good copy, of {when}, is in use: check the last plays.")
        return [" ".join((lost, copied.format(when=f"{made:%Y-%m-%d %H:%M}")))]
    no_copy = _set_aside(copy, wall)
    _begin(path)
    begun = _("There is no good copy: a new file was begun.")
    return [lost, *([_was_damaged(copy, no_copy)] if no_copy else []), begun]


def _was_damaged(path: Path, aside: Path) -> str:
    return _about(path, _("{path} was damaged and is now called {name}."), name=printable(aside.name))


def _about(path: Path, template: str, **facts: str) -> str:
    return template.format(path=printable(str(path)), **facts)


def _set_aside(path: Path, wall: datetime) -> Path | None:
    """Rename what there is of a database. Returns its new name, or None when there was nothing.

    A write-ahead log that stayed behind goes too: SQLite would write it into the file that comes next.
    """
    parts = [suffix for suffix in _WITH_WAL if beside(path, suffix).exists()]
    if not parts:
        return None
    name = f".damaged-{wall:%Y-%m-%d-%H%M%S}"
    asides = (beside(path, name + (f"-{number}" if number > 1 else "")) for number in count(1))
    aside = next(each for each in asides if not any(beside(each, suffix).exists() for suffix in _WITH_WAL))
    for suffix in parts:
        beside(path, suffix).rename(beside(aside, suffix))
    sync_folder(path.parent)
    return aside


def _begin(path: Path) -> None:
    """Make an empty database; it has all its tables before it bears the name."""
    new = _cleared(beside(path, ".new"))
    with closing(_connected(new, 0)) as connection:
        schema.migrate(connection)
    replace(new, path)


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    """Write the whole database to one sound file, or leave what stands there."""
    new = _cleared(beside(target, ".new"))
    try:
        with closing(_connected(new, 0)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # a write-ahead log would be a second file
            if not schema.is_whole(copy):
                raise StoreError(_about(target, _(_SENTENCES[sqlite3.SQLITE_CORRUPT])))
        replace(new, target)
    except BaseException:
        _cleared(new)
        raise


def _cleared(new: Path) -> Path:
    for suffix in ("", "-journal", "-wal", "-shm"):
        beside(new, suffix).unlink(missing_ok=True)
    return new


def _renew_copy(connection: sqlite3.Connection, path: Path) -> list[str]:
    copy = beside(path, COPY)
    try:
        with told(copy), _explained(copy):
            _copy(connection, copy)
    except StoreError as error:
        return [_("The safety copy is the one from before. {why}").format(why=error)]
    return []
