"""The track: lanes, bought steps, corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.casa_grande import board, rules
from companion.games.casa_grande.board import is_corner, lane
from companion.games.casa_grande.moves import Stepped
from companion.games.casa_grande.setup import HouseRules, Setup
from companion.games.casa_grande.state import Phase, State

Play = Callable[..., State]


def with_player(state: State, seat: int, **changes: int) -> State:
    return state.with_player(replace(state.player(seat), **changes))


def test_four_corners_and_four_spaces_a_side() -> None:
    assert [space for space in range(20) if is_corner(space)] == [0, 5, 10, 15]
    assert [lane(corner) for corner in (0, 5, 10, 15)] == [()] * 4


def test_eight_lanes_of_sixteen_plots_each_served_by_two_spaces() -> None:
    lanes = [lane(space) for space in range(20) if not is_corner(space)]
    assert all(len(set(plots)) == 16 for plots in lanes)
    assert sorted(lanes.count(plots) for plots in set(lanes)) == [2] * 8
    for plot in board.PLOTS:
        assert sum(plot in plots for plots in set(lanes)) == 2


@pytest.mark.parametrize(
    ("space", "opposite", "plots"),
    [
        (1, 14, {(row, column) for row in range(8) for column in (0, 1)}),
        (4, 11, {(row, column) for row in range(8) for column in (6, 7)}),
        (6, 19, {(row, column) for row in (0, 1) for column in range(8)}),
        (8, 17, {(row, column) for row in (4, 5) for column in range(8)}),
    ],
)
def test_a_lane_crosses_the_whole_board(space: int, opposite: int, plots: set[tuple[int, int]]) -> None:
    assert set(lane(space)) == set(lane(opposite)) == plots


def test_everybody_starts_on_a_corner_with_five_points_and_no_money() -> None:
    for players in (2, 3, 4):
        state = rules.new(Setup(players=players))
        assert len({player.space for player in state.players}) == players
        assert all(is_corner(player.space) for player in state.players)
        assert {(player.bonus, player.lire, player.blocks) for player in state.players} == {(5, 0, 24)}
        assert {sum(player.platforms) for player in state.players} == {17}


def test_a_step_costs_a_bonus_point_beyond_the_die(play: Play, refused: Callable[..., str | None]) -> None:
    rolled = play(Setup(), "A rolls 4")
    assert [move.bought for move in rules.legal_moves(rolled) if isinstance(move, Stepped)] == [0, 1, 2, 3, 4, 5]
    stepped = play(rolled, "A steps 3")
    assert (stepped.player(0).space, stepped.player(0).bonus) == ((15 + 7) % 20, 2)
    assert refused(rolled, "A steps 6") == "points"
    assert refused(rolled, "A steps 6", agreed=True) == "points"
    assert refused(with_player(rolled, 0, bonus=0), "A steps 1") == "points"


def test_staying_on_a_corner_gains_three_points_and_ends_the_turn(
    play: Play, events: Callable[[State, str], list[str]]
) -> None:
    rolled = play(Setup(start=(15, 0, 5, 10)), "A rolls 5")
    assert events(rolled, "A steps 0") == ["stepped", "corner_gain"]
    stayed = play(rolled, "A steps 0")
    assert (stayed.player(0).space, stayed.player(0).bonus, stayed.player(0).blocks) == (0, 8, 24)
    assert (stayed.turn, stayed.phase) == (1, Phase.ROLL)


def test_a_corner_is_left_by_paying_and_the_turn_goes_on_with_a_block(play: Play) -> None:
    left = play(Setup(), "A rolls 5", "A steps 1")
    assert (left.player(0).space, left.player(0).bonus, left.phase) == (1, 4, Phase.BLOCK)


def test_without_points_one_must_stay(play: Play) -> None:
    rolled = with_player(play(Setup(), "A rolls 5"), 0, bonus=0)
    assert list(rules.legal_moves(rolled)) == [Stepped(0, 0)]


def test_a_corner_that_is_passed_gives_nothing(play: Play) -> None:
    passed = play(Setup(), "A rolls 6", "A steps 0")
    assert (passed.player(0).bonus, passed.phase) == (5, Phase.BLOCK)


def test_a_corner_reached_by_bought_steps_is_a_house_rule(
    play: Play, events: Callable[[State, str], list[str]]
) -> None:
    gains, nothing = (Setup(house=HouseRules(bought_corner=rule)) for rule in ("gains", "nothing"))
    assert play(gains, "A rolls 4", "A steps 1").player(0).bonus == 5 - 1 + 3
    rolled = play(nothing, "A rolls 4")
    assert events(rolled, "A steps 1") == ["stepped_and_paid", "corner_nothing"]
    assert play(rolled, "A steps 1").player(0).bonus == 5 - 1
    assert play(nothing, "A rolls 5", "A steps 0").player(0).bonus == 8


def test_pieces_may_share_a_space(play: Play) -> None:
    state = play(Setup(), "A rolls 5", "A steps 0")
    assert state.player(0).space == state.player(1).space == 0


def test_the_turn_order_and_the_order_of_a_turn(play: Play, refused: Callable[..., str | None]) -> None:
    start = rules.new(Setup(first=2))
    assert rules.to_act(start) == (2,)
    assert refused(start, "A rolls 1") == "turn"
    assert refused(start, "C steps 0") == "roll_first"
    assert refused(start, "C rolls 0") == refused(start, "C rolls 7") == "pips"
    assert refused(rules.new(Setup(players=2)), "C rolls 1") == "no_such_seat_here"
    rolled = play(start, "C rolls 1")
    assert refused(rolled, "C rolls 1") == "step_first"
    stepped = play(rolled, "C steps 0")
    assert refused(stepped, "C done") == "block_first"
    built = play(stepped, "C builds 0,0")
    assert refused(built, "C builds 0,1") == "floor_first"
    assert play(built, "C done").turn == 3
    assert rules.roll(start, 4) == rules.read("C rolls 4")
    assert rules.roll(rolled, 4) is None
