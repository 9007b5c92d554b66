"""A table of Cassa Grande that is not there: who holds which cards, and what shows on the table.

The companion is told what people tell it; this is what really lies there. It follows the play's state wherever that
goes, undo included, and a drawn photograph of it is what a camera would see.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.games.cassa_grande import swapping
from companion.games.cassa_grande.moves import Placed, Swapped
from companion.games.cassa_grande.pieces import COMMA, without
from companion.games.cassa_grande.placing import legal_cells
from companion.games.cassa_grande.state import Phase, State, box, cells, faces_up
from companion.rules import Seat
from companion.sight import GAP, UNKNOWN, Spot


@dataclass(frozen=True, slots=True)
class _Cards:
    """The hands, the faces that lie on the table, and which of these show."""

    hands: Mapping[Seat, str]
    faces: Mapping[Spot, str] = field(default_factory=dict)
    shown: frozenset[Spot] = frozenset()


class SimulatedTable:
    """The cards of one play, without variant E: there nobody can tell a simulation what was dealt.

    Between two calls of `follow` the hands may run ahead of the play, as they do at a real table.
    """

    def __init__(self, state: State, rng: random.Random) -> None:
        self._rng = rng
        self._known: dict[State, _Cards] = {}
        self._cards = self._dealt(state)
        self.follow(state)

    def follow(self, state: State) -> None:
        """The play has come to this state: after what the hands did, or back after an undo."""
        if state in self._known:
            self._cards = self._known[state]
        elif not state.layout and state.phase is not Phase.OVER and self._cards.faces:
            self._cards = self._dealt(state)
        self._known[state] = self._cards

    @property
    def laid(self) -> dict[Spot, str]:
        """What shows on each cell that holds a card: its face, or `UNKNOWN` for a back."""
        return {cell: face if cell in self._cards.shown else UNKNOWN for cell, face in self._cards.faces.items()}

    def lay(self, state: State, cell: Spot | None = None) -> Placed:
        """The seat at turn lays one of its cards, on any legal cell unless one is named; what the companion is told."""
        seat = state.turn
        where = self._rng.choice(list(legal_cells(state))) if cell is None else cell
        hand = self._cards.hands[seat]
        playable = hand.replace(COMMA, "") if state.hand(seat).waiting else hand
        face, up = self._rng.choice(playable), faces_up(state)
        self._cards = _Cards(
            {**self._cards.hands, seat: without(hand, face)},
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

    def _in_hand(self, state: State, seat: Seat) -> str:
        """A comma that is laid out in front is not in the hand."""
        hand = self._cards.hands[seat]
        return hand.replace(COMMA, "") if state.hand(seat).waiting else hand

    def _dealt(self, state: State) -> _Cards:
        return _Cards(dict.fromkeys(state.setup.seats, state.setup.hand))
