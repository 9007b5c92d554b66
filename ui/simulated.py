"""A table of Cassa Grande that is not there: who holds which cards, and what shows on the table.

The companion is told what people tell it; this is what really lies there. It follows the play's state wherever that
goes, undo included, and a drawn photograph of it is what a camera would see.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.cassa_grande import swapping
from companion.games.cassa_grande.moves import Placed, Swapped
from companion.games.cassa_grande.pieces import COMMA, without
from companion.games.cassa_grande.placing import accounted_for, face_refusal, legal_cells
from companion.games.cassa_grande.state import Hand, Phase, State, box, cells, faces_up
from companion.games.cassa_grande.tabletop import table
from companion.rules import Seat
from companion.sight import GAP, UNKNOWN, Spot


@dataclass(frozen=True, slots=True)
class _Cards:
    """The hands, the faces that lie on the table, and which of these show."""

    hands: Mapping[Seat, str] = field(default_factory=dict)
    faces: Mapping[Spot, str] = field(default_factory=dict)
    shown: frozenset[Spot] = frozenset()


class SimulatedTable:
    """The cards of one play, begun or resumed.

    Between two calls of `follow` the hands may run ahead of the play, as they do at a real table.
    """

    def __init__(self, state: State, rng: random.Random) -> None:
        self._rng = rng
        self._known: dict[State, _Cards] = {}
        self._cards = self._told = _Cards()
        self.follow(state)

    def follow(self, state: State) -> None:
        """The play has come to this state: after what the hands did or a tap told, or back after an undo."""
        if state not in self._known:
            self._known[state] = _fitting(state, self._cards, self._rng)
        self._cards = self._told = self._known[state]

    @property
    def ahead(self) -> bool:
        """Whether the hands have done something that the play does not know."""
        return self._cards is not self._told

    @property
    def laid(self) -> dict[Spot, str]:
        """What shows on each cell that holds a card: its face, or `UNKNOWN` for a back."""
        return {cell: face if cell in self._cards.shown else UNKNOWN for cell, face in self._cards.faces.items()}

    def lay(self, state: State, cell: Spot | None = None) -> Placed:
        """The seat at turn lays one of its cards, on any legal cell unless one is named; what the companion is told."""
        seat = state.turn
        where = self._rng.choice(list(legal_cells(state))) if cell is None else cell
        face, up = self._rng.choice(self._playable(state)), faces_up(state)
        self._cards = _Cards(
            {**self._cards.hands, seat: without(self._cards.hands[seat], face)},
            {**self._cards.faces, where: face},
            self._cards.shown | {where} if up else self._cards.shown,
        )
        return Placed(seat, where, face if up else UNKNOWN)

    def swap(self, state: State) -> Swapped:
        """The seat at turn and an opponent exchange a card that nobody else sees."""
        seat, other = state.turn, self._rng.choice(swapping.partners(state))
        hands = dict(self._cards.hands)
        gave, got = (self._rng.choice(self._in_hand(state, who)) for who in (seat, other))
        hands[seat] = without(hands[seat], gave) + got
        hands[other] = without(hands[other], got) + gave
        self._cards = replace(self._cards, hands=hands)
        return Swapped(seat, other)

    def turn_over(self) -> None:
        """All cards are turned over in place."""
        self._cards = replace(self._cards, shown=frozenset(self._cards.faces))

    def rows(self, state: State) -> tuple[str, ...]:
        """The grid as seat A reads it once all cards show."""
        top, left, bottom, right = box(cells(state))
        columns = range(left, right + 1)
        return tuple("".join(self._cards.faces.get((row, c), GAP) for c in columns) for row in range(top, bottom + 1))

    def _playable(self, state: State) -> str:
        """What the seat at turn may lay; in a hidden deal only its owner knows that a comma has to wait."""
        hand = self._cards.hands[state.turn]
        allowed = "".join(face for face in hand if face_refusal(state, state.hand(state.turn), face) is None)
        digits = allowed.replace(COMMA, "")
        return digits if digits and swapping.commas_wait(state) and state.hand(state.turn).pool is None else allowed

    def _in_hand(self, state: State, seat: Seat) -> str:
        """A comma that is laid out in front is not in the hand."""
        laid_out = 0 if "E" in state.setup.variants else state.hand(seat).waiting
        return self._cards.hands[seat].replace(COMMA, "", laid_out)


def _fitting(state: State, before: _Cards, rng: random.Random) -> _Cards:
    """Cards that can lie and be held in this state: those of before where they can, the others by chance."""
    shows = table(state)
    if state.phase is Phase.OVER:
        return _Cards(dict.fromkeys(state.setup.seats, ""), dict(shows), frozenset(shows))
    faces = {card.cell: card.face for card in state.layout}
    hands = {hand.seat: COMMA * hand.waiting for hand in state.hands}
    for group, pool in _pools(state):
        hidden = [card.cell for card in state.layout if card.face == UNKNOWN and card.seat in {h.seat for h in group}]
        slots = [hand.seat for hand in group for _ in range(hand.size)]
        wishes = [before.faces.get(cell, "") for cell in hidden]
        wishes += [face for hand in group for face in _wishes(hand, before.hands.get(hand.seat, ""), rng)]
        given = _shared_out(without(pool, "".join(hands[hand.seat] for hand in group)), wishes, state, rng)
        faces |= zip(hidden, given[: len(hidden)], strict=True)
        for seat, face in zip(slots, given[len(hidden) :], strict=True):
            hands[seat] += face
    return _Cards(hands, faces, frozenset(cell for cell, shown in shows.items() if shown != UNKNOWN))


def _pools(state: State) -> Iterator[tuple[list[Hand], str]]:
    """Hands with the faces that they and their hidden cards on the table are: one by one, those not known together."""
    for hand in state.hands:
        if hand.pool is not None:
            yield [hand], hand.pool
    unknown = [hand for hand in state.hands if hand.pool is None]
    if unknown and state.phase is not Phase.DEAL:
        yield unknown, without(state.setup.cards, accounted_for(state))


def _wishes(hand: Hand, before: str, rng: random.Random) -> Iterable[str]:
    """A face for each card that may be played: one that the hand held before, or "" where it held fewer."""
    held = list(before.replace(COMMA, "", hand.waiting))
    # Of a hand that has become smaller any card may have gone, but hardly a comma.
    rng.shuffle(held)
    held.sort(key=lambda face: face != COMMA)
    return (held + [""] * hand.size)[: hand.size]


def _shared_out(pool: str, wishes: Sequence[str], state: State, rng: random.Random) -> list[str]:
    """A face of the pool for everyone: what they wish for while there is one, else one of those that are left."""
    given: list[str] = []
    for wish in wishes:
        kept = wish if wish and wish in pool else ""
        pool = without(pool, kept)
        given.append(kept)
    left = list(pool)
    rng.shuffle(left)
    if not state.commas_free:
        # Cards on the table come before those in the hands, where commas wait.
        left.sort(key=lambda face: face == COMMA)
    rest = iter(left)
    return [face or next(rest) for face in given]
