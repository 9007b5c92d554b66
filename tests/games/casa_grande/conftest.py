from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from companion.games.casa_grande import rules
from companion.games.casa_grande.moves import Built, Floored
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import Phase, State
from companion.rules import Event


@pytest.fixture
def play() -> Callable[..., State]:
    """Plays the moves given as text, from a setup or a state, and returns the state."""

    def run(start: Setup | State, *moves: str) -> State:
        state = rules.new(start) if isinstance(start, Setup) else start
        for text in moves:
            state, _ = rules.apply(state, rules.read(text))
        return state

    return run


@pytest.fixture
def table() -> Callable[..., State]:
    """Puts blocks and platforms on the table, from below, whoever's turn it is; then a seat is at turn in a phase."""

    def run(start: Setup | State, *moves: str, turn: str = "A", phase: Phase = Phase.FLOOR) -> State:
        state = rules.new(start) if isinstance(start, Setup) else start
        for text in moves:
            move = rules.read(text)
            state = replace(state, turn=move.seat, phase={Built: Phase.BLOCK, Floored: Phase.FLOOR}[type(move)])
            state, _ = rules.apply(state, move, agreed=True)
        return replace(state, turn="ABCD".index(turn), phase=phase)

    return run


@pytest.fixture
def refused() -> Callable[..., str | None]:
    """The name of the rule that refuses a move given as text."""

    def ask(state: State, text: str, *, agreed: bool = False) -> str | None:
        refusal = rules.refusal(state, rules.read(text), agreed)
        return refusal.rule if refusal else None

    return ask


@pytest.fixture
def events() -> Callable[[State, str], list[str]]:
    """The names of the events that a move given as text brings about."""

    def ask(state: State, text: str) -> list[str]:
        found: Sequence[Event] = rules.apply(state, rules.read(text))[1]
        return [event.name for event in found]

    return ask
