"""The box profile of Cassa Grande: how many cards of each face are in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion import box
from companion.games.cassa_grande.pieces import FACES, FRAMES, SEATS


@dataclass(frozen=True, slots=True)
class Box:
    """One owner's copy. `decks` maps the number of players to the faces of all cards in play, sorted."""

    name: str
    decks: Mapping[int, str]


def load(path: Path | None = None) -> Box:
    """The profile from an owner's file, or the standard copy's. Raises: BoxError, naming everything that is wrong."""
    return box.sample(__package__, check) if path is None else box.load(path, check)


def check(top: box.Table) -> Box:
    """The profile's values; what is wrong is noted in the table."""
    top.only(("game", "name", "deck"))
    top.text("game", ["cassa-grande"])
    name = top.text("name")
    decks = top.table("deck")
    decks.only([str(players) for players in SEATS])
    return Box(name, {players: _deck(decks.table(str(players)), players) for players in SEATS})


def _deck(counts: box.Table, players: int) -> str:
    room = FRAMES[players] ** 2
    counts.only(FACES)
    deck = "".join(face * counts.integer(face, 0, room) for face in FACES)
    if not 0 < len(deck) <= room:
        counts.note(f"must hold 1 to {room} cards in all, the cells of the frame (found {len(deck)})")
    return deck
