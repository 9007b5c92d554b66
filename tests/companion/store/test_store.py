from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from companion.errors import StoreError
from companion.journal import Adjusted, Journal, Undone
from companion.kept import Kept, KeptRoll
from companion.store import Store

Opened = Callable[..., Store]
Made = Callable[..., Any]

ODD_NAMES = ["Zoë", "山田", 'The "Ace"', "two\nlines", "\u2028", "\x00", "\x1b[31m", "🂡", "", " "]


def test_a_play_comes_back_as_it_was_put_in(opened: Opened, journal: Made, kept: Made, start: datetime) -> None:
    here = timezone(timedelta(hours=5, minutes=45))
    entries = [*kept(3), Kept(Undone(), start.astimezone(here), 0.0), Kept(Adjusted(2, -7, "a gift\n"), start, 2.5)]
    with opened() as store:
        store.begin("p", journal("Ana", "Zoë"), start)
        store.append("p", 0, entries[:2])
        store.append("p", 2, entries[2:])
    again, told = opened().load("p")
    assert again == replace(journal("Ana", "Zoë"), entries=tuple(each.entry for each in entries))
    assert list(told) == entries


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_notes_and_reasons_survive(opened: Opened, journal: Made, start: datetime, name: str) -> None:
    store = opened()
    store.begin("p", journal(name, "Bo"), start)
    store.append("p", 0, [Kept(Adjusted(0, 1, name), start, 0.0)])
    store.note("p", name)
    again, _ = store.load("p")
    assert again.names == {0: name, 1: "Bo"}
    assert again.entries == (Adjusted(0, 1, name),)
    assert store.plays()[0].note == name


def test_half_a_character_is_refused_and_nothing_is_half_kept(opened: Opened, journal: Made, start: datetime) -> None:
    store = opened()
    with pytest.raises(StoreError, match=r"^The character '\\\\ud800' cannot be kept: type it again"):
        store.begin("p", journal("Bo", "\ud800"), start)
    assert store.plays() == ()
    store.begin("p", journal("Bo"), start)
    with pytest.raises(StoreError, match="cannot be kept"):
        store.append("p", 0, [Kept(Undone(), start, 0.0), Kept(Adjusted(0, 1, "\udfff"), start, 0.0)])
    assert store.load("p")[1] == ()


def test_every_entry_is_synced_before_append_returns(opened: Opened) -> None:
    store = opened()
    assert store.database.rows("PRAGMA journal_mode") == [("wal",)]
    assert store.database.rows("PRAGMA synchronous") == [(2,)]  # FULL
    assert store.database.rows("PRAGMA foreign_keys") == [(1,)]


@pytest.mark.parametrize("number", [0, 1, 3, 99, -1])
def test_a_number_that_is_not_the_next_is_refused(
    opened: Opened, journal: Made, kept: Made, start: datetime, number: int
) -> None:
    store = opened()
    store.begin("p", journal(), start)
    store.append("p", 0, kept(2))
    with pytest.raises(StoreError, match=r"another companion plays on in it\. Close one of the two"):
        store.append("p", number, kept(1, 2))
    store.append("p", 2, kept(1, 2))
    assert list(store.load("p")[1]) == kept(3)


def test_two_companions_cannot_interleave_in_one_play(
    opened: Opened, journal: Made, kept: Made, start: datetime
) -> None:
    one, other = opened(), opened()
    one.begin("p", journal(), start)
    one.append("p", 0, kept(1))
    assert list(other.load("p")[1]) == kept(1)  # two may read
    other.append("p", 1, kept(1, 1))
    with pytest.raises(StoreError, match="another companion"):
        one.append("p", 1, kept(1, 1))
    other.append("p", 2, kept(1, 2))
    assert list(one.load("p")[1]) == kept(3)


def test_exactly_one_unfinished_play_is_offered(
    opened: Opened, journal: Made, kept: Made, sheet: Made, start: datetime
) -> None:
    store = opened()
    assert store.unfinished() is None

    def shown() -> dict[str, str]:
        return {each.id: "finished" if each.finished else "left" if each.left else "open" for each in store.plays()}

    def offered() -> str | None:
        return play.id if (play := store.unfinished()) else None

    store.begin("a", journal(), start)
    store.begin("b", journal(), start - timedelta(days=9000))  # the clock had not been set
    assert (offered(), shown()) == ("b", {"a": "left", "b": "open"})
    store.append("b", 0, kept(1), sheet(1, 2, 3, 4))
    assert (offered(), shown()) == (None, {"a": "left", "b": "finished"})
    store.append("a", 0, kept(1))
    assert (offered(), shown()) == ("a", {"a": "open", "b": "finished"})
    store.append("b", 1, [Kept(Undone(), start, 0.0)])
    assert (offered(), shown()) == ("b", {"a": "left", "b": "open"})
    store.leave("b")
    assert (offered(), shown()) == (None, {"a": "left", "b": "left"})
    store.reopen("a")
    store.finish("a", start, sheet(1, 2, 3, 4))
    store.leave("a")
    assert (offered(), shown()) == (None, {"a": "finished", "b": "left"})
    store.reopen("a")
    assert (offered(), shown()) == ("a", {"a": "open", "b": "left"})


