"""Whether something lies over the board that does not belong there: a hand or an arm always crosses its rim."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.towers import likelihood
from vision.towers.planes import Block, Planes
from vision.towers.pose import Floats

PX_PER_MM = 0.8

CELLS = 14

STRANGE_SHARE = 0.5
"""A cell of the rim is strange when so much of it shows something else than before."""

NEAR_MM = 26.0
"""Cells nearer than this to where a piece stands or stood tell nothing: pieces lean out in the picture."""


def strange(
    before: Planes, after: Planes, span: tuple[float, float], pieces: Iterable[Floats], bodies: Iterable[Block]
) -> int:
    """How many cells of the rim, outside the plots, show something else than in the picture before.

    `pieces` are places in mm where a piece may have come or gone; `bodies` all that may hide the rim now.
    """
    area = (*span, *span)
    earlier, later = (each.area(area, 0.0, PX_PER_MM) for each in (before, after))
    odd = likelihood.stayed(earlier, later, likelihood.steepness(earlier)) < np.log(
        3 * likelihood.STRANGE * likelihood.ANYTHING
    )
    edges = np.linspace(0, len(odd), CELLS + 1).astype(int)
    middles = (edges[:-1] + edges[1:]) / 2 / PX_PER_MM + span[0]
    places, ends = list(pieces), before.side * before.pitch
    hiding = _hiding(after, bodies)
    count = 0
    for row, y in enumerate(middles):
        for column, x in enumerate(middles):
            if 0 < x < ends and 0 < y < ends:
                continue
            cell = odd[edges[row] : edges[row + 1], edges[column] : edges[column + 1]]
            here = np.array([x, y])
            near = any(np.linalg.norm(here - place) < NEAR_MM for place in (*places, *hiding))
            count += not near and float(cell.mean()) > STRANGE_SHARE
    return count


def _hiding(after: Planes, bodies: Iterable[Block]) -> list[Floats]:
    """Where the camera sees the tops of bodies on the board."""
    eye = after.view.centre
    found = []
    for block in bodies:
        top = (np.array(block.plot[::-1]) + 0.5) * after.pitch
        found.append(eye[:2] + (top - eye[:2]) * eye[2] / max(eye[2] - block.top, 1.0))
    return found
