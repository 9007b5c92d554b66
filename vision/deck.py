"""What all cards say together: the most likely faces when the box's counts are known.

A finished layout holds exactly the cards of its deck and exactly so many gaps. So the faces are found jointly: the
assignment of cards to nodes with the highest product of beliefs. It settles weak beliefs and shows strong ones that
cannot all be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import lap
import numpy as np
from numpy.typing import NDArray

FLOOR = 1e-6
"""A belief below this counts as this: no reader is surer."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """One kind for each node.

    `kinds` (N,) by index into the kinds; `cost`: the negative natural logarithm of the product of their beliefs.
    """

    kinds: NDArray[np.int64]
    cost: float
    _costs: NDArray[np.float64]

    @cached_property
    def leads(self) -> NDArray[np.float64]:
        """How much likelier this is, as a natural logarithm, than the best answer with another kind on each node, (N,).

        A node that takes another kind begins a round: a node of that kind moves on to a third, until one has taken the
        first's. The cheapest rounds are shortest paths over the kinds. Source: Floyd, Algorithm 97 (1962).
        """
        nodes = np.arange(len(self.kinds))
        extra = self._costs - self._costs[nodes, self.kinds, None]
        ways = np.array([extra[self.kinds == kind].min(axis=0, initial=np.inf) for kind in range(extra.shape[1])])
        for via in range(len(ways)):
            ways = np.minimum(ways, ways[:, via, None] + ways[via])
        extra[nodes, self.kinds] = np.inf
        return np.asarray((extra + ways[:, self.kinds].T).min(axis=1))


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
    total, columns, _ = lap.lapjv(cost[:, places])
    return Assignment(places[columns], float(total), cost)
