from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion import schema
from companion.errors import StoreError
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Journal, Played
from companion.kept import Kept
from companion.score import ScoreSheet
from companion.store import Store

Opened = Callable[..., Store]
Made = Callable[..., Any]

RULES = {name: game.rules for name, game in GAMES.items()}
START = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)


def entries(count: int) -> list[Kept[Any]]:
    return [Kept(Played(Placed(n % 4, (n // 90, n % 90))), START + timedelta(minutes=n), n / 8) for n in range(count)]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with one play of 300 entries, and its copy."""
    folder = tmp_path_factory.mktemp("played")
    for _ in range(2):  # the copy is renewed at a start
        with Store.open(folder / "companion.db", RULES, START) as store:
            if not store.plays():
                store.begin("p", Journal("cassa-grande", Setup(), {0: "Ana"}), START)
                store.append("p", 0, entries(300))
    return folder


@pytest.fixture
def filled(played: Path, path: Path) -> list[Any]:
    """That store at `path`, and what its play holds."""
    for name in ("companion.db", "companion.db.copy"):
        shutil.copy(played / name, path.parent)
    return entries(300)


def names(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


def test_folders_are_made_and_a_new_file_needs_no_words(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path / "a" / "b" / "plays.db") as store:
        assert store.notices == ()
    assert sorted(each.name for each in (tmp_path / "a" / "b").iterdir()) == ["plays.db", "plays.db.copy"]


def test_a_sound_file_opens_without_words(opened: Opened, filled: list[Any]) -> None:
    store = opened()
    assert store.notices == ()
    assert list(store.load("p")[1]) == filled


def harmed(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_bytes(b"These are no plays.\n" * 500)
    elif how == "zeros":
        path.write_bytes(bytes(len(content)))
    elif how == "header gone":
        path.write_bytes(bytes(100) + content[100:])
    elif how == "a page gone":
        path.write_bytes(content[:8192] + bytes(4096) + content[12288:])
    elif how == "application":
        path.write_bytes(content[:68] + bytes(4) + content[72:])
    elif how == "version":
        path.write_bytes(content[:60] + bytes(4) + content[64:])
    else:
        path.write_bytes(content[: int(how)])


HARM = [
    "empty",
    "text",
    "zeros",
    "header gone",
    "a page gone",
    "application",
    "version",
    "1",
    "99",
    "4096",
    "5000",
    "-1",
]


@pytest.mark.parametrize("how", HARM)
def test_a_damaged_file_is_set_aside_and_the_last_good_copy_is_in_use(
    opened: Opened, filled: list[Any], path: Path, start: datetime, how: str
) -> None:
    harmed(path, how)
    damaged = path.read_bytes()
    made = start - timedelta(days=2, hours=3)
    os.utime(path.with_name("companion.db.copy"), (made.timestamp(), made.timestamp()))
    with opened() as store:
        (notice,) = store.notices
        assert notice == (
            f"{path} was damaged and is now called companion.db.damaged-2026-11-30-201500. "
            "The last good copy, of 2026-11-28 17:15, is in use: check the last plays."
        )
        assert list(store.load("p")[1]) == filled
        assert store.unfinished() is not None
    assert path.with_name("companion.db.damaged-2026-11-30-201500").read_bytes() == damaged
    with opened() as store:
        assert store.notices == ()


def test_a_file_damaged_twice_in_a_second_leaves_both_behind(opened: Opened, filled: list[Any], path: Path) -> None:
    for content in (b"one", b"two"):
        path.write_bytes(content)
        with opened() as store:
            assert list(store.load("p")[1]) == filled
    aside = path.with_name("companion.db.damaged-2026-11-30-201500")
    assert aside.read_bytes() == b"one"
    assert aside.with_name(f"{aside.name}-2").read_bytes() == b"two"


def test_whatever_is_cut_off_or_overwritten_the_store_opens(
    opened: Opened, filled: list[Any], path: Path, tmp_path: Path
) -> None:
    whole, draw = path.read_bytes(), random.Random(5)
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        here = folder / path.name
        shutil.copy(path.with_name("companion.db.copy"), folder)
        at, length = draw.randrange(len(whole)), draw.choice((1, 16, 600))
        content = whole[:at] if number % 2 else whole[:at] + draw.randbytes(length) + whole[at + length :]
        here.write_bytes(content)
        with opened(here) as store:
            assert list(store.load("p")[1]) == filled, (at, length)
            assert store.plays()[0].started == START


def test_the_log_of_a_damaged_file_goes_with_it(opened: Opened, filled: list[Any], path: Path) -> None:
    path.write_bytes(b"")
    path.with_name("companion.db-wal").write_bytes(b"what had not reached the file yet")
    with opened() as store:
        assert list(store.load("p")[1]) == filled
    aside = path.with_name("companion.db.damaged-2026-11-30-201500")
    assert aside.read_bytes() == b""
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"what had not reached the file yet"


def test_a_damaged_file_without_a_copy_makes_way_for_a_new_one(opened: Opened, path: Path) -> None:
    path.write_bytes(b"")
    path.with_name("companion.db.copy").write_bytes(b"SQLite format 3\0 and then nothing")
    with opened() as store:
        assert store.notices == (
            f"{path} was damaged and is now called companion.db.damaged-2026-11-30-201500.",
            f"{path}.copy was damaged and is now called companion.db.copy.damaged-2026-11-30-201500.",
            "There is no good copy: a new file was begun.",
        )
        assert store.plays() == ()
    assert path.with_name("companion.db.copy.damaged-2026-11-30-201500").exists()


def test_a_missing_file_is_taken_from_the_copy(opened: Opened, filled: list[Any], path: Path) -> None:
    path.unlink()
    with opened() as store:
        assert list(store.load("p")[1]) == filled
        assert store.notices[0].startswith(f"{path} was missing. The last good copy, of ")


def test_a_damaged_file_never_becomes_the_copy(opened: Opened, filled: list[Any], path: Path) -> None:
    copy = path.with_name("companion.db.copy")
    before = copy.read_bytes()
    store = opened()
    renewed = copy.read_bytes()
    assert len(renewed) == len(before)
    store.close()
    harmed(path, "a page gone")
    with opened() as store:
        assert list(store.load("p")[1]) == filled
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (300,)


def test_what_is_not_a_file_is_refused_and_not_touched(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "plays"
    folder.mkdir()
    (folder / "x").write_text("x", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    for place in (folder, tmp_path / "pipe"):
        with pytest.raises(StoreError, match="is not a file: name a file to keep the plays in"):
            opened(place)
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["pipe", "plays", "x"]


def test_the_database_of_another_program_is_refused_and_not_touched(opened: Opened, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipe (text)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="belongs to another program: name another file"):
        opened()
    assert path.read_bytes() == before
    assert names(path) == ["companion.db"]


@pytest.mark.usefixtures("filled")
def test_a_newer_file_is_refused_and_not_touched(opened: Opened, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(schema.STEPS) + 1}")
    before, beside = path.read_bytes(), names(path)
    with pytest.raises(StoreError, match=r"newer companion \(its version is 2, this one knows 1\): update the"):
        opened()
    assert (path.read_bytes(), names(path)) == (before, beside)


COLOUR = ("ALTER TABLE player ADD COLUMN colour TEXT NOT NULL DEFAULT 'none'", "UPDATE player SET colour = 'red'")


def test_an_older_file_is_migrated_after_a_snapshot(
    opened: Opened, filled: list[Any], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, COLOUR))
    with opened() as store:
        assert store.database.rows("SELECT name, colour FROM player") == [("Ana", "red")]
        assert store.database.rows("PRAGMA user_version") == [(2,)]
        assert list(store.load("p")[1]) == filled
    snapshot = path.with_name("companion.db.version-1")
    monkeypatch.undo()
    with opened(snapshot) as store:
        assert list(store.load("p")[1]) == filled
        assert store.database.rows("PRAGMA user_version") == [(1,)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    opened: Opened, filled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, (*COLOUR, "DROP TABLE [none]")))
    with pytest.raises(StoreError, match=r"cannot be used \(no such table: none\)"):
        opened()
    monkeypatch.undo()
    with opened() as store:
        assert list(store.load("p")[1]) == filled
        assert store.database.rows("PRAGMA user_version") == [(1,)]
        assert [row[1] for row in store.database.rows("PRAGMA table_info(player)")] == ["id", "name", "key"]


def test_without_room_for_the_snapshot_nothing_is_migrated(
    opened: Opened, filled: list[Any], path: Path, monkeypatch: pytest.MonkeyPatch, small_files: Made
) -> None:
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, COLOUR))
    with small_files(33_000), pytest.raises(StoreError, match="cannot be read or written"):
        opened()
    assert "companion.db.version-1" not in names(path)
    monkeypatch.undo()
    assert list(opened().load("p")[1]) == filled


def test_without_room_for_the_copy_the_store_opens_and_says_so(
    opened: Opened, filled: list[Any], path: Path, small_files: Made
) -> None:
    copy = path.with_name("companion.db.copy")
    before = copy.read_bytes()
    with small_files(33_000):
        store = opened()
    assert len(store.notices) == 1
    assert store.notices[0].startswith(f"The safety copy is the one from before. {copy} cannot be read or written")
    assert list(store.load("p")[1]) == filled
    assert copy.read_bytes() == before
    store.close()
    assert names(path) == ["companion.db", "companion.db.copy"]


def test_a_read_only_folder_is_named(
    opened: Opened, open_folder: Path, journal: Made, start: datetime, ordinary_user: Made
) -> None:
    place = open_folder / "plays.db"
    with opened(place) as store:
        store.begin("p", journal(), start)
    open_folder.chmod(0o555)
    place.chmod(0o444)
    before = place.read_bytes()
    with ordinary_user():
        for at in (place, open_folder / "new.db", open_folder / "deep" / "new.db"):
            with pytest.raises(StoreError, match=r"cannot be written: let this user write in the folder .*, or name"):
                opened(at)
    assert place.read_bytes() == before
    assert sorted(each.name for each in open_folder.iterdir()) == ["plays.db", "plays.db.copy"]


def test_a_path_through_a_file_is_refused(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cannot be used \(.*\): name another place"):
        opened(tmp_path / "home" / "plays.db")


def test_a_file_held_by_another_program_is_not_taken_for_damaged(opened: Opened, filled: list[Any], path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is held by another program"):
            opened()
    assert list(opened().load("p")[1]) == filled


def test_a_link_keeps_its_copy_beside_the_real_file(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    link = tmp_path / "plays.db"
    link.symlink_to(tmp_path / "card" / "real.db")
    with opened(link):
        pass
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["card", "plays.db", "real.db", "real.db.copy"]


def test_odd_names_of_files(opened: Opened, tmp_path: Path, journal: Made, start: datetime) -> None:
    for name in ("a?mode=ro#x%20.db", "[*].db", "Zoë 山田.db", "two\nlines", "b.copy"):
        with opened(tmp_path / name) as store:
            store.begin("p", journal(), start)
        (tmp_path / name).unlink()
        with opened(tmp_path / name) as store:
            assert len(store.notices) == 1
            assert store.notices[0].isprintable()


def test_a_backup_is_one_whole_file(opened: Opened, filled: list[Any], path: Path, tmp_path: Path) -> None:
    target = tmp_path / "stick" / "plays.db"
    store = opened()
    store.backup(target)
    store.backup(target)
    assert [each.name for each in target.parent.iterdir()] == ["plays.db"]
    with opened(target) as again:
        assert list(again.load("p")[1]) == filled
    with pytest.raises(StoreError, match="is the database itself: name another file"):
        store.backup(path)
    with pytest.raises(StoreError, match="cannot be used"):
        store.backup(tmp_path)
    assert list(store.load("p")[1]) == filled


@pytest.mark.usefixtures("filled")
def test_a_backup_without_room_leaves_the_old_one(opened: Opened, tmp_path: Path, small_files: Made) -> None:
    target = tmp_path / "backup.db"
    target.write_bytes(b"old")
    store = opened()
    with small_files(33_000), pytest.raises(StoreError, match="cannot be read or written"):
        store.backup(target)
    assert target.read_bytes() == b"old"
    assert "backup.db.new" not in names(target)


class Interrupted(sqlite3.Connection):
    """After each of its statements, something else happens."""

    meanwhile: Callable[[], None]

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        cursor = super().execute(*arguments)
        self.meanwhile()
        return cursor


@pytest.mark.usefixtures("filled")
def test_what_another_companion_writes_meanwhile_does_not_look_like_damage(opened: Opened, path: Path) -> None:
    other = opened()
    results = (ScoreSheet(f"Round {number}", (0, 1, 2, 3)) for number in count(1))
    with closing(sqlite3.connect(path, isolation_level=None, factory=Interrupted)) as connection:
        connection.meanwhile = lambda: other.finish("p", START, next(results))
        assert schema.is_whole(connection)
    assert next(results).title != "Round 1"


def test_a_file_that_was_moved_away_takes_nothing_more_and_goes_on_when_it_is_back(opened: Opened, path: Path) -> None:
    store = opened()
    store.begin("p", Journal("cassa-grande", Setup(), {}), START)
    path.rename(path.with_name("elsewhere"))
    with pytest.raises(StoreError, match="was moved or deleted: put it back"):
        store.append("p", 0, entries(1))
    path.with_name("elsewhere").rename(path)
    store.append("p", 0, entries(1))
    assert store.load("p")[0].revision == 1
