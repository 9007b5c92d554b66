"""What can be put in: the entries of a journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.rules import Seat

MoveT = TypeVar("MoveT")

MOST_POINTS = 10**12 - 1
"""By which an adjustment may change a result: a journal's line has twelve digits for it."""


# Python 3.11 and 3.12 cannot make a frozen, slotted, generic dataclass through a subscript: write Played(move), never
# Played[Move](move).
@dataclass(frozen=True, slots=True)
class Played(Generic[MoveT]):
    """A move was made at the table. `agreed`: it holds, though a rule that may be waived speaks against it."""

    move: MoveT
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """The last entry that still holds was taken back."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The table overrules the program: a seat's result is changed by so many points."""

    seat: Seat
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Amended(Generic[MoveT]):
    """Another move was made in place of the one at this position, from 0, among the entries that hold.

    What came after it is played again, each entry in its place: by agreement where only the order of turns now speaks
    against it, and with `agreed` wherever a rule that may be waived does. One undo takes the whole back.
    """

    position: int
    move: MoveT
    agreed: bool = False


Entry = Played[MoveT] | Undone | Adjusted | Amended[MoveT]
