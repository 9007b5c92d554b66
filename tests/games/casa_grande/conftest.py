"""Positions of Casa Grande, by hand and by chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from companion.games.casa_grande import rules
from companion.games.casa_grande.moves import Built, Floored, Move
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


@pytest.fixture
def by_chance() -> Callable[..., State]:
    """The state after so many random moves of a play, or at its end."""

    def run(seed: int, length: int, setup: Setup | None = None) -> State:
        chance = random.Random(seed)
        state = rules.new(setup or Setup())
        for _ in range(length):
            if state.phase is Phase.OVER:
                break
            state, _events = rules.apply(state, _chosen(state, chance))
        return state

    return run


def _chosen(state: State, chance: random.Random) -> Move:
    """A legal move; few bought steps, and now and then a platform, so that others may still be laid."""
    listed = list(rules.legal_moves(state))
    floors = [move for move in listed if isinstance(move, Floored)]
    if floors and chance.random() < 0.25:
        return chance.choice(floors)
    if state.phase is Phase.STEP:
        return chance.choice(listed[:3])
    return listed[0] if floors else chance.choice(listed)
