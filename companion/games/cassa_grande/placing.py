"""Laying a card: the touch rule, the frame rule and the cards that a seat may still play.

Source: rule digest, "Play" 2 to 4 and "Variants" A, C, E.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.pieces import COMMA, FACES, without
from companion.games.cassa_grande.state import Hand, State, box_size, cells, faces_up, known_faces
from companion.rules import Refusal
from companion.score import Facts
from companion.sight import UNKNOWN, Spot

FIRST_CELL = (0, 0)


def neighbours(cell: Spot) -> tuple[Spot, ...]:
    """The eight cells that touch a cell by a side or a corner."""
    row, column = cell
    return tuple((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def legal_cells(state: State) -> Iterator[Spot]:
    """The cells where the next card may lie, row by row as seat A sees them."""
    taken = cells(state)
    beside = {near for cell in taken for near in neighbours(cell)} or {FIRST_CELL}
    return (cell for cell in sorted(beside) if cell_refusal(state, cell) is None)


def cell_refusal(state: State, cell: Spot, agreed: bool = False) -> Refusal | None:
    """Why no card may lie on this cell, or None; `agreed` as `companion.rules.Rules.refusal` has it."""
    taken, frame = cells(state), state.setup.frame
    facts: Facts = {"row": cell[0], "column": cell[1]}
    if not taken:
        anywhere = agreed and max(map(abs, cell)) < frame
        return None if cell == FIRST_CELL or anywhere else Refusal("first_card", facts, (cell,))
    if cell in taken:
        return Refusal("occupied", facts, (cell,))
    if not agreed and not set(neighbours(cell)) & set(taken):
        return Refusal("touch", facts, (cell,))
    height, width = box_size((*taken, cell))
    if max(height, width) > frame:
        return Refusal("frame", {**facts, "frame": frame, "height": height, "width": width}, (cell,))
    return None


def face_refusal(state: State, hand: Hand, face: str, agreed: bool = False) -> Refusal | None:
    """Why a seat may not lay a card with this face now, or None; `agreed` as for `cell_refusal`."""
    if face == UNKNOWN:
        open_only = faces_up(state) and not agreed
        return Refusal("face_up", {"seat": hand.seat, "turn": state.table_turn}) if open_only else None
    if face == COMMA and hand.waiting and not agreed:
        return Refusal("comma_waits", {"seat": hand.seat, "frame": state.setup.frame})
    return holding_refusal(state, hand, face)


def holding_refusal(state: State, hand: Hand, face: str) -> Refusal | None:
    """Why a seat cannot hold a card with this face, or None."""
    facts: Facts = {"seat": hand.seat, "face": face}
    if hand.pool is not None:
        return None if face in hand.pool else Refusal("not_in_hand", facts)
    count = state.setup.cards.count(face)
    return Refusal("deck", {**facts, "count": count}) if accounted_for(state).count(face) >= count else None


def accounted_for(state: State) -> str:
    """The faces that certainly are not in a hand that the program does not know."""
    return known_faces(state) + "".join(hand.pool or "" for hand in state.hands)


def refusal(state: State, move: Placed, agreed: bool = False) -> Refusal | None:
    """Why the seat whose turn it is may not lay this card there, or None."""
    hand = state.hand(move.seat)
    return cell_refusal(state, move.cell, agreed) or face_refusal(state, hand, move.face, agreed)


def legal_moves(state: State) -> Iterator[Placed]:
    """Every legal cell with every face that the card may have; an unknown face first, where it may be unknown."""
    hand = state.hand(state.turn)
    faces = [face for face in UNKNOWN + FACES if face_refusal(state, hand, face) is None]
    return (Placed(state.turn, cell, face) for cell in legal_cells(state) for face in faces)


def lay(state: State, move: Placed) -> Hand:
    """The seat's hand after the card has left it."""
    hand = state.hand(move.seat)
    pool = hand.pool
    if pool is not None and move.face != UNKNOWN:
        pool = without(pool, move.face)
    if hand.waiting and (move.face == COMMA or not hand.size):
        # By agreement a comma was laid that should have waited.
        return replace(hand, waiting=hand.waiting - 1, pool=pool)
    return replace(hand, size=hand.size - 1, pool=pool)
