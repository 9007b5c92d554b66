"""What lies on the nodes of a lattice: every node read, the ones that no contour hit as well.

The frame of a layout is the box of its cards; it grows here until no card lies beyond it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import quads, rectify
from vision.lattice import Lattice
from vision.patches import Node
from vision.quads import Quads
from vision.recognise import FACES, DigitReader

BACK, OTHER = FACES.index("?"), FACES.index("*")

SAMPLE = 12
"""So many cards of a lattice tell whether it is one of cards."""

PLAINLY_EMPTY = 0.95
"""A node that is believed to show no card this much at the first look is not looked at again."""

SURE = 0.98
"""A card that one crop leaves less sure than this is cropped again."""

VIEWS = ((-0.07, (0, 0)), (0.07, (0, 0)), (0, (0.04, 0)), (0, (-0.04, 0)), (0, (0, 0.04)), (0, (0, -0.04)))
"""How those crops differ: by how much the card is enlarged, and moved in sides. Each is turned a quarter further."""

CONVINCING = 0.6
"""With less support than this on its weakest side a card's outline is tried in another way."""

EDGED = 0.3
"""With this much support on its weakest side a node has the edges of a card."""

UNSEEN = 0.05
"""How likely a card shows neither a contour nor edges, nor is seen by the finder, against a node without a card."""

MAX_SPAN = 8
"""No frame is this wide; to look beyond it would not help."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One node with what was seen there.

    `quad` (4, 2) px from the grid's top left; `belief` (8,) over `vision.recognise.FACES`; `off`: how far the card's
    centre lies from where its neighbours put it, in pitches; `support`: the weakest of its four edges, 0 to 1; `seen`:
    whether the card finder saw a card there, whatever its face.
    """

    node: Node
    quad: Quads
    belief: NDArray[np.float64]
    off: float
    support: float
    seen: bool

    @property
    def is_card(self) -> bool:
        """A card, face up or down or with a strange face: more likely than not, or seen as one."""
        return self.seen or bool(self.belief[OTHER] < 0.5)

    @property
    def is_face(self) -> bool:
        """More likely a face of the game than a back, a gap or a stranger."""
        return bool(self.belief[BACK] + self.belief[OTHER] < 0.5)


def faces_shown(pyramid: rectify.Pyramid, lattice: Lattice, reader: DigitReader) -> float:
    """About how many of a lattice's cards show a face, by a sample of them: a chequered cloth makes lattices too."""
    cards = np.array(list(lattice.cards.values()))
    sample = cards[np.linspace(0, len(cards) - 1, min(len(cards), SAMPLE)).astype(int)]
    beliefs = reader.glance(pyramid.crops(sample))
    return float((1 - beliefs[:, OTHER] - 0.5 * beliefs[:, BACK]).mean()) * len(cards)


def judged(pyramid: rectify.Pyramid, lattice: Lattice, reader: DigitReader) -> dict[Node, Judged]:
    """The nodes of a layout, judged: all of the frame and of one ring around it.

    When the cards lie farther apart than any frame allows, only the nodes where the lattice has a card.
    """
    found = {j.node: j for j in _judge(pyramid, lattice, reader, list(lattice.cards))}
    while True:
        box = frame_of(found.values())
        if box is None or max(box[2] - box[0], box[3] - box[1]) >= MAX_SPAN:
            return found
        asked = [node for node in _with_ring(box) if node not in found]
        if not asked:
            return found
        empty = _glance(pyramid, lattice, reader, asked)
        found |= empty
        found |= {j.node: j for j in _judge(pyramid, lattice, reader, [node for node in asked if node not in empty])}


def frame_of(judged: Iterable[Judged]) -> tuple[int, int, int, int] | None:
    """The box of the cards that are believed to be of the game; of all that are seen when most of them are strange."""
    every = list(judged)
    known = [j.node for j in every if j.belief[OTHER] < 0.5]
    cards = [j.node for j in every if j.is_card]
    return box_of(known if 2 * len(known) >= len(cards) else cards)


def box_of(nodes: Iterable[Node]) -> tuple[int, int, int, int] | None:
    """First row, first column, last row, last column of some nodes, or None when there are none."""
    every = list(nodes)
    if not every:
        return None
    rows, columns = zip(*every, strict=True)
    return min(rows), min(columns), max(rows), max(columns)


