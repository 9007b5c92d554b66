"""One play of the past, made ready to be looked through."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.game import Game
from companion.games import GAMES
from companion.journal import sheets, stand
from companion.kept import WholePlay
from companion.score import ScoreSheet
from companion.store import Store
from companion.telling import Telling
from companion.view import Line
from ui.photographs import Photographs


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """A play as it stands after all its entries, or before the first that the rules refuse today.

    `sheets` are those with lines; `lines` tell the entries that hold; `photographs` are files by the entry's number,
    from 0. `whole` says whether all entries hold.
    """

    game: Game
    play: WholePlay
    sheets: tuple[ScoreSheet, ...]
    lines: tuple[Line, ...]
    over: bool
    whole: bool
    photographs: dict[int, Path]

    @property
    def play_s(self) -> float:
        """All active time, in seconds."""
        return sum(kept.spent_s for kept in self.play.kept)


def past(store: Store, photographs: Photographs, play: str) -> Past:
    """A play that is kept; any thread may call this. Raises: CompanionError."""
    with store.reader() as reader:
        whole = reader.whole(play)
    game, journal = GAMES[whole.journal.game], whole.journal
    standing, refused = stand(game.rules, journal)
    return Past(
        game=game,
        play=whole,
        sheets=tuple(sheet for sheet in sheets(game.rules, standing) if sheet.lines),
        lines=Telling(game, journal.names).history(standing),
        over=next(iter(game.rules.legal_moves(standing.state)), None) is None,
        whole=refused is None,
        photographs=photographs.of(play),
    )
