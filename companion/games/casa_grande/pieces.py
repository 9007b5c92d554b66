"""The platforms: shapes of squares, some of them marked, and every way in which one may lie.

Source: rule digest, "The platforms: data of the owner's box, not code".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache

from companion.errors import NotationError, quoted
from companion.games.casa_grande.board import SIDE, mask, on_board
from companion.sight import Spot

CONFIDENCES = ("sure", "reported", "ours")
"""How well a piece is known: from the rules, from somebody's copy, or made up by us for the sample."""

MOST_SQUARES = 16
MOST_COUNT = 17

BY_HAND = "*"
"""In place of a piece's name: a platform that the box profile does not hold, entered square by square."""

_NAME = r"[A-Za-z][A-Za-z0-9_]{0,15}"
_PIECE = re.compile(rf"({_NAME}) (\d{{1,2}})x ([#o./]+)( flips)?", re.ASCII)
NAME = re.compile(_NAME, re.ASCII)

Squares = tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """One kind of platform, of which each colour has `count`.

    `squares` and `marked` are (row, column) from the shape's own top left, sorted; `marked` must lie on blocks.
    """

    name: str
    squares: Squares
    marked: Squares
    count: int = 1
    flippable: bool = False


@dataclass(frozen=True, slots=True)
class Footprint:
    """A piece as it may lie on the board: its squares and the marked ones, sorted."""

    squares: Squares
    marked: Squares


@dataclass(frozen=True, slots=True)
class Placed:
    """A footprint on the board, with its squares and marked ones as masks of plots."""

    footprint: Footprint
    squares: int
    marked: int


def problems(piece: Piece) -> list[str]:
    """What is wrong with a piece, as clauses that follow its name."""
    found = []
    squares = set(piece.squares)
    if not NAME.fullmatch(piece.name):
        found.append("needs a name of letters and digits, a letter first")
    if not 1 <= len(squares) <= MOST_SQUARES:
        return [*found, f"must have 1 to {MOST_SQUARES} squares"]
    if len(squares) != len(piece.squares) or len(set(piece.marked)) != len(piece.marked):
        found.append("names a square twice")
    if not piece.marked:
        found.append("must have a marked square, which lies on a block")
    if not set(piece.marked) <= squares:
        found.append("has a marked square that is none of its squares")
    if not in_one_piece(squares):
        found.append("must be in one piece: its squares touch by their sides")
    if not 1 <= piece.count <= MOST_COUNT:
        found.append(f"must be there 1 to {MOST_COUNT} times")
    return found


def normal(spots: Iterable[Spot], like: Iterable[Spot] | None = None) -> Squares:
    """Spots moved to their own top left corner, or to that of `like`, and sorted."""
    spots = tuple(spots)
    corner = tuple(like) if like is not None else spots
    top, left = min(row for row, _ in corner), min(column for _, column in corner)
    return tuple(sorted((row - top, column - left) for row, column in spots))


@lru_cache(maxsize=512)
def ways(piece: Piece) -> tuple[Footprint, ...]:
    """A piece in each of its different turns, and flipped over where it may be, each at its own top left."""
    squares, marked = piece.squares, piece.marked
    found: dict[Footprint, None] = {}
    for flipped in (False, True) if piece.flippable else (False,):
        if flipped:
            squares, marked = (tuple((row, -column) for row, column in spots) for spots in (squares, marked))
        for _ in range(4):
            squares, marked = (tuple((column, -row) for row, column in spots) for spots in (squares, marked))
            found[Footprint(normal(squares), normal(marked, squares))] = None
    return tuple(found)


@lru_cache(maxsize=512)
def places(piece: Piece, *, over_edge: bool = False) -> tuple[Placed, ...]:
    """Every way in which a piece may lie on an empty board; `over_edge` lets unmarked squares stand out over it."""
    margin = MOST_SQUARES if over_edge else 0
    found = []
    for way in ways(piece):
        for down in range(-margin, SIDE):
            for right in range(-margin, SIDE):
                squares = tuple((row + down, column + right) for row, column in way.squares)
                marked = tuple((row + down, column + right) for row, column in way.marked)
                if all(map(on_board, marked if over_edge else squares)):
                    found.append(Placed(Footprint(squares, marked), mask(squares), mask(marked)))
    return tuple(found)


@lru_cache(maxsize=4096)
def shape(squares: Squares) -> Squares:
    """What all turns and flips of some squares have in common: the first of them in order."""
    return min(way.squares for way in ways(Piece("any", squares, squares[:1], flippable=True)))


def fits(piece: Piece, footprint: Footprint) -> bool:
    """Whether a piece can lie like this."""
    wanted = Footprint(normal(footprint.squares), normal(footprint.marked, footprint.squares))
    return wanted in ways(piece)


def write_piece(piece: Piece) -> str:
    """A piece on one line: ``T5 1x #o#/.o./.#.`` (# marked, o unmarked, rows from the top)."""
    rows = max(row for row, _ in piece.squares) + 1
    columns = max(column for _, column in piece.squares) + 1
    symbols = {spot: "#" if spot in piece.marked else "o" for spot in piece.squares}
    drawn = "/".join("".join(symbols.get((row, column), ".") for column in range(columns)) for row in range(rows))
    return f"{piece.name} {piece.count}x {drawn}{' flips' if piece.flippable else ''}"


def read_piece(text: str) -> Piece:
    """The inverse of `write_piece`. Raises: NotationError."""
    found = _PIECE.fullmatch(text.strip())
    if not found:
        raise NotationError(f'{quoted(text)} is not a platform: write it like "I3 2x #o#".')
    name, count, drawn, flips = found.groups()
    symbols = {
        (row, column): symbol
        for row, line in enumerate(drawn.split("/"))
        for column, symbol in enumerate(line)
        if symbol != "."
    }
    if not symbols:
        raise NotationError(f"{quoted(text)} has no squares: draw them with # (marked) and o.")
    marked = [spot for spot, symbol in symbols.items() if symbol == "#"]
    return Piece(name, normal(symbols), normal(marked, symbols) if marked else (), int(count), bool(flips))


def in_one_piece(squares: Set[Spot]) -> bool:
    """Whether squares, of which there is one at least, hang together by their sides."""
    reached = {min(squares)}
    queue = list(reached)
    for row, column in queue:
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if near in squares and near not in reached:
                reached.add(near)
                queue.append(near)
    return reached == squares
