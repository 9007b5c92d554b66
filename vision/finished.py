"""The thought that a layout is finished: a full frame holds exactly the cards of a deck, which decides jointly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.language import _
from companion.sight import GAP, Outcome, Reading
from vision import deck
from vision.layout import Layout
from vision.nodes import BACK, EDGED, OTHER, Judged
from vision.patches import Node
from vision.recognise import FACES

MIN_LEAD = 4.0
"""The whole deck must be this much likelier than with another kind on the node (natural logarithm: 55 times)."""

MAX_OVERRULED = 1.7
"""The deck may overrule a node's own belief by this much (natural logarithm: 5.5 times) before a person is asked."""

MOST_OVERRULED = 4
"""When the deck has to overrule more nodes than this, the deck is another one."""

FAINT, FAINT_LEAD = 0.5, 6.0
"""A card that was itself believed less than the first to show its face is asked about unless the deck is this much
likelier with it (natural logarithm: 400 times): several faint cards may be right only together, or wrong together."""

FAINT_UNSEEN = 0.9
"""The same belief for a card that the finder did not see: a bare piece of a dark table can look like a comma."""

ASKING = 3.0
"""When there is a question anyway, cards that lead by so little more are asked about as well."""

STRANGE = 0.9
"""A card believed this much to show no face of the game is asked about, though the deck leaves but one face for it."""

UNSEEN_FACE = 0.2
"""A card that the finder did not see is asked about when a face is believed less than this."""

MOST_HIDDEN = 2
"""When more of the deck's cards than this are nowhere to be seen, the layout is not finished."""

FACE_IN_GAP = 0.18
"""A gap believed this much to show a face is asked about: it may hold the card that another node was given for it."""

PLAIN = 0.9
"""When each of the deck's cards was seen and read this surely by itself, none of them can lie in a gap."""

EXTRA = 0.5, 0.75
"""Then a gap is asked about when it is believed this much to show a face, or a card of any kind that was seen: one too
many."""

PLAIN_STRANGER = 0.5
"""Beyond the frame, where the finder saw no card, one face must be believed more than this to count as one."""

EDGED_EXTRA = 0.995
"""A card of any kind that the finder missed is asked about when it is believed this much and shows all four edges."""

MAX_OFF = 0.42
"""A card that lies further than this from its place, in pitches, may belong to the next one."""

UNREAD = 0.98
"""How surely a node holds a card when the card finder saw one and all four edges show."""

UNTOLD = 0.02
"""What each face is worth, as a share of the belief in none, when such a card is taken for one of the faces."""


@dataclass(frozen=True, eq=False)
class Finished:
    """The thought that a frame holds exactly a deck's `cards`, and that no other node holds one.

    `beliefs` (N, 7) are the nodes' own: faces in the order of `FACES`, then gap; `answer` has the kinds that the deck
    assigns them, in the same order. `likelihood` is the natural logarithm over all judged nodes; `strangers` are cards
    with a face outside the frame.
    """

    layout: Layout
    cards: str
    beliefs: NDArray[np.float64]
    answer: deck.Assignment
    likelihood: float
    strangers: int

    @property
    def believable(self) -> bool:
        """Whether the deck fits well enough to ask about single cards at most."""
        overruled = int((self.overruled() > MAX_OVERRULED).sum())
        fits = self.strangers == 0 and overruled <= MOST_OVERRULED and not self.face_down
        return fits and sum(not j.is_card for j in self.cards_lying()) <= MOST_HIDDEN

    def cards_lying(self) -> list[Judged]:
        """The nodes to which the deck gives a card."""
        return [j for symbol, j in zip(self.symbols, self.layout.spots(), strict=True) if symbol != GAP]

    def overruled(self) -> NDArray[np.float64]:
        """By what factor, as a natural logarithm, each node's own belief favours another face than the deck's, (N,).

        Whether a card lies there at all is not counted: that a card is not a gap is for the leads to show.
        """
        face = self.beliefs[:, :BACK].max(axis=1)
        favoured = np.maximum(face, deck.FLOOR) / np.maximum(np.minimum(self._chosen, face), deck.FLOOR)
        return np.asarray(np.log(favoured))

    @property
    def face_down(self) -> int:
        """How many cards that the deck gives a face plainly show their back."""
        return sum(bool(j.belief[BACK] > 0.5) for j in self.cards_lying())

    @property
    def certain(self) -> bool:
        """Whether nothing needs to be asked."""
        return self.believable and not self.doubtful()

    @property
    def symbols(self) -> str:
        """What the deck says of each node, row by row: a face or `GAP`."""
        return "".join((*FACES[:BACK], GAP)[kind] for kind in self.answer.kinds)

    def doubtful(self, more: float = 0.0) -> list[Node]:
        """The nodes that a person should look at, the most doubtful first; `more` asks for so much more lead."""
        spots = self.layout.spots()
        gap = np.array(list(self.symbols)) == GAP
        worst = (
            np.maximum(np.where(self._faint & ~gap, FAINT_LEAD, MIN_LEAD) + more - self.answer.leads, 0)
            + np.maximum(self.overruled() - MAX_OVERRULED / (1 + more), 0)
            + np.maximum(np.array([j.off for j in spots]) - MAX_OFF, 0) * ~gap
            + np.array([self._lies_there(j) for j in spots]) * gap
            + np.array([j.belief[OTHER] > STRANGE or _nobody_saw(j) for j in spots]) * ~gap
        )
        return [spots[k].node for k in np.argsort(-worst) if worst[k] > 0]

    @cached_property
    def _chosen(self) -> NDArray[np.float64]:
        """Each node's own belief in the kind that the deck gives it, (N,)."""
        return np.asarray(self.beliefs[np.arange(len(self.beliefs)), self.answer.kinds])

    @property
    def _faint(self) -> NDArray[np.bool_]:
        """Which nodes by themselves show hardly what the deck makes of them, (N,)."""
        seen = np.array([j.seen for j in self.layout.spots()])
        return np.asarray(self._chosen < np.where(seen, FAINT, FAINT_UNSEEN))

    @cached_property
    def _plain(self) -> bool:
        """Whether every card of the deck was plainly seen."""
        cards = [
            (belief, j)
            for belief, s, j in zip(self._chosen, self.symbols, self.layout.spots(), strict=True)
            if s != GAP
        ]
        return all(belief > PLAIN and j.is_card for belief, j in cards)

    def _lies_there(self, j: Judged) -> bool:
        """Whether a card seems to lie where the deck has none left."""
        face, card = float(j.belief[:BACK].sum()), 1 - float(j.belief[OTHER])
        least_face, least_card = EXTRA if self._plain else (FACE_IN_GAP, 0.5)
        edged = j.support > EDGED and card > EDGED_EXTRA
        return face > least_face or (j.seen and card > least_card) or edged

    def reading(self) -> Reading:
        """Clear, or the question which of the ringed cards is what."""
        if self.certain:
            return self.layout.reading(Outcome.CLEAR, symbols=self.symbols, finished=True)
        doubtful = self.doubtful(ASKING)
        (row, column), (top, left) = doubtful[0], self.layout.box[:2]
        if len(doubtful) == 1:
            sentence = _("Look at the ringed card in row {row}, column {column}: say what it is.")
        else:
            sentence = _("Look at the ringed card in row {row}, column {column} and {count} more: say what it is.")
        return self.layout.reading(
            Outcome.ASK,
            symbols=self.symbols,
            doubtful=doubtful,
            reason=sentence.format(row=row - top + 1, column=column - left + 1, count=len(doubtful) - 1),
        )


