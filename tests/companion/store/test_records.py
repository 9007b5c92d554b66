from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from companion.errors import StoreError
from companion.journal import Journal
from companion.records import Meeting, Result, by_age, meetings, players, records, results
from companion.score import ScoreSheet
from companion.store import Store

Played = Callable[..., None]


@pytest.fixture
def store(opened: Callable[..., Store]) -> Store:
    return opened()


@pytest.fixture
def played(
    store: Store, journal: Callable[..., Journal[Any, Any]], kept: Callable[..., Any], start: datetime
) -> Played:
    """Plays to the end: the names by seat, and the result. Each play is a day later and has one entry of 10 s."""

    def play(names: tuple[str, ...], result: ScoreSheet) -> None:
        number = len(store.plays())
        store.begin(f"p{number}", journal(*names, players=len(result.seats)), start + timedelta(days=number))
        store.append(f"p{number}", 0, kept(1))
        store.finish(f"p{number}", start + timedelta(days=number, hours=1), result)

    return play


def test_records_of_a_few_evenings(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet], start: datetime
) -> None:
    played(("Ana", "Bo", "Zoë", "Di"), sheet(40, 40, 30, 20))
    played(("Zoë", "Ana", "Bo", ""), sheet(50, 10, 31, 60))
    played(("Ana", "Zoë"), sheet(7, 9, seats=(0, 2)))
    store.begin("open", store.load("p0")[0], start + timedelta(days=50))  # not finished: counts nowhere
    ana, bo, di, zoe = records(store)
    assert [each.player for each in (ana, bo, di, zoe)] == ["Ana", "Bo", "Di", "Zoë"]
    assert (ana.game, ana.title, ana.lower_wins) == ("cassa-grande", "Round 1", False)
    assert (ana.plays, ana.wins, ana.best, ana.worst, ana.mean, ana.play_s) == (3, 1, 40, 7, 19.0, 30.0)
    assert ana.last_played == start + timedelta(days=2, hours=1)
    assert (bo.plays, bo.wins, bo.best, bo.worst, bo.mean) == (2, 1, 40, 31, 35.5)
    assert (di.plays, di.wins, di.last_played) == (1, 0, start + timedelta(hours=1))
    assert (zoe.plays, zoe.wins, zoe.best, zoe.worst) == (3, 1, 50, 9)


def test_who_was_ahead_of_whom(store: Store, played: Played, sheet: Callable[..., ScoreSheet]) -> None:
    played(("Ana", "Bo", "Cy", ""), sheet(40, 40, 30, 20))
    played(("Bo", "Ana"), sheet(5, 4, seats=(0, 2), lower=True))
    assert meetings(store) == (
        Meeting("Ana", "Bo", "cassa-grande", plays=2, ahead=1, behind=0, level=1),
        Meeting("Ana", "Cy", "cassa-grande", plays=1, ahead=1, behind=0, level=0),
        Meeting("Bo", "Ana", "cassa-grande", plays=2, ahead=0, behind=1, level=1),
        Meeting("Bo", "Cy", "cassa-grande", plays=1, ahead=1, behind=0, level=0),
        Meeting("Cy", "Ana", "cassa-grande", plays=1, ahead=0, behind=1, level=0),
        Meeting("Cy", "Bo", "cassa-grande", plays=1, ahead=0, behind=1, level=0),
    )


def test_the_smaller_total_is_the_better_one_where_it_wins(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet]
) -> None:
    played(("Ana", "Bo", "Cy", "Di"), sheet(4, 9, 9, 9, lower=True))
    played(("Ana", "Bo", "Cy", "Di"), sheet(8, 3, 9, 9, lower=True))
    played(("Ana", "Bo", "Cy", "Di"), sheet(50, 1, 2, 3))
    higher, lower = (each for each in records(store) if each.player == "Ana")
    assert (higher.lower_wins, higher.plays, higher.wins, higher.best) == (False, 1, 1, 50)
    assert (lower.lower_wins, lower.plays, lower.wins, lower.best, lower.worst) == (True, 2, 1, 4, 8)


def test_a_tournament_is_another_measure_than_a_round(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet]
) -> None:
    played(("Ana",), sheet(40, 1, 2, 3))
    played(("Ana",), sheet(9, 10, 8, 6, title="Standing"))
    assert [(each.title, each.best, each.wins) for each in records(store)] == [("Round 1", 40, 1), ("Standing", 9, 0)]


def test_one_person_is_one_player_however_the_name_is_typed(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet]
) -> None:
    for name in ("Zoë", " zoe\u0308 ", "ZOË", "Zoë\n"):
        played((name, "Bo"), sheet(1, 2, 3, 4))
    assert players(store) == ("Bo", "Zoë")
    assert [(each.player, each.plays) for each in records(store)] == [("Bo", 4), ("Zoë", 4)]


def test_one_person_at_two_seats_counts_once_with_the_better_one(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet]
) -> None:
    played(("Ana", "Ana", "Bo", "Bo"), sheet(30, 40, 20, 10))
    ana, bo = records(store)
    assert (ana.plays, ana.wins, ana.best, ana.worst, ana.play_s) == (1, 1, 40, 40, 10.0)
    assert (bo.plays, bo.wins, bo.best) == (1, 0, 20)
    assert [(each.player, each.plays, each.ahead) for each in meetings(store)] == [("Ana", 1, 1), ("Bo", 1, 0)]


def test_without_plays_there_is_nothing_to_tell(store: Store) -> None:
    assert (players(store), records(store), meetings(store)) == ((), (), ())


def test_one_players_results_in_their_order(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet], start: datetime
) -> None:
    played(("Ana", "Bo", "Cy", "Di"), sheet(40, 40, 30, 20))
    played(("Bo", "Ana"), sheet(5, 4, seats=(0, 2), lower=True))
    ended = start + timedelta(hours=1)
    assert results(store, "Ana") == (
        Result("p0", "cassa-grande", "Round 1", ended, rank=1, total=40, shared=2),
        Result("p1", "cassa-grande", "Round 1", ended + timedelta(days=1), rank=1, total=4, shared=1),
    )
    assert results(store, "Nobody") == ()


def test_finished_plays_are_older_than_those_that_may_go_on(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet], start: datetime
) -> None:
    played(("Ana", "Bo"), sheet(5, 4, seats=(0, 2)))
    played(("Ana", "Bo"), sheet(5, 4, seats=(0, 2)))
    store.begin("first", store.load("p0")[0], start - timedelta(days=50))
    assert by_age(store) == ("p0", "p1", "first")


def test_a_deleted_play_counts_nowhere_and_another_thread_sees_it_too(
    store: Store, played: Played, sheet: Callable[..., ScoreSheet], start: datetime
) -> None:
    played(("Ana", "Bo"), sheet(5, 4, seats=(0, 2)))
    played(("Ana", "Cy"), sheet(5, 4, seats=(0, 2)))
    store.rolled("p0", 5, "die", start)
    store.delete("p0")
    with store.reader() as reader:
        assert [play.id for play in reader.plays()] == ["p1"]
        assert players(reader) == ("Ana", "Cy")
        assert [(record.player, record.plays) for record in records(reader)] == [("Ana", 1), ("Cy", 1)]
        assert [(roll.play, roll.pips) for roll in reader.rolls()] == [(None, 5)]
        with pytest.raises(StoreError):
            reader.note("p1", "a reader cannot write")
    with pytest.raises(StoreError):
        store.delete("p0")