def _with_ring(box: tuple[int, int, int, int]) -> list[Node]:
    top, left, bottom, right = box
    return [(row, column) for row in range(top - 1, bottom + 2) for column in range(left - 1, right + 2)]


def _glance(
    pyramid: rectify.Pyramid, lattice: Lattice, reader: DigitReader, asked: Sequence[Node]
) -> dict[Node, Judged]:
    """Of nodes where nothing was found, those that show no card to one look."""
    expected = lattice.expected(asked)
    beliefs = reader.glance(pyramid.crops(expected)).astype(np.float64)
    return {
        node: Judged(node, quad, belief, 0.0, 0.0, seen=False)
        for node, quad, belief in zip(asked, expected, beliefs, strict=True)
        if belief[OTHER] > PLAINLY_EMPTY
    }


def _judge(pyramid: rectify.Pyramid, lattice: Lattice, reader: DigitReader, nodes: Sequence[Node]) -> list[Judged]:
    if not nodes:
        return []
    expected = lattice.expected(nodes)
    guesses = np.array([lattice.cards.get(node, quad) for node, quad in zip(nodes, expected, strict=True)])
    corners, support = _outlined(pyramid, guesses, expected)
    beliefs = _beliefs(pyramid, reader, corners)
    seen = np.array([node in lattice.cards or node in lattice.seen for node in nodes]) | (support.min(axis=1) > EDGED)
    beliefs = np.where(seen[:, None], beliefs, _less_likely(beliefs))
    pitch = quads.sides(expected) / lattice.share
    off = np.linalg.norm(quads.centres(corners) - quads.centres(expected), axis=1) / pitch
    return [
        Judged(node, corners[k], beliefs[k], float(off[k]), float(support[k].min()), node in lattice.seen)
        for k, node in enumerate(nodes)
    ]


def _outlined(pyramid: rectify.Pyramid, guesses: Quads, expected: Quads) -> tuple[Quads, NDArray[np.float64]]:
    """Cards' corners by their own edges, (N, 4, 2), and the support of the four sides, (N, 4).

    A contour may have cut a corner; where its edges do not convince, the lattice's shape in its place is tried as well.
    """
    corners, support = rectify.refined(pyramid, guesses)
    cut = (guesses != expected).any(axis=(1, 2))
    weak = np.flatnonzero(cut & (support.min(axis=1) < CONVINCING))
    move = quads.centres(guesses[weak]) - quads.centres(expected[weak])
    others, other = rectify.refined(pyramid, (expected[weak] + move[:, None]).astype(np.float32))
    better = other.min(axis=1) > support[weak].min(axis=1)
    corners[weak[better]], support[weak[better]] = others[better], other[better]
    return corners, support


def _beliefs(pyramid: rectify.Pyramid, reader: DigitReader, cards: Quads) -> NDArray[np.float64]:
    """Beliefs (N, 8) of cards; the mean of several crops, each a little off, where one crop leaves a doubt."""
    beliefs = reader.beliefs(pyramid.crops(cards)).probabilities.astype(np.float64)
    weak = np.flatnonzero((beliefs.max(axis=1) < SURE) & (beliefs[:, OTHER] < PLAINLY_EMPTY))
    if len(weak):
        side = quads.sides(cards[weak])[:, None, None]
        middle = cards[weak].mean(axis=1, keepdims=True)
        views = [(cards[weak] - middle) * (1 + grow) + middle + side * np.array(move) for grow, move in VIEWS]
        turned = [np.roll(view, turn, axis=1) for turn, view in enumerate(views)]
        others = reader.glance(pyramid.crops(np.concatenate(turned).astype(np.float32)))
        beliefs[weak] = np.mean([beliefs[weak], *others.reshape(len(VIEWS), len(weak), -1)], axis=0)
    return beliefs


def _less_likely(beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Beliefs (N, 8) of nodes where neither a contour nor edges show a card."""
    weighed = beliefs * np.where(np.arange(len(FACES)) == OTHER, 1.0, UNSEEN)
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True))
