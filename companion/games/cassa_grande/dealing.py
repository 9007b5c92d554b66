"""Variant E: all cards are shuffled, dealt out evenly, shown, and taken in hand.

Source: rule digest, "Variants" E.
"""

from __future__ import annotations

from companion.games.cassa_grande.moves import Dealt
from companion.games.cassa_grande.pieces import COMMA, sort_faces, write_deck
from companion.games.cassa_grande.state import Hand, State
from companion.games.cassa_grande.swapping import commas_wait
from companion.rules import Refusal, Seat
from companion.sight import UNKNOWN


def unseen(state: State) -> Dealt:
    """A deal of which the program saw no hand."""
    return Dealt((UNKNOWN,) * state.setup.players)


def refusal(state: State, move: Dealt) -> Refusal | None:
    """Why the cards cannot have been dealt like this, or None."""
    setup = state.setup
    each = len(setup.cards) // setup.players
    if len(move.hands) != setup.players:
        return Refusal("deal_hands", {"hands": len(move.hands), "players": setup.players})
    seen = [(seat, hand) for seat, hand in zip(setup.seats, move.hands, strict=True) if hand != UNKNOWN]
    for seat, hand in seen:
        if len(hand) != each:
            return Refusal("deal_size", {"seat": seat, "size": len(hand), "each": each})
    dealt = "".join(hand for _, hand in seen)
    for face in sorted(set(dealt)):
        if dealt.count(face) > setup.cards.count(face):
            return Refusal("deal_deck", {"face": face, "count": dealt.count(face), "deck": write_deck(setup.cards)})
    return None


def deal(state: State, move: Dealt) -> tuple[Hand, ...]:
    """The hands as they are taken up."""
    return tuple(_taken_up(state, seat, faces) for seat, faces in zip(state.setup.seats, move.hands, strict=True))


def _taken_up(state: State, seat: Seat, faces: str) -> Hand:
    each = len(state.setup.cards) // state.setup.players
    if faces == UNKNOWN:
        return Hand(seat, each, 0, None)
    waiting = faces.count(COMMA) if commas_wait(state) else 0
    return Hand(seat, each - waiting, waiting, sort_faces(faces))