def _nobody_saw(j: Judged) -> bool:
    """Whether a card is there for the deck's sake alone: neither the finder nor the reader saw one."""
    return not j.seen and float(j.belief[:BACK].sum()) < UNSEEN_FACE


def _stands_out(j: Judged) -> bool:
    """Whether a face plainly lies beyond the frame; what a busy table is a little like is none."""
    return j.is_face and (j.seen or bool(j.belief[:BACK].max() > PLAIN_STRANGER))


def _kinds(j: Judged) -> NDArray[np.float64]:
    """Probabilities of the faces, in the order of `FACES`, then of a gap, (7,), at one node of a frame.

    A card that is plainly there and cannot be read (glare, an odd print) may be any face: the deck may know which.
    """
    faces, back, other = j.belief[:BACK], j.belief[BACK], j.belief[OTHER]
    if not (j.seen and j.support > EDGED):
        return np.append(faces, back + other)
    likely = faces + UNTOLD * other + deck.FLOOR
    return np.append(faces + UNREAD * other * likely / likely.sum(), back + (1 - UNREAD) * other)


def finished(judged: dict[Node, Judged], size: int, cards: str) -> Iterator[Finished]:
    """Places where a frame of `size` by `size` nodes may lie, with its deck assigned; the likeliest is among them.

    Each node alone bounds what a place can reach. The most promising come first, and those are left out whose bound
    falls short of a likelihood that another has.
    """
    counts = [*(cards.count(face) for face in FACES[:BACK]), size * size - len(cards)]
    kinds = {node: _kinds(j) for node, j in judged.items()}
    empty = {node: _log(j.belief[BACK] + j.belief[OTHER]) for node, j in judged.items()}
    gain = {node: _log(kinds[node].max()) - empty[node] for node in judged}
    nothing, best = sum(empty.values()), -np.inf
    for bound, inside in sorted(_places(gain, size), key=lambda place: -place[0]):
        if nothing + bound < best:
            return
        beliefs = np.array([kinds[node] for node in inside])
        answer = deck.assign(beliefs, counts)
        outside = judged.keys() - set(inside)
        best = max(best, likelihood := sum(empty[node] for node in outside) - answer.cost)
        strangers = sum(_stands_out(judged[node]) for node in outside)
        yield Finished(Layout(judged, (*inside[0], *inside[-1])), cards, beliefs, answer, likelihood, strangers)


def _log(belief: float) -> float:
    return float(np.log(max(belief, deck.FLOOR)))


def _places(gain: dict[Node, float], size: int) -> Iterator[tuple[float, list[Node]]]:
    """Every frame's nodes, row by row, with the sum of what they gain."""
    for row, column in gain:
        inside = [(row + down, column + right) for down in range(size) for right in range(size)]
        if all(node in gain for node in inside):
            yield sum(gain[node] for node in inside), inside
