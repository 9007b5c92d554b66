"""The lattice of a layout that grows under a camera that stands still, from its very first card on.

`vision.lattice` finds the lattice of many cards in one picture. A growing layout begins with one card, then a row; but
its cards stay where they lie, so each picture is laid over the last one (the camera may have been knocked a little) and
only what is new has to be put on a node. The play's own cells number the nodes as soon as they can be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import quads
from vision.lattice import Lattice, lattices, project
from vision.locate import Candidates
from vision.patches import Node
from vision.quads import Quads

LARGEST_KNOCK = 1.5
"""How far a knocked camera may move the cards in the picture, in card sides."""

PLAIN_KNOCK, KNOCKED_CARDS = 0.5, 5
"""Further than this, and with fewer cards in place, it may be a hand among the cards that looks like one of them."""

SAME_CARD, SAME_SIDE = 0.3, 1.3
"""A card is the one of the last picture within this many sides of its place, and this factor of its size."""

STILL_THERE = 0.5
"""With a smaller share of the last picture's cards in place this is another layout."""

MOST = 0.8
"""Such a share of a play's cards tells which cell is which, when the rest is covered."""

NEAREST, FARTHEST = 0.7, 1.5
"""Distances between touching cards' centres along a side, in sides, while no lattice is known."""

NEAR_NODES = 2
"""A card more nodes away than this from all others lies beside the layout."""

SHARES = np.linspace(0.7, 1.05, 15)
"""Sides of a card, in pitches, among which the best fit is looked for."""

ALONE_SHARE = 0.92
"""A card's side in pitches, before a second one tells."""

_CORNERS = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)])
"""A card's corners as (row, column) from its middle, clockwise from the grid's top left."""

Cards = Mapping[Node, Quads]


@dataclass(frozen=True, slots=True)
class Followed:
    """A picture's lattice; `anchored` tells that its nodes are the cells of the play."""

    lattice: Lattice
    anchored: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """What is remembered of a picture: its lattice, and the nodes where a card was read."""

    followed: Followed
    lying: frozenset[Node]


class Tracker:
    """Follows one layout from picture to picture. One tracker serves one camera; it is not for several threads.

    It remembers the last picture in which every card of the play was read: a hand in one does not lead it astray.
    """

    def __init__(self) -> None:
        self._known: _Known | None = None

    def follow(self, candidates: Candidates, laid: Collection[Node]) -> Followed | None:
        """The lattice of a picture's cards, or None when there are none.

        `laid` are the cells that hold a card by the play so far; without any, whatever lies there is a new layout.
        """
        self._known = _numbered(self._known, laid) if self._known is not None and laid else None
        found = None if self._known is None else _continued(self._known.followed, candidates, laid)
        if found is not None:
            return found
        begun = _begun(candidates)
        return None if begun is None else Followed(begun, anchored=False)

    def settle(self, found: Followed, lying: Collection[Node], laid: Collection[Node]) -> Node | None:
        """The step (down, right) from the nodes of `follow`'s answer to the play's cells; None when it cannot be told.

        `lying` are the nodes on which a card was read; `laid` are the cells as `follow` was given them.
        """
        read = _Known(found, frozenset(lying))
        known = read if found.anchored else _numbered(read, laid)
        if not laid or (known.followed.anchored and known.lying.issuperset(laid)):
            self._known = known
        if not known.followed.anchored:
            return None
        return (0, 0) if found.anchored else _move(lying, laid)


def _numbered(known: _Known, laid: Collection[Node]) -> _Known:
    """The same with the play's cells for numbers, where one way to lay them over each other fits best by far."""
    found, lying = known.followed, known.lying
    if found.anchored and 2 * len(lying.intersection(laid)) >= len(laid):
        return known
    move = _move(lying, laid)
    if move is None:
        return replace(known, followed=replace(found, anchored=False))
    down, right = move
    moved = frozenset((row + down, column + right) for row, column in lying)
    return _Known(Followed(_renumbered(found.lattice, move), anchored=True), moved)


def _move(lying: Collection[Node], laid: Collection[Node]) -> Node | None:
    """The one step (down, right) that lays cards on the cells of the play; None when others would do as well."""
    moves = Counter((cell[0] - node[0], cell[1] - node[1]) for cell in laid for node in lying)
    best = moves.most_common(2)
    if not best or not _tells(best[0][1], best[1][1] if len(best) > 1 else 0, len(laid)):
        return None
    # A new card at either end of a row makes the same row.
    return None if len(lying) != len(laid) and _in_line(laid) else best[0][0]


def _tells(hits: int, others: int, count: int) -> bool:
    """Whether `hits` of so many cards number a lattice, when the next best way to lay it has `others`."""
    return hits > others if hits == count else hits >= MOST * count and hits >= others + 2


