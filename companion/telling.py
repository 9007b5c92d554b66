"""One play in sentences: what its moves, refusals and proposals are called, with the players' names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.game import Game
from companion.journal import Standing, Step, gathered
from companion.rules import Event, Refusal, Seat
from companion.sight import Option, Proposal
from companion.view import Line, Question
from companion.wording import adjusted_sentence, agreed_sentence, event_sentence, refusal_sentence


@dataclass(frozen=True, slots=True)
class Telling:
    """A game's sentences with the names of those who play; one for each play. `told` is what it has said before."""

    game: Game
    names: Mapping[Seat, str]
    told: dict[int, tuple[Step[Any, Any], Line]] = field(default_factory=dict)

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

    def asked_anew(self, state: Any, question: Question[Any] | None) -> Question[Any] | None:
        """The question in these sentences, without the camera's reason; one that offers no move is not asked again."""
        if question is None or not question.proposal.options:
            return None
        proposal = replace(question.proposal, reason=None)
        return replace(question, proposal=proposal, sentences=self.options(state, proposal))

    def _option(self, state: Any, option: Option[Any]) -> str:
        """The first event of a move is the move itself; what follows from it is told when it was made."""
        told: list[Event] = []
        for move in option.moves:
            state, events = self.game.rules.apply(state, move)
            told += events[:1]
        return " ".join(self.events(told))

    def history(self, standing: Standing[Any, Any]) -> tuple[Line, ...]:
        """The entries that hold. What a step meant never changes, so each is put into words once."""
        return tuple(self._line(group) for group in gathered(standing.steps[1:]))

    def _line(self, group: tuple[Step[Any, Any], ...]) -> Line:
        first, last = group[0], group[-1]
        known = self.told.get(first.number)
        # An amendment gives other steps to the same entries.
        if known is None or known[0] is not last:
            known = self.told[first.number] = last, Line(first.number, self.meant(group), len(group))
        return known[1]

    def meant(self, group: tuple[Step[Any, Any], ...]) -> tuple[str, ...]:
        """What steps that are told together have meant."""
        step, adjusted = group[-1], [step.adjusted for step in group if step.adjusted is not None]
        if adjusted:
            points = sum(each.points for each in adjusted)
            return (adjusted_sentence(adjusted[0].seat, points, adjusted[0].reason, self.names),)
        if step.waived is None:
            return self.events(step.events)
        agreed = agreed_sentence(self.game.sentences, step.waived, self.names)
        return (*self.events(step.events[:1]), agreed, *self.events(step.events[1:]))
