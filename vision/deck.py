"""What all cards say together: the most likely faces when the box's counts are known.

A finished layout holds exactly the cards of its deck and exactly so many gaps. So the faces are found jointly: the
assignment of cards to nodes with the highest product of beliefs. It settles weak beliefs and shows strong ones that
cannot all be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

FLOOR = 1e-6
"""A belief below this counts as this: no reader is surer."""

BARRED = 1e9
"""The cost of what may not be chosen."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """One kind for each node.

    `kinds` (N,) by index into the kinds; `cost`: the negative natural logarithm of the product of their beliefs.
    """

    kinds: NDArray[np.int64]
    cost: float
    _table: NDArray[np.float64]
    _places: NDArray[np.int64]

    @cached_property
    def leads(self) -> NDArray[np.float64]:
        """How much likelier this is, as a natural logarithm, than the best answer with another kind on each node, (N,).

        Each node costs one more solution.
        """
        return np.array([self._without(node) - self.cost for node in range(len(self.kinds))])

    def _without(self, node: int) -> float:
        """The cost of the best assignment in which the node is not of its kind."""
        changed = self._table.copy()
        changed[node] = np.where(self._places == self.kinds[node], BARRED, changed[node])
        return float(changed[linear_sum_assignment(changed)].sum())


def assign(beliefs: NDArray[np.float64], counts: Sequence[int]) -> Assignment:
    """The most likely kinds of N nodes that hold `counts[k]` of kind k, exactly.

    `beliefs` (N, K) probabilities.

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
    return Assignment(chosen, float(table[rows, columns].sum()), table, places)
