"""Patches of a lattice: card candidates chained over neighbours that agree in size and direction."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision import quads
from vision.locate import Candidates
from vision.quads import TURNS

Node = tuple[int, int]
"""(row, column) of a lattice; any integers until the frame is known."""


MIN_STEP, MAX_STEP = 0.82, 1.6
"""Distance between neighbouring cards' centres in card sides: slightly overlapping to well apart."""

MAX_SIDESTEP = 0.34
"""How far a neighbour may lie off the straight line, in card sides."""

SIZE_RATIO = 1.5
"""Neighbouring cards' sides differ by less than this factor, perspective included."""

SAME_DIRECTION = 0.88
"""Cosine of the largest angle between two neighbours' sides, after the best quarter turn: 28 degrees."""


def patches(candidates: Candidates) -> Iterator[dict[int, Node]]:
    """Groups of candidates chained over neighbours, each with its node from the group's seed at (0, 0)."""
    steps = _steps(candidates)
    left = set(range(len(candidates)))
    while left:
        patch = _chain(min(left), steps)
        left -= set(patch)
        yield patch


_Turn = NDArray[np.int64]


def _steps(candidates: Candidates) -> dict[int, list[tuple[int, _Turn, _Turn]]]:
    """For each candidate its neighbours: index, step (column, row) along its own axes, and a turn.

    The turn (2, 2) is the quarter turn after which the neighbour's axes point as the candidate's do.
    """
    centres, sides, axes = (measure(candidates.quads) for measure in (quads.centres, quads.sides, quads.axes))
    local = np.einsum("iab,ijb->ija", np.linalg.inv(axes), centres[None] - centres[:, None])
    similar = np.abs(np.log(sides[None] / sides[:, None])) < np.log(SIZE_RATIO)
    far, aside = np.abs(local), np.abs(local[..., ::-1])
    reached = similar[..., None] & (far > MIN_STEP) & (far < MAX_STEP) & (aside < MAX_SIDESTEP)
    first, second, axis = np.nonzero(reached)
    step = np.zeros((len(first), 2), np.int64)
    step[np.arange(len(first)), axis] = np.sign(local[first, second, axis])
    turned = np.stack([axes[second] @ turn for turn in TURNS])
    best = np.argmax((turned * axes[first]).sum(axis=(-1, -2)), axis=0)
    likest = turned[best, np.arange(len(first))]
    lengths = np.linalg.norm(likest, axis=1) * np.linalg.norm(axes[first], axis=1)
    cosines = (likest * axes[first]).sum(axis=1) / lengths
    found: dict[int, list[tuple[int, _Turn, _Turn]]] = {i: [] for i in range(len(candidates))}
    for k in np.flatnonzero(cosines.min(axis=1) > SAME_DIRECTION):
        found[int(first[k])].append((int(second[k]), step[k], TURNS[best[k]]))
    return found


def _chain(seed: int, steps: dict[int, list[tuple[int, _Turn, _Turn]]]) -> dict[int, Node]:
    """Candidates reached from the seed over neighbours, with their nodes; the seed is (0, 0), along its own axes."""
    placed: dict[int, Node] = {seed: (0, 0)}
    queue: deque[tuple[int, _Turn]] = deque([(seed, TURNS[0])])
    while queue:
        i, turn = queue.popleft()
        for j, step, onward in steps[i]:
            if j not in placed:
                right, down = turn.T @ step
                placed[j] = (placed[i][0] + int(down), placed[i][1] + int(right))
                queue.append((j, onward @ turn))
    return placed
