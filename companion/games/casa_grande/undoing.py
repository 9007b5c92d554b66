"""What hands must change on the table when a play goes from one point to another: an undo, a redo, or both.

The two states are compared: what lies on top is taken off first, then what was there is put back from below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.games.casa_grande import bank
from companion.games.casa_grande.board import PLOTS, on_board
from companion.games.casa_grande.state import Floor, Layer, Player, State
from companion.rules import Event
from companion.sight import Spot

_Thing = tuple[Spot, Layer]
"""A layer and its plot."""


def hands(before: State, after: State) -> tuple[Event, ...]:
    """What the hands do, in this order, to bring the table from `before` to `after`; nothing when it is the same."""
    return (*_towers(before, after), *_pieces(before, after), *_purses(before, after))


def _towers(before: State, after: State) -> Iterator[Event]:
    kept = _kept(before, after)
    yield from _told(_above(before, kept), before, "take")
    yield from _told(_above(after, kept), after, "put")


def _kept(before: State, after: State) -> dict[Spot, int]:
    """How many layers of each plot may stay as they lie in both states.

    A floor that is moved on one plot is moved on all of its plots, and so is whatever stands on it there.
    """
    kept = {plot: _alike(before, after, plot) for plot in PLOTS}
    moved = True
    while moved:
        moved = False
        for state in (before, after):
            loose = {layer.floor for _, layer in _above(state, kept) if layer.floor is not None}
            for plot in (spot for number in loose for spot in state.floors[number].squares if on_board(spot)):
                low = next(height for height, layer in enumerate(state.column(plot)) if layer.floor in loose)
                if low < kept[plot]:
                    kept[plot], moved = low, True
    return kept


def _alike(before: State, after: State, plot: Spot) -> int:
    same = 0
    for layer, there in zip(before.column(plot), after.column(plot), strict=False):
        if _thing(before, layer) != _thing(after, there):
            break
        same += 1
    return same


def _above(state: State, kept: Mapping[Spot, int]) -> Iterator[_Thing]:
    """What lies in a state above the layers that stay."""
    return ((plot, layer) for plot in PLOTS for layer in state.column(plot)[kept[plot] :])


def _thing(state: State, layer: Layer) -> Layer | Floor:
    return layer if layer.floor is None else state.floors[layer.floor]


def _told(things: Iterable[_Thing], state: State, verb: str) -> Iterator[Event]:
    """A sentence a block, and one a floor at its first square to be told.

    Taken off from above, put back from below: a floor lies above the blocks of its level.
    """
    order = {"take": -1, "put": 1}[verb]
    seen: set[int] = set()
    for plot, layer in sorted(things, key=lambda thing: (order * _rank(thing[1]), thing[0])):
        if layer.floor is None:
            facts = {"seat": layer.seat, "row": plot[0], "column": plot[1]}
            yield Event(f"{verb}_block", facts, (plot,))
        elif layer.floor not in seen:
            seen.add(layer.floor)
            floor = state.floors[layer.floor]
            cells = ", ".join(f"{row},{column}" for row, column in floor.squares)
            yield Event(f"{verb}_floor", {"seat": floor.seat, "piece": floor.piece, "cells": cells}, floor.squares)


def _rank(layer: Layer) -> int:
    """The order of heights."""
    return 2 * layer.level + (layer.floor is not None)


def _pieces(before: State, after: State) -> Iterator[Event]:
    for old, new in zip(before.players, after.players, strict=True):
        if old.space != new.space:
            yield Event("move_piece", {"seat": new.seat, "old": old.space, "space": new.space})
        if old.bonus != new.bonus:
            yield Event("move_marker", {"seat": new.seat, "points": new.bonus})


def _purses(before: State, after: State) -> Iterator[Event]:
    for old, new in zip(before.players, after.players, strict=True):
        if old.lire > new.lire:
            yield Event("pay_back", {"seat": new.seat, "lire": old.lire - new.lire, "given": _swap(new, old)})
        elif new.lire > old.lire:
            yield Event("pay_again", {"seat": new.seat, "lire": new.lire - old.lire, "given": _swap(old, new)})
        elif new.notes != old.notes:
            yield Event("change_notes", {"seat": new.seat, "given": _swap(old, new)})


def _swap(less: Player, more: Player) -> str:
    """The notes by which the richer purse exceeds the other, and those that go the other way behind a minus sign."""
    extra = tuple(max(0, b - a) for a, b in zip(less.notes, more.notes, strict=True))
    back = tuple(max(0, a - b) for a, b in zip(less.notes, more.notes, strict=True))
    return bank.told(extra) + (f" - {bank.told(back)}" if any(back) else "")
