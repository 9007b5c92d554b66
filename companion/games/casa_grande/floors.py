"""Where platforms may be laid.

One function says why not; a faster one lists every place, and the tests hold them equal.

Source: rule digest, "Turn" 3, "Levels" and "Platform placement".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.casa_grande.board import on_board
from companion.games.casa_grande.moves import Floored
from companion.games.casa_grande.pieces import BY_HAND, MOST_SQUARES, Placed, fits, in_one_piece, places, shape
from companion.games.casa_grande.state import Floor, State
from companion.rules import Refusal, Seat
from companion.sight import Spot


def refusal(state: State, move: Floored, agreed: bool = False) -> Refusal | None:
    """Why this platform may not be laid, whoever's turn it is; `agreed` leaves only what the sums need."""
    return _shape_refusal(state, move) or _place_refusal(state, move, agreed)


def level_of(state: State, move: Floored) -> int:
    """The level that a platform gets: that of the highest of the tops its marked squares lie on."""
    return max((top.level for spot in move.marked if on_board(spot) and (top := state.top(spot))), default=0)


def legal_moves(state: State, seat: Seat) -> Iterator[Floored]:
    """Every platform that a seat may lay now, wherever the turn is."""
    tops, house = _Tops.of(state, seat), state.setup.house
    for piece, left in zip(state.setup.pieces, state.player(seat).platforms, strict=True):
        if not left:
            continue
        for place in places(piece, over_edge=house.edge == "over"):
            if place.marked & tops.any_own != place.marked:
                continue
            level = tops.level(place.marked)
            if level and not place.squares & tops.in_the_way(level) and _fair(state, tops, place, level):
                yield Floored(seat, piece.name, place.footprint.squares, place.footprint.marked)


@dataclass(frozen=True, slots=True)
class _Tops:
    """What lies uppermost, as masks of plots.

    `any_own`: the seat's blocks, and `own[level]` those at a level; `higher[level]`: anything above it;
    `floors[level]`: floors at it; `level_with[level]`: anything at it; `others`: blocks and floors of other seats.
    """

    any_own: int
    own: tuple[int, ...]
    higher: tuple[int, ...]
    floors: tuple[int, ...]
    level_with: tuple[int, ...]
    others: int

    @classmethod
    def of(cls, state: State, seat: Seat) -> _Tops:
        """The tops as one seat has them."""
        tops = [(1 << number, column[-1]) for number, column in enumerate(state.columns) if column]
        levels = range(1 + max((top.level for _, top in tops), default=0))
        own, floors, level_with, higher = ([0 for _ in levels] for _ in range(4))
        others = 0
        for plot, top in tops:
            level_with[top.level] |= plot
            if top.floor is not None:
                floors[top.level] |= plot
            elif top.seat == seat:
                own[top.level] |= plot
            if top.seat != seat:
                others |= plot
            for level in range(top.level):
                higher[level] |= plot
        return cls(sum(own), tuple(own), tuple(higher), tuple(floors), tuple(level_with), others)

    def level(self, marked: int) -> int:
        """The level of the own blocks that lie under all of these plots, or 0."""
        return next((level for level, own in enumerate(self.own) if marked & own == marked), 0)

    def in_the_way(self, level: int) -> int:
        """Plots over which no platform of that level fits."""
        return self.higher[level] | self.floors[level]


def _fair(state: State, tops: _Tops, place: Placed, level: int) -> bool:
    """The house rules, for a platform that fits."""
    house, squares = state.setup.house, place.footprint.squares
    if house.covering == "own" and place.squares & tops.others:
        return False
    if house.bridging == "off" and (not all(map(on_board, squares)) or place.squares & ~tops.level_with[level]):
        return False
    return _twin(state, squares, level) is None


def _shape_refusal(state: State, move: Floored) -> Refusal | None:
    """What is wrong with the platform wherever it is laid."""
    squares, marked = set(move.squares), set(move.marked)
    twice = len(squares) < len(move.squares) or len(marked) < len(move.marked)
    if twice or not marked or not marked <= squares or len(squares) > MOST_SQUARES:
        return Refusal("floor_marks", {"piece": move.piece})
    if move.piece == BY_HAND:
        return None if in_one_piece(squares) else Refusal("floor_apart", {"piece": move.piece}, move.squares)
    piece = state.setup.piece(move.piece)
    if piece is None:
        names = " ".join(each.name for each in state.setup.pieces)
        return Refusal("floor_unknown", {"piece": move.piece, "pieces": names})
    return None if fits(piece, move.footprint) else Refusal("floor_shape", {"piece": move.piece}, move.squares)


def _place_refusal(state: State, move: Floored, agreed: bool) -> Refusal | None:
    house = state.setup.house
    outside = [spot for spot in move.squares if not on_board(spot)]
    if outside and (house.edge == "inside" or set(outside) & set(move.marked)):
        return _at("floor_edge", move, outside[0])
    level = level_of(state, move)
    if not level:
        return _at("floor_on_nothing", move, move.marked[0])
    for spot in move.squares:
        top = state.top(spot) if on_board(spot) else None
        if top is not None and (top.level > level or (top.level == level and top.floor is not None)):
            rule = "floor_on_floor" if top.level == level else "floor_blocked"
            return _at(rule, move, spot, level=level, seat=top.seat)
    return None if agreed else _unfair(state, move, level)


def _unfair(state: State, move: Floored, level: int) -> Refusal | None:
    """The rules that a table may waive: the sums do not need them."""
    if move.piece != BY_HAND and not _left(state, move):
        return Refusal("floor_stock", {"seat": move.seat, "piece": move.piece})
    for spot in move.marked:
        top = state.top(spot)
        if top is None or top.floor is not None or top.seat != move.seat:
            return _at("floor_marked", move, spot, seat=move.seat)
        if top.level != level:
            return _at("floor_height", move, spot, level=level, low=top.level)
    return _house_refusal(state, move, level)


def _house_refusal(state: State, move: Floored, level: int) -> Refusal | None:
    house = state.setup.house
    for spot in move.squares:
        top = state.top(spot) if on_board(spot) else None
        if house.covering == "own" and top is not None and top.seat != move.seat:
            return _at("floor_covers", move, spot, seat=top.seat)
        if house.bridging == "off" and (top is None or top.level != level):
            return _at("floor_bridges", move, spot)
    twin = _twin(state, move.squares, level)
    return None if twin is None else _at("floor_identical", move, twin.squares[0], level=level, below=level - 1)


def _left(state: State, move: Floored) -> int:
    names = [piece.name for piece in state.setup.pieces]
    return state.player(move.seat).platforms[names.index(move.piece)]


def _twin(state: State, squares: tuple[Spot, ...], level: int) -> Floor | None:
    """The floor of the same shape one level below, as the house rule has it, or None."""
    rule = state.setup.house.identical_floor
    if rule == "off":
        return None
    wanted = set(squares)
    for floor in state.floors:
        if floor.level != level - 1 or len(floor.squares) != len(squares):
            continue
        below = set(floor.squares)
        if below == wanted or (rule == "any_overlap" and below & wanted and shape(floor.squares) == shape(squares)):
            return floor
    return None


def _at(rule: str, move: Floored, spot: Spot, **facts: int) -> Refusal:
    return Refusal(rule, {"piece": move.piece, "row": spot[0], "column": spot[1], **facts}, (spot,))


def stock_after(state: State, move: Floored) -> tuple[int, ...]:
    """The mover's platforms once this one is laid."""
    counts = zip(state.setup.pieces, state.player(move.seat).platforms, strict=True)
    return tuple(max(0, left - (piece.name == move.piece)) for piece, left in counts)