def test_what_a_list_of_plays_shows(opened: Opened, journal: Made, kept: Made, sheet: Made, start: datetime) -> None:
    end = start + timedelta(hours=1)
    with opened() as store:
        store.begin("p", journal("Ana", "", "Zoë"), start)
        store.append("p", 0, kept(3))
        store.append("p", 3, [Kept(Undone(), end, 5.0)], sheet(40, 40, 30, 20))
        store.note("p", "at Zoë's")
    (play,) = opened().plays()
    assert (play.id, play.game, play.seats) == ("p", "cassa-grande", (0, 1, 2, 3))
    assert play.names == {0: "Ana", 1: "", 2: "Zoë"}
    assert (play.started, play.finished, play.left, play.note) == (start, end, False, "at Zoë's")
    assert (play.revision, play.play_s) == (4, 10 + 10.125 + 10.25 + 5)
    assert play.totals == {0: 40, 1: 40, 2: 30, 3: 20}
    assert play.ranks == {0: 1, 1: 1, 2: 3, 3: 4}


def test_an_undo_after_the_end_takes_the_result_away(
    opened: Opened, journal: Made, kept: Made, sheet: Made, start: datetime
) -> None:
    store = opened()
    store.begin("p", journal(), start)
    store.append("p", 0, kept(2), sheet(4, 3, 2, 1))
    store.append("p", 2, [Kept(Adjusted(3, 9, "x"), start + timedelta(days=1), 0.0)], sheet(4, 3, 2, 10))
    play = store.plays()[0]
    assert (play.totals[3], play.ranks[3]) == (10, 1)
    assert play.finished == start + timedelta(minutes=1)  # it was over then; the table corrected it a day later
    store.append("p", 3, [Kept(Undone(), start, 0.0), Kept(Undone(), start, 0.0)])
    play = store.plays()[0]
    assert (play.finished, play.totals, play.ranks, play.left) == (None, {}, {}, False)


def test_the_newest_play_comes_first(opened: Opened, journal: Made, start: datetime) -> None:
    store = opened()
    west = timezone(timedelta(hours=-11))
    for name, hours in (("old", -1), ("new", 2), ("mid", 1)):
        store.begin(name, journal(), (start + timedelta(hours=hours)).astimezone(west if name == "mid" else None))
    assert [play.id for play in store.plays()] == ["new", "mid", "old"]


def test_what_is_not_here_is_refused_in_a_sentence(
    opened: Opened, journal: Made, kept: Made, sheet: Made, start: datetime
) -> None:
    store = opened()
    store.begin("p", journal(), start)
    with pytest.raises(StoreError, match="was begun before"):
        store.begin("p", journal(), start)
    for call in (
        lambda: store.append("q", 0, kept(1)),
        lambda: store.finish("q", start, sheet(1, 2, 3, 4)),
        lambda: store.reopen("q"),
        lambda: store.leave("q"),
        lambda: store.note("q", "x"),
        lambda: store.load("q"),
        lambda: store.rolled("q", 6, "led", start),
    ):
        with pytest.raises(StoreError, match=r"^The play 'q' is not kept here: choose one of the list\.$"):
            call()
    with pytest.raises(StoreError, match="does not know the game 'chess': update the companion"):
        store.begin("c", Journal("chess", None), start)
    assert [play.id for play in store.plays()] == ["p"]
    with pytest.raises(ValueError, match="time zone"):
        store.rolled("p", 6, "led", datetime(2026, 1, 1))  # noqa: DTZ001
    with pytest.raises(ValueError, match="no entry"):
        store.append("p", 0, [])


