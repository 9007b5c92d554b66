"""Plays brought back from a backup: nothing that is here is changed, and one bad play stops no other."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.errors import StoreError
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Journal, Played
from companion.kept import Kept
from companion.store import Store
from ui.backup import back_up
from ui.desk import RULES
from ui.restore import bring_back, bring_photographs_back, found, ready

WALL = datetime(2026, 12, 1, 20, 15, tzinfo=UTC)


def begin(store: Store, play: str, cards: int) -> None:
    store.begin(play, Journal("cassa-grande", Setup(), {0: "Zoë"}), WALL)
    lay(store, play, range(cards))


def lay(store: Store, play: str, numbers: range) -> None:
    for number in numbers:
        store.append(play, number, [Kept(Played(Placed(number % 4, (0, number))), WALL, 1.0)])


def opened(folder: Path) -> Store:
    return Store.open(folder / "plays.sqlite", RULES, WALL)


def brought(store: Store, backup: Path) -> list[tuple[int | None, str]]:
    return [(each.added, each.problem) for each in bring_back(store, ready(backup).plays.values(), str(backup))]


def test_what_is_missing_is_added_and_what_is_here_stays(tmp_path: Path) -> None:
    with opened(tmp_path / "old") as store:
        begin(store, "one", 3)
        begin(store, "two", 2)
        backup = back_up(store, tmp_path / "backups", WALL)
        begin(store, "three", 1)
        lay(store, "two", range(2, 4))
        assert brought(store, backup) == [(None, ""), (None, "")]
        assert {play.id: play.revision for play in store.plays()} == {"one": 3, "two": 4, "three": 1}
    with opened(tmp_path / "new") as store:
        assert brought(store, backup) == [(3, ""), (2, "")]
        assert store.whole("one").journal.names == {0: "Zoë"}
        assert store.whole("two").kept[1].spent_s == 1.0
        assert brought(store, backup) == [(None, ""), (None, "")]


def test_a_play_that_went_another_way_here_is_left_and_told_and_the_others_come(tmp_path: Path) -> None:
    with opened(tmp_path / "old") as store:
        begin(store, "one", 2)
        begin(store, "two", 2)
        backup = back_up(store, tmp_path / "backups", WALL)
    with opened(tmp_path / "new") as store:
        store.begin("one", Journal("cassa-grande", Setup(), {}), WALL)
        results = brought(store, backup)
        assert [added for added, _problem in results] == [None, 2]
        assert "with other entries, and was not changed" in results[0][1]
        assert store.whole("one").journal.revision == 0


def test_a_play_that_is_damaged_in_the_backup_is_told_and_the_others_come(tmp_path: Path) -> None:
    with opened(tmp_path / "old") as store:
        begin(store, "one", 2)
        begin(store, "two", 2)
        backup = back_up(store, tmp_path / "backups", WALL)
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("UPDATE entry SET line = 'A 9,9 ?' WHERE play = 'one' AND number = 1")
    before = backup.read_bytes()
    read = ready(backup)
    assert list(read.plays) == ["two"]
    assert "Entry 2 is damaged" in read.problems[0]
    assert backup.read_bytes() == before
    assert [path.name for path in backup.parent.iterdir()] == [backup.name]


def test_a_backup_that_cannot_be_read_changes_nothing(tmp_path: Path) -> None:
    damaged = tmp_path / "plays-20261201-201500.sqlite"
    damaged.write_bytes(b"SQLite format 3\0" + bytes(5000))
    with pytest.raises(StoreError):
        ready(damaged)


def test_backups_are_found_newest_first_and_photographs_come_back(tmp_path: Path) -> None:
    mine, backups = tmp_path / "photographs", tmp_path / "backups"
    (mine / "one").mkdir(parents=True)
    (mine / "one" / "1.jpg").write_bytes(b"first")
    with opened(tmp_path / "old") as store:
        older = back_up(store, backups, WALL, mine)
        newer = back_up(store, backups, WALL + timedelta(days=1))
    assert [backup.path for backup in found(backups)] == [newer, older]
    (mine / "one" / "1.jpg").write_bytes(b"changed here")
    other = tmp_path / "elsewhere"
    bring_photographs_back(older, mine)
    bring_photographs_back(older, other)
    assert (mine / "one" / "1.jpg").read_bytes() == b"changed here"
    assert (other / "one" / "1.jpg").read_bytes() == b"first"
