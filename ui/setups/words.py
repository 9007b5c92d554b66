"""What is asked before a play. Answers are a journal's header lines, which the game's rules read and check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.rules import Seat

Spoken = Callable[[], str]
"""A text, in the language that is used when it is asked for."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: its letter in the header line, its name, and its rule in a sentence."""

    key: str
    name: Spoken
    rule: Spoken


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A question that the rules leave open, and its answers: (value in the header line, in words)."""

    key: str
    question: Spoken
    answers: tuple[tuple[str, Spoken], ...]


@dataclass(frozen=True, slots=True)
class Words:
    """One game's questions. The first of each house rule's answers is what is usual.

    `seats` goes from each possible number of players to their seats, clockwise; `most_rounds` of 1 asks for none.
    """

    summary: Spoken
    seats: dict[int, tuple[Seat, ...]]
    usual_players: int
    variants: tuple[Variant, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    most_rounds: int = 1
