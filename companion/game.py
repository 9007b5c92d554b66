"""What the program needs of a game beside its rules: one value for each of the titles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.review import Review
from companion.rules import Event, Rules, Seat
from companion.sight import Proposal, Reading
from companion.wording import Sentences


@dataclass(frozen=True, slots=True)
class Game:
    """One of the titles: its name in journals and on the command line, its rules and its sentences."""

    name: str
    title: str
    rules: Rules[Any, Any, Any]
    sentences: Sentences
    prompt: Callable[[Any], Event]
    """From the state: what to do now."""

    hands: Callable[[Any, Any], tuple[Event, ...]]
    """From one state to another: what the hands must change on the table, in order."""

    propose: Callable[[Any, Reading], Proposal[Any]] | None = None
    """From the state and what was seen: the moves that explain it; for games that a camera can follow."""

    roll: Callable[[Any, int], Any] | None = None
    """From the state and a die's pips: the roll as a move, or None when no roll is due; for games with a die."""

    loud: frozenset[str] = frozenset()
    """Names of events that everybody at the table must hear of."""

    review: Callable[[Any, Reading], Review | None] | None = None
    """From the state and what was seen: what a person may go over and put right, or None when that is nothing now."""

    rematch: Callable[[Any, tuple[Seat, ...]], Any] | None = None
    """From the state of a finished play and its winners: the setup with which the same people play again."""
