"""One play in sentences: what its moves, refusals and proposals are called, with the players' names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import Game
from companion.journal import Standing, Step
from companion.rules import Event, Refusal, Seat
from companion.sight import Option, Proposal
from companion.view import Line
from companion.wording import adjusted_sentence, event_sentence, refusal_sentence


@dataclass(frozen=True, slots=True)
class Telling:
    """A game's sentences with the names of those who play; one for each play. `told` is what it has said before."""

    game: Game
    names: Mapping[Seat, str]
    told: dict[int, Line] = field(default_factory=dict)

    def events(self, events: Iterable[Event]) -> tuple[str, ...]:
        """What happened."""
        return tuple(event_sentence(self.game.sentences, event, self.names) for event in events)

    def refusal(self, why: Refusal) -> str:
        """Why not, and what to do instead."""
        return refusal_sentence(self.game.sentences, why, self.names)

    def prompt(self, state: Any) -> str:
        """What to do now."""
        return self.events([self.game.prompt(state)])[0]

    def hands(self, before: Any, after: Any) -> tuple[str, ...]:
        """What the hands must change on the table, in order."""
        return self.events(self.game.hands(before, after))

    def options(self, state: Any, proposal: Proposal[Any]) -> tuple[str, ...]:
        """What each option of a proposal means."""
        return tuple(self._option(state, option) for option in proposal.options)

    def _option(self, state: Any, option: Option[Any]) -> str:
        """The first event of a move is the move itself; what follows from it is told when it was made."""
        told: list[Event] = []
        for move in option.moves:
            state, events = self.game.rules.apply(state, move)
            told += events[:1]
        return " ".join(self.events(told))

    def history(self, standing: Standing[Any, Any]) -> tuple[Line, ...]:
        """The entries that hold. What an entry meant never changes, so each is put into words once."""
        steps = standing.steps[1:]
        for step in steps:
            if step.number not in self.told:
                self.told[step.number] = Line(step.number, self._meant(step))
        return tuple(self.told[step.number] for step in steps)

    def _meant(self, step: Step[Any]) -> tuple[str, ...]:
        if (by := step.adjusted) is not None:
            return (adjusted_sentence(by.seat, by.points, by.reason, self.names),)
        return self.events(step.events)
