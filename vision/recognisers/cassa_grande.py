"""One free-hand photograph of a Cassa Grande layout to one reading: which card lies where, and how sure that is.

Find candidates, fit the lattice, judge every node, then let the deck decide jointly. A total may be shown as certain
only when every node's kind leads clearly and no card had to be overruled; everything else is a question to the player.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from companion.games.cassa_grande import pieces
from companion.language import _
from companion.sight import Outcome, Reading
from vision import nodes, quads, rectify
from vision.finished import MAX_OFF, Finished, finished
from vision.lattice import Lattice, lattices
from vision.layout import Layout, reach_over
from vision.locate import Locator
from vision.nodes import BACK, OTHER, PLAINLY_EMPTY, Judged
from vision.patches import Node
from vision.recognise import DigitReader

MIN_ALONE = 0.9995
"""Without a deck to check against (a part of a layout), each card must be believed this much."""

SECOND_LAYOUT = 4.5
"""As many faces (by belief) on a lattice of their own are a second layout, not spare cards."""

MOST_CARDS = 80
"""A lattice of more is a chequered cloth."""


@dataclass(frozen=True, slots=True)
class _Try:
    """What one attempt makes of the picture; `final`: no other attempt can refute it."""

    reading: Reading
    found: bool = True
    final: bool = False


class CassaGrandeReader:
    """Reads photographs of Cassa Grande layouts.

    `decks` are the cards in play by number of players (2, 4), as a text of faces; `partial` lets a layout that is not
    finished be clear. One reader serves many photographs; it is not for use by several threads at once. `seconds` tells
    what finding and reading took in the last picture; `locator` and `digits` are its networks.

    Raises:
        vision.network.ModelError: the networks' files are missing or damaged.
    """

    def __init__(self, decks: Mapping[int, str] | None = None, *, partial: bool = False) -> None:
        self._decks = dict(decks) if decks is not None else {n: pieces.standard_deck(n) for n in pieces.SEATS}
        self._partial = partial
        self.digits = DigitReader()
        self.locator = Locator()
        self.seconds: dict[str, float] = {}

    def read(self, image: NDArray[np.uint8]) -> Reading:
        """Read one picture, (H, W, 3) uint8 BGR, upright. Row 0 is the top row as the seat at the bottom edge reads."""
        self.seconds = {"find": 0.0, "read": 0.0}
        tries: list[_Try] = []
        pyramid = rectify.Pyramid(image)
        started = time.perf_counter()
        for candidates in self.locator.attempts(image):
            found = lattices(candidates)
            read = time.perf_counter()
            tries.append(self._try(pyramid, image.shape[:2], found))
            self.seconds["find"] += read - started
            started = time.perf_counter()
            self.seconds["read"] += started - read
            if tries[-1].final:
                return tries[-1].reading
        return max(tries, key=_says).reading

    def _try(self, pyramid: rectify.Pyramid, size: tuple[int, ...], found: Sequence[Lattice]) -> _Try:
        layouts = [lattice for lattice in found if len(lattice.cards) <= MOST_CARDS][:4]
        if not layouts:
            return _nothing()
        main, *rest = self._by_faces(pyramid, layouts)
        if any(_is_layout(faces, lattice) and not _overlap(lattice, main[1]) for faces, lattice in rest):
            return _Try(_unreadable(_("Two layouts are in the picture: photograph one at a time.")), final=True)
        return self._decided(nodes.judged(pyramid, main[1], self.digits), size)

    def _by_faces(self, pyramid: rectify.Pyramid, layouts: Sequence[Lattice]) -> list[tuple[float, Lattice]]:
        """Lattices with the number of faces that each seems to hold, the one with most first."""
        if len(layouts) == 1:
            return [(float(len(layouts[0].cards)), layouts[0])]
        shown = [(nodes.faces_shown(pyramid, lattice, self.digits), lattice) for lattice in layouts]
        return sorted(shown, key=lambda pair: -pair[0])

    def _decided(self, judged: dict[Node, Judged], size: tuple[int, ...]) -> _Try:
        thoughts = (finished(judged, pieces.FRAMES[players], cards) for players, cards in self._decks.items())
        best = max(chain.from_iterable(thoughts), key=lambda thought: thought.likelihood, default=None)
        if best is not None and best.believable and (best.certain or _in_view(best, size)):
            return _Try(best.reading(), final=best.certain)
        layout = Layout.of(judged)
        if layout is None:
            return _nothing()
        limit = max(pieces.FRAMES.values())
        if layout.height > limit or layout.width > limit:
            return _Try(_too_large(layout, limit))
        if layout.cut_off(size, limit):
            reason = _("The picture may cut the layout off: take it from farther away.")
            return _Try(layout.reading(Outcome.UNREADABLE, reason=reason))
        surplus = _surplus(layout.symbols(), best.cards) if best is not None else ""
        if best is not None and surplus and layout.faces == len(best.cards):
            reason = _("These are not the cards of the box: {surplus}.").format(surplus=surplus)
            return _Try(layout.reading(Outcome.ASK, doubtful=best.doubtful(), reason=reason))
        if layout.strange > layout.faces:
            reason = _("{count} of these cards show no face of this game: lay out its own cards.")
            return _Try(layout.reading(Outcome.UNREADABLE, reason=reason.format(count=layout.strange)))
        reading = self._unfinished(layout)
        return _Try(reading, final=reading.outcome is Outcome.CLEAR)

    def _unfinished(self, layout: Layout) -> Reading:
        weak = tuple(j.node for j in layout.spots() if _weak(j))
        if self._partial and not weak:
            return layout.reading(Outcome.CLEAR)
        down = sum(int(np.argmax(j.belief) == BACK) for j in layout.spots())
        faces = sum(j.is_face for j in layout.spots())
        return layout.reading(Outcome.ASK, doubtful=weak, reason=_not_finished(layout, faces, down))


def _not_finished(layout: Layout, faces: int, down: int) -> str:
    if faces + down == 1:
        reason = _("The layout is not finished: 1 card lies in {rows} rows and {columns} columns.")
    elif down == 0:
        reason = _("The layout is not finished: {count} cards lie in {rows} rows and {columns} columns.")
    else:
        reason = _(
            "The layout is not finished: {count} cards lie in {rows} rows and {columns} columns, "
            "{down} of them face down."
        )
    return reason.format(count=faces + down, rows=layout.height, columns=layout.width, down=down)


def _in_view(thought: Finished, size: tuple[int, ...]) -> bool:
    """Whether all the deck's cards lie within the picture."""
    return not any(reach_over(j.quad, size) for j in thought.cards_lying())


