"""Two pictures of a board, the later one weighed: what stayed, and what a turn would have put there.

All weights are sums of log likelihoods over the visible pixels of tops, against a colour of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from companion.games.casa_grande.box import Sizes
from companion.games.casa_grande.sight import BLOCK, BOARD, Top
from companion.sight import Spot
from vision.towers import likelihood
from vision.towers.light import Colours
from vision.towers.looks import PLAIN, TOP, Looks
from vision.towers.planes import PLOT_PX, Block, Mask, Planes, hidden, patch

PIXELS = 12.0
"""So many neighbouring pixels tell no more than one."""

MOST_TONE = 2.5
"""No top differs from others of its colour by more than so many times what is usual."""

TONED = 2.0
"""How much it counts that a whole top is brighter, darker or of another tone than expected."""

UNKNOWN = log(likelihood.ANYTHING)

ODD = log(3 * likelihood.STRANGE * likelihood.ANYTHING)
"""A pixel less likely than this shows something else than it should."""

Layout = Mapping[Spot, Top]


@dataclass(frozen=True, slots=True)
class Weight:
    """How well one plot shows what it should: its log likelihood, the share in view, and the share of that at odds."""

    value: float
    visible: float
    odd: float


def bodies(layers: Mapping[Spot, Iterable[tuple[bool, int]]], sizes: Sizes) -> list[Block]:
    """What may hide something: for each plot its layers from the board up, (whether a floor, level)."""
    found = []
    for plot, column in layers.items():
        bottom: float | None = None
        top = 0.0
        for floor, level in column:
            upper = level * sizes.layer_mm - (0.0 if floor else sizes.platform_mm)
            lower = upper - (sizes.platform_mm if floor else sizes.layer_mm - sizes.platform_mm)
            if bottom is not None and lower > top + sizes.platform_mm + 1e-6:
                found.append(Block(plot, sizes.block_mm / 2, bottom, top))
                bottom = None
            bottom = lower if bottom is None else bottom
            top = upper
        if bottom is not None:
            found.append(Block(plot, sizes.block_mm / 2, bottom, top))
    return found


@dataclass(eq=False, slots=True)
class Scene:
    """The last confirmed picture with what stood on the board, and the next picture."""

    before: Planes
    after: Planes
    tops: Layout
    bodies: list[Block]
    sizes: Sizes
    looks: Looks
    _hidden: dict[tuple[bool, float], Mask] = field(default_factory=dict)
    _stayed: dict[float, likelihood.Logs] = field(default_factory=dict)
    _came: dict[tuple[Spot, Top], Weight] = field(default_factory=dict)

    def height(self, top: Top) -> float:
        """How high a top lies, in mm."""
        return top.height_mm(self.sizes)

    def stayed(self, height: float) -> likelihood.Logs:
        """Whether the plane shows what it showed before, by pixel; 0 where that was hidden."""
        if height not in self._stayed:
            earlier = self.before.at(height)
            found = likelihood.stayed(earlier, self.after.at(height), likelihood.steepness(earlier)) - UNKNOWN
            self._stayed[height] = np.where(self.covered(False, height), np.float32(0), found)
        return self._stayed[height]

    def covered(self, later: bool, height: float) -> Mask:
        """What hides the plane in one of the pictures, by what stood before."""
        key = (later, height)
        if key not in self._hidden:
            view = self.after.view if later else self.before.view
            self._hidden[key] = hidden(view, self.bodies, height, self.before.pitch, self.before.side)
        return self._hidden[key]

    def kept(self, plot: Spot, also_hidden: Mask | None = None) -> Weight:
        """How well a plot still shows its top; `also_hidden` (P, P) is what new things hide of it."""
        height = self.height(self.tops[plot])
        where = patch(plot)
        seen = ~self.covered(True, height)[where] & ~self.covered(False, height)[where] & _area(self.tops[plot])
        if also_hidden is not None:
            seen &= ~also_hidden
        return weight_of(self.stayed(height)[where], seen)

    def came(self, plot: Spot, top: Top, also_hidden: Mask | None = None) -> Weight:
        """How well a plot shows a new top."""
        key = (plot, top)
        if also_hidden is None and key in self._came:
            return self._came[key]
        height, where = self.height(top), patch(plot)
        seen = ~self.covered(True, height)[where] & TOP
        if also_hidden is not None:
            seen &= ~also_hidden
        mean, spread = self._expected(plot, top)
        shown = self.after.at(height)[where]
        tone = self.looks.tone(top.seat if top.seat is not None else -1)
        plain = seen & PLAIN
        off = np.median((shown - mean)[plain], axis=0) if plain.any() else np.zeros(3, np.float32)
        off = np.clip(off, -MOST_TONE * tone, MOST_TONE * tone)
        weight = weight_of(likelihood.came(mean + off, spread, shown) - UNKNOWN, seen)
        weight = Weight(weight.value - TONED * float(np.square(off / tone).sum()), weight.visible, weight.odd)
        if also_hidden is None:
            self._came[key] = weight
        return weight

    def new(self, plot: Spot, top: Top) -> float:
        """How much likelier a new top is than that the plot stayed: on the same pixels, those of the new top."""
        height, where = self.height(top), patch(plot)
        seen = ~self.covered(True, height)[where] & TOP
        return self.came(plot, top).value - weight_of(self.stayed(height)[where], seen).value

    def _expected(self, plot: Spot, top: Top) -> tuple[Colours, Colours]:
        """What a new top should look like."""
        old = self.tops[plot]
        if old.kind == BLOCK and top.kind == BLOCK and old.seat == top.seat:
            # The same block, one level up: nothing tells better how it looks than the picture before.
            height, where = self.height(old), patch(plot)
            if self.covered(False, height)[where].mean() < 0.1:
                look = self.before.at(height)[where]
                steep = likelihood.steepness(self.before.at(height))[where]
                wide = np.square(np.array(likelihood.STAYED, np.float32)) + np.square(likelihood.SHIFTED_PX * 2 * steep)
                return look, np.asarray(np.sqrt(wide), np.float32)
        return self.looks.of(top.kind, top.seat if top.seat is not None else -1)


def hiding(scene: Scene, bodies: list[Block], new: Layout) -> dict[float, Mask]:
    """What new bodies hide in the later picture, for the height of every top."""
    heights = {scene.height(top) for top in (*scene.tops.values(), *new.values())}
    return {
        height: hidden(scene.after.view, bodies, height, scene.before.pitch, scene.before.side) for height in heights
    }


def _area(top: Top) -> Mask:
    return np.ones((PLOT_PX, PLOT_PX), bool) if top.kind == BOARD else TOP


def weight_of(logs: NDArray[np.float32], seen: Mask) -> Weight:
    """Log likelihoods of pixels, against `UNKNOWN`, as the weight of those that are seen."""
    values = logs[seen]
    if not values.size:
        return Weight(0.0, 0.0, 0.0)
    return Weight(float(values.sum()) / PIXELS, values.size / seen.size, float((values < ODD - UNKNOWN).mean()))
