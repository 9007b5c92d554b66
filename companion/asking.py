"""From a proposal to the question that is asked: vision proposes, the rules dispose, a person confirms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from companion.intents import Confirm, Control, Pressed, Reject, Undo
from companion.journal import Amended, Entry, Played, Standing, refusal
from companion.rules import Refusal, Rules, Seat
from companion.sight import Match, Proposal
from companion.view import Question

UNSEEN_S = 0.3
"""A button pressed sooner than this after a question came up was not an answer to it."""

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
    return first is not None and any(taken.entry == Played(first) for taken in standing.taken_back[-1:])


def may_be_agreed(
    rules: Rules[Any, StateT, MoveT], setup: Any, standing: Standing[StateT, MoveT], entry: Entry[MoveT]
) -> bool:
    """Whether the table may agree to what is refused: only rules that can be waived speak against it."""
    if not isinstance(entry, Played | Amended):
        return False
    return refusal(rules, setup, standing, replace(entry, agreed=True)) is None


def goes_unasked(proposal: Proposal[MoveT], standing: Standing[Any, MoveT]) -> bool:
    """Whether it may be taken without asking: it is clear, and not what was undone."""
    return proposal.match is Match.CLEAR and bool(proposal.options) and not is_undone(proposal, standing)


def meant(
    press: Pressed, question: Question[Any] | None, to_act: tuple[Seat, ...]
) -> Confirm | Reject | Undo | Refusal | str | None:
    """What a button means now: an intent, a refusal, or the name in `wording.TOLD` of why it means nothing.

    It never hides a question: it answers it, or the question stays. None: it was pressed before it could be an answer.
    """
    match press.control:
        case Control.CONFIRM | Control.SEAT if question is not None:
            return _answer(press, question, to_act)
        case Control.UNDO:
            return Undo() if question is None else Reject(question.revision)
        case Control.CONFIRM | Control.SEAT:
            return "nothing_to_confirm"
        case _:
            return None


def _answer(press: Pressed, question: Question[Any], to_act: tuple[Seat, ...]) -> Confirm | Refusal | str | None:
    if press.at_s < question.since_s + UNSEEN_S:
        return None
    if press.control is Control.SEAT and to_act and press.seat not in to_act:
        return Refusal("not_your_button", {"seat": to_act[0]})
    if question.proposal.match is Match.CLEAR:
        return Confirm(question.revision)
    if not question.proposal.options:
        return "unexplained"
    return "choose_one" if len(question.proposal.options) > 1 else "unsure"