def _in_line(laid: Collection[Node]) -> bool:
    return bool(np.linalg.matrix_rank(np.array(list(laid), float) - next(iter(laid))) < 2)


def _renumbered(lattice: Lattice, move: Node) -> Lattice:
    down, right = move
    shift = np.array([[1, 0, -right], [0, 1, -down], [0, 0, 1]], np.float64)
    cards = {(row + down, column + right): quad for (row, column), quad in lattice.cards.items()}
    seen = frozenset((row + down, column + right) for row, column in lattice.seen)
    return Lattice(lattice.homography @ shift, cards, seen, lattice.share)


def _continued(last: Followed, candidates: Candidates, laid: Collection[Node]) -> Followed | None:
    """The last picture's lattice laid over this one, with what is new on its nodes; None when too little stayed."""
    nodes = list(last.lattice.cards)
    before = np.array([last.lattice.cards[node] for node in nodes])
    moved = _overlaid(before, candidates.quads)
    if moved is None:
        return None
    pairs = _pairs(moved, candidates.quads)
    if len(pairs) < STILL_THERE * len(nodes) or (len(pairs) < KNOCKED_CARDS and _knock(before, moved) > PLAIN_KNOCK):
        return None
    found = {nodes[i]: _started(candidates.quads[j], moved[i]) for i, j in pairs.items()}
    kept = {node: moved[i] for i, node in enumerate(nodes) if i not in pairs and last.anchored and node in laid}
    seen = {nodes[i] for i, j in pairs.items() if candidates.seen[j]}
    rest = np.setdiff1d(np.arange(len(candidates)), list(pairs.values()))
    return Followed(_grown({**kept, **found}, seen, candidates.only(rest)), last.anchored)


def _overlaid(before: Quads, now: Quads) -> Quads | None:
    """The last picture's cards (N, 4, 2) where they lie in this one, after the camera was knocked a little."""
    if not len(now):
        return None
    centres, sides, places = quads.centres(before), quads.sides(before), quads.centres(now)
    steps = (places[None] - centres[:, None]).reshape(-1, 2)
    steps = steps[np.linalg.norm(steps, axis=1) < LARGEST_KNOCK * np.median(sides)]
    if not len(steps):
        return None
    steps = steps[np.argsort(np.linalg.norm(steps, axis=1), kind="stable")]
    landed = centres[None] + steps[:, None]
    miss = np.linalg.norm(landed[:, :, None] - places[None, None], axis=3).min(axis=2)
    step = steps[np.argmax((miss < SAME_CARD * sides).sum(axis=1))]
    moved: Quads = (before + step).astype(np.float32)
    pairs = _pairs(moved, now)
    if len(pairs) < 3:
        return moved
    ones, others = quads.centres(moved[list(pairs)]), quads.centres(now[list(pairs.values())])
    affine, _ = cv2.estimateAffinePartial2D(ones, others, method=cv2.LMEDS)
    return np.asarray(cv2.transform(moved, affine), np.float32)


def _knock(before: Quads, moved: Quads) -> float:
    """How far the cards (N, 4, 2) lie from where they lay, in their sides."""
    steps = np.linalg.norm(quads.centres(moved) - quads.centres(before), axis=1)
    return float(np.median(steps / quads.sides(before)))


def _pairs(before: Quads, now: Quads) -> dict[int, int]:
    """Which card of the last picture is which of this one, by index."""
    far = np.linalg.norm(quads.centres(before)[:, None] - quads.centres(now)[None], axis=2)
    sides = quads.sides(before)[:, None]
    unlike = np.abs(np.log(quads.sides(now)[None] / sides)) > np.log(SAME_SIDE)
    far = np.where(unlike | (far > SAME_CARD * sides), np.inf, far)
    nearest = far.argmin(axis=1) if far.size else []
    return {i: int(j) for i, j in enumerate(nearest) if np.isfinite(far[i, j]) and far[:, j].argmin() == i}


def _begun(candidates: Candidates) -> Lattice | None:
    """The lattice of a layout that was not followed so far."""
    found = lattices(candidates)
    if found:
        return found[0]
    groups = _groups(candidates.quads)
    if not groups:
        return None
    middle = quads.centres(candidates.quads).mean(axis=0)
    group = max(groups, key=lambda group: (len(group), -_distance(candidates.quads[next(iter(group))], middle)))
    cards = {node: candidates.quads[i] for i, node in group.items()}
    rest = np.setdiff1d(np.arange(len(candidates)), list(group))
    return _grown(cards, cards.keys(), candidates.only(rest))


def _distance(quad: Quads, point: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(quads.centres(quad) - point))


