"""Choosing where a platform goes: a piece, then one of its places; or square by square, where the box lacks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.casa_grande import floors
from companion.games.casa_grande.moves import Floored
from companion.games.casa_grande.pieces import BY_HAND, places
from companion.games.casa_grande.state import State
from companion.rules import Seat
from companion.sight import Spot


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind of platform that the seat at turn has left: how often, its legal places, and the most that one pays."""

    piece: str
    left: int
    ways: tuple[Floored, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Laying:
    """A platform that is being placed.

    `ways` are the places that are gone through by tapping, and `at` is the one that is shown, or None before the first
    tap. Of a platform by hand there are none: `drawn` has its squares, True for a marked one.
    """

    seat: Seat
    piece: str
    ways: tuple[Floored, ...] = ()
    at: int | None = None
    drawn: Mapping[Spot, bool] | None = None

    @property
    def move(self) -> Floored | None:
        """What is shown, as a move; None while there is nothing to lay."""
        if self.drawn is not None:
            marked = tuple(sorted(spot for spot, mark in self.drawn.items() if mark))
            return Floored(self.seat, BY_HAND, tuple(sorted(self.drawn)), marked) if marked else None
        return None if self.at is None else self.ways[self.at]

    def tapped(self, plot: Spot) -> Laying:
        """After a tap on a plot: the next place with a square there, or the next state of the square drawn there."""
        if self.drawn is not None:
            drawn = dict(self.drawn)
            if plot not in drawn:
                drawn[plot] = False
            elif drawn[plot]:
                del drawn[plot]
            else:
                drawn[plot] = True
            return replace(self, drawn=drawn)
        here = [number for number, way in enumerate(self.ways) if plot in way.squares]
        if not here:
            return self
        later = [number for number in here if self.at is not None and number > self.at]
        return replace(self, at=(later or here)[0])

    def turned(self) -> Laying:
        """The next place of all."""
        if not self.ways:
            return self
        return replace(self, at=0 if self.at is None else (self.at + 1) % len(self.ways))


def offers(state: State) -> tuple[Offer, ...]:
    """The platforms of the seat at turn, those that pay most first."""
    legal: dict[str, list[Floored]] = {}
    for move in floors.legal_moves(state, state.turn):
        legal.setdefault(move.piece, []).append(move)
    found = []
    for piece, left in zip(state.setup.pieces, state.player(state.turn).platforms, strict=True):
        ways = tuple(legal.get(piece.name, ()))
        if left:
            found.append(Offer(piece.name, left, ways, max((pay(state, way) for way in ways), default=0)))
    return tuple(sorted(found, key=lambda offer: (-offer.most, offer.piece)))


def pay(state: State, move: Floored) -> int:
    """What a platform would pay, in lire: its squares times its level."""
    return len(move.squares) * floors.level_of(state, move)


def begun(state: State, piece: str, ways: Sequence[Floored], *, hints: bool) -> Laying:
    """A piece that is to be placed: in its legal places, or without hints in any place of the board."""
    if hints:
        return Laying(state.turn, piece, tuple(ways))
    known = state.setup.piece(piece)
    everywhere = () if known is None else places(known, over_edge=state.setup.house.edge == "over")
    found = (Floored(state.turn, piece, place.footprint.squares, place.footprint.marked) for place in everywhere)
    return Laying(state.turn, piece, tuple(found))
