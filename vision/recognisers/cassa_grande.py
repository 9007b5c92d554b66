"""One free-hand photograph of a Cassa Grande layout to one reading: which card lies where, and how sure that is.

Find candidates, fit the lattice, judge every node, then let the deck decide jointly. A total may be shown as certain
only when every node's kind leads clearly and no card had to be overruled; everything else is a question to the player.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.games.cassa_grande import pieces
from companion.sight import GAP, UNKNOWN, Outcome, Reading, Sighting, Spot
from vision import deck, nodes, quads, rectify
from vision.lattice import Lattice, Node, lattices
from vision.locate import Locator
from vision.nodes import BACK, EDGED, OTHER, Judged
from vision.recognise import FACES, DigitReader

MIN_LEAD = 5.0
"""The whole deck must be this much likelier than with another kind on the node (natural logarithm: 150 times)."""

MAX_OVERRULED = 1.1
"""The deck may overrule a node's own belief by this much (natural logarithm: 3 times) before a person is asked."""

MIN_ALONE = 0.9995
"""Without a deck to check against (a part of a layout), each card must be believed this much."""

MAX_OFF = 0.42
"""A card that lies further than this from its place, in pitches, may belong to the next one."""

SECOND_LAYOUT = 4.5
"""As many faces (by belief) on a lattice of their own are a second layout, not spare cards."""

UNREAD = 0.98
"""How surely a node holds a card when the card finder saw one and all four edges show."""

UNTOLD = 0.02
"""What each face is worth, as a share of the belief in none, when such a card is taken for one of the faces."""

MOST_CARDS = 80
"""A lattice of more is a chequered cloth."""

