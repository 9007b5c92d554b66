"""What may be built and laid, against the same rules once more: slow, from the digest alone, plain sets and no masks.

The slow checker looks at a state's columns and floors only.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.games.casa_grande import board, building, floors
from companion.games.casa_grande.moves import Floored
from companion.games.casa_grande.setup import CHOICES, HouseRules, Setup
from companion.games.casa_grande.state import Phase, State

Spot = tuple[int, int]
ByChance = Callable[..., State]


def lane_of(space: int) -> set[Spot]:
    """Walk round the board: spaces 1 to 4 at the far side from left to right, 6 to 9 at the right from far to near,
    11 to 14 at the near side from right to left, 16 to 19 at the left from near to far; two plots a space."""
    pairs = {1: (0, 1), 2: (2, 3), 3: (4, 5), 4: (6, 7)}
    if space in pairs:
        return {(row, column) for row in range(8) for column in pairs[space]}
    if space - 5 in pairs:
        return {(row, column) for row in pairs[space - 5] for column in range(8)}
    back = {1: (6, 7), 2: (4, 5), 3: (2, 3), 4: (0, 1)}
    if space - 10 in back:
        return {(row, column) for row in range(8) for column in back[space - 10]}
    if space - 15 in back:
        return {(row, column) for row in back[space - 15] for column in range(8)}
    return set()


def tops(state: Any) -> dict[Spot, tuple[str, int, int]]:
    """("block" or "floor", seat, height in blocks) of every plot that is not free."""
    found = {}
    for number, column in enumerate(state.columns):
        if column:
            last = column[-1]
            found[divmod(number, 8)] = ("block" if last.floor is None else "floor", last.seat, last.level)
    return found


def block_plots(state: Any, seat: int) -> set[Spot]:
    """A free plot; an own block; any platform. Not another's block."""
    uppermost = tops(state)
    allowed = set()
    for plot in lane_of(state.players[seat].space):
        kind, owner, _ = uppermost.get(plot, ("free", seat, 0))
        if kind != "block" or owner == seat:
            allowed.add(plot)
    return allowed if state.players[seat].blocks > 0 else set()


def turned(spots: list[Spot]) -> list[Spot]:
    """A quarter turn."""
    return [(column, 7 - row) for row, column in spots]


def platforms(state: Any, seat: int) -> set[tuple[str, frozenset[Spot], frozenset[Spot]]]:
    """(piece, squares, marked) of all that the seat may lay, by trying every plot and turn."""
    uppermost, house = tops(state), state.setup.house
    found = set()
    for piece, left in zip(state.setup.pieces, state.players[seat].platforms, strict=True):
        if left == 0:
            continue
        for mirrored in [False, True] if piece.flippable else [False]:
            squares = [(row, -column if mirrored else column) for row, column in piece.squares]
            marked = [(row, -column if mirrored else column) for row, column in piece.marked]
            for _ in range(4):
                squares, marked = turned(squares), turned(marked)
                for down in range(-24, 24):
                    for right in range(-24, 24):
                        if any((r + down, c + right) not in uppermost for r, c in marked):
                            continue
                        here = frozenset((r + down, c + right) for r, c in squares)
                        marks = frozenset((r + down, c + right) for r, c in marked)
                        if allowed(state, uppermost, house, seat, here, marks):
                            found.add((piece.name, here, marks))
    return found


def allowed(state: Any, uppermost: Any, house: Any, seat: int, here: frozenset[Spot], marks: frozenset[Spot]) -> bool:
    """The digest's "Platform placement", sentence by sentence."""
    board = {(row, column) for row in range(8) for column in range(8)}
    if not marks <= board or (house.edge == "inside" and not here <= board):
        return False
    heights = set()
    for spot in marks:
        kind, owner, height = uppermost.get(spot, ("free", None, 0))
        if kind != "block" or owner != seat:
            return False
        heights.add(height)
    if len(heights) != 1:
        return False
    (level,) = heights
    for spot in here - marks:
        kind, owner, height = uppermost.get(spot, ("free", None, 0))
        if height > level or (kind == "floor" and height == level):
            return False
        if house.covering == "own" and kind != "free" and owner != seat:
            return False
        if house.bridging == "off" and (kind == "free" or height != level):
            return False
    return not identical(state, house, here, level)


