"""From weighed turns to a proposal: what is clear, what is a question, and what nobody can explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from companion.games.casa_grande.moves import Move
from companion.proposal import SURE
from companion.sight import Match, Option, Proposal, Spot
from vision.towers.explain import Explained

TEMPER, BOARD_TEMPER = 6.0, 17.0
"""Weights are sums over pixels that are not independent: so much of them counts as one.

Where the board differs it is more, for many pixels err together there: in the dark, a block that looks like its plot.
"""

SHOWN = 6
"""So many options are offered at most ..."""

LEAST = 1e-4
"""... and none that is less likely than this."""

LIKELY = 0.6
"""That nothing has happened is believed from here on: people who play on change the picture."""

MOVED = 1.0
"""A piece that looks as much as this (see `track.LIMITS`) as if it had come to a space has moved."""

NOT_THERE = -0.5
"""A piece that looks no more than this as if it had come is not there."""

Found = tuple[tuple[Move, ...], Explained]
"""The roll, where it was not known, and a turn with its weights."""


def judged(found: Sequence[Found], arrived: Mapping[int, float]) -> Proposal[Move]:
    """What the weighed turns, the best first, come to; `arrived` tells how the piece looks on each space."""
    best = found[0][1]
    ways = _merged(found)
    top = ways[0][1].total
    shares = [exp((each.total - top) / _temper(best, each)) for _, each in ways]
    whole = sum(shares)
    if best.turn is None:
        if best.odd:
            return Proposal(Match.UNEXPLAINED, spots=best.odd)
        if shares[0] > LIKELY * whole:
            return Proposal(Match.SETTLED)
    options = tuple(
        Option(moves, share / whole, _spots(each))
        for share, (moves, each) in zip(shares, ways, strict=True)
        if each.turn is not None and share / whole > LEAST
    )[:SHOWN]
    if not options:
        return Proposal(Match.SETTLED)
    spots = tuple(dict.fromkeys((*best.odd, *(spot for option in options for spot in option.spots))))
    clear = options[0].confidence >= SURE and not best.odd and _piece_agrees(best, arrived)
    return Proposal(Match.CLEAR if clear else Match.AMBIGUOUS, options, options[0].spots if clear else spots)


def _temper(best: Explained, other: Explained) -> float:
    """How much of the weights counts as one, between the best turn and another."""
    return TEMPER if _spots(best) == _spots(other) else BOARD_TEMPER


def _piece_agrees(best: Explained, arrived: Mapping[int, float]) -> bool:
    """Whether the piece does not stand somewhere else than the turn would have it."""
    if best.turn is None or not any(arrived.values()):
        return best.turn is not None
    here = arrived.get(best.turn.space, 0.0)
    elsewhere = max((value for space, value in arrived.items() if space != best.turn.space), default=here)
    return here > NOT_THERE and not (here < MOVED < elsewhere)


def _merged(found: Sequence[Found]) -> list[Found]:
    """Each way to leave the board once, by the likeliest piece and marks."""
    ways: dict[tuple[object, ...], Found] = {}
    for roll, each in found:
        turn = each.turn
        key: tuple[object, ...] = (None,)
        if turn is not None:
            key = (turn.block, turn.floor.squares) if turn.floor else (turn.block, turn.block is None)
        ways.setdefault(key, (roll + turn.moves if turn else (), each))
    return list(ways.values())


def _spots(each: Explained) -> tuple[Spot, ...]:
    turn = each.turn
    if turn is None:
        return ()
    return tuple(
        dict.fromkeys(((turn.block,) if turn.block is not None else ()) + (turn.floor.squares if turn.floor else ()))
    )
