"""Variant B: after each card, its player exchanges one card with an opponent of their choice.

An exchange is hidden from the others and often from the program too; then it no longer knows either hand.
Source: rule digest, "Variants" B and E.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from companion.games.cassa_grande.moves import Swapped
from companion.games.cassa_grande.pieces import COMMA, FACES, sort_faces, without
from companion.games.cassa_grande.placing import holding_refusal
from companion.games.cassa_grande.state import Hand, State
from companion.rules import Refusal, Seat
from companion.sight import UNKNOWN


def cards_in_hand(state: State, hand: Hand) -> int:
    """How many cards a seat could exchange: a comma that is laid out in front is not in the hand."""
    return hand.size + (hand.waiting if "E" in state.setup.variants else 0)


def partners(state: State) -> tuple[Seat, ...]:
    """The opponents with whom the seat whose turn it is can exchange a card."""
    if not cards_in_hand(state, state.hand(state.turn)):
        return ()
    return tuple(hand.seat for hand in state.hands if hand.seat != state.turn and cards_in_hand(state, hand))


def refusal(state: State, move: Swapped, agreed: bool = False) -> Refusal | None:
    """Why the seat whose turn it is may not exchange these cards, or None.

    By agreement (`agreed`) a comma may be given that is laid out in front.
    """
    if move.other == move.seat or move.other not in state.setup.seats:
        return Refusal("swap_partner", {"seat": move.seat})
    if move.other not in partners(state):
        return Refusal("swap_empty_hand", {"seat": move.seat, "other": move.other})
    return _giving_refusal(state, move.seat, move.gave, agreed) or _giving_refusal(state, move.other, move.got, agreed)


def _giving_refusal(state: State, seat: Seat, face: str, agreed: bool = False) -> Refusal | None:
    hand = state.hand(seat)
    if face == UNKNOWN:
        return None
    if face == COMMA and hand.waiting and "E" not in state.setup.variants and not agreed:
        return Refusal("comma_laid_out", {"seat": seat})
    return holding_refusal(state, hand, face)


def legal_moves(state: State) -> Iterator[Swapped]:
    """Every exchange with every opponent, those with unknown faces first."""
    given = _faces_to_give(state, state.turn)
    for other in partners(state):
        for gave, got in product(given, _faces_to_give(state, other)):
            yield Swapped(state.turn, other, gave, got)


def _faces_to_give(state: State, seat: Seat) -> list[str]:
    return [face for face in UNKNOWN + FACES if _giving_refusal(state, seat, face) is None]


def exchange(state: State, move: Swapped) -> State:
    """The state with both hands changed."""
    giver, other = state.hand(move.seat), state.hand(move.other)
    state = state.with_hand(_exchanged(state, giver, move.gave, move.got))
    return state.with_hand(_exchanged(state, other, move.got, move.gave))


def _exchanged(state: State, hand: Hand, gave: str, got: str) -> Hand:
    dealt = "E" in state.setup.variants
    pool = None
    if hand.pool is not None and UNKNOWN not in (gave, got):
        pool = sort_faces(without(hand.pool, gave) + got)
    elif dealt:
        # Which of these cards are commas can no longer be told, so none can be held back.
        hand = replace(hand, size=hand.size + hand.waiting, waiting=0)
    size, waiting = hand.size, hand.waiting
    if gave == COMMA and waiting:
        waiting -= 1
    else:
        size -= 1
    if got == COMMA and commas_wait(state) and not (dealt and pool is None):
        waiting += 1
    else:
        size += 1
    return Hand(hand.seat, size, waiting, pool)


def commas_wait(state: State) -> bool:
    """Whether a comma that comes into a hand now may not be played yet."""
    return not state.commas_free and not ("E" in state.setup.variants and state.setup.house.dealt_commas == "any_time")