def _weak(j: Judged) -> bool:
    """Whether a node's own belief is not enough, without a deck to check it."""
    if not j.is_card:
        return bool(j.belief[OTHER] < PLAINLY_EMPTY)
    return bool(j.belief.max() < MIN_ALONE) or j.off > MAX_OFF


def _too_large(layout: Layout, limit: int) -> Reading:
    reason = _(
        "The cards make {rows} rows and {columns} columns, and a layout is at most {limit} by {limit}: "
        "take away what does not belong to it."
    ).format(rows=layout.height, columns=layout.width, limit=limit)
    known = all(node in layout.judged for node in layout.nodes())
    return layout.reading(Outcome.UNREADABLE, reason=reason) if known else _unreadable(reason)


def _nothing() -> _Try:
    reason = _("No layout of cards was found: photograph the whole layout from above.")
    return _Try(_unreadable(reason), found=False)


def _unreadable(reason: str) -> Reading:
    return Reading(Outcome.UNREADABLE, (), (), (), reason)


def _surplus(shown: str, cards: str) -> str:
    """The face whose number is furthest from that of a deck: "9 read 2, and the box has 8"; empty when none differs."""
    face = max(pieces.FACES, key=lambda f: abs(shown.count(f) - cards.count(f)))
    if shown.count(face) == cards.count(face):
        return ""
    sentence = _("{count} read {face}, and the box has {allowed}")
    return sentence.format(count=shown.count(face), face=face, allowed=cards.count(face))


def _is_layout(faces: float, lattice: Lattice) -> bool:
    """Whether a lattice with about so many faces holds a layout, and not some spare cards or a pattern."""
    return faces >= max(SECOND_LAYOUT, 0.6 * len(lattice.cards))


def _overlap(one: Lattice, other: Lattice) -> bool:
    """Whether a good part of one lattice's cards lies inside the other's box."""
    top, left, bottom, right = other.box()
    centres = quads.centres(np.array(list(one.cards.values())))
    plane = other.nodes_at(centres)
    inside = (plane >= (top - 0.5, left - 0.5)) & (plane <= (bottom + 0.5, right + 0.5))
    return bool(inside.all(axis=1).mean() > 0.3)


_RANK = {Outcome.UNREADABLE: 0, Outcome.ASK: 1, Outcome.CLEAR: 2}


def _says(attempt: _Try) -> tuple[int, int, bool]:
    """How much a reading says: by its outcome, by how many cards it found and doubts, by whether it found anything."""
    reading = attempt.reading
    return _RANK[reading.outcome], len(reading.sightings) - 2 * len(reading.doubtful), attempt.found
