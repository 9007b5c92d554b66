"""Scores that explain themselves: a total is always the sum of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.sight import Spot

Fact = int | str
"""One number or text that explains a refusal, an event or a score line."""

Facts = Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Who gets how many points, by which rule, with which numbers, and where to light it up.

    `spots` are cells of the finished layout, as seat 0 sees them, in the order in which they count.
    """

    seat: int
    points: int
    rule: str
    facts: Facts = field(default_factory=dict)
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The lines of one round or of one play, for the seats that take part.

    `lower_wins` turns the ranking round; the totals stay what they are. Of equal totals, the seat with more in
    `tie_breaks` ranks higher. `running`: more lines will come in the course of the play.
    `by_round`: the fact `number` of a line is the round that it comes from.
    """

    title: str
    seats: tuple[int, ...]
    lines: tuple[ScoreLine, ...] = ()
    lower_wins: bool = False
    tie_breaks: Mapping[int, int] = field(default_factory=dict)
    running: bool = False
    by_round: bool = False

    def lines_of(self, seat: int) -> tuple[ScoreLine, ...]:
        """The lines that make up one seat's total, in the order in which they are read."""
        return tuple(line for line in self.lines if line.seat == seat)

    def total(self, seat: int) -> int:
        """The sum of the seat's lines."""
        return sum(line.points for line in self.lines_of(seat))

    def totals(self) -> dict[int, int]:
        """Every seat's total, in the order of the seats."""
        return {seat: self.total(seat) for seat in self.seats}

    def ranks(self) -> dict[int, int]:
        """Every seat's rank, from 1; equal ones share the better rank (1, 1, 3, 4)."""
        totals = self.totals()
        worth = {
            seat: (-total if self.lower_wins else total, self.tie_breaks.get(seat, 0)) for seat, total in totals.items()
        }
        return {seat: 1 + sum(other > worth[seat] for other in worth.values()) for seat in self.seats}

    def leaders(self) -> tuple[int, ...]:
        """The seats that share rank 1."""
        return tuple(seat for seat, rank in self.ranks().items() if rank == 1)

    def with_lines(self, lines: Iterable[ScoreLine]) -> ScoreSheet:
        """The same sheet with more lines at its end."""
        return replace(self, lines=(*self.lines, *lines))
