"""One free-hand photograph of a Cassa Grande layout to one reading: which card lies where, and how sure that is.

Find candidates, fit the lattice, judge every node, then let the deck decide jointly. A total may be shown as certain
only when every node's kind leads clearly and no card had to be overruled; everything else is a question to the player.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from companion.games.cassa_grande import pieces
from companion.sight import Outcome, Reading
from vision import nodes, quads, rectify
from vision.finished import MAX_OFF, finished
from vision.lattice import Lattice, Node, lattices
from vision.layout import Layout
from vision.locate import Locator
from vision.nodes import BACK, Judged
from vision.recognise import DigitReader

MIN_ALONE = 0.9995
"""Without a deck to check against (a part of a layout), each card must be believed this much."""

SECOND_LAYOUT = 4.5
"""As many faces (by belief) on a lattice of their own are a second layout, not spare cards."""

MOST_CARDS = 80
"""A lattice of more is a chequered cloth."""

TWO_LAYOUTS = "Two layouts are in the picture: photograph one at a time."
NOTHING_FOUND = "No layout of cards was found: photograph the whole layout from above."


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """Seconds spent in each stage of one read, by name; filled while reading."""

    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, stage: str, seconds: float) -> None:
        """Count so many more seconds for a stage."""
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds


class CassaGrandeReader:
    """Reads photographs of Cassa Grande layouts.

    `decks` are the cards in play by number of players (2, 4), as a text of faces; `partial` lets a layout that is not
    finished be clear. One reader serves many photographs; it is not for use by several threads at once.

    Raises:
        vision.network.ModelError: the networks' files are missing or damaged.
    """

    def __init__(self, decks: Mapping[int, str] | None = None, *, partial: bool = False) -> None:
        self._decks = dict(decks) if decks is not None else {n: pieces.standard_deck(n) for n in pieces.SEATS}
        self._partial = partial
        self._digits = DigitReader()
        self._locator = Locator()
        self.stages = Stages()

    def read(self, image: NDArray[np.uint8]) -> Reading:
        """Read one picture, (H, W, 3) uint8 BGR, upright. Row 0 is the top row as the seat at the bottom edge reads."""
        self.stages = Stages()
        readings: list[Reading] = []
        pyramid = rectify.Pyramid(image)
        started = time.perf_counter()
        for candidates in self._locator.attempts(image):
            found = lattices(candidates)
            self.stages.add("find", time.perf_counter() - started)
            started = time.perf_counter()
            readings.append(self._read_lattices(pyramid, image.shape[:2], found))
            self.stages.add("read", time.perf_counter() - started)
            started = time.perf_counter()
            if readings[-1].outcome is Outcome.CLEAR:
                break
            if readings[-1].reason == TWO_LAYOUTS:
                # What one attempt saw, another that misses it does not refute.
                return readings[-1]
        return max(readings, key=_says)

    def _read_lattices(self, pyramid: rectify.Pyramid, size: tuple[int, ...], found: Sequence[Lattice]) -> Reading:
        layouts = [lattice for lattice in found if len(lattice.cards) <= MOST_CARDS][:4]
        if not layouts:
            return _unreadable(NOTHING_FOUND)
        main, *rest = self._by_faces(pyramid, layouts)
        if any(_is_layout(faces, lattice) and not _overlap(lattice, main[1]) for faces, lattice in rest):
            return _unreadable(TWO_LAYOUTS)
        return self._decided(nodes.judged(pyramid, main[1], self._digits), size)

    def _by_faces(self, pyramid: rectify.Pyramid, layouts: Sequence[Lattice]) -> list[tuple[float, Lattice]]:
        """Lattices with the number of faces that each seems to hold, the one with most first."""
        if len(layouts) == 1:
            return [(float(len(layouts[0].cards)), layouts[0])]
        shares = [(nodes.card_share(pyramid, lattice, self._digits), lattice) for lattice in layouts]
        return sorted(shares, key=lambda pair: -pair[0])

    def _decided(self, judged: dict[Node, Judged], size: tuple[int, ...]) -> Reading:
        thoughts = (finished(judged, pieces.FRAMES[players], cards) for players, cards in self._decks.items())
        best = max(chain.from_iterable(thoughts), key=lambda thought: thought.likelihood, default=None)
        if best is not None and best.believable and (best.certain or not best.layout.reaches_over(size)):
            return best.reading()
        layout = Layout.of(judged)
        if layout is None:
            return _unreadable(NOTHING_FOUND)
        limit = max(pieces.FRAMES.values())
        if layout.height > limit or layout.width > limit:
            reason = (
                f"The cards make {layout.height} rows and {layout.width} columns, and a layout is at most "
                f"{limit} by {limit}: take away what does not belong to it."
            )
            known = all(node in judged for node in layout.nodes())
            return layout.reading(Outcome.UNREADABLE, reason=reason) if known else _unreadable(reason)
        if layout.cut_off(size, limit):
            return layout.reading(
                Outcome.UNREADABLE, reason="The picture may cut the layout off: take it from farther away."
            )
        if best is not None and layout.faces == len(best.cards):
            return layout.reading(
                Outcome.ASK,
                doubtful=best.doubtful(),
                reason=f"These are not the cards of the box: {_surplus(layout.symbols(), best.cards)}.",
            )
        if layout.strange > layout.faces:
            reason = f"{layout.strange} of these cards show no face of this game: lay out its own cards."
            return layout.reading(Outcome.UNREADABLE, reason=reason)
        return self._unfinished(layout)

    def _unfinished(self, layout: Layout) -> Reading:
        weak = tuple(j.node for j in layout.spots() if j.is_card and (j.belief.max() < MIN_ALONE or j.off > MAX_OFF))
        if self._partial and not weak:
            return layout.reading(Outcome.CLEAR)
        down = sum(int(np.argmax(j.belief) == BACK) for j in layout.spots())
        faces = sum(j.is_face for j in layout.spots())
        lie = "1 card lies" if faces + down == 1 else f"{faces + down} cards lie"
        turned = f", {down} of them face down" if down else ""
        return layout.reading(
            Outcome.ASK,
            doubtful=weak,
            reason=f"The layout is not finished: {lie} in {layout.height} rows and {layout.width} columns{turned}.",
        )


def _unreadable(reason: str) -> Reading:
    return Reading(Outcome.UNREADABLE, (), (), (), reason)


def _surplus(shown: str, cards: str) -> str:
    """The face whose number is furthest from that of a deck: "9 read 2, and the box has 8"."""
    face = max(pieces.FACES, key=lambda f: abs(shown.count(f) - cards.count(f)))
    return f"{shown.count(face)} read {face}, and the box has {cards.count(face)}"


def _is_layout(faces: float, lattice: Lattice) -> bool:
    """Whether a lattice with about so many faces holds a layout, and not some spare cards or a pattern."""
    return faces >= max(SECOND_LAYOUT, 0.6 * len(lattice.cards))


def _overlap(one: Lattice, other: Lattice) -> bool:
    """Whether the middle of one lattice's cards lies inside the other's box."""
    top, left, bottom, right = other.box()
    centres = quads.centres(np.array(list(one.cards.values())))
    plane = other.nodes_at(centres)
    inside = (plane >= (top - 0.5, left - 0.5)) & (plane <= (bottom + 0.5, right + 0.5))
    return bool(inside.all(axis=1).mean() > 0.3)


_RANK = {Outcome.UNREADABLE: 0, Outcome.ASK: 1, Outcome.CLEAR: 2}


def _says(reading: Reading) -> tuple[int, int, bool]:
    """How much a reading says: by its outcome, by how many cards it found and doubts, by whether it found anything."""
    cards = len(reading.sightings) - 2 * len(reading.doubtful)
    return _RANK[reading.outcome], cards, reading.reason != NOTHING_FOUND
