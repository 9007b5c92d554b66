from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.placing import legal_cells
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Card, Phase, State, grid

Ask = Callable[[State, str], str | None]


def slow_cells(taken: set[tuple[int, int]], frame: int) -> set[tuple[int, int]]:
    """Try every cell that a frame round the first card can reach, by the rule's own words."""
    if not taken:
        return {(0, 0)}
    found = set()
    for row in range(-6, 7):
        for column in range(-6, 7):
            more = taken | {(row, column)}
            touches = any(abs(r - row) <= 1 and abs(c - column) <= 1 for r, c in taken)
            high = max(r for r, _ in more) - min(r for r, _ in more) < frame
            wide = max(c for _, c in more) - min(c for _, c in more) < frame
            if (row, column) not in taken and touches and high and wide:
                found.add((row, column))
    return found


def position(setup: Setup, cells: list[tuple[int, int]]) -> State:
    return replace(rules.new(setup), layout=tuple(Card(cell, 0, "?") for cell in cells))


FOUR, TWO = Setup(players=4), Setup(players=2)


@pytest.mark.parametrize(
    ("setup", "cells", "count"),
    [
        (FOUR, [], 1),
        (FOUR, [(0, 0)], 8),
        (FOUR, [(0, 0), (0, 1)], 10),
        (FOUR, [(0, 0), (1, 1)], 12),
        (FOUR, [(0, column) for column in range(6)], 12),
        (FOUR, [(step, step) for step in range(6)], 18),
        (TWO, [(0, column) for column in range(5)], 10),
        (TWO, [(step, step) for step in range(5)], 14),
        (TWO, [(row, column) for row in range(5) for column in range(5) if (row, column) != (2, 2)], 1),
    ],
)
def test_number_of_legal_cells(setup: Setup, cells: list[tuple[int, int]], count: int) -> None:
    state = position(setup, cells)
    assert len(list(legal_cells(state))) == count
    assert set(legal_cells(state)) == slow_cells(set(cells), setup.frame)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([FOUR, TWO]), st.integers(0, 32), st.integers(0, 2**32))
def test_legal_cells_of_any_position(setup: Setup, count: int, seed: int) -> None:
    chance = random.Random(seed)
    cells: list[tuple[int, int]] = []
    for _ in range(min(count, len(setup.cards) - 1)):
        cells.append(chance.choice(sorted(slow_cells(set(cells), setup.frame))))
    state = position(setup, cells)
    assert list(legal_cells(state)) == sorted(slow_cells(set(cells), setup.frame))
    moves = [move for move in rules.legal_moves(state) if isinstance(move, Placed)]
    assert {move.cell for move in moves} == slow_cells(set(cells), setup.frame)


def test_legal_moves_are_every_cell_with_every_face_that_is_held(play: Callable[..., State]) -> None:
    state = play(FOUR, "A 0,0 4")
    faces = {move.face for move in rules.legal_moves(state) if isinstance(move, Placed)}
    assert faces == set("?01234")
    assert len(list(rules.legal_moves(state))) == 8 * 6
    state = play(state, "B 0,1 ?", "C 0,2 ?", "D 0,3 ?")
    assert {move.face for move in rules.legal_moves(state) if isinstance(move, Placed)} == set("?0123")


def test_first_card_lies_on_the_origin(refused: Ask) -> None:
    state = rules.new(FOUR)
    assert refused(state, "A 0,1 ?") == "first_card"
    assert refused(state, "A 0,0 ?") is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("B 0,0 ?", "occupied"),
        ("B 1,1 ?", None),
        ("B -1,-1 ?", None),
        ("B 0,2 ?", "touch"),
        ("B 2,2 ?", "touch"),
        ("A 0,1 ?", "turn"),
        ("C 0,1 ?", "turn"),
        ("B 0,1 ,", "comma_waits"),
        ("B 0,1 4", None),
        ("turned over 1", "place_first"),
        ("dealt ? ? ? ?", "place_first"),
        ("B swaps A ? ?", "place_first"),
    ],
)
def test_second_card(text: str, rule: str | None, play: Callable[..., State], refused: Ask) -> None:
    assert refused(play(FOUR, "A 0,0 ?"), text) == rule


