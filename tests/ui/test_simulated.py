"""The cards of a simulated table: whatever was played before, they can be what the play says."""

from __future__ import annotations

import random
from itertools import islice

from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Dealt, Move, Placed, TurnedOver
from companion.games.cassa_grande.pieces import COMMA, sort_faces
from companion.games.cassa_grande.setup import HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State
from companion.games.cassa_grande.swapping import commas_wait
from companion.games.cassa_grande.tabletop import table
from companion.sight import UNKNOWN
from ui.simulated import SimulatedTable

SETUPS = st.builds(
    Setup,
    players=st.sampled_from((2, 4)),
    variants=st.frozensets(st.sampled_from("ABCDE")),
    house=st.builds(
        HouseRules,
        stuck_comma=st.sampled_from(("own", "all", "wait")),
        dealt_commas=st.sampled_from(("after_limits", "any_time")),
        grid_check=st.sampled_from(("deck", "hands")),
    ),
    rounds=st.integers(1, 2),
)
SEEDS = st.integers(0, 2**32)


def told(state: State, rng: random.Random) -> Move:
    """What people might say that they did: any legal move, of deals also one of which some hands were seen."""
    if state.phase is not Phase.DEAL:
        return rng.choice(list(islice(rules.legal_moves(state), 200)))
    cards = rng.sample(state.setup.cards, len(state.setup.cards))
    each = len(cards) // state.setup.players
    hands = ["".join(cards[start : start + each]) for start in range(0, len(cards), each)]
    return Dealt(tuple(rng.choice((UNKNOWN, sort_faces(hand))) for hand in hands))


def interrupted(setup: Setup, moves: int, rng: random.Random) -> State:
    """A play in which so many moves were made."""
    state = rules.new(setup)
    while moves and state.phase is not Phase.OVER:
        state, _ = rules.apply(state, told(state, rng))
        moves -= 1
    return state


def done(table: SimulatedTable, state: State, rng: random.Random) -> Move:
    """What the hands do now."""
    match state.phase:
        case Phase.PLACE:
            return table.lay(state)
        case Phase.SWAP:
            return table.swap(state)
        case Phase.TURN_OVER:
            table.turn_over()
            return TurnedOver(table.rows(state))
    return told(state, rng)


def everything(table: SimulatedTable) -> str:
    return sort_faces("".join((*table._cards.faces.values(), *table._cards.hands.values())))


@given(SETUPS, st.integers(0, 60), SEEDS)
@example(Setup(variants=frozenset("ABE")), 0, 1)
def test_what_hands_do_from_any_point_on_is_accepted_to_the_end(setup: Setup, moves: int, seed: int) -> None:
    rng = random.Random(seed)
    state = interrupted(setup, moves, rng)
    simulated = SimulatedTable(state, rng)
    while state.phase is not Phase.OVER:
        assert simulated.laid == table(state)
        if state.phase is not Phase.DEAL:
            assert everything(simulated) == setup.cards
        move = done(simulated, state, rng)
        assert rules.refusal(state, move) is None
        state, _ = rules.apply(state, move)
        simulated.follow(state)
        assert not simulated.ahead
    assert simulated.laid == table(state)


@given(SETUPS, SEEDS)
def test_it_follows_what_is_told_by_tap_and_what_is_taken_back(setup: Setup, seed: int) -> None:
    rng = random.Random(seed)
    states = [rules.new(setup)]
    simulated = SimulatedTable(states[0], rng)
    for _ in range(60):
        if states[-1].phase is Phase.OVER or (len(states) > 1 and rng.random() < 0.3):
            states.pop()
        elif rng.random() < 0.5:
            states.append(rules.apply(states[-1], told(states[-1], rng))[0])
        else:
            # The hands do it, and the person tells something else.
            done(simulated, states[-1], rng)
            states.append(rules.apply(states[-1], told(states[-1], rng))[0])
        simulated.follow(states[-1])
        assert simulated.laid == table(states[-1])
        if states[-1].phase not in (Phase.DEAL, Phase.OVER):
            assert everything(simulated) == setup.cards


@given(SETUPS, SEEDS)
def test_hands_that_were_seen_are_those_that_are_held(setup: Setup, seed: int) -> None:
    rng = random.Random(seed)
    state = interrupted(Setup(setup.players, setup.variants | {"E"}, setup.house), 1, rng)
    simulated = SimulatedTable(state, rng)
    for hand in state.hands:
        assert hand.pool in (None, sort_faces(simulated._cards.hands[hand.seat]))


@given(SEEDS)
def test_a_comma_of_a_hidden_deal_waits_as_its_owner_knows(seed: int) -> None:
    rng = random.Random(seed)
    state = rules.apply(rules.new(Setup(variants=frozenset("AE"))), Dealt((UNKNOWN,) * 4))[0]
    simulated = SimulatedTable(state, rng)
    while state.phase is Phase.PLACE and commas_wait(state):
        digits = set(simulated._cards.hands[state.turn]) - {COMMA}
        move = simulated.lay(state)
        assert move.face != COMMA or not digits
        state, _ = rules.apply(state, move)
        simulated.follow(state)


def test_cards_that_lie_face_down_when_a_play_is_resumed_keep_their_faces() -> None:
    state = interrupted(Setup(), 0, random.Random(0))
    for number in range(6):
        state, _ = rules.apply(state, Placed(number % 4, (0, number)))
    simulated = SimulatedTable(state, random.Random(1))
    before = simulated.rows(state)
    after, _ = rules.apply(state, simulated.lay(state, (1, 0)))
    simulated.follow(after)
    assert simulated.rows(after)[0] == before[0]
