"""Which turn explains what changed on the board between two pictures.

First every turn is weighed roughly, plot by plot; then the best ones exactly, with what the new things hide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from companion.games.casa_grande import sight
from companion.games.casa_grande.board import PLOTS
from companion.games.casa_grande.moves import Floored
from companion.games.casa_grande.sight import BLOCK, FLOOR, MARKED, Top, Turn
from companion.games.casa_grande.state import Phase, State
from companion.sight import Spot
from vision.towers.planes import Block, Mask, patch
from vision.towers.weigh import Scene, Weight, hiding

EXACTLY = 40
"""So many turns are weighed exactly."""

ARRIVING = 3.0
"""How much it counts where the piece seems to stand."""

BOUGHT = 1.0
"""How much less likely each bought step makes a turn."""

FAR_BEHIND = 5.0
"""A space that looks so much less like the piece's new one is not looked at for platforms."""


SEEN = 0.15
"""A plot of which less is in view tells nothing."""

ODD_SHARE = 0.35
ODD_NEW = 0.6
"""A plot is at odds when such a share of its pixels shows something else: an unchanged one, and a new one."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A turn and how well it explains the picture; None is no turn at all, the table as it was.

    `board` weighs the plots, `piece` where the piece stands. `odd` are plots that show something else than they should,
    `weakest` the changed plot that shows least of it.
    """

    turn: Turn | None
    board: float
    piece: float
    odd: tuple[Spot, ...] = ()
    weakest: float = 1.0

    @property
    def total(self) -> float:
        """Board and piece together."""
        return self.board + self.piece


@dataclass(frozen=True, slots=True)
class _Put:
    """What lies on the board after a turn: the space is the likeliest one."""

    block: Spot | None
    floor: Floored | None
    level: int
    space: int
    bought: int
    piece: float
    rough: float


def explain(
    scene: Scene, state: State, arrived: Mapping[int, float], given: Mapping[Spot, Top] | None = None
) -> list[Explained]:
    """Turns of the seat at turn that may explain the later picture, the best first; the first picture is `scene`'s.

    `state` stands after the roll or later in the turn. `given` are tops that are there for certain since the earlier
    picture, whatever else was done.
    """
    base = {plot: scene.kept(plot) for plot in PLOTS}
    known = dict(given or {})
    beneath = _as_bodies(scene, known)
    found = [_exact(scene, base, None, 0.0, known, beneath)]
    for turn in sight.stays(state):
        piece = ARRIVING * arrived[turn.space] - BOUGHT * turn.bought
        found.append(_exact(scene, base, turn, piece, known, beneath))
    puts = sorted(_rough(scene, state, arrived), key=lambda put: -put.rough - put.piece)
    for put in _best(puts):
        if put.block is None and put.floor is None and state.phase is not Phase.STEP:
            continue
        turn = sight.as_turn(state, put.space, put.bought, put.block, put.floor)
        new, bodies = _laid(scene, state, put)
        found.append(_exact(scene, base, turn, put.piece, known | new, beneath + bodies))
    return sorted(found, key=lambda each: -each.total)


def _best(puts: list[_Put]) -> list[_Put]:
    """The best of them, each block and each set of squares once."""
    kept: dict[tuple[object, ...], _Put] = {}
    for put in puts:
        key = (put.block, put.floor.squares if put.floor else None)
        kept.setdefault(key, put)
        if len(kept) == EXACTLY:
            break
    return list(kept.values())


def _rough(scene: Scene, state: State, arrived: Mapping[int, float]) -> Iterator[_Put]:
    """Every block with every platform, each at the likeliest space, weighed plot by plot."""
    reach: dict[Spot | None, tuple[float, int, int, State]] = {}
    for block, space, bought, laid in sight.builds(state):
        piece = ARRIVING * arrived[space] - BOUGHT * bought
        if block not in reach or piece > reach[block][0]:
            reach[block] = (piece, space, bought, laid)
    best = max((piece for piece, *_ in reach.values()), default=0.0)
    gains: dict[tuple[Spot, Top], float] = {}

    def gain(plot: Spot, top: Top) -> float:
        if (plot, top) not in gains:
            gains[plot, top] = scene.new(plot, top)
        return gains[plot, top]

    for block, (piece, space, bought, laid) in reach.items():
        top = None if block is None else sight.top_of(laid, block)
        alone = 0.0 if block is None or top is None else gain(block, top)
        yield _Put(block, None, 0, space, bought, piece, alone)
        if piece < best - ARRIVING * FAR_BEHIND:
            continue
        for floor, level in sight.platforms(laid):
            rough = 0.0 if block in floor.squares else alone
            rough += sum(
                gain(plot, Top(MARKED if plot in floor.marked else FLOOR, state.turn, level)) for plot in floor.squares
            )
            yield _Put(block, floor, level, space, bought, piece, rough)


def _laid(scene: Scene, state: State, put: _Put) -> tuple[dict[Spot, Top], list[Block]]:
    """The new tops, and the new bodies that hide others."""
    blocks, squares = {}, {}
    if put.block is not None:
        blocks[put.block] = Top(BLOCK, state.turn, scene.tops[put.block].level + 1)
    if put.floor is not None:
        marked = put.floor.marked
        squares = {plot: Top(MARKED if plot in marked else FLOOR, state.turn, put.level) for plot in put.floor.squares}
    return blocks | squares, _as_bodies(scene, blocks, squares)


def _as_bodies(scene: Scene, *parts: Mapping[Spot, Top]) -> list[Block]:
    """What tops hide: blocks with all their height, squares of platforms with their thickness."""
    sizes, found = scene.sizes, []
    for plot, top in ((plot, top) for tops in parts for plot, top in tops.items()):
        upper = top.height_mm(sizes)
        block = top.kind == BLOCK
        half, thick = (
            (sizes.block_mm, sizes.layer_mm - sizes.platform_mm) if block else (sizes.pitch_mm, sizes.platform_mm)
        )
        found.append(Block(plot, half / 2, upper - thick, upper))
    return found


def _exact(
    scene: Scene,
    base: Mapping[Spot, Weight],
    turn: Turn | None,
    piece: float,
    new: Mapping[Spot, Top],
    bodies: list[Block],
) -> Explained:
    """A turn weighed with what it hides."""
    shadows = hiding(scene, bodies, new) if bodies else {}
    total, weakest, odd = 0.0, 1.0, []
    for plot in PLOTS:
        top = new.get(plot, scene.tops[plot])
        shadow = _shadow(shadows, scene.height(top), plot)
        if plot in new:
            weight = scene.came(plot, top, shadow)
            weakest = min(weakest, 1 - weight.odd if weight.visible > SEEN else weakest)
        else:
            weight = base[plot] if shadow is None else scene.kept(plot, shadow)
        total += weight.value
        if weight.visible > SEEN and weight.odd > (ODD_NEW if plot in new else ODD_SHARE):
            odd.append(plot)
    return Explained(turn, total, piece, tuple(odd), weakest)


def _shadow(shadows: Mapping[float, Mask], height: float, plot: Spot) -> Mask | None:
    mask = shadows.get(height)
    if mask is None:
        return None
    part = mask[patch(plot)]
    return part if np.any(part) else None
