"""Blocks: where they may be put, their level, what an owner gains, and the lane without a plot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.casa_grande import rules
from companion.games.casa_grande.moves import Built
from companion.games.casa_grande.setup import HouseRules, Setup
from companion.games.casa_grande.state import Phase, State

Play = Callable[..., State]
ROW = [f"C builds {row},{column}" for row in (6, 7) for column in range(8)]


def at_lane(play: Play, state: State) -> State:
    """A stands beside rows 6 and 7 with a block to put."""
    return play(state, "A rolls 1", "A steps 0")


def test_a_free_plot_of_the_lane(play: Play, refused: Callable[..., str | None]) -> None:
    state = at_lane(play, rules.new(Setup()))
    assert {move.plot for move in rules.legal_moves(state)} == {(r, c) for r in (6, 7) for c in range(8)}
    assert refused(state, "A builds 5,0") == "lane"
    assert refused(state, "A builds 8,0") == refused(state, "A builds 0,-1") == "plot_outside"
    assert refused(state, "A builds 5,0", agreed=True) is None
    assert refused(state, "A builds 8,0", agreed=True) == "plot_outside"
    built = play(state, "A builds 7,3")
    assert built.player(0).blocks == 23
    assert (built.top((7, 3)).seat, built.top((7, 3)).level) == (0, 1)


def test_own_blocks_and_floors_of_anybody_but_not_anothers_block(
    play: Play, table: Play, refused: Callable[..., str | None]
) -> None:
    lying = table(
        Setup(), "A builds 6,0", "B builds 6,1", "A builds 6,2", "A floors * 6,2!", "B builds 6,3", "B floors * 6,3!",
        phase=Phase.ROLL,
    )  # fmt: skip
    state = at_lane(play, lying)
    assert refused(state, "A builds 6,0") is None
    assert refused(state, "A builds 6,1") == "block_of_other"
    assert refused(state, "A builds 6,2") is None
    assert refused(state, "A builds 6,3") is None
    assert [play(state, f"A builds 6,{column}").top((6, column)).level for column in (0, 2, 3)] == [2, 2, 2]


def test_a_block_on_anothers_floor_gives_its_owner_the_floors_level(
    play: Play, table: Play, events: Callable[[State, str], list[str]]
) -> None:
    """The digest's example: a block on Felix's level-2 platform gives Felix 2."""
    lying = table(
        Setup(), "B builds 6,4", "B builds 6,4", "B builds 6,5", "B builds 6,5", "B floors * 6,4! 6,5!",
        phase=Phase.ROLL,
    )  # fmt: skip
    state = at_lane(play, lying)
    assert events(state, "A builds 6,4") == ["built", "compensated"]
    after = play(state, "A builds 6,4")
    assert [player.bonus for player in after.players] == [5, 7, 5, 5]
    assert after.top((6, 4)).level == 3


def test_a_block_on_ones_own_floor_gives_nobody_anything(play: Play, table: Play) -> None:
    state = at_lane(play, table(Setup(), "A builds 6,4", "A floors * 6,4!", phase=Phase.ROLL))
    assert [player.bonus for player in play(state, "A builds 6,4").players] == [5, 5, 5, 5]


def test_bare_blocks_count_like_blocks_with_floors_between(table: Play) -> None:
    bare = table(Setup(), "A builds 0,0", "A builds 0,0", "A builds 0,0")
    between = table(Setup(), "A builds 0,0", "A floors * 0,0!", "A builds 0,0", "A floors * 0,0!", "A builds 0,0")
    assert bare.top((0, 0)).level == between.top((0, 0)).level == 3


@pytest.mark.parametrize(("rule", "phase", "turn"), [("skip", Phase.FLOOR, 0), ("ends", Phase.ROLL, 1)])
def test_no_plot_in_the_lane_is_a_house_rule(play: Play, table: Play, rule: str, phase: Phase, turn: int) -> None:
    lying = table(Setup(house=HouseRules(no_plot=rule)), *ROW, phase=Phase.ROLL)
    state, told = rules.apply(play(lying, "A rolls 1"), rules.read("A steps 0"))
    assert [event.name for event in told] == ["stepped", "no_plot"]
    assert (state.phase, state.turn) == (phase, turn)
    assert state.player(0).blocks == 24


def test_one_free_plot_is_enough(play: Play, table: Play) -> None:
    state = at_lane(play, table(Setup(), *ROW[1:], phase=Phase.ROLL))
    assert list(rules.legal_moves(state)) == [Built(0, (6, 0))]


def test_who_has_no_block_left_puts_none(play: Play, table: Play, refused: Callable[..., str | None]) -> None:
    out = table(Setup(blocks=1), "A builds 0,0", phase=Phase.ROLL)
    state, told = rules.apply(play(out, "A rolls 1"), rules.read("A steps 0"))
    assert [event.name for event in told] == ["stepped", "no_block"]
    assert state.phase is Phase.FLOOR
    waiting = table(out, phase=Phase.BLOCK)
    assert refused(waiting, "A builds 6,0") == refused(waiting, "A builds 6,0", agreed=True) == "no_blocks"
