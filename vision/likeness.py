"""Whether a node looks like the cards of its own picture, or like the table between them.

A gap among cards has four edges and the size of a card, and any table may look like a back to a network that never saw
it. But the cards of one deck look like each other, and so does one table.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nodes import OTHER, Judged
from vision.patches import Node
from vision.rectify import CROP_PX, MARGIN_PX, Pyramid

SURELY = 0.05
"""A node believed this little to be empty is an example of a card; one believed this little to hold one, of the
table."""

_RIM_PX = MARGIN_PX + 4


def likeness(pyramid: Pyramid, judged: Mapping[Node, Judged]) -> dict[Node, float]:
    """From -1 (like the table) to 1 (like the cards) for every node; empty when there is no example of one of them."""
    nodes = list(judged)
    empty = np.array([judged[node].belief[OTHER] for node in nodes])
    seen = np.array([judged[node].seen for node in nodes])
    features = _features(pyramid.crops(np.array([judged[node].quad for node in nodes])))
    away = np.linalg.norm(features[:, None] - features[None], axis=2)
    np.fill_diagonal(away, np.inf)
    cards, table = empty < SURELY, (empty > 1 - SURELY) & ~seen
    if not cards.any() or not table.any():
        return {}
    to_card, to_table = away[:, cards].min(axis=1), away[:, table].min(axis=1)
    known = np.isfinite(to_card) & np.isfinite(to_table)
    return {
        node: float((to_table[k] - to_card[k]) / max(to_table[k] + to_card[k], 1e-6))
        for k, node in enumerate(nodes)
        if known[k]
    }


def _features(crops: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(N, 6) mean and spread of lightness and both colours of crops (N, 64, 64, 3), whichever way the cards lie."""
    inside = crops[:, _RIM_PX : CROP_PX - _RIM_PX, _RIM_PX : CROP_PX - _RIM_PX]
    lab = cv2.cvtColor(inside.reshape(-1, inside.shape[2], 3), cv2.COLOR_BGR2LAB)
    pixels = lab.reshape(len(crops), -1, 3).astype(np.float64)
    return np.concatenate([pixels.mean(axis=1), pixels.std(axis=1)], axis=1)