def _groups(cards: Quads) -> list[dict[int, Node]]:
    """Cards that touch by a side or a corner, each by index with its node; a group's first card is (0, 0)."""
    cards = quads.clockwise(cards) if len(cards) else cards
    axes, centres, sides = quads.axes(cards), quads.centres(cards), quads.sides(cards)
    alike = np.abs(np.log(sides[None] / sides[:, None])) < np.log(SAME_SIDE)
    groups: list[dict[int, Node]] = []
    left = set(range(len(cards)))
    while left:
        first = min(left)
        group: dict[int, Node] = {first: (0, 0)}
        queue = [first]
        for i in queue:
            for j in sorted(left - group.keys()):
                right, down = np.linalg.solve(axes[i], centres[j] - centres[i])
                steps = _step(float(down)), _step(float(right))
                if steps[0] is None or steps[1] is None or steps == (0, 0) or not alike[i, j]:
                    continue
                group[j] = group[i][0] + steps[0], group[i][1] + steps[1]
                queue.append(j)
        groups.append(group)
        left -= group.keys()
    return groups


def _step(along: float) -> int | None:
    """A distance along a card's side, in sides, as a step between nodes; None when it is none."""
    if abs(along) < 0.4:
        return 0
    return int(np.sign(along)) if NEAREST < abs(along) < FARTHEST else None


def _grown(cards: Cards, seen: Collection[Node], others: Candidates) -> Lattice:
    """A lattice through cards on known nodes, with the other candidates that lie on or near its free nodes."""
    homography, share = _fitted(cards)
    lattice = Lattice(homography, dict(cards), frozenset(seen), share)
    free = _on_free_nodes(lattice, others)
    if not free:
        return lattice
    added = {node: others.quads[i] for node, i in free.items()}
    upright = quads.started_like(np.array(list(added.values())), lattice.expected(list(added)))
    everything = {**cards, **dict(zip(added, upright, strict=True))}
    homography, share = _fitted(everything)
    return Lattice(homography, everything, frozenset({*seen, *(n for n, i in free.items() if others.seen[i])}), share)


def _on_free_nodes(lattice: Lattice, others: Candidates) -> dict[Node, int]:
    """The candidate nearest to each free node near the cards, by index, if it is of a card's size."""
    if not len(others):
        return {}
    plane = lattice.nodes_at(quads.centres(others.quads))
    taken = np.array(list(lattice.cards))
    found: dict[Node, tuple[float, int]] = {}
    for i, place in enumerate(plane):
        if not np.isfinite(place).all() or np.abs(taken - place).max(axis=1).min() > NEAR_NODES + 0.5:
            continue
        node = int(np.rint(place[0])), int(np.rint(place[1]))
        size = float(quads.sides(others.quads[i]) / quads.sides(lattice.expected([node])[0]))
        far = float(np.linalg.norm(place - node))
        if node not in lattice.cards and abs(np.log(size)) < np.log(SAME_SIDE) and (far, i) < found.get(node, (1.0, 0)):
            found[node] = far, i
    return {node: i for node, (_, i) in found.items()}


def _fitted(cards: Cards) -> tuple[NDArray[np.float64], float]:
    """The homography from (column, row) to px that fits the cards' corners and middles best, and their share."""
    nodes = np.array(list(cards), np.float64)
    corners = np.array(list(cards.values()), np.float64)
    if len(cards) == 1:
        return _alone(nodes[0], corners[0]), ALONE_SHARE
    fits = [(*_through(nodes, corners, float(share)), float(share)) for share in SHARES]
    homography, _, share = min(fits, key=lambda fit: fit[1])
    return homography, share


def _alone(node: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The homography for one card. Its corners, a little off, would tell of a slant that is not there: it is affine."""
    plane = node + ALONE_SHARE * _CORNERS
    known = np.column_stack([plane[:, ::-1], np.ones(len(plane))])
    affine, *_ = np.linalg.lstsq(known, corners, rcond=None)
    return np.vstack([affine.T, [0.0, 0.0, 1.0]])


def _through(
    nodes: NDArray[np.float64], corners: NDArray[np.float64], share: float
) -> tuple[NDArray[np.float64], float]:
    """The homography for a share, by least squares, and the mean miss of its middles and corners in px."""
    middles = quads.centres(corners.astype(np.float32))
    plane = np.concatenate([(nodes[:, None] + share * _CORNERS).reshape(-1, 2), nodes])
    points = np.concatenate([corners.reshape(-1, 2), middles])
    homography = np.asarray(cv2.findHomography(plane[:, ::-1].copy(), points, 0)[0], np.float64)
    return homography, float(np.linalg.norm(project(homography, plane) - points, axis=1).mean())


def _started(quad: Quads, like: Quads) -> Quads:
    return np.asarray(quads.started_like(quad[None], like)[0], np.float32)
