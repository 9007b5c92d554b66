"""A photograph's reading as a person goes over it: what each spot shows, what it may show, and what comes of that.

Nothing here knows a game. A game makes a review from the state and a reading; each choice gives another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

from companion.rules import Refusal
from companion.score import ScoreSheet
from companion.sight import Spot


@dataclass(frozen=True, slots=True)
class Choice:
    """What a spot may be said to show. `share` is how likely that is beside the other choices, 0 to 1.

    `refusal` is why it cannot be, or None.
    """

    symbol: str
    share: float
    refusal: Refusal | None = None


class Review(Protocol):
    """A grid that is gone over. Spots are rows and columns of the grid, from its top left, as seat A reads it."""

    @property
    def rows(self) -> tuple[str, ...]:
        """What the grid is taken to show now, one symbol a spot."""
        ...

    @property
    def doubtful(self) -> tuple[Spot, ...]:
        """The spots that a person should still look at, the most doubtful first."""
        ...

    @property
    def said(self) -> tuple[Spot, ...]:
        """The spots of which a person has said what they show."""
        ...

    @property
    def move(self) -> object:
        """The grid as the move that puts it in."""
        ...

    @property
    def refusal(self) -> Refusal | None:
        """Why the grid cannot be put in as it stands, or None."""
        ...

    @property
    def sheet(self) -> ScoreSheet | None:
        """What everybody scores with this grid; None while it is refused."""
        ...

    def choices(self, spot: Spot) -> tuple[Choice, ...]:
        """What a spot may be said to show: what is possible first, the likeliest of it at the front."""
        ...

    def chosen(self, spot: Spot, symbol: str) -> Self:
        """The review after a person has said what a spot shows; spots that change with it become doubtful."""
        ...
