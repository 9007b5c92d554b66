"""The rules against a slow second account of them, written from the rule digest alone: plain sets, no masks.

Blocks are cells (row, column, layer); a floor of level n lies on the blocks of layer n. Nothing else is known of a
tower.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from companion.games.casa_grande import building, floors, rules
from companion.games.casa_grande.board import PLOTS
from companion.games.casa_grande.moves import Built, Done, Floored, Rolled, Stepped
from companion.games.casa_grande.pieces import Piece, read_piece
from companion.games.casa_grande.setup import CHOICES, HouseRules, Setup
from companion.games.casa_grande.state import Phase, State

Plot = tuple[int, int]
Lying = tuple[str, frozenset[Plot], frozenset[Plot]]

ROWS = {6: 0, 19: 0, 7: 2, 18: 2, 8: 4, 17: 4, 9: 6, 16: 6}
COLUMNS = {1: 0, 14: 0, 2: 2, 13: 2, 3: 4, 12: 4, 4: 6, 11: 6}
"""Where the lane beside a space begins; corners have none."""

BOXES = (
    None,
    ("I1 3x #", "I2 4x #o", "I2b 4x ##", "L3 3x #o/.#", "F5 3x .##/oo./.o. flips", "Q9 1x #o#/ooo/o#o"),
    ("I2 9x ##", "T5 2x #o#/.o./.#. flips", "O4 9x #o/o#", "J4 3x o#/o./#."),
)


@dataclass
class Reference:
    """A play, told once more."""

    players: int
    house: HouseRules
    pieces: tuple[Piece, ...]
    blocks_left: list[int]
    spaces: list[int]
    turn: int
    first: int
    stock: list[dict[str, int]]
    blocks: dict[tuple[int, int, int], int] = field(default_factory=dict)
    floors: list[tuple[int, frozenset[Plot], int]] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)
    money: list[int] = field(default_factory=list)
    uppermost: dict[Plot, tuple[int, int, int]] = field(default_factory=dict)
    last: bool = False
    over: bool = False

    @classmethod
    def of(cls, setup: Setup) -> Reference:
        stock = [{piece.name: piece.count for piece in setup.pieces} for _ in setup.seats]
        blocks, spaces = [setup.blocks] * setup.players, list(setup.corners)
        made = cls(setup.players, setup.house, setup.pieces, blocks, spaces, setup.first, setup.first, stock)
        made.bonus, made.money = [5] * setup.players, [0] * setup.players
        return made

    def look(self) -> None:
        """See anew what is uppermost: highest first by level, and a floor above the blocks of its level."""
        things = [(layer, 0, seat, (row, column)) for (row, column, layer), seat in self.blocks.items()]
        things += [(level, 1, seat, plot) for seat, squares, level in self.floors for plot in squares]
        self.uppermost = {plot: (level, kind, seat) for level, kind, seat, plot in sorted(things)}

    def height(self, plot: Plot) -> int:
        return self.uppermost[plot][0] if plot in self.uppermost else 0

    def floor_on_top(self, plot: Plot) -> int | None:
        """Whose floor lies uppermost."""
        _, kind, seat = self.uppermost.get(plot, (0, 0, 0))
        return seat if kind else None

    def block_on_top(self, plot: Plot) -> int | None:
        """Whose block stands uppermost."""
        _, kind, seat = self.uppermost.get(plot, (0, 1, 0))
        return None if kind else seat

    # --- Moves

    def go(self, pips: int, bought: int) -> bool:
        """The piece moves on. Returns whether a block is to be put; else the turn has gone on or ended."""
        self.bonus[self.turn] -= bought
        self.spaces[self.turn] = space = (self.spaces[self.turn] + pips + bought) % 20
        if space in (0, 5, 10, 15):
            if not bought or self.house.bought_corner == "gains":
                self.gain(self.turn, 3)
            self.end()
            return False
        if self.building_plots():
            return True
        if self.house.no_plot == "ends":
            self.end()
        return False

    def building_plots(self) -> set[Plot]:
        space = self.spaces[self.turn]
        if not self.blocks_left[self.turn] or space in (0, 5, 10, 15):
            return set()
        if space in ROWS:
            lane = {(ROWS[space] + more, column) for more in (0, 1) for column in range(8)}
        else:
            lane = {(row, COLUMNS[space] + more) for more in (0, 1) for row in range(8)}
        return {plot for plot in lane if self.block_on_top(plot) in (None, self.turn)}

    def build(self, plot: Plot) -> None:
        owner, level = self.floor_on_top(plot), self.height(plot)
        self.blocks[(*plot, level + 1)] = self.turn
        self.look()
        self.blocks_left[self.turn] -= 1
        self.last = self.last or self.blocks_left[self.turn] == 0
        if owner is not None and owner != self.turn:
            self.gain(owner, level)

    def lay(self, name: str, squares: frozenset[Plot], marked: frozenset[Plot]) -> None:
        level = self.height(next(iter(marked)))
        self.floors.append((self.turn, squares, level))
        self.look()
        self.stock[self.turn][name] -= 1
        self.money[self.turn] += len(squares) * level
        self.end()

    def gain(self, seat: int, points: int) -> None:
        self.bonus[seat] += points
        if self.bonus[seat] >= 9:
            self.bonus[seat] = 0
            self.money[seat] += 9

    def end(self) -> None:
        self.turn = (self.turn + 1) % self.players
        self.over = self.last and self.turn == self.first

    # --- Platforms

    def lying(self) -> set[Lying]:
        """Every way in which the seat at turn may lay a platform."""
        own = {plot for plot in self.uppermost if self.block_on_top(plot) == self.turn}
        found: set[Lying] = set()
        for piece in self.pieces:
            if not self.stock[self.turn][piece.name]:
                continue
            for squares, marked in turned(piece):
                first = min(marked)
                for down, right in ((row - first[0], column - first[1]) for row, column in own):
                    moved = frozenset((row + down, column + right) for row, column in marked)
                    every = frozenset((row + down, column + right) for row, column in squares)
                    if moved <= own and self.may_lie(every, moved):
                        found.add((piece.name, every, moved))
        return found

    def may_lie(self, squares: frozenset[Plot], marked: frozenset[Plot]) -> bool:
        """Whether a platform with its marked squares on own blocks may lie there."""
        heights = {self.height(plot) for plot in marked}
        if len(heights) != 1:
            return False
        level = heights.pop()
        for row, column in squares:
            if not (0 <= row < 8 and 0 <= column < 8):
                if self.house.edge == "inside" or self.house.bridging == "off":
                    return False
                continue
            high, floor, block = (ask((row, column)) for ask in (self.height, self.floor_on_top, self.block_on_top))
            if high > level or (high == level and floor is not None):
                return False
            if self.house.bridging == "off" and high != level:
                return False
            if self.house.covering == "own" and (floor if floor is not None else block) not in (None, self.turn):
                return False
        below = [each for _, each, its_level in self.floors if its_level == level - 1]
        if self.house.identical_floor == "same_squares":
            return squares not in below
        if self.house.identical_floor == "any_overlap":
            return not any(each & squares and congruent(each, squares) for each in below)
        return True


def turned(piece: Piece) -> set[tuple[frozenset[Plot], frozenset[Plot]]]:
    """A piece in its turns, and flipped where it may be, wherever that puts it."""
    shapes = set()
    for flip in (1, -1) if piece.flippable else (1,):
        squares = {(row, flip * column) for row, column in piece.squares}
        marked = {(row, flip * column) for row, column in piece.marked}
        for _ in range(4):
            squares = {(column, -row) for row, column in squares}
            marked = {(column, -row) for row, column in marked}
            top, left = min(row for row, _ in squares), min(column for _, column in squares)
            shapes.add(
                (
                    frozenset((row - top, column - left) for row, column in squares),
                    frozenset((row - top, column - left) for row, column in marked),
                )
            )
    return shapes


def congruent(one: frozenset[Plot], other: frozenset[Plot]) -> bool:
    shapes = [{every for every, _ in turned(Piece("x", tuple(each), (), 1, True))} for each in (one, other)]
    return bool(shapes[0] & shapes[1])


# --- Both side by side


def setups(chance: random.Random) -> Setup:
    """A setup by chance, house rules and box included."""
    house = HouseRules(**{rule: chance.choice(choices) for rule, choices in CHOICES.items()})
    players, drawn = chance.choice((2, 3, 4)), chance.choice(BOXES)
    return Setup(
        players,
        first=chance.randrange(players),
        blocks=chance.choice((6, 12, 18, 24)),
        house=house if chance.random() < 0.7 else HouseRules(),
        start=tuple(chance.sample((0, 5, 10, 15), players)),
        platforms=None if drawn is None else tuple(map(read_piece, drawn)),
    )


def agree(state: State, told: Reference) -> None:
    """Both accounts say the same of everything that can be asked."""
    assert (state.phase is Phase.OVER) == told.over
    assert told.over or state.turn == told.turn
    for seat, player in enumerate(state.players):
        assert (player.bonus, player.lire, player.space) == (told.bonus[seat], told.money[seat], told.spaces[seat])
        assert player.blocks == told.blocks_left[seat]
        assert (
            dict(zip((piece.name for piece in state.setup.pieces), player.platforms, strict=True)) == told.stock[seat]
        )
    for plot in PLOTS:
        top = state.top(plot)
        assert (top.level if top else 0) == told.height(plot)
        assert (top.seat if top and top.floor is not None else None) == told.floor_on_top(plot)
        assert (top.seat if top and top.floor is None else None) == told.block_on_top(plot)
    (sheet,) = rules.score(state)
    worth = {seat: (told.money[seat], told.bonus[seat]) for seat in range(told.players)}
    assert sheet.leaders() == tuple(seat for seat in worth if worth[seat] == max(worth.values()))


def listed(state: State) -> set[Lying]:
    moves = list(floors.legal_moves(state, state.turn))
    found = {(move.piece, frozenset(move.squares), frozenset(move.marked)) for move in moves}
    assert len(found) == len(moves)
    return found


def stray(state: State, chance: random.Random) -> Floored:
    """A platform somewhere, mostly with a marked square on a block and yet where it may not lie."""
    piece = chance.choice(state.setup.pieces)
    squares, marked = (sorted(each) for each in chance.choice(sorted(turned(piece), key=str)))
    down, right = chance.randrange(-3, 9), chance.randrange(-3, 9)
    blocks = [plot for plot in PLOTS if (top := state.top(plot)) is not None and top.floor is None]
    if blocks and chance.random() < 0.9:
        (row, column), marking = chance.choice(blocks), chance.choice(marked)
        down, right = row - marking[0], column - marking[1]
    spots = [tuple(sorted((row + down, column + right) for row, column in each)) for each in (squares, marked)]
    return Floored(state.turn, piece.name, *spots)


def plays(seed: int, turns: int, *, anywhere: bool = False) -> Iterator[tuple[State, Reference]]:
    """A random play told twice: every position in which a platform may be laid, or the play is over.

    `anywhere`: by agreement blocks are put beside the lane too, so that higher towers come about.
    """
    chance = random.Random(seed)
    setup = setups(chance)
    state, told = rules.new(setup), Reference.of(setup)
    for _ in range(turns):
        pips = chance.randint(1, 6)
        state, _events = rules.apply(state, Rolled(state.turn, pips))
        assert {move.bought for move in rules.legal_moves(state)} == set(range(told.bonus[told.turn] + 1))
        bought = chance.choice((0, 0, 0, chance.randint(0, told.bonus[told.turn])))
        seat = state.turn
        state, _events = rules.apply(state, Stepped(seat, bought))
        if told.go(pips, bought):
            assert state.phase is Phase.BLOCK
            state = put_block(state, told, chance, anywhere)
        agree(state, told)
        if state.phase is Phase.FLOOR:
            yield state, told
            state = lay_floor(state, told, chance)
        agree(state, told)
        if told.over:
            yield state, told
            return


def put_block(state: State, told: Reference, chance: random.Random, anywhere: bool) -> State:
    allowed = told.building_plots()
    assert {move.plot for move in building.legal_moves(state, state.turn)} == allowed
    for plot in ((row, column) for row in range(-1, 9) for column in range(-1, 9)):
        assert (rules.refusal(state, Built(state.turn, plot)) is None) == (plot in allowed)
    # Towers come about where a seat builds near what it has.
    own = [plot for plot, (_, _, seat) in told.uppermost.items() if seat == told.turn]
    if anywhere:
        allowed = {(row, column) for row in range(1, 6) for column in range(1, 6)}
    near = [plot for plot in allowed if any(abs(plot[0] - r) + abs(plot[1] - c) <= 2 for r, c in own)]
    plot = chance.choice(sorted(near if near and chance.random() < 0.8 else allowed))
    told.build(plot)
    state, _events = rules.apply(state, Built(state.turn, plot), agreed=anywhere)
    return state


def lay_floor(state: State, told: Reference, chance: random.Random) -> State:
    possible = list(floors.legal_moves(state, state.turn))
    if not possible or chance.random() < 0.3:
        told.end()
        return rules.apply(state, Done(state.turn))[0]
    move = chance.choice(possible)
    told.lay(move.piece, frozenset(move.squares), frozenset(move.marked))
    return rules.apply(state, move)[0]


@pytest.mark.parametrize("block", range(12))
def test_both_accounts_agree_in_thousands_of_positions(block: int) -> None:
    positions = legal = refused = 0
    for seed in range(block * 10, block * 10 + 10):
        chance = random.Random(f"strays of {seed}")
        for state, told in plays(seed, 100, anywhere=seed % 2 == 0):
            if told.over:
                continue
            allowed = told.lying()
            assert listed(state) == allowed
            for move in floors.legal_moves(state, state.turn):
                assert floors.refusal(state, move) is None
            for move in (stray(state, chance) for _ in range(6)):
                expected = (move.piece, frozenset(move.squares), frozenset(move.marked)) in allowed
                assert (floors.refusal(state, move) is None) == expected, move
                refused += not expected
            positions, legal = positions + 1, legal + len(allowed)
    assert positions > 200
    assert legal > 150
    assert refused > 900


def test_plays_come_to_their_end() -> None:
    ends = [state for seed in range(12) for state, told in plays(1000 + seed, 200) if told.over]
    assert len(ends) == 12
    for state in ends:
        assert state.turns % state.setup.players == 0
        assert min(player.blocks for player in state.players) == 0
