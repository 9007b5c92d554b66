"""The board of Casa Grande: 8 x 8 plots, and a track of 20 spaces round them.

A plot is (row, column), row 0 farthest from seat A, column 0 at its left. Spaces are numbered clockwise seen from
above, from 0, the far left corner; every fifth is a corner.
Source: rule digest, "Board".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.sight import Spot

SIDE = 8
"""Plots along a side."""

SPACES = 20
SIDE_SPACES = SPACES // 4
"""A corner and the four lane spaces after it."""

LANE = 2
"""A lane's width in plots."""

PLOTS: tuple[Spot, ...] = tuple((row, column) for row in range(SIDE) for column in range(SIDE))


def is_corner(space: int) -> bool:
    """Whether a space is one of the four orange ones, which serve no lane."""
    return space % SIDE_SPACES == 0


@cache
def lane(space: int) -> tuple[Spot, ...]:
    """The 16 plots of the lane beside a space, across the whole board; none beside a corner."""
    if is_corner(space):
        return ()
    side, along = divmod(space, SIDE_SPACES)
    number = along - 1 if side in (0, 1) else SIDE // LANE - along
    wide = range(number * LANE, number * LANE + LANE)
    return tuple(plot for plot in PLOTS if plot[side % 2 == 0] in wide)


def after(space: int, steps: int) -> int:
    """The space so many steps clockwise of another."""
    return (space + steps) % SPACES


def on_board(spot: Spot) -> bool:
    """Whether a spot is a plot."""
    return 0 <= spot[0] < SIDE and 0 <= spot[1] < SIDE


def bit(plot: Spot) -> int:
    """A plot as the one bit of a 64 bit mask."""
    return 1 << (plot[0] * SIDE + plot[1])


def mask(plots: Iterable[Spot]) -> int:
    """Plots as a 64 bit mask; spots beside the board leave no bit."""
    bits = 0
    for plot in plots:
        if on_board(plot):
            bits |= bit(plot)
    return bits
