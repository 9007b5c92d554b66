"""What a game is: pure functions over frozen values.

A game's `rules` module offers the functions of `Rules`; the module itself is the value that is handed round.
Chance is a move like any other, so that a replay is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from companion.errors import CompanionError, NotationError, quoted
from companion.score import Facts, ScoreSheet
from companion.sight import Spot

Seat = int
"""A place at the table, from 0, clockwise seen from above. Seat 0 sits at the near side."""

SEAT_LETTERS = "ABCDEFGHIJ"

SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not allowed: the rule's name, the numbers behind it, and the cells to look at.

    `about_turns`: it is nothing but somebody else's turn. Such a refusal comes after all others.
    """

    rule: str
    facts: Facts = field(default_factory=dict)
    spots: tuple[Spot, ...] = ()
    about_turns: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """What a move meant at the table. Shown, never stored: a replay makes it again."""

    name: str
    facts: Facts = field(default_factory=dict)
    spots: tuple[Spot, ...] = ()


class IllegalMove(CompanionError):  # noqa: N818 - the word of the field
    """`apply` was given a move that `refusal` refuses; asking first is the caller's part."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(f"This move breaks the rule {refusal.rule}.")


class Rules(Protocol[SetupT, StateT, MoveT]):
    """The functions that make a game. None of them changes its arguments."""

    def new(self, setup: SetupT, /) -> StateT:
        """The state before the first move. Raises: SetupError, naming everything that is wrong."""
        ...

    def seats(self, setup: SetupT, /) -> tuple[Seat, ...]:
        """The seats that take part, clockwise."""
        ...

    def to_act(self, state: StateT, /) -> tuple[Seat, ...]:
        """The seats that may move next; none when the table itself moves (a deal, a roll) or the play is over."""
        ...

    def refusal(self, state: StateT, move: MoveT, /, agreed: bool = False) -> Refusal | None:
        """Why the move is not allowed now, or None. The only place where that is decided.

        `agreed`: the table plays it this way. Then rules that are there for fairness are not asked; those remain
        without which the game could not say what lies on the table, or could not add it up.
        """
        ...

    def legal_moves(self, state: StateT, /) -> Iterator[MoveT]:
        """The moves that are allowed now, one at a time; none when the play is over."""
        ...

    def apply(self, state: StateT, move: MoveT, /, agreed: bool = False) -> tuple[StateT, tuple[Event, ...]]:
        """The state after the move, and what the move meant. Raises: IllegalMove, by `refusal` with `agreed`."""
        ...

    def score(self, state: StateT, /) -> tuple[ScoreSheet, ...]:
        """The sheets so far, oldest first. There is always one; the last one decides the play."""
        ...

    def write(self, move: MoveT, /) -> str:
        """The move on one line."""
        ...

    def read(self, text: str, /) -> MoveT:
        """The inverse of `write`. Raises: NotationError."""
        ...

    def write_setup(self, setup: SetupT, /) -> dict[str, str]:
        """The setup as a journal's header lines: key to one-line value."""
        ...

    def read_setup(self, lines: Mapping[str, str], /) -> SetupT:
        """The inverse of `write_setup`; a missing key takes its default. Raises: SetupError."""
        ...


def write_seat(seat: Seat) -> str:
    """A seat's letter: A for 0, B for 1, and so on."""
    return SEAT_LETTERS[seat]


def read_seat(text: str) -> Seat:
    """The inverse of `write_seat`. Raises: NotationError."""
    if len(text) != 1 or text not in SEAT_LETTERS:
        raise NotationError(f"{quoted(text)} is not a seat: write a letter such as A.")
    return SEAT_LETTERS.index(text)