MOST_OVERRULED = 4
"""When the deck has to overrule more nodes than this, the deck is another one."""

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
        if any(share >= SECOND_LAYOUT and not _overlap(lattice, main[1]) for share, lattice in rest):
            return _unreadable(TWO_LAYOUTS)
        return self._decided(nodes.judged(pyramid, main[1], self._digits), size)

    def _by_faces(self, pyramid: rectify.Pyramid, layouts: Sequence[Lattice]) -> list[tuple[float, Lattice]]:
        """Lattices with the number of faces that each seems to hold, the one with most first."""
        if len(layouts) == 1:
            return [(float(len(layouts[0].cards)), layouts[0])]
        shares = [(nodes.card_share(pyramid, lattice, self._digits), lattice) for lattice in layouts]
        return sorted(shares, key=lambda pair: -pair[0])

    def _decided(self, judged: dict[Node, Judged], size: tuple[int, ...]) -> Reading:
        finished = [f for players, cards in self._decks.items() for f in _frames(judged, pieces.FRAMES[players], cards)]
        best = max(finished, key=lambda f: f.likelihood, default=None)
        if best is not None and best.believable and (best.certain or not best.layout.reaches_over(size)):
            return best.reading()
        layout = _Layout.of(judged)
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
                reason=f"These are not the {len(best.cards)} cards of the box: {layout.surplus(best.cards)}.",
            )
        if layout.strange > layout.faces:
            reason = f"{layout.strange} of these cards show no face of this game: lay out its own cards."
            return layout.reading(Outcome.UNREADABLE, reason=reason)
        return self._unfinished(layout)

    def _unfinished(self, layout: _Layout) -> Reading:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """The judged nodes of a frame (the box of the cards), with the ring around it kept for what it tells."""

    judged: dict[Node, Judged]
    box: tuple[int, int, int, int]

    @classmethod
    def of(cls, judged: dict[Node, Judged]) -> _Layout | None:
        """The layout of the cards believed to be of this game; of all that lie there when most are strange."""
        known = [j.node for j in judged.values() if j.belief[OTHER] < 0.5]
        cards = [j.node for j in judged.values() if j.is_card]
        box = nodes.box_of(known if 2 * len(known) >= len(cards) else cards)
        return None if box is None else cls(judged, box)

    @property
    def height(self) -> int:
        return self.box[2] - self.box[0] + 1

    @property
    def width(self) -> int:
        return self.box[3] - self.box[1] + 1

    def nodes(self) -> list[Node]:
        """The frame's nodes, row by row."""
        top, left, bottom, right = self.box
        return [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def spots(self) -> list[Judged]:
        """What lies on them."""
        return [self.judged[node] for node in self.nodes()]

    @property
    def faces(self) -> int:
        """How many cards show a face."""
        return sum(j.is_face for j in self.spots())

    @property
    def strange(self) -> int:
        """How many cards show what is no face of the game, and no back."""
        return sum(j.is_card and int(np.argmax(j.belief)) == OTHER for j in self.spots())

    def surplus(self, cards: str) -> str:
        """The face whose number is furthest from that of a deck: "9 read 2, and the box has 8"."""
        shown = "".join(_own_symbol(j) for j in self.spots())
        face = max(pieces.FACES, key=lambda f: abs(shown.count(f) - cards.count(f)))
        return f"{shown.count(face)} read {face}, and the box has {cards.count(face)}"

    def reaches_over(self, size: tuple[int, ...]) -> bool:
        """Whether a card reaches over the picture's edge, or up to it."""
        return any(j.is_card and not _within(j.quad, size, 0.02 * float(quads.sides(j.quad))) for j in self.spots())

    def cut_off(self, size: tuple[int, ...], limit: int) -> bool:
        """Whether more of it may lie beyond the picture's edge.

        A card reaches over the edge, or the place for another row or column is not in view.
        """
        if self.reaches_over(size):
            return True
        top, left, bottom, right = self.box
        steps = {(-1, 0): top, (1, 0): bottom, (0, -1): left, (0, 1): right}
        for (down, across), edge in steps.items():
            if (self.height if down else self.width) >= limit:
                continue
            for j in self.spots():
                on_edge = (j.node[0] if down else j.node[1]) == edge
                beyond = self.judged.get((j.node[0] + down, j.node[1] + across)) if on_edge else None
                if beyond is not None and not _within(beyond.quad, size):
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


def _within(points: NDArray[np.floating], size: tuple[int, ...], margin: float = 0.0) -> bool:
    """Whether points (..., 2) px lie in a picture of (height, width) px, `margin` px from its edge."""
    return bool((points >= margin).all() and (points <= np.array([size[1], size[0]]) - 1 - margin).all())


def _own_symbol(j: Judged) -> str:
    if not j.is_card:
        return GAP
    return FACES[int(np.argmax(j.belief[:BACK]))] if j.is_face else UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """The thought that a frame holds exactly a deck's `cards`, and that no other node holds one.

    `answer` has the kinds of the frame's nodes as the deck assigns them: faces in the order of `FACES`, then gap.
    `likelihood` is the natural logarithm over all judged nodes; `strangers` are cards with a face outside the frame.
    """

    layout: _Layout
    cards: str
    answer: deck.Assignment
    likelihood: float
    strangers: int

    @property
    def believable(self) -> bool:
        """Whether the deck fits well enough to ask about single cards at most."""
        overruled = int((self.answer.overruled > MAX_OVERRULED).sum())
        return self.strangers == 0 and overruled <= MOST_OVERRULED and not self.face_down

    @property
    def face_down(self) -> int:
        """How many cards that the deck gives a face plainly show their back."""
        shown = zip(self.symbols, self.layout.spots(), strict=True)
        return sum(symbol != GAP and bool(j.belief[BACK] > 0.5) for symbol, j in shown)

    @property
    def certain(self) -> bool:
        """Whether nothing needs to be asked."""
        return self.believable and not self.doubtful()

    @property
    def symbols(self) -> str:
        return "".join((*FACES[:BACK], GAP)[kind] for kind in self.answer.kinds)

    def doubtful(self) -> list[Node]:
        """The nodes that a person should look at, the most doubtful first."""
        spots = self.layout.spots()
        off = np.array([j.off for j in spots]) * (np.array(list(self.symbols)) != GAP)
        worst = (
            np.maximum(MIN_LEAD - self.answer.leads(), 0)
            + np.maximum(self.answer.overruled - MAX_OVERRULED, 0)
            + np.maximum(off - MAX_OFF, 0)
        )
        return [spots[k].node for k in np.argsort(-worst) if worst[k] > 0]

    def reading(self) -> Reading:
        doubtful = self.doubtful()
        if not doubtful:
            return self.layout.reading(Outcome.CLEAR, symbols=self.symbols)
        (row, column), (top, left) = doubtful[0], self.layout.box[:2]
        more = f" and {len(doubtful) - 1} more" if len(doubtful) > 1 else ""
        return self.layout.reading(
            Outcome.ASK,
            symbols=self.symbols,
            doubtful=doubtful,
            reason=f"Look at the ringed card in row {row - top + 1}, column {column - left + 1}{more}: say what it is.",
        )


def _kinds(j: Judged) -> NDArray[np.float64]:
    """Probabilities of the faces, in the order of `FACES`, then of a gap, (7,), at one node of a frame.

    A card that is plainly there and cannot be read (glare, an odd print) may be any face: the deck may know which.
    """
    faces, other = j.belief[:BACK], float(j.belief[OTHER])
    unread = UNREAD * other if j.seen and j.support > EDGED else 0.0
    likely = faces + UNTOLD * unread
    return np.append(faces + unread * likely / likely.sum(), j.belief[BACK] + other - unread)


def _frames(judged: dict[Node, Judged], size: int, cards: str) -> Iterator[_Frame]:
    """Every place where a frame may lie, with its deck assigned."""
    counts = [*(cards.count(face) for face in FACES[:BACK]), size * size - len(cards)]
    empty = {node: float(j.belief[BACK] + j.belief[OTHER]) for node, j in judged.items()}
    for row, column in judged:
        inside = [(row + down, column + right) for down in range(size) for right in range(size)]
        if any(node not in judged for node in inside):
            continue
        answer = deck.assign(np.array([_kinds(judged[node]) for node in inside]), counts)
        outside = [node for node in judged if node not in set(inside)]
        rest = sum(float(np.log(max(empty[node], deck.FLOOR))) for node in outside)
        layout = _Layout(judged, (row, column, row + size - 1, column + size - 1))
        yield _Frame(layout, cards, answer, rest - answer.cost, sum(judged[node].is_face for node in outside))


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


def _says(reading: Reading) -> tuple[int, int, bool]:
    """How much a reading says: by its outcome, by how many cards it found and doubts, by whether it found anything."""
    cards = len(reading.sightings) - 2 * len(reading.doubtful)
    return _RANK[reading.outcome], cards, reading.reason != NOTHING_FOUND
