"""From a proposal to the question that is asked: vision proposes, the rules dispose, a person confirms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from companion.journal import Played, Standing
from companion.rules import Rules
from companion.sight import Match, Proposal

MoveT = TypeVar("MoveT")
StateT = TypeVar("StateT")


def asked(proposal: Proposal[MoveT]) -> tuple[tuple[MoveT, ...], ...]:
    """What is asked, however sure the reading is."""
    return tuple(option.moves for option in proposal.options)


def playable(rules: Rules[Any, StateT, MoveT], state: StateT, proposal: Proposal[MoveT]) -> Proposal[MoveT]:
    """The proposal without what the rules refuse; where something was left out it is never clear."""
    options = tuple(option for option in proposal.options if _holds(rules, state, option.moves))
    if options == proposal.options:
        return proposal
    return replace(proposal, match=Match.AMBIGUOUS if options else Match.UNEXPLAINED, options=options)


def _holds(rules: Rules[Any, StateT, MoveT], state: StateT, moves: tuple[MoveT, ...]) -> bool:
    for move in moves:
        if rules.refusal(state, move) is not None:
            return False
        state, _ = rules.apply(state, move)
    return bool(moves)


def is_undone(proposal: Proposal[MoveT], standing: Standing[Any, MoveT]) -> bool:
    """Whether it is what was undone last: the table may not have been put back yet."""
    first = proposal.options[0].moves[0] if proposal.options else None
    return first is not None and standing.taken_back[-1:] == (Played(first),)


def goes_unasked(proposal: Proposal[MoveT], standing: Standing[Any, MoveT]) -> bool:
    """Whether it may be taken without asking: it is clear, and not what was undone."""
    return proposal.match is Match.CLEAR and bool(proposal.options) and not is_undone(proposal, standing)


def in_vain(proposal: Proposal[Any]) -> str:
    """Why a button cannot answer this, by its name in `companion.wording.TOLD`."""
    if not proposal.options:
        return "unexplained"
    return "choose_one" if len(proposal.options) > 1 else "unsure"
