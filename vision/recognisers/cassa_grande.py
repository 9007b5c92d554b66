"""One free-hand photograph of a Cassa Grande layout to one reading: which card lies where, and how sure that is.

Find candidates, fit the lattice, judge every node, then let the deck decide jointly. A total may be shown as certain only
when every node's kind leads clearly and no card had to be overruled; everything else is a question to the player.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.games.cassa_grande import pieces
from companion.sight import GAP, UNKNOWN, Outcome, Reading, Sighting, Spot
from vision import deck, nodes, quads, rectify
from vision.lattice import MIN_CARDS, Lattice, Node, lattices
from vision.locate import Locator
from vision.nodes import BACK, OTHER, Judged
from vision.recognise import FACES, DigitReader

MIN_LEAD = 5.0
"""The whole deck must be this much likelier than with another kind on the node (natural logarithm: 150 times)."""

MAX_OVERRULED = 1.1
"""The deck may overrule a node's own belief by this much (natural logarithm: 3 times) before a person is asked."""

MIN_ALONE = 0.9995
"""Without a deck to check against (a part of a layout), each card must be believed this much."""

MAX_OFF = 0.42
"""A card that lies further than this from its place, in pitches, may belong to the next one."""

SECOND_LAYOUT = 8
"""As many cards on a lattice of their own are a second layout, not spare cards."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """Seconds spent in each stage of one read, by name; filled while reading."""

    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, stage: str, seconds: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds


class CassaGrandeReader:
    """Reads photographs of Cassa Grande layouts.

    `decks` are the cards in play by number of players (2, 4), as a text of faces; `partial` lets a layout that is not
    finished be clear. One reader serves many photographs; it is not for use by several threads at once.

    Raises:
        vision.recognise.ModelError: the networks' files are missing or damaged.
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
        started = time.perf_counter()
        best: Reading | None = None
        pyramid = rectify.Pyramid(image)
        for candidates in self._locator.attempts(image):
            found = lattices(candidates)
            self.stages.add("find", time.perf_counter() - started)
            started = time.perf_counter()
            reading = self._read_lattices(pyramid, image.shape[:2], found)
            self.stages.add("read", time.perf_counter() - started)
            started = time.perf_counter()
            best = _better(best, reading)
            if best.outcome is Outcome.CLEAR:
                break
        assert best is not None
        return best

    def _read_lattices(self, pyramid: rectify.Pyramid, size: tuple[int, ...], found: Sequence[Lattice]) -> Reading:
        shares = [nodes.card_share(pyramid, lattice, self._digits) for lattice in found[:4]]
        if not shares or max(shares) < MIN_CARDS * 0.6:
            return _unreadable("No layout of cards was found: photograph the whole layout from above.")
        main = int(np.argmax(shares))
        others = [share for k, share in enumerate(shares) if k != main and not _overlap(found[k], found[main])]
        judged = nodes.judged(pyramid, found[main], self._digits)
        layout = _Layout.of(judged)
        if layout is None:
            return _unreadable("No layout of cards was found: photograph the whole layout from above.")
        if max(others, default=0.0) >= SECOND_LAYOUT:
            return _unreadable("Two layouts are in the picture: photograph one at a time.")
        return self._decided(layout, size)

    def _decided(self, layout: _Layout, size: tuple[int, ...]) -> Reading:
        limit = max(pieces.FRAMES.values())
        if layout.height > limit or layout.width > limit:
            return layout.reading(
                Outcome.UNREADABLE,
                reason=f"The cards make {layout.height} rows and {layout.width} columns, and a layout is at most "
                f"{limit} by {limit}: take away what does not belong to it.",
            )
        for players, frame in pieces.FRAMES.items():
            cards = self._decks[players]
            if layout.height == layout.width == frame and layout.may_hold(len(cards)):
                return _finished(layout, cards)
        if layout.cut_off(size):
            return layout.reading(
                Outcome.UNREADABLE, reason="The picture cuts the layout off: take it from farther away."
            )
        return self._unfinished(layout)

    def _unfinished(self, layout: _Layout) -> Reading:
        weak = tuple(
            j.node for j in layout.spots() if j.is_card and (j.belief.max() < MIN_ALONE or j.off > MAX_OFF)
        )
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


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """The judged nodes of a frame (the box of the cards), with the ring around it kept for what it tells."""

    judged: dict[Node, Judged]
    box: tuple[int, int, int, int]

    @classmethod
    def of(cls, judged: dict[Node, Judged]) -> _Layout | None:
        box = nodes.box_of(j.node for j in judged.values() if j.is_card)
        return None if box is None else cls(judged, box)

    @property
    def height(self) -> int:
        return self.box[2] - self.box[0] + 1

    @property
    def width(self) -> int:
        return self.box[3] - self.box[1] + 1

    def spots(self) -> list[Judged]:
        """The frame's nodes, row by row."""
        top, left, bottom, right = self.box
        return [self.judged[row, column] for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def may_hold(self, cards: int) -> bool:
        """Whether so many cards may lie here face up: no more than two of them hidden, none plainly face down."""
        spots = self.spots()
        faces = sum(j.is_face for j in spots)
        down = sum(bool(j.belief[BACK] > 0.5 and j.support > 0.3) for j in spots)
        return cards - 2 <= faces and (faces >= cards or faces + down < cards or down == 0)

    def cut_off(self, size: tuple[int, ...]) -> bool:
        """Whether a side of the layout reaches the picture's edge, so that more cards may lie beyond."""
        edge = np.array([size[1], size[0]], np.float64)
        for j in self.spots():
            if j.is_card:
                reach = 0.12 * float(quads.sides(j.quad))
                if (j.quad < reach).any() or (j.quad > edge - reach).any():
                    return True
        return False

    def reading(
        self, outcome: Outcome, *, symbols: str = "", doubtful: Sequence[Node] = (), reason: str | None = None
    ) -> Reading:
        """The reading of this layout; `symbols`, one a spot, overrule each spot's own best belief."""
        spots = self.spots()
        shown = symbols or "".join(_own_symbol(j) for j in spots)
        rows = tuple(shown[k : k + self.width] for k in range(0, len(shown), self.width))
        top, left = self.box[:2]
        sightings = tuple(
            Sighting(
                (j.node[0] - top, j.node[1] - left),
                tuple((float(x), float(y)) for x, y in j.quad),  # type: ignore[arg-type]
                dict(zip(FACES, map(float, j.belief), strict=True)),
            )
            for symbol, j in zip(shown, spots, strict=True)
            if symbol != GAP
        )
        spots_asked: tuple[Spot, ...] = tuple((row - top, column - left) for row, column in doubtful)
        return Reading(outcome, rows, spots_asked, sightings, reason)


def _own_symbol(j: Judged) -> str:
    if not j.is_card:
        return GAP
    return FACES[int(np.argmax(j.belief[:BACK]))] if j.is_face else UNKNOWN


def _finished(layout: _Layout, cards: str) -> Reading:
    """A full frame: the deck decides jointly."""
    spots = layout.spots()
    own = np.array([j.belief for j in spots])
    beliefs = np.column_stack([own[:, :BACK], own[:, BACK] + own[:, OTHER]])
    counts = [cards.count(face) for face in FACES[:BACK]]
    answer = deck.assign(beliefs, [*counts, len(spots) - len(cards)])
    symbols = "".join((*FACES[:BACK], GAP)[kind] for kind in answer.kinds)
    off = np.array([j.off for j in spots]) * (np.array(list(symbols)) != GAP)
    worst = np.maximum(MIN_LEAD - answer.lead, 0) + np.maximum(answer.overruled - MAX_OVERRULED, 0) + np.maximum(off - MAX_OFF, 0)
    order = np.argsort(-worst)
    doubtful = [spots[k].node for k in order if worst[k] > 0]
    if not doubtful:
        return layout.reading(Outcome.CLEAR, symbols=symbols)
    overruled = int((answer.overruled > MAX_OVERRULED).sum())
    if overruled > len(cards) // 4:
        shown = "".join(_own_symbol(j) for j in spots)
        return layout.reading(
            Outcome.ASK,
            symbols=shown,
            doubtful=doubtful,
            reason=f"These are not the {len(cards)} cards of the box: {_surplus(shown, cards)}.",
        )
    first = doubtful[0]
    place = f"row {first[0] - layout.box[0] + 1}, column {first[1] - layout.box[1] + 1}"
    more = f" and at {len(doubtful) - 1} more" if len(doubtful) > 1 else ""
    return layout.reading(
        Outcome.ASK, symbols=symbols, doubtful=doubtful, reason=f"Look at the ringed card in {place}{more}: say what it is."
    )


def _surplus(shown: str, cards: str) -> str:
    """The face whose number is furthest off: "9 read 2, and the box has 8"."""
    face = max(pieces.FACES, key=lambda f: abs(shown.count(f) - cards.count(f)))
    return f"{shown.count(face)} read {face}, and the box has {cards.count(face)}"


def _unreadable(reason: str) -> Reading:
    return Reading(Outcome.UNREADABLE, (), (), (), reason)


def _overlap(one: Lattice, other: Lattice) -> bool:
    """Whether the middle of one lattice's cards lies inside the other's box."""
    top, left, bottom, right = other.box()
    centres = quads.centres(np.array(list(one.cards.values())))
    plane = other.nodes_at(centres)
    inside = (plane >= (top - 0.5, left - 0.5)) & (plane <= (bottom + 0.5, right + 0.5))
    return bool(inside.all(axis=1).mean() > 0.3)


_RANK = {Outcome.UNREADABLE: 0, Outcome.ASK: 1, Outcome.CLEAR: 2}


def _better(one: Reading | None, other: Reading) -> Reading:
    """The reading that says more: by its outcome, then by how many cards it found and how few it doubts."""
    if one is None:
        return other
    return max((one, other), key=lambda r: (_RANK[r.outcome], len(r.sightings) - 2 * len(r.doubtful)))
