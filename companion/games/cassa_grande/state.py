"""Where a play of Cassa Grande stands: frozen values, phases as plain fields."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games.cassa_grande.setup import Setup
from companion.rules import Seat
from companion.sight import GAP, UNKNOWN, Spot


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"
    PLACE = "place"
    SWAP = "swap"
    TURN_OVER = "turn_over"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the table.

    `cell` is (row, column) from the round's first card, as seat A sees them: row 1 lies nearer to A than row 0,
    column 1 lies to the right of column 0. `face` is `UNKNOWN` where the program does not know it.
    """

    cell: Spot
    seat: Seat
    face: str


@dataclass(frozen=True, slots=True)
class Hand:
    """What a seat holds.

    `size`: cards that may be played now. `waiting`: commas that may not, laid out in front or (variant E) held.
    `pool`: the faces of all these and of the seat's cards on the table whose face is unknown; None when a hidden swap
    or an unseen deal has made it unknowable.
    """

    seat: Seat
    size: int
    waiting: int
    pool: str | None


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: who started it, and the grid as seat A reads it."""

    starter: Seat
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """One play, with all its rounds.

    `table_turn` counts the turns of the table in this round, from 1. `skipped` are the cells of those of this round's
    cards after which, by agreement, no card was swapped.
    """

    setup: Setup
    phase: Phase
    turn: Seat
    starter: Seat
    hands: tuple[Hand, ...]
    table_turn: int = 1
    commas_free: bool = False
    layout: tuple[Card, ...] = ()
    rounds: tuple[Round, ...] = ()
    skipped: tuple[Spot, ...] = ()

    def hand(self, seat: Seat) -> Hand:
        """What a seat holds."""
        return self.hands[self.setup.seats.index(seat)]

    def with_hand(self, hand: Hand) -> State:
        """The same state with one seat's hand exchanged."""
        return replace(self, hands=tuple(hand if old.seat == hand.seat else old for old in self.hands))


def box(cells: tuple[Spot, ...]) -> tuple[int, int, int, int]:
    """The box round at least one cell: top, left, bottom, right, all inclusive."""
    rows, columns = zip(*cells, strict=True)
    return min(rows), min(columns), max(rows), max(columns)


def box_size(cells: tuple[Spot, ...]) -> tuple[int, int]:
    """The height and width of the box round at least one cell, in cards."""
    top, left, bottom, right = box(cells)
    return bottom - top + 1, right - left + 1


def cells(state: State) -> tuple[Spot, ...]:
    """The cells that hold a card, in the order of play."""
    return tuple(card.cell for card in state.layout)


def grid(state: State) -> tuple[str, ...]:
    """The layout's box as rows, as seat A reads them: a face, `UNKNOWN` or `GAP` for each cell. Empty without cards."""
    if not state.layout:
        return ()
    faces = {card.cell: card.face for card in state.layout}
    top, left, bottom, right = box(cells(state))
    columns = range(left, right + 1)
    return tuple("".join(faces.get((row, column), GAP) for column in columns) for row in range(top, bottom + 1))


def faces_up(state: State) -> bool:
    """Whether the card that is placed now lies face up (variants A and C)."""
    variants = state.setup.variants
    return "A" in variants or ("C" in variants and state.table_turn % 2 == 1)


def known_faces(state: State) -> str:
    """The faces on the table that the program knows."""
    return "".join(card.face for card in state.layout if card.face != UNKNOWN)