def test_frame_rule_counts_the_box_of_the_cards(play: Callable[..., State], refused: Ask) -> None:
    state = play(FOUR, "A 0,0 ?", "B 0,1 ?", "C 0,2 ?", "D 0,3 ?", "A 0,4 ?", "B 1,5 ?")
    assert refused(state, "C 0,-1 ?") == "frame"
    assert refused(state, "C 1,6 ?") == "frame"
    assert refused(state, "C 2,6 ?") == "frame"
    assert refused(state, "C 2,5 ?") is None
    refusal = rules.refusal(state, rules.read("C 1,6 ?"))
    assert refusal is not None
    assert refusal.facts == {"row": 1, "column": 6, "frame": 6, "height": 2, "width": 7}
    assert refusal.spots == ((1, 6),)


def test_two_players_have_a_frame_of_five(play: Callable[..., State], refused: Ask) -> None:
    state = play(TWO, "A 0,0 ?", "C -1,0 ?", "A -2,0 ?", "C -3,0 ?", "A -4,0 ?")
    assert refused(state, "C 1,0 ?") == "frame"
    assert refused(state, "C -5,1 ?") == "frame"
    assert refused(state, "C -4,1 ?") is None


def test_a_face_can_be_played_as_often_as_it_was_dealt(play: Callable[..., State], refused: Ask) -> None:
    state = play(FOUR, "A 0,0 4", "B 0,1 ?", "C 0,2 ?", "D 0,3 ?")
    assert refused(state, "A 1,0 4") == "not_in_hand"
    assert refused(state, "A 1,0 2") is None
    assert refused(state, "A 1,0 ?") is None


DIAGONAL = ["A 0,0 ?", "B 1,1 ?", "C 2,2 ?", "D 3,3 ?", "A 4,4 ?"]


def test_commas_come_free_when_the_box_is_full_size_both_ways(
    play: Callable[..., State], refused: Ask, events: Callable[[State, str], list[str]]
) -> None:
    before = play(FOUR, *DIAGONAL)
    assert refused(before, "B 5,5 ,") == "comma_waits"
    assert events(before, "B 5,5 ?") == ["placed_face_down", "limits_set"]
    after = play(before, "B 5,5 ?")
    assert refused(after, "C 0,1 ,") is None
    assert all(hand.waiting == 0 for hand in after.hands)
    assert [hand.size for hand in after.hands] == [6, 6, 7, 7]
    assert "limits_set" not in events(after, "C 0,1 ?")


def test_a_full_width_alone_frees_no_comma(play: Callable[..., State], refused: Ask) -> None:
    state = play(FOUR, "A 0,0 ?", "B 0,1 ?", "C 0,2 ?", "D 0,3 ?", "A 0,4 ?", "B 0,5 ?", "C 1,0 ?")
    assert refused(state, "D 1,1 ,") == "comma_waits"


def test_turns_go_clockwise(play: Callable[..., State]) -> None:
    state = play(Setup(first=2), "C 0,0 ?")
    assert rules.to_act(state) == (3,)
    assert rules.to_act(play(state, "D 0,1 ?")) == (0,)


def test_the_grid_is_the_box_of_the_cards(play: Callable[..., State]) -> None:
    state = play(FOUR, "A 0,0 4", "B -1,1 ?", "C 1,1 2")
    assert grid(state) == (".?", "4.", ".2")
    assert grid(rules.new(FOUR)) == ()


def test_when_all_cards_lie_they_are_turned_over(lay_out: Callable[..., State]) -> None:
    rows = ("11201,", "4,X00X", "022104", "2003X2", "32,243", "X402,3")
    over = lay_out(rules.new(FOUR), rows)
    assert over.phase == Phase.OVER
    assert rules.score(over)[-1].totals() == {0: 35344, 1: 15448, 2: 401567, 3: 230626}
    assert list(rules.legal_moves(over)) == []
