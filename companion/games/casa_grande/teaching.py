"""Pieces that were seen, one by one, as kinds of a box profile: equal ones are counted, whichever way they lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.games.casa_grande.box import Box, Known
from companion.games.casa_grande.pieces import MOST_COUNT, Footprint, Piece, Squares, ways

CONFIDENCE = "reported"
"""How well a piece is known that was photographed."""


def kinds(seen: Iterable[tuple[Squares, Squares]]) -> tuple[Piece, ...]:
    """Squares and marked squares of each piece, grouped; mirror images are kinds of their own.

    A kind is named by its number of squares and a letter: S5a, S5b.
    """
    found: dict[Footprint, int] = {}
    for squares, marked in seen:
        turns = ways(Piece("any", squares, marked))
        first = min(turns, key=lambda way: (way.squares, way.marked))
        found[first] = found.get(first, 0) + 1
    pieces: list[Piece] = []
    for way, count in sorted(found.items(), key=lambda item: (len(item[0].squares), item[0].squares, item[0].marked)):
        alike = sum(len(piece.squares) == len(way.squares) for piece in pieces)
        name = f"S{len(way.squares)}{'abcdefghijklmnopqrstuvwxyz'[alike % 26]}{'' if alike < 26 else alike // 26}"
        pieces.append(Piece(name, way.squares, way.marked, min(count, MOST_COUNT)))
    return tuple(pieces)


def named_as(pieces: Sequence[Piece], known: Sequence[Piece]) -> tuple[Piece, ...]:
    """The same pieces, those that a profile has already under its names."""
    by_shape = {way: piece for piece in known for way in ways(piece)}
    named = []
    for piece in pieces:
        same = by_shape.get(Footprint(piece.squares, piece.marked))
        named.append(piece if same is None else replace(same, count=piece.count))
    return tuple(named)


def taught(profile: Box, name: str, pieces: Sequence[Piece]) -> Box:
    """A profile with these pieces instead of its own; sizes and blocks stay."""
    return replace(profile, name=name, known=tuple(Known(piece, CONFIDENCE) for piece in pieces))
