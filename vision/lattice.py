"""The lattice that free-laid cards share: a (row, column) for each card, and where a card would lie if one did.

Cards are laid by hand, so each may lie off its node (`TOLERANCE` of the pitch) and turned a little; some were not
found, and some candidates are no cards. Neighbouring candidates that agree in size and direction are chained into
patches; a homography is fitted to each patch by MAGSAC (random samples, robust weights) and grown by the candidates
that it explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import quads
from vision.locate import Candidates
from vision.patches import MAX_STEP, MIN_STEP, Node, patches
from vision.quads import TURNS, Quads

TOLERANCE = 0.3
"""How far a card's centre may lie from its node, in pitches."""

MIN_CARDS = 4
"""Fewer cards than this make no lattice."""

FAR = 40
"""Candidates that would lie more nodes away than this from where the lattice began are not looked at."""

SAME_SHARE = 1.07
"""Cards of one deck, as shares of the pitch, differ by less than this factor."""

PATCHES_TRIED = 5
"""Patches that are worth a fit in one round, the largest first."""

_CELL = ((-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5))


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Nodes in the picture.

    `homography` (3, 3) float64 maps (column, row, 1) to picture pixels; `cards` holds the quadrilateral (4, 2) float32
    px found on a node, corners from the grid's top left; `seen` are the nodes where the card finder saw a card;
    `share` is the side of a card in pitches.
    """

    homography: NDArray[np.float64]
    cards: dict[Node, Quads]
    seen: frozenset[Node]
    share: float

    def points(self, nodes: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) nodes, whole or not, as (N, 2) picture pixels by the homography alone."""
        return project(self.homography, nodes)

    def nodes_at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) picture pixels as (N, 2) positions (row, column) by the homography alone."""
        return unproject(self.homography, points)

    def expected(self, nodes: Sequence[Node]) -> Quads:
        """The corners of a card on each node, (N, 4, 2) px, from the grid's top left.

        The homography's answer, moved as the nearest found cards lie: that takes up lens distortion and leaning rows.
        """
        asked = np.array(nodes, np.float64).reshape(-1, 2)
        corners = asked[:, None] + self.share * np.array(_CELL)
        bare = self.points(corners.reshape(-1, 2)).reshape(-1, 4, 2)
        if not self.cards:
            return bare.astype(np.float32)
        known = np.array(list(self.cards), np.float64)
        residual = quads.centres(np.array(list(self.cards.values()))) - self.points(known)
        distance = np.linalg.norm(asked[:, None] - known[None], axis=2)
        weight = np.where(distance > 0, np.exp(-0.5 * (distance / 1.2) ** 2), 0.0)
        shift = weight @ residual / (weight.sum(axis=1, keepdims=True) + 0.5)
        return np.asarray(bare + shift[:, None], np.float32)

    def box(self) -> tuple[int, int, int, int]:
        """First row, first column, last row, last column that hold a card."""
        nodes = np.array(list(self.cards))
        (top, left), (bottom, right) = nodes.min(axis=0), nodes.max(axis=0)
        return int(top), int(left), int(bottom), int(right)


def project(homography: NDArray[np.float64], nodes: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 2) (row, column) pairs to (N, 2) picture pixels."""
    points = np.ascontiguousarray(nodes[:, ::-1], np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(points, homography), np.float64).reshape(-1, 2)


def unproject(homography: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 2) picture pixels to (N, 2) positions (row, column)."""
    plane = cv2.perspectiveTransform(points.reshape(-1, 1, 2), np.linalg.inv(homography))
    return np.asarray(plane, np.float64).reshape(-1, 2)[:, ::-1]


def lattices(candidates: Candidates) -> list[Lattice]:
    """Lattices that share no candidate, the one that explains most first."""
    left = candidates
    found: list[Lattice] = []
    while len(left) >= MIN_CARDS:
        largest = sorted(patches(left), key=len, reverse=True)[:PATCHES_TRIED]
        fits = [fit for patch in largest if len(patch) >= MIN_CARDS and (fit := _grown(patch, left)) is not None]
        if not fits:
            break
        homography = max(fits, key=lambda fit: len(fit.members)).homography
        found.append(_lattice(homography, left))
        rest = np.setdiff1d(np.arange(len(left)), _on_nodes(homography, left).index)
        left = left.only(rest)
    return found


def _fit(nodes: NDArray[np.float64], centres: NDArray[np.float64], reach: float) -> NDArray[np.float64] | None:
    """Homography from (column, row) to px by MAGSAC, or None."""
    if len(nodes) < MIN_CARDS or np.linalg.matrix_rank(nodes - nodes.mean(axis=0), tol=1e-6) < 2:
        return None
    homography, _ = cv2.findHomography(
        nodes[:, ::-1].copy(), centres, cv2.USAC_MAGSAC, reach, maxIters=2000, confidence=0.999
    )
    if homography is None or abs(np.linalg.det(homography)) < 1e-12:
        return None
    return np.asarray(homography, np.float64)


def _shares(
    homography: NDArray[np.float64], nodes: NDArray[np.float64], sides: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sides in px as shares of the pitch where they lie, (N,)."""
    cells = project(homography, (nodes[:, None] + np.array(_CELL)).reshape(-1, 2)).reshape(-1, 4, 2)
    return np.asarray(sides / np.sqrt(np.maximum(np.abs(quads.areas(cells.astype(np.float32))), 1e-6)))


