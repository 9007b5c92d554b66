"""The full check: what every top in view shows by itself, held against what the play remembers.

Each plot is weighed as bare board, and as any colour's block or platform at its own level and those beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp

import numpy as np

from companion.games.casa_grande.board import PLOTS
from companion.games.casa_grande.sight import BLOCK, BOARD, FLOOR, MARKED, Top
from companion.rules import Seat
from companion.sight import Spot
from vision.towers import likelihood
from vision.towers.looks import TOP
from vision.towers.planes import Planes, patch
from vision.towers.weigh import UNKNOWN, Scene, Weight, weight_of

SEEN = 0.3
"""A top of which less is in view is not told."""

TEMPER = 6.0
"""So much of a weight counts as one, as for turns."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one plot shows: the likeliest top, how likely it is, and what the play says lies there."""

    plot: Spot
    top: Top
    confidence: float
    expected: Top

    @property
    def fits(self) -> bool:
        """Whether it is what the play says, as far as a look from above tells: a floor's marks may be hidden."""
        return _kind(self.top) == _kind(self.expected) and self.top.seat == self.expected.seat


def check(scene: Scene, first: Planes, seats: Iterable[Seat]) -> list[Told]:
    """Every plot whose top is in view in the scene's later picture; `first` is the empty board."""
    found = []
    for plot in PLOTS:
        expected = scene.tops[plot]
        weighed = [(top, _weighed(scene, first, plot, top)) for top in _possible(expected, seats)]
        shown = [(top, weight.value / weight.visible) for top, weight in weighed if weight.visible > SEEN]
        if expected not in [top for top, _ in shown]:
            continue
        best, most = max(shown, key=lambda pair: pair[1])
        share = 1 / sum(exp((value - most) / TEMPER) for _, value in shown)
        found.append(Told(plot, best, share, expected))
    return found


def _possible(expected: Top, seats: Iterable[Seat]) -> Iterator[Top]:
    yield Top()
    levels = [level for level in (expected.level - 1, expected.level, expected.level + 1) if level > 0]
    for seat in seats:
        for kind in (BLOCK, MARKED, FLOOR):
            for level in levels:
                yield Top(kind, seat, level)


def _weighed(scene: Scene, first: Planes, plot: Spot, top: Top) -> Weight:
    if top.kind != BOARD:
        return scene.came(plot, top)
    where = patch(plot)
    seen = ~scene.covered(True, 0.0)[where] & TOP
    if not np.any(seen):
        return Weight(0.0, 0.0, 0.0)
    bare, now = first.at(0.0), scene.after.at(0.0)
    steep = likelihood.steepness(bare)[where]
    return weight_of(likelihood.stayed(bare[where], now[where], steep) - UNKNOWN, seen)


def _kind(top: Top) -> str:
    return FLOOR if top.kind == MARKED else top.kind