def identical(state: Any, house: Any, here: frozenset[Spot], level: int) -> bool:
    """The same shape directly below, as the house rule has it."""
    for floor in state.floors:
        below = set(floor.squares)
        if floor.level != level - 1:
            continue
        if house.identical_floor == "same_squares" and below == here:
            return True
        if house.identical_floor == "any_overlap" and below & here and like(below, set(here)):
            return True
    return False


def like(one: set[Spot], other: set[Spot]) -> bool:
    """Whether two sets of squares are the same shape, turned or flipped over."""
    for mirrored in (False, True):
        spots = [(row, -column if mirrored else column) for row, column in one]
        for _ in range(4):
            spots = turned(spots)
            top, left = min(row for row, _ in spots), min(column for _, column in spots)
            low, near = min(row for row, _ in other), min(column for _, column in other)
            if {(row - top, column - left) for row, column in spots} == {(r - low, c - near) for r, c in other}:
                return True
    return False


# --- The engine says the same


def agree(state: State) -> None:
    """Each seat's blocks and platforms in this position, wherever the turn is."""
    for seat in state.setup.seats:
        assert {move.plot for move in building.legal_moves(state, seat)} == block_plots(state, seat)
        listed = list(floors.legal_moves(state, seat))
        laid = {(move.piece, frozenset(move.squares), frozenset(move.marked)) for move in listed}
        assert len(laid) == len(listed)
        assert laid == platforms(state, seat)


@pytest.mark.parametrize("seed", range(6))
def test_what_may_be_built_and_laid_is_what_the_slow_checker_says(by_chance: ByChance, seed: int) -> None:
    chance = random.Random(seed)
    house = HouseRules(**{rule: chance.choice(choices) for rule, choices in CHOICES.items()})
    setup = Setup(players=chance.choice([2, 3, 4]), house=HouseRules() if seed < 3 else house)
    agree(by_chance(seed, chance.randrange(60, 360), setup))


@pytest.mark.parametrize("seed", range(20))
def test_a_platform_is_refused_exactly_when_the_slow_checker_refuses_it(by_chance: ByChance, seed: int) -> None:
    """Thousands of places in random positions: single places are quick to check, so many more are tried."""
    chance = random.Random(1000 + seed)
    house = HouseRules(**{rule: chance.choice(choices) for rule, choices in CHOICES.items()})
    state = by_chance(seed, chance.randrange(20, 400), Setup(house=house if seed % 2 else HouseRules()))
    uppermost = tops(state)
    for _ in range(60):
        seat, piece = chance.randrange(4), chance.choice(state.setup.pieces)
        place = chance.choice(list(floors.places(piece)))
        move = Floored(seat, piece.name, place.footprint.squares, place.footprint.marked)
        left = state.players[seat].platforms[state.setup.pieces.index(piece)]
        expected = left > 0 and allowed(
            state, uppermost, state.setup.house, seat, frozenset(move.squares), frozenset(move.marked)
        )
        assert (floors.refusal(state, move) is None) is expected


def test_every_space_serves_the_lane_that_lies_beside_it() -> None:
    for space in range(board.SPACES):
        assert set(board.lane(space)) == lane_of(space)


GOLDEN = {60: (53, 4), 120: (36, 29), 180: (47, 9), 240: (28, 18), 300: (38, 26)}
"""Seats' blocks and platforms together, after so many moves of one play."""


@pytest.mark.parametrize("moves", GOLDEN)
def test_the_counts_of_moves_stay_what_they_were(by_chance: ByChance, moves: int) -> None:
    state = by_chance(7, moves)
    blocks = sum(len(list(building.legal_moves(state, seat))) for seat in range(4))
    assert (blocks, sum(len(list(floors.legal_moves(state, seat))) for seat in range(4))) == GOLDEN[moves]


def test_a_play_ends_with_the_round_in_which_the_last_block_was_laid(by_chance: ByChance) -> None:
    for seed in range(3):
        state = by_chance(seed, 10_000, Setup(players=3, blocks=18))
        assert state.phase is Phase.OVER
        assert state.turns % 3 == 0
        assert min(player.blocks for player in state.players) == 0
