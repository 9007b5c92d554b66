"""What finished plays say about the players, as queries.

Plays are told apart by game, by the title of the sheet that decided them (a round's total and a tournament's standing
are not of one measure), and by which end wins. One person at two seats counts once a play, with the better seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from companion.store import Store


@dataclass(frozen=True, slots=True)
class Record:
    """One player in one kind of play. `wins` counts shared ones too; `best` is the least total when `lower_wins`.

    `last_played` is in UTC; `play_s` is the active time of all these plays, in seconds.
    """

    player: str
    game: str
    title: str
    lower_wins: bool
    plays: int
    wins: int
    best: int
    worst: int
    mean: float
    last_played: datetime
    play_s: float


@dataclass(frozen=True, slots=True)
class Meeting:
    """How often one player was ahead of another in the plays of a game in which both took part."""

    player: str
    other: str
    game: str
    plays: int
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True, slots=True)
class Result:
    """What one player had in one finished play; `shared` counts all who had the same rank. `finished` is in UTC."""

    play: str
    game: str
    title: str
    finished: datetime
    rank: int
    total: int
    shared: int


def players(store: Store) -> tuple[str, ...]:
    """Everybody who ever had a seat, by name, as it was first written. Raises: StoreError."""
    return tuple(name for (name,) in store.database.rows("SELECT name FROM player ORDER BY key"))


def records(store: Store) -> tuple[Record, ...]:
    """Every player's records, by name and game. Raises: StoreError."""
    found = store.database.rows(
        """
        SELECT player.name, game, title, lower_wins, count(*), sum(rank = 1),
               CASE WHEN lower_wins THEN min(total) ELSE max(total) END,
               CASE WHEN lower_wins THEN max(total) ELSE min(total) END,
               avg(total), max(finished), sum(play_s)
        FROM result JOIN player ON player.id = result.player
        GROUP BY player.id, game, title, lower_wins
        ORDER BY player.key, game, title, lower_wins
        """
    )
    return tuple(
        Record(player, game, title, bool(lower), plays, wins, best, worst, mean, datetime.fromisoformat(last), play_s)
        for player, game, title, lower, plays, wins, best, worst, mean, last, play_s in found
    )


def meetings(store: Store) -> tuple[Meeting, ...]:
    """Every pair of players that met, from both sides, by name and game. Raises: StoreError."""
    found = store.database.rows(
        """
        SELECT player.name, other.name, mine.game, count(*),
               sum(mine.rank < theirs.rank), sum(mine.rank > theirs.rank), sum(mine.rank = theirs.rank)
        FROM result AS mine
        JOIN result AS theirs ON theirs.play = mine.play AND theirs.player <> mine.player
        JOIN player ON player.id = mine.player
        JOIN player AS other ON other.id = theirs.player
        GROUP BY player.id, other.id, mine.game
        ORDER BY player.key, other.key, mine.game
        """
    )
    return tuple(Meeting(*row) for row in found)


def results(store: Store, player: str) -> tuple[Result, ...]:
    """One player's finished plays, the oldest first. Raises: StoreError."""
    found = store.database.rows(
        """
        SELECT play, game, title, finished, rank, total,
               (SELECT count(*) FROM seat WHERE seat.play = result.play AND seat.rank = result.rank)
        FROM result JOIN player ON player.id = result.player
        WHERE player.name = ?
        ORDER BY finished, play
        """,
        player,
    )
    return tuple(
        Result(play, game, title, datetime.fromisoformat(finished), rank, total, shared)
        for play, game, title, finished, rank, total, shared in found
    )


def by_age(store: Store) -> tuple[str, ...]:
    """The ids of all plays, the oldest first, but those that may still go on after all others. Raises: StoreError."""
    found = store.database.rows("SELECT id FROM play ORDER BY status <> 'finished', started, rowid")
    return tuple(play for (play,) in found)
