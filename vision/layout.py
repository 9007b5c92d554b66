"""A layout as it was seen: the judged nodes of its frame, and the reading that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.sight import GAP, UNKNOWN, Outcome, Reading, Sighting, Spot
from vision import nodes, quads
from vision.nodes import BACK, OTHER, Judged
from vision.patches import Node
from vision.quads import Quads
from vision.recognise import FACES


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The judged nodes of a frame (the box of the cards), with the ring around it kept for what it tells."""

    judged: dict[Node, Judged]
    box: tuple[int, int, int, int]

    @classmethod
    def of(cls, judged: dict[Node, Judged]) -> Layout | None:
        """The layout in the frame that the cards make, or None when there is no card."""
        box = nodes.frame_of(judged.values())
        return None if box is None else cls(judged, box)

    @property
    def height(self) -> int:
        """Its rows."""
        return self.box[2] - self.box[0] + 1

    @property
    def width(self) -> int:
        """Its columns."""
        return self.box[3] - self.box[1] + 1

    def nodes(self) -> list[Node]:
        """The frame's nodes, row by row."""
        top, left, bottom, right = self.box
        return [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def spots(self) -> list[Judged]:
        """What lies on them."""
        return [self.judged[node] for node in self.nodes()]

    @property
    def faces(self) -> int:
        """How many cards show a face."""
        return sum(j.is_face for j in self.spots())

    @property
    def strange(self) -> int:
        """How many cards show what is no face of the game, and no back."""
        return sum(j.is_card and int(np.argmax(j.belief)) == OTHER for j in self.spots())

    def symbols(self) -> str:
        """What each node shows by its own belief, row by row: a face, `GAP` or `UNKNOWN`."""
        return "".join(map(symbol_of, self.spots()))

    def reaches_over(self, size: tuple[int, ...]) -> bool:
        """Whether a card reaches over the picture's edge, or up to it."""
        return any(reach_over(j.quad, size) for j in self.spots() if j.is_card)

    def cut_off(self, size: tuple[int, ...], limit: int) -> bool:
        """Whether more of it may lie beyond the picture's edge.

        A card reaches over the edge, or the place for another row or column is not in view.
        """
        if self.reaches_over(size):
            return True
        top, left, bottom, right = self.box
        steps = {(-1, 0): top, (1, 0): bottom, (0, -1): left, (0, 1): right}
        for (down, across), edge in steps.items():
            if (self.height if down else self.width) >= limit:
                continue
            for j in self.spots():
                on_edge = (j.node[0] if down else j.node[1]) == edge
                beyond = self.judged.get((j.node[0] + down, j.node[1] + across)) if on_edge else None
                if beyond is not None and not _within(beyond.quad, size):
                    return True
        return False

    def reading(
        self,
        outcome: Outcome,
        *,
        symbols: str | None = None,
        doubtful: Sequence[Node] = (),
        reason: str | None = None,
        finished: bool = False,
    ) -> Reading:
        """The reading of this layout; `symbols`, one a spot, overrule each spot's own best belief."""
        spots = self.spots()
        shown = self.symbols() if symbols is None else symbols
        rows = tuple(shown[k : k + self.width] for k in range(0, len(shown), self.width))
        top, left = self.box[:2]
        sightings = tuple(
            _sighting(j, (j.node[0] - top, j.node[1] - left))
            for symbol, j in zip(shown, spots, strict=True)
            if symbol != GAP
        )
        spots_asked: tuple[Spot, ...] = tuple((row - top, column - left) for row, column in doubtful)
        return Reading(outcome, rows, spots_asked, sightings, reason, finished)


def _sighting(j: Judged, spot: Spot) -> Sighting:
    first, second, third, fourth = ((float(x), float(y)) for x, y in j.quad)
    return Sighting(spot, (first, second, third, fourth), dict(zip(FACES, map(float, j.belief), strict=True)))


def symbol_of(j: Judged) -> str:
    """A node by its own belief: a face, `GAP`, or `UNKNOWN` for a card that shows none."""
    if not j.is_card:
        return GAP
    return FACES[int(np.argmax(j.belief[:BACK]))] if j.is_face else UNKNOWN


def reach_over(quad: Quads, size: tuple[int, ...]) -> bool:
    """Whether a card (4, 2) px reaches over the edge, or up to it, of a picture of (height, width) px."""
    return not _within(quad, size, 0.02 * float(quads.sides(quad)))


def _within(points: NDArray[np.floating], size: tuple[int, ...], margin: float = 0.0) -> bool:
    """Whether points (..., 2) px lie in a picture of (height, width) px, `margin` px from its edge."""
    return bool((points >= margin).all() and (points <= np.array([size[1], size[0]]) - 1 - margin).all())
