"""What a screen draws of a play, as far as it changes with the journal alone."""

from __future__ import annotations

from typing import TypeVar

from companion.clock import Times
from companion.game import Game
from companion.journal import Journal, Standing, sheets
from companion.telling import Telling
from companion.view import View

SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


def is_over(game: Game, state: object) -> bool:
    """Whether no move is left."""
    return next(iter(game.rules.legal_moves(state)), None) is None


def drawn(
    game: Game, play: str, journal: Journal[SetupT, MoveT], standing: Standing[StateT, MoveT], telling: Telling
) -> View[StateT, MoveT]:
    """The view of a play that nobody has asked anything about, with clocks at zero."""
    rules = game.rules
    return View(
        play=play,
        game=game.name,
        names=dict(journal.names),
        seats=rules.seats(journal.setup),
        revision=journal.revision,
        state=standing.state,
        to_act=rules.to_act(standing.state),
        over=is_over(game, standing.state),
        prompt=telling.prompt(standing.state),
        happened=telling.meant(standing.steps[-1:]),
        announced=telling.events(event for event in standing.steps[-1].events if event.name in game.loud),
        hands=(),
        put_back=True,
        sheets=sheets(rules, standing),
        history=telling.history(standing),
        undoable=standing.undoable,
        redoable=len(standing.taken_back),
        times=Times(0.0, {}, 0.0, paused=False),
        question=None,
        message=None,
        sighting="",
    )