def test_rolls_are_logged_in_their_order(opened: Opened, journal: Made, start: datetime) -> None:
    with opened() as store:
        store.begin("p", journal(), start)
        store.rolled("p", 6, "led", start)
        store.rolled(None, 1, "typed", start - timedelta(days=1))
        store.rolled("p", 2, "camera", start)
    store = opened()
    first, second, third = (
        KeptRoll("p", 6, "led", start),
        KeptRoll(None, 1, "typed", start - timedelta(days=1)),
        KeptRoll("p", 2, "camera", start),
    )
    assert store.rolls() == (first, second, third)
    assert store.rolls("p") == (first, third)


def test_a_full_disk_loses_nothing_and_the_store_goes_on(
    opened: Opened, journal: Made, kept: Made, start: datetime
) -> None:
    store = opened()
    store.begin("p", journal("Ana"), start)
    store.append("p", 0, kept(2))
    ((pages,),) = store.database.rows("PRAGMA page_count")
    store.database.rows(f"PRAGMA max_page_count = {pages}")
    long: Kept[Any] = Kept(Adjusted(0, 1, "x" * 50_000), start, 0.0)
    with pytest.raises(StoreError, match=r"There is no room left on the disk for .*companion\.db: delete something"):
        store.append("p", 2, [kept(1, 2)[0], long])
    with pytest.raises(StoreError, match="no room left"):
        store.note("p", "x" * 50_000)
    assert list(store.load("p")[1]) == kept(2)
    assert store.plays()[0].note == ""
    store.database.rows("PRAGMA max_page_count = 100000")
    store.append("p", 2, [kept(1, 2)[0], long])
    assert list(opened().load("p")[1]) == [*kept(3), long]


def test_a_failing_disk_loses_nothing_and_the_store_goes_on(
    opened: Opened, journal: Made, kept: Made, start: datetime, path: Path, small_files: Made
) -> None:
    store = opened()
    store.begin("p", journal("Ana"), start)
    store.append("p", 0, kept(1))
    with small_files(path.with_name("companion.db-wal").stat().st_size + 100):
        with pytest.raises(StoreError, match="cannot be read or written: check the memory card, then do it again"):
            store.append("p", 1, kept(1, 1))
        assert list(store.load("p")[1]) == kept(1)
    store.append("p", 1, kept(1, 1))
    assert list(opened().load("p")[1]) == kept(2)


def test_another_program_that_holds_the_file_is_waited_for_and_then_named(
    opened: Opened, journal: Made, kept: Made, start: datetime, path: Path
) -> None:
    store = opened()
    store.begin("p", journal(), start)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is held by another program: close the other companion, then do it again"):
            store.append("p", 0, kept(1))
        assert store.load("p")[1] == ()
        assert opened().unfinished() is not None  # opening waits for nobody who only writes
        other.execute("ROLLBACK")
    store.append("p", 0, kept(1))
    assert list(store.load("p")[1]) == kept(1)


def test_a_play_that_cannot_be_read_is_named_and_the_others_are_there(
    opened: Opened, journal: Made, kept: Made, start: datetime
) -> None:
    store = opened()
    for play in ("a", "b", "c"):
        store.begin(play, journal(), start)
        store.append(play, 0, kept(3))
    with store.database.transaction() as connection:
        connection.execute("UPDATE entry SET line = 'nonsense' WHERE play = 'a' AND number = 1")
        connection.execute("DELETE FROM entry WHERE play = 'b' AND number = 1")
    with pytest.raises(StoreError, match=r"The play of 2026-11-30 cannot be read: .* backup\. Entry 2 is damaged"):
        store.load("a")
    with pytest.raises(StoreError, match="Entry 2 is damaged or missing"):
        store.load("b")
    assert list(store.load("c")[1]) == kept(3)
    assert len(store.plays()) == 3


def test_a_closed_store_is_a_mistake_of_ours(opened: Opened) -> None:
    store = opened()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.plays()


def test_what_could_not_be_read_again_is_not_kept(opened: Opened, journal: Made, kept: Made, start: datetime) -> None:
    store = opened()
    store.begin("p", journal("Ana"), start)
    with pytest.raises(StoreError, match="could not be read again"):
        store.append("p", 0, [*kept(1), Kept(Adjusted(0, 10**12, "x"), start, 0.0)])
    store.append("p", 0, kept(1))
    assert store.load("p")[0].revision == 1


def test_numbers_and_dates_that_do_not_fit_are_refused_in_a_sentence(opened: Opened, start: datetime) -> None:
    store = opened()
    too_early = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    for pips, wall in ((10**30, start), (3, too_early)):
        with pytest.raises(StoreError, match="too large to be kept"):
            store.rolled(None, pips, "typed", wall)
    assert store.rolls() == ()
