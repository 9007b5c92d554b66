"""Plays by chance always end, and never break what the digest says."""

from __future__ import annotations

import random
from itertools import islice, pairwise

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase, State, box_size, cells

VARIANTS = ["", "A", "B", "C", "D", "E", "AC", "BE", "ABCDE"]


def random_play(setup: Setup, seed: int) -> list[State]:
    chance = random.Random(seed)
    states = [rules.new(setup)]
    while states[-1].phase != Phase.OVER:
        move = chance.choice(list(islice(rules.legal_moves(states[-1]), 500)))
        states.append(rules.apply(states[-1], move)[0])
        assert len(states) < 1000, "the play does not end"
    return states


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("variants", VARIANTS)
def test_random_play_ends(players: int, variants: str) -> None:
    setup = Setup(players=players, variants=frozenset(variants), rounds=2)
    states = random_play(setup, seed=len(variants) + players)
    assert len(states[-1].rounds) == 2
    for finished in states[-1].rounds:
        shown = sorted("".join(finished.rows).replace(".", ""))
        assert shown == sorted(setup.cards)
        assert {len(row) for row in finished.rows} == {len(finished.rows)} == {setup.frame}
    for state in states:
        held = sum(hand.size + hand.waiting for hand in state.hands)
        if state.phase in (Phase.PLACE, Phase.SWAP, Phase.TURN_OVER):
            assert held + len(state.layout) == len(setup.cards)
        if state.layout:
            assert max(box_size(cells(state))) <= setup.frame


@pytest.mark.parametrize("seed", range(5))
def test_no_comma_is_played_before_the_limits_are_set(seed: int) -> None:
    setup = Setup(variants=frozenset("A"))
    states = random_play(setup, seed)
    for before, after in pairwise(states):
        new = after.layout[len(before.layout) :]
        if new and new[0].face == ",":
            hand_is_comma_only = before.hand(new[0].seat).size == 1
            assert box_size(cells(before)) == (6, 6) or hand_is_comma_only


def test_a_listed_move_is_never_missing_a_cell_at_the_end() -> None:
    """However the cards lie, whoever has a card finds a cell: the frame has more cells than the deck has cards."""
    for seed in range(5):
        for state in random_play(Setup(players=2), seed):
            if state.phase == Phase.PLACE:
                assert any(isinstance(move, Placed) for move in rules.legal_moves(state))
