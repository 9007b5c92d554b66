"""The bonus scale, its forced cash-in, the last round, and who wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.casa_grande import rules
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import Phase, State

Play = Callable[..., State]


def with_bonus(state: State, *points: int) -> State:
    for seat, bonus in enumerate(points):
        state = state.with_player(replace(state.player(seat), bonus=bonus))
    return state


@pytest.mark.parametrize(("before", "after", "lire"), [(5, 8, 0), (6, 0, 9), (7, 0, 9), (8, 0, 9)])
def test_nine_or_more_are_cashed_in_at_once_and_the_surplus_is_lost(
    play: Play, before: int, after: int, lire: int
) -> None:
    state = play(with_bonus(rules.new(Setup()), before), "A rolls 5", "A steps 0")
    assert (state.player(0).bonus, state.player(0).lire) == (after, lire)


def test_the_cash_in_comes_on_anothers_turn_too(play: Play, table: Play) -> None:
    lying = table(Setup(), *["B builds 6,4"] * 2, "B floors * 6,4!", phase=Phase.ROLL)
    state = with_bonus(lying, 5, 8, 5, 5)
    before = play(state, "A rolls 1", "A steps 0")
    after, told = rules.apply(before, rules.read("A builds 6,4"))
    assert [event.name for event in told] == ["built", "compensated", "cash_in", "notes"]
    assert (after.player(1).bonus, after.player(1).lire) == (0, before.player(1).lire + 9)
    assert (after.turn, after.phase) == (0, Phase.FLOOR)


def test_the_points_are_gained_before_the_owners_next_steps_not_turned_back_from_money(
    play: Play, refused: Callable[..., str | None]
) -> None:
    rich = play(with_bonus(rules.new(Setup()), 6), "A rolls 5", "A steps 0")
    for seat in "BCD":
        rich = play(rich, f"{seat} rolls 5", f"{seat} steps 0")
    assert (rich.player(0).lire, rich.player(0).bonus) == (9, 0)
    assert refused(play(rich, "A rolls 1"), "A steps 1") == "points"


def turns(play: Play, state: State, *seats: str) -> State:
    """Each seat in turn goes one space from a corner and builds in its lane, on free plots."""
    for seat in seats:
        state = play(state, f"{seat} rolls 1")
        state = play(state, f"{seat} steps 0")
        move = next(rules.legal_moves(state))
        state = play(state, rules.write(move), f"{seat} done")
    return state


@pytest.mark.parametrize("first", range(3))
def test_the_last_block_finishes_the_round(play: Play, first: int) -> None:
    setup = Setup(players=3, first=first, blocks=1)
    order = [("ABC" * 2)[first + number] for number in range(3)]
    state = rules.new(setup)
    for number, seat in enumerate(order):
        assert state.last_round == (number > 0)
        assert state.phase is not Phase.OVER
        state = turns(play, state, seat)
    assert state.phase is Phase.OVER
    assert rules.to_act(state) == ()
    assert list(rules.legal_moves(state)) == []
    assert rules.refusal(state, rules.read("A rolls 1")).rule == "over"


def test_whoever_lays_it_all_have_had_equally_many_turns(play: Play) -> None:
    state = rules.new(Setup(players=3, first=1, blocks=2))
    state = turns(play, state, "B")
    state = play(state, "C rolls 5", "C steps 0")
    state = turns(play, state, "A", "B")
    assert state.last_round
    state = turns(play, state, "C")
    assert state.phase is Phase.ROLL
    assert turns(play, state, "A").phase is Phase.OVER


def test_the_last_block_is_said_to_all_once(play: Play) -> None:
    state = play(rules.new(Setup(players=2, blocks=1)), "A rolls 1", "A steps 0")
    assert [event.name for event in rules.apply(state, rules.read("A builds 6,0"))[1]] == ["built", "last_block"]
    state = play(state, "A builds 6,0", "A done", "B rolls 1", "B steps 0")
    assert [event.name for event in rules.apply(state, rules.read("B builds 0,0"))[1]] == ["built"]


@pytest.mark.parametrize(
    ("money", "bonus", "ranks"),
    [
        ((20, 30, 10), (8, 0, 0), (2, 1, 3)),
        ((20, 20, 10), (3, 4, 8), (2, 1, 3)),
        ((20, 20, 20), (3, 3, 1), (1, 1, 3)),
        ((0, 0, 0), (5, 5, 5), (1, 1, 1)),
    ],
)
def test_most_money_wins_then_the_bonus_scale_then_it_is_shared(
    table: Play, money: tuple[int, ...], bonus: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    # Each floor of one square on a tower of n blocks pays n.
    lying = [text for seat, lire, row in zip("ABC", money, (0, 2, 4), strict=True) if lire for text in
             (*[f"{seat} builds {row},0"] * lire, f"{seat} floors * {row},0!")]  # fmt: skip
    state = with_bonus(table(Setup(players=3, blocks=60), *lying), *bonus)
    (sheet,) = rules.score(state)
    assert tuple(sheet.totals().values()) == money
    assert tuple(sheet.ranks().values()) == ranks
    assert sheet.leaders() == tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


def test_every_payment_is_a_line_with_its_round(play: Play, table: Play) -> None:
    lying = table(Setup(), "A builds 0,0", "A floors * 0,0!", phase=Phase.ROLL)
    state = play(with_bonus(lying, 6), "A rolls 5", "A steps 0")
    (sheet,) = rules.score(state)
    assert [(line.seat, line.points, line.rule) for line in sheet.lines] == [(0, 1, "floor"), (0, 9, "cash_in")]
    assert sheet.totals()[0] == state.player(0).lire == 10


def test_the_same_people_play_again_and_the_next_one_begins() -> None:
    state = rules.new(Setup(players=3, first=2, blocks=18))
    again = rules.rematch(state, (1,))
    assert again == Setup(players=3, first=0, blocks=18)
