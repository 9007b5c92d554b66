"""The moves of Cassa Grande and their one-line text.

::

    A 0,0 ?                    A lays a card whose face is not known on cell 0,0
    C -1,2 4                   C lays a 4 one row up (away from A) and two columns to the right of the first card
    A swaps B ? 3              variant B: A gives B a card that is not known and gets a 3
    dealt 0012234, 0012234, ? ?    variant E: the hands in the order of the seats; ? is a hand not seen
    turned over 11201, 4,.00.  the grid as A reads it, top row first; a full stop is a gap
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import NotationError, quoted
from companion.games.cassa_grande.pieces import FACES
from companion.rules import Seat, read_seat, write_seat
from companion.sight import UNKNOWN, Spot


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat lays a card on a cell; the face may be `UNKNOWN`."""

    seat: Seat
    cell: Spot
    face: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class Swapped:
    """Variant B: a seat exchanges one card with an opponent; each face may be `UNKNOWN`."""

    seat: Seat
    other: Seat
    gave: str = UNKNOWN
    got: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class Dealt:
    """Variant E: the hands in the order of the seats; a hand that was not seen is `UNKNOWN`. Chance."""

    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """All cards are turned over in place: the grid's rows as seat A reads them. Chance, to those who did not see."""

    rows: tuple[str, ...]


Move = Placed | Swapped | Dealt | TurnedOver

_FACE = f"[{FACES}{re.escape(UNKNOWN)}]"
_PLACED = re.compile(rf"([A-Z]) (-?\d{{1,2}}),(-?\d{{1,2}}) ({_FACE})", re.ASCII)
_SWAPPED = re.compile(rf"([A-Z]) swaps ([A-Z]) ({_FACE}) ({_FACE})")


def write(move: Move) -> str:
    """The move on one line."""
    match move:
        case Placed(seat, (row, column), face):
            return f"{write_seat(seat)} {row},{column} {face}"
        case Swapped(seat, other, gave, got):
            return f"{write_seat(seat)} swaps {write_seat(other)} {gave} {got}"
        case Dealt(hands):
            return " ".join(("dealt", *hands))
        case TurnedOver(rows):
            return " ".join(("turned over", *rows))


def read(text: str) -> Move:
    """The inverse of `write`. Raises: NotationError."""
    if found := _PLACED.fullmatch(text):
        seat, row, column, face = found.groups()
        return Placed(read_seat(seat), (int(row), int(column)), face)
    if found := _SWAPPED.fullmatch(text):
        seat, other, gave, got = found.groups()
        return Swapped(read_seat(seat), read_seat(other), gave, got)
    match text.split():
        case ["dealt", *hands] if hands:
            return Dealt(tuple(hands))
        case ["turned", "over", *rows] if rows:
            return TurnedOver(tuple(rows))
    raise NotationError(f'{quoted(text)} is not a move of Cassa Grande: write it like "A 0,1 4" or "A 0,1 ?".')
