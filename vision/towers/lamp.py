"""The light of a picture against that of the first: from the parts of the board where nothing stands."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.towers import light
from vision.towers.light import Field
from vision.towers.planes import Block, Planes
from vision.towers.register import straight

PX_PER_MM = 0.75

CELLS = 14
"""The board is compared in so many cells along each side."""


def lamp(first: Planes, later: Planes, span: tuple[float, float], bodies: Iterable[Block]) -> Field:
    """What the later picture's light adds; `span` is the board, (from, to) in mm, `bodies` what stood on it before."""
    flats = [light.colours(straight(each.image, each.view, (*span, *span), 0.0, PX_PER_MM)) for each in (first, later)]
    added = flats[1] - flats[0]
    edges = np.linspace(0, len(added), CELLS + 1).astype(int)
    middles = (edges[:-1] + edges[1:]) / 2 / PX_PER_MM + span[0]
    covered = {_cell(block, later.pitch, middles) for block in bodies}
    cells = [(row, column) for row in range(CELLS) for column in range(CELLS) if (row, column) not in covered]
    medians = [
        np.median(added[edges[r] : edges[r + 1], edges[c] : edges[c + 1]].reshape(-1, 3), axis=0) for r, c in cells
    ]
    places = np.array([(middles[c], middles[r]) for r, c in cells])
    return light.field(places[:, 0], places[:, 1], np.array(medians), float(span[1] - span[0]))


def _cell(block: Block, pitch: float, middles: np.ndarray) -> tuple[int, int]:
    x, y = (block.plot[1] + 0.5) * pitch, (block.plot[0] + 0.5) * pitch
    return int(np.argmin(np.abs(middles - y))), int(np.argmin(np.abs(middles - x)))
