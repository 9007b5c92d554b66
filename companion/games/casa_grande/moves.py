"""The moves of Casa Grande and their one-line text.

::

    A rolls 4                          the die shows 4. Chance
    A steps 2                          A moves on by the die and two bought steps
    A builds 3,4                       a block on the plot in row 3, column 4 (from 0, row 0 farthest from seat A)
    A floors T5 1,2! 1,3 1,4! 2,3 3,3! a platform; its marked squares have a !
    A floors * 1,2! 1,3                a platform that the box profile does not hold, square by square
    A done                             no platform; the turn ends
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import NotationError, quoted
from companion.games.casa_grande.pieces import BY_HAND, NAME, Footprint
from companion.rules import Seat, read_seat, write_seat
from companion.sight import Spot


@dataclass(frozen=True, slots=True)
class Rolled:
    """The die of a seat's turn. Chance."""

    seat: Seat
    pips: int


@dataclass(frozen=True, slots=True)
class Stepped:
    """A seat's piece moves on by the die and so many bought steps."""

    seat: Seat
    bought: int = 0


@dataclass(frozen=True, slots=True)
class Built:
    """A seat puts a block on a plot."""

    seat: Seat
    plot: Spot


@dataclass(frozen=True, slots=True)
class Floored:
    """A seat lays a platform, by name or `BY_HAND`; squares and marked ones are plots, sorted."""

    seat: Seat
    piece: str
    squares: tuple[Spot, ...]
    marked: tuple[Spot, ...]

    @property
    def footprint(self) -> Footprint:
        """How it lies."""
        return Footprint(self.squares, self.marked)


@dataclass(frozen=True, slots=True)
class Done:
    """A seat lays no platform; its turn ends."""

    seat: Seat


Move = Rolled | Stepped | Built | Floored | Done

_COUNTED = re.compile(r"([A-Z]) (rolls|steps) (\d{1,2})", re.ASCII)
_PLOT = re.compile(r"(-?\d{1,2}),(-?\d{1,2})(!?)", re.ASCII)


def write(move: Move) -> str:
    """The move on one line."""
    seat = write_seat(move.seat)
    match move:
        case Rolled(_, pips):
            return f"{seat} rolls {pips}"
        case Stepped(_, bought):
            return f"{seat} steps {bought}"
        case Built(_, (row, column)):
            return f"{seat} builds {row},{column}"
        case Floored(_, piece, squares, marked):
            drawn = (f"{row},{column}{'!' * ((row, column) in marked)}" for row, column in squares)
            return " ".join((seat, "floors", piece, *drawn))
        case Done():
            return f"{seat} done"


def read(text: str) -> Move:
    """The inverse of `write`. Raises: NotationError."""
    if found := _COUNTED.fullmatch(text):
        seat, verb, number = found.groups()
        return (Rolled if verb == "rolls" else Stepped)(read_seat(seat), int(number))
    match text.split():
        case [seat, "done"]:
            return Done(read_seat(seat))
        case [seat, "builds", plot] if (found := _PLOT.fullmatch(plot)) and not found[3]:
            return Built(read_seat(seat), (int(found[1]), int(found[2])))
        case [seat, "floors", piece, *plots] if plots and (piece == BY_HAND or NAME.fullmatch(piece)):
            read = [_PLOT.fullmatch(plot) for plot in plots]
            spots = [(int(each[1]), int(each[2]), each[3]) for each in read if each]
            squares = tuple(sorted((row, column) for row, column, _ in spots))
            if len(spots) == len(plots) and len(set(squares)) == len(squares):
                marked = tuple(sorted((row, column) for row, column, mark in spots if mark))
                return Floored(read_seat(seat), piece, squares, marked)
    raise NotationError(f'{quoted(text)} is not a move of Casa Grande: write it like "A builds 3,4" or "A steps 0".')
