"""Positions of Casa Grande, by hand and by chance."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.games.casa_grande import rules
from companion.games.casa_grande.moves import Floored, Move
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import Phase, State

Play = Callable[..., State]
ByChance = Callable[..., State]


@pytest.fixture
def play() -> Play:
    """Plays the moves given as text, from a setup or a state, and returns the state."""

    def run(start: Setup | State, *moves: str) -> State:
        state = rules.new(start) if isinstance(start, Setup) else start
        for text in moves:
            move = rules.read(text)
            assert rules.refusal(state, move) is None, text
            state, _ = rules.apply(state, move)
        return state

    return run


@pytest.fixture
def by_chance() -> ByChance:
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
