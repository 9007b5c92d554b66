"""What all cards say together: the most likely faces when the box's counts are known.

A finished layout holds exactly the cards of its deck and exactly so many gaps. So the faces are found jointly: the
assignment of cards to nodes with the highest product of beliefs. It settles weak beliefs and shows strong ones that
cannot all be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

FLOOR = 1e-6
"""A belief below this counts as this: no reader is surer."""


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """One kind for each node, by index into the kinds.

    `kinds` (N,); `cost`: the negative natural logarithm of their product of beliefs; `lead` (N,): by what factor, as a
    natural logarithm, the whole assignment is likelier than the best one in which this node is another kind;
    `overruled` (N,): by how much, likewise, the node's own belief favoured another kind.
    """

    kinds: NDArray[np.int64]
    cost: float
    lead: NDArray[np.float64]
    overruled: NDArray[np.float64]


def assign(beliefs: NDArray[np.float64], counts: Sequence[int]) -> Assignment:
    """The most likely kinds of N nodes that hold `counts[k]` of kind k.

    `beliefs` (N, K) probabilities. Solved exactly (`scipy.optimize.linear_sum_assignment`), once for the answer and
    once for each node's lead.

    Raises:
        ValueError: the counts do not add up to N.
    """
    nodes, kinds = beliefs.shape
    if sum(counts) != nodes or len(counts) != kinds:
        raise ValueError(f"{nodes} nodes of {kinds} kinds cannot hold counts {list(counts)}")
    cost = -np.log(np.maximum(beliefs, FLOOR))
    places = np.repeat(np.arange(kinds), counts)
    table = cost[:, places]
    rows, columns = linear_sum_assignment(table)
    chosen = places[columns]
    total = float(table[rows, columns].sum())
    lead = np.array([_without(table, places, node, int(chosen[node])) - total for node in range(nodes)])
    own = cost[np.arange(nodes), chosen] - cost.min(axis=1)
    return Assignment(chosen, total, lead, own)


def _without(table: NDArray[np.float64], places: NDArray[np.int64], node: int, kind: int) -> float:
    """The cost of the best assignment in which the node is not of that kind."""
    barred = np.where(places == kind, 1e9, table[node])
    changed = table.copy()
    changed[node] = barred
    rows, columns = linear_sum_assignment(changed)
    return float(changed[rows, columns].sum())
