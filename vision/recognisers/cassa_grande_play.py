"""Photographs of a Cassa Grande play that is going on: the growing layout, then the grid that is turned over.

The play is known so far, and the camera stands still. That is worth much: a layout of one, two or three cards has no
lattice of its own, and the deck does not vouch for what is not complete.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import exp

import numpy as np
from numpy.typing import NDArray

from companion.games.cassa_grande import pieces
from companion.language import _
from companion.proposal import SURE
from companion.sight import GAP, OTHER, UNKNOWN, Outcome, Point, Reading, Sighting, Spot
from vision import nodes, rectify
from vision.layout import reach_over
from vision.likeness import likeness
from vision.nodes import EDGED, Judged
from vision.patches import Node
from vision.recognise import FACES
from vision.recognisers.cassa_grande import CassaGrandeReader
from vision.tracker import Tracker

BLANK = 0.01
"""A node believed less than this to hold a card is taken for empty."""

MOST_SURE = 0.999
"""The digit reader alone is no surer than this of a card or of none."""

LIKE = 6.0
"""How much it counts that a node looks wholly like the cards, or like the table (natural logarithm)."""

OUTLINED = 10.0
"""How much likelier the finder's sighting and four edges make a card."""

READ_AS_BACK = 0.95
"""A card that shows no face of the game shows its back, as surely as this."""

ASTRAY = 0.35
"""A card that lies further off its node than this, in pitches, may belong to the next one."""


class PlayReader:
    """Reads the photographs of one play, one after the other, from a camera that stands still.

    `decks` are the cards in play by number of players, as `CassaGrandeReader` takes them. Not for several threads.

    Raises:
        vision.network.ModelError: the networks' files are missing or damaged.
    """

    def __init__(self, decks: Mapping[int, str] | None = None) -> None:
        self._whole = CassaGrandeReader(decks)
        self._complete = {len(deck) for deck in (decks or {n: pieces.standard_deck(n) for n in pieces.SEATS}).values()}
        self._tracker = Tracker()

    def read(self, image: NDArray[np.uint8], laid: Collection[Spot] = ()) -> Reading:
        """Read one picture, (H, W, 3) uint8 BGR, upright, with seat A at its bottom edge.

        `laid` are the cells of the play that hold a card so far. Once all the cards of a deck lie, this is the reading
        of the finished layout. Until then each sighting's belief says with `GAP` how likely no card lies there.
        """
        if len(laid) in self._complete:
            finished = self._whole.read(image)
            if finished.outcome is not Outcome.UNREADABLE:
                return finished
        candidates = next(self._whole.locator.attempts(image))
        followed = self._tracker.follow(candidates, laid)
        if followed is None:
            return _nothing()
        pyramid = rectify.Pyramid(image)
        judged = nodes.judged(pyramid, followed.lattice, self._whole.digits)
        alike = likeness(pyramid, judged)
        beliefs = {node: _belief(j, alike.get(node)) for node, j in judged.items()}
        lying = [node for node, belief in beliefs.items() if belief[GAP] < 0.5]
        move = self._tracker.settle(followed, lying, laid)
        return _reading(judged, beliefs, move, image.shape[:2])


def _reading(
    judged: Mapping[Node, Judged], beliefs: Mapping[Node, Mapping[str, float]], move: Node | None, size: tuple[int, ...]
) -> Reading:
    """`move` is the step from nodes to the play's cells, where it is known."""
    lying = [node for node, belief in beliefs.items() if belief[GAP] < 0.5]
    box = nodes.box_of(lying)
    if box is None:
        return _nothing()
    top, left, bottom, right = box
    sightings = tuple(
        Sighting((node[0] - top, node[1] - left), _corners(judged[node]), belief)
        for node, belief in beliefs.items()
        if belief[GAP] < 1 - BLANK
    )
    symbols = {node: max(beliefs[node], key=lambda piece: beliefs[node][piece]) for node in lying}
    rows = tuple(
        "".join(symbols.get((row, column), GAP) for column in range(left, right + 1)) for row in range(top, bottom + 1)
    )
    rows = tuple(row.replace(OTHER, UNKNOWN) for row in rows)
    doubtful = tuple(s.spot for s in sightings if max(s.belief.values()) < SURE)
    origin = None if move is None else (top + move[0], left + move[1])
    if any(reach_over(judged[node].quad, size) for node in lying):
        reason = _("A card reaches over the picture's edge: move the camera so that the whole layout is in view.")
        return Reading(Outcome.UNREADABLE, rows, doubtful, sightings, reason, origin=origin)
    outcome = Outcome.ASK if doubtful else Outcome.CLEAR
    return Reading(outcome, rows, doubtful, sightings, origin=origin)


def _belief(j: Judged, alike: float | None) -> dict[str, float]:
    """What lies on a node: the faces, a back, a strange thing, or `GAP`; `alike` as `likeness` gives it."""
    belief = dict(zip(FACES, map(float, j.belief), strict=True))
    none = min(max(belief.pop(OTHER), 1 - MOST_SURE), MOST_SURE)
    outlined = j.seen and j.support > EDGED
    odds = none / (1 - none) / (OUTLINED if outlined else 1)
    if alike is not None:
        odds *= exp(-LIKE * alike)
    elif outlined:
        odds = min(odds, (1 - READ_AS_BACK) / READ_AS_BACK)
    gap = odds / (1 + odds)
    if j.off > ASTRAY:
        gap = (1 + gap) / 2
    faces, strange = sum(belief.values()), none if outlined else 0.0
    # What the digit reader leaves to no face is a card all the same, where one lies: most likely its back.
    shown = {face: share * (1 - strange) / max(faces, 1e-9) for face, share in belief.items()}
    shown[UNKNOWN] += READ_AS_BACK * strange
    return {face: share * (1 - gap) for face, share in shown.items()} | {
        OTHER: (1 - READ_AS_BACK) * strange * (1 - gap),
        GAP: gap,
    }


def _corners(j: Judged) -> tuple[Point, Point, Point, Point]:
    first, second, third, fourth = ((float(x), float(y)) for x, y in j.quad)
    return first, second, third, fourth


def _nothing() -> Reading:
    reason = _("No card is seen: take hands away and let the camera see the whole layout.")
    return Reading(Outcome.UNREADABLE, (), (), (), reason)
