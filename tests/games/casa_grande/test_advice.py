"""Questions that players ask, answered against what the rules allow move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion import journal_text
from companion.games.casa_grande import advice, rules
from companion.games.casa_grande.advice import Gain
from companion.games.casa_grande.board import PLOTS, lane
from companion.games.casa_grande.moves import Built, Floored, Move, Stepped
from companion.games.casa_grande.setup import HouseRules, Setup
from companion.games.casa_grande.state import Phase, State
from companion.journal import stand

Play = Callable[..., State]
GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> list[State]:
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    standing, _ = stand(rules, journal_text.read(text, {"casa-grande": rules}))
    return [step.state for step in standing.steps]


def test_the_shop_shows_each_space_with_its_price_and_lane(play: Play) -> None:
    reaches = advice.shop(play(Setup(), "A rolls 3"))
    assert [(reach.bought, reach.space) for reach in reaches] == [(0, 18), (1, 19), (2, 0), (3, 1), (4, 2), (5, 3)]
    assert all(reach.lane == lane(reach.space) == reach.plots for reach in reaches)
    assert [reach.gain for reach in reaches if reach.gain] == [Gain(0, 3, False)]
    assert advice.shop(rules.new(Setup())) == ()


def test_the_shop_knows_what_a_corner_is_worth(play: Play) -> None:
    rich = play(Setup(), "A rolls 5")
    rich = rich.with_player(replace(rich.player(0), bonus=6))
    assert advice.shop(rich)[0].gain == Gain(0, 3, True)
    nothing = play(Setup(house=HouseRules(bought_corner="nothing")), "A rolls 4")
    assert advice.shop(nothing)[1].gain is None
    # Paid points are gone before three are gained: 6 - 1 + 3 is no nine.
    bought = play(Setup(), "A rolls 4")
    assert advice.shop(bought.with_player(replace(bought.player(0), bonus=6)))[1].gain == Gain(0, 3, False)


def test_the_shop_leaves_out_plots_that_are_taken(play: Play, table: Play) -> None:
    lying = table(Setup(), "B builds 6,0", "C builds 7,7", "C floors * 7,7!", phase=Phase.ROLL)
    (here, *_) = advice.shop(play(lying, "A rolls 1"))
    assert set(here.lane) - set(here.plots) == {(6, 0)}


def test_a_block_offer_says_who_gains(play: Play, table: Play) -> None:
    lying = table(Setup(), *["B builds 6,4"] * 2, "B floors * 6,4!", "A builds 6,5", phase=Phase.ROLL)
    state = play(lying, "A rolls 1", "A steps 0")
    offers = {offer.move.plot: offer for offer in advice.block_offers(state)}
    assert set(offers) == set(lane(16))
    assert (offers[6, 4].level, offers[6, 4].gain) == (3, Gain(1, 2, False))
    assert (offers[6, 5].level, offers[6, 5].gain) == (2, None)
    assert (offers[6, 6].level, offers[6, 6].gain) == (1, None)
    state = state.with_player(replace(state.player(1), bonus=7))
    assert advice.block_offers(state)[4].gain == Gain(1, 2, True)
    assert advice.block_offers(lying) == ()


def test_floor_offers_are_the_legal_platforms_with_their_pay() -> None:
    for state in golden("four_play_25_turns")[::7]:
        for seat in state.setup.seats:
            offers = advice.floor_offers(state, seat)
            at_turn = replace(state, turn=seat, phase=Phase.FLOOR)
            allowed = [move for move in rules.legal_moves(at_turn) if isinstance(move, Floored)]
            assert {offer.move for offer in offers} == set(allowed)
            assert [offer.lire for offer in offers] == sorted((offer.lire for offer in offers), reverse=True)
            for offer in offers[:5]:
                after, _ = rules.apply(at_turn, offer.move)
                assert after.player(seat).lire - state.player(seat).lire == offer.lire
                assert after.floors[-1].level == offer.level


def ends(state: State) -> Iterator[tuple[tuple[Move, ...], State]]:
    """Every way to end this turn with a platform, move by move."""
    for move in rules.legal_moves(state):
        after, _ = rules.apply(state, move)
        if isinstance(move, Floored):
            yield (move,), after
        elif after.turns == state.turns:
            yield from (((move, *rest), end) for rest, end in ends(after))


@pytest.mark.parametrize("name", ["four_play_25_turns", "four_play_on_felt", "two_players_eighteen_blocks"])
def test_the_best_plan_pays_as_much_as_any_turn_can(name: str) -> None:
    found = 0
    for state in [state for state in golden(name) if state.phase in (Phase.STEP, Phase.BLOCK, Phase.FLOOR)][::5]:
        plan, possible = advice.best_plan(state), list(ends(state))
        assert (plan is None) == (not possible)
        if plan is None:
            continue
        found += 1
        seat, floors_before = state.turn, len(state.payments)
        pays = {moves: floor_pay(end, seat, floors_before) for moves, end in possible}
        assert pays[plan.moves] == plan.lire == max(pays.values())
        prices = [bought(moves) for moves, pay in pays.items() if pay == plan.lire]
        assert bought(plan.moves) == plan.bought == min(prices)
    assert found > 2


def floor_pay(state: State, seat: int, since: int) -> int:
    return sum(pay.lire for pay in state.payments[since:] if (pay.seat, pay.rule) == (seat, "floor"))


def bought(moves: tuple[Move, ...]) -> int:
    return sum(move.bought for move in moves if isinstance(move, Stepped))


def test_of_equal_pay_the_one_that_gives_others_least(play: Play, table: Play) -> None:
    lying = table(
        Setup(platforms=(rules.read_setup({"pieces": "I2 9x ##"}).pieces[0],)),
        "B builds 6,4", "B floors * 6,4!", "A builds 6,5", "A builds 6,5", "A builds 6,6", "A builds 6,6",
        phase=Phase.ROLL,
    )  # fmt: skip
    state = play(lying, "A rolls 1", "A steps 0")
    plan = advice.best_plan(state)
    assert (plan.lire, plan.gain) == (4, None)
    assert plan.moves[0] != Built(0, (6, 4))


def test_nothing_is_planned_where_no_platform_can_lie(play: Play) -> None:
    assert advice.best_plan(rules.new(Setup())) is None
    assert advice.best_plan(play(Setup(), "A rolls 1")) is None


def test_what_others_could_make_of_a_plot(table: Play) -> None:
    state = table(Setup(), *["B builds 1,2"] * 2, *["A builds 1,4"] * 2, "A floors * 1,4!", "B builds 1,4")
    state = table(state, "C builds 1,3", turn="A", phase=Phase.ROLL)
    told = {chance.seat: chance for chance in advice.chances(state, (1, 4))}
    assert set(told) == {1}, "nobody else may build on B's block"
    there = {chance.seat: chance for chance in advice.chances(state, (1, 3))}
    assert set(there) == {2}
    free = {chance.seat: chance for chance in advice.chances(state, (1, 0))}
    assert list(free) == [1, 2, 3]
    assert free[1].offer is None
    assert (free[1].level, free[1].gain) == (1, None)
    # B stands on 0: the space 1 beside column 0 is one step on; the row of the plot, at 6 and 19, is farther.
    assert free[1].rolls == ((1, 0), (2, 4), (3, 3), (4, 2), (5, 1), (6, 0))


def test_a_platform_that_would_rest_on_the_plot_and_its_owners_gain(table: Play) -> None:
    state = table(
        Setup(), *["B builds 1,2"] * 2, "A builds 1,4", "A floors * 1,4!", turn="A", phase=Phase.ROLL
    )  # fmt: skip
    (b, c, d) = advice.chances(state, (1, 4))
    assert (b.seat, b.level, b.gain) == (1, 2, Gain(0, 1, False))
    assert (b.offer.move.piece, b.offer.lire) == ("I3", 6)
    assert c.offer is d.offer is None


def test_a_platform_that_merely_covers_the_plot_is_not_made_of_it(table: Play) -> None:
    state = table(Setup(), "B builds 1,2", "B builds 1,4", phase=Phase.ROLL)
    assert [offer.move.piece for offer in advice.floor_offers(state, 1)][-1] == "I3"
    assert advice.chances(state, (1, 3))[0].offer is None
    assert advice.chances(state, (0, 3))[0].offer.move.marked == ((0, 3), (1, 2), (1, 4))


@pytest.mark.parametrize("seed", range(6))
def test_chances_are_what_the_rules_would_allow(seed: int) -> None:
    chance = random.Random(seed)
    states = [state for state in golden("four_players_to_the_end") if state.phase is Phase.ROLL]
    for _ in range(6):
        state, plot = chance.choice(states), chance.choice(PLOTS)
        for told in advice.chances(state, plot):
            for pips in range(1, 7):
                rolled = replace(state, turn=told.seat, phase=Phase.STEP, pips=pips)
                prices = [reach.bought for reach in advice.shop(rolled) if plot in reach.plots]
                assert dict(told.rolls).get(pips) == (min(prices) if prices else None)
            for pips, price in told.rolls[:1]:
                rolled = replace(state, turn=told.seat, phase=Phase.STEP, pips=pips)
                stepped, _ = rules.apply(rolled, Stepped(told.seat, price))
                built, _ = rules.apply(stepped, Built(told.seat, plot))
                assert built.top(plot).level == told.level
                resting = [m for m in rules.legal_moves(built) if isinstance(m, Floored) and plot in m.marked]
                pays = [len(m.squares) * told.level for m in resting]
                assert (told.offer.lire if told.offer else 0) == max(pays, default=0)
