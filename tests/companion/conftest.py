"""A session over a real file, for the tests of what a whole play does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.clock import Moment
from companion.game import Game
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.placing import legal_cells
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase
from companion.intents import Make
from companion.journal import Journal
from companion.session import Manners, Session
from companion.sight import Match, Outcome, Proposal, Reading
from companion.store import Store

GAME = GAMES["cassa-grande"]
RULES = {name: game.rules for name, game in GAMES.items()}
NAMES = {0: "Ana", 1: "Ben", 2: "Zoë", 3: "Łukasz"}
SEEN = Reading(Outcome.ASK, (), (), ())


class Play:
    """A play that is kept in a file, with a clock that a test turns, and a camera that sees what a test says."""

    def __init__(self, path: Path, setup: Setup, manners: Manners) -> None:
        self.s, self.wall = 1000.0, datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
        self.proposal: Proposal[Any] = Proposal(Match.SETTLED)
        self.game: Game = replace(GAME, propose=lambda _state, _reading: self.proposal)
        self.path, self.manners = path, manners
        names = {seat: NAMES[seat] for seat in setup.seats}
        journal: Journal[Any, Any] = Journal("cassa-grande", setup, names)
        self.store = Store.open(path, RULES, self.wall)
        self.store.begin("p", journal, self.wall)
        self.session: Session[Any, Any, Any] = Session(self.game, "p", journal, self.store, self.now, manners=manners)

    @property
    def now(self) -> Moment:
        return Moment(self.s, self.wall)

    @property
    def view(self) -> Any:
        """The view, of any type: what may be None in it is asked for where a test knows that it is there."""
        return self.session.view(self.now)

    def wait(self, seconds: float) -> Play:
        self.s += seconds
        self.wall += timedelta(seconds=seconds)
        return self

    def handle(self, *intents: Any) -> Play:
        for intent in intents:
            self.session.handle(intent, self.now)
        return self

    def lay(self, *cells: tuple[int, int]) -> Play:
        for cell in cells:
            self.handle(Make(Placed(self.session.state.turn, cell)))
        return self

    def see(self, proposal: Proposal[Any]) -> Play:
        self.proposal = proposal
        self.session.see(SEEN, self.session.revision, self.now)
        return self

    def lay_all(self) -> Play:
        while self.session.state.phase is Phase.PLACE:
            self.lay(next(iter(legal_cells(self.session.state))))
        return self

    def resume(self) -> Play:
        """The plug is pulled, and the play comes back from the file."""
        self.store.close()
        self.store = Store.open(self.path, RULES, self.wall)
        journal, kept = self.store.load("p")
        self.session = Session(self.game, "p", journal, self.store, self.now, kept, self.manners)
        assert self.session.refused is None
        return self


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Play]]:
    """Begins a play: of this setup, with these manners."""
    begun: list[Play] = []

    def make(setup: Setup | None = None, manners: Manners | None = None) -> Play:
        path = tmp_path / f"plays{len(begun)}.sqlite"
        begun.append(Play(path, setup or Setup(players=2), manners or Manners()))
        return begun[-1]

    yield make
    for play in begun:
        play.store.close()