@dataclass(frozen=True, slots=True, eq=False)
class _OnNodes:
    """Candidates that lie on nodes of a homography.

    `index` (K,) among all candidates; `nodes` (K, 2); `share` (K,): their sides in pitches; `merit` (K,); `seen`: the
    nodes where the card finder saw a card.
    """

    index: NDArray[np.int64]
    nodes: NDArray[np.float64]
    share: NDArray[np.float64]
    merit: NDArray[np.float64]
    seen: frozenset[Node]

    def best(self, among: NDArray[np.bool_]) -> dict[Node, int]:
        """The best of some candidates on each node."""
        best: dict[Node, int] = {}
        for k in np.flatnonzero(among)[np.argsort(self.merit[among])]:
            best[int(self.nodes[k, 0]), int(self.nodes[k, 1])] = int(self.index[k])
        return best

    def card_share(self) -> float:
        """A card's side in pitches: the largest size that many nodes have (a smaller one is a printed border)."""
        trial = np.unique(np.round(self.share, 2))
        near = np.abs(np.log(self.share[None] / trial[:, None])) < np.log(SAME_SHARE)
        support = np.array([len(np.unique(self.nodes[row], axis=0)) for row in near])
        largest = trial[np.flatnonzero(support >= 0.6 * support.max())[-1]]
        members = np.abs(np.log(self.share / largest)) < np.log(SAME_SHARE)
        return float(np.median(self.share[members]))

    def cards(self) -> tuple[dict[Node, int], float]:
        """The candidate of a card's size on each node, and that size."""
        share = self.card_share()
        return self.best(np.abs(np.log(self.share / share)) < 2 * np.log(SAME_SHARE)), share


def _on_nodes(homography: NDArray[np.float64], candidates: Candidates) -> _OnNodes:
    centres = quads.centres(candidates.quads)
    plane = unproject(homography, centres)
    usable = np.isfinite(plane).all(axis=1) & (np.abs(plane).max(axis=1) < FAR)
    nodes = np.where(usable[:, None], np.rint(plane), 0.0)
    off = np.linalg.norm(plane - nodes, axis=1)
    share = _shares(homography, nodes, quads.sides(candidates.quads))
    usable &= (off < TOLERANCE) & (share > 1 / MAX_STEP) & (share < 1 / MIN_STEP)
    usable[usable] = _together(nodes[usable].astype(int))
    merit = np.minimum(candidates.votes, 3) / 6 - off
    index = np.flatnonzero(usable)
    seen = nodes[usable & candidates.seen].astype(int)
    return _OnNodes(index, nodes[usable], share[usable], merit[usable], frozenset((int(r), int(c)) for r, c in seen))


def _together(nodes: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Which of some nodes, (K, 2), belong to the largest group with no two empty rows or columns between its parts."""
    taken = np.zeros((2 * FAR + 3, 2 * FAR + 3), np.uint8)
    rows, columns = nodes.T + FAR + 1
    taken[rows, columns] = 1
    _, labels = cv2.connectedComponents(cv2.dilate(taken, np.ones((2, 2), np.uint8)), connectivity=8)
    sizes = np.bincount(labels[taken > 0], minlength=1)
    return np.asarray(labels[rows, columns] == np.argmax(sizes))


@dataclass(frozen=True, slots=True, eq=False)
class _Grown:
    """A homography with the candidates that it explains."""

    homography: NDArray[np.float64]
    members: dict[Node, int]


def _grown(patch: dict[int, Node], candidates: Candidates) -> _Grown | None:
    """A patch fitted, then grown by all candidates that the fit explains until their number stays."""
    centres, sides = quads.centres(candidates.quads), quads.sides(candidates.quads)
    members = {node: i for i, node in patch.items()}
    grown = None
    for _ in range(8):
        chosen = list(members.values())
        homography = _fit(np.array(list(members), np.float64), centres[chosen], 0.2 * float(np.median(sides[chosen])))
        if homography is None:
            return None
        on_nodes = _on_nodes(homography, candidates)
        grown = _Grown(homography, on_nodes.best(np.ones(len(on_nodes.index), bool)))
        if len(grown.members) < MIN_CARDS:
            return None
        if len(grown.members) == len(members):
            break
        members = grown.members
    return grown


def _lattice(homography: NDArray[np.float64], candidates: Candidates) -> Lattice:
    """The lattice with rows running down the picture and columns to the right, as seen at the middle of its cards."""
    on_nodes = _on_nodes(homography, candidates)
    members, share = on_nodes.cards()
    nodes = np.array(list(members), np.float64)
    turn = _upright_turn(homography, nodes.mean(axis=0))
    inverse = np.linalg.inv(turn).round()

    def renumbered(node: Node) -> Node:
        column, row = inverse @ node[::-1]
        return int(row), int(column)

    upright = homography @ np.block([[turn, np.zeros((2, 1))], [np.zeros((1, 2)), np.ones((1, 1))]])
    chosen = candidates.quads[list(members.values())]
    bare = Lattice(upright, {}, frozenset(), share)
    places = [renumbered(node) for node in members]
    cards = dict(zip(places, quads.started_like(chosen, bare.expected(places)), strict=True))
    return Lattice(upright, cards, frozenset(map(renumbered, on_nodes.seen)), share)


def _upright_turn(homography: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, 2) whole matrix from new (column, row) to old ones: a quarter turn, mirrored if the old numbering was."""
    here, right, down = project(homography, middle + np.array([[0, 0], [0, 0.1], [0.1, 0]]))
    axes = np.column_stack([right - here, down - here])
    mirror = np.diag([1.0, -1.0]) if np.linalg.det(axes) < 0 else np.eye(2)
    unit = axes / np.linalg.norm(axes, axis=0)
    return np.asarray(max((mirror @ turn for turn in TURNS), key=lambda turn: float(np.trace(unit @ turn))))
