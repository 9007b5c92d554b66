"""Where a play of Casa Grande stands: frozen values, phases as plain fields.

The towers are remembered layer by layer, also what no one can see any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games.casa_grande.board import SIDE
from companion.games.casa_grande.setup import Setup
from companion.rules import Seat
from companion.sight import Spot

FIRST_BONUS = 5
"""Where everyone starts on the bonus scale."""

NOTES = (3, 4, 5, 6, 9, 25)
NOTES_EACH = 12

Notes = tuple[int, ...]
"""How many notes of each worth in `NOTES`."""


class Phase(StrEnum):
    """What the table waits for."""

    ROLL = "roll"
    STEP = "step"
    BLOCK = "block"
    FLOOR = "floor"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Layer:
    """One thing on a plot: a block, or a square of a floor (its number among `State.floors`).

    `level`: a block's own layer, from 1; a floor's is that of the blocks it lies on.
    """

    seat: Seat
    level: int
    floor: int | None = None


Column = tuple[Layer, ...]
"""What lies on a plot, from the board up."""


@dataclass(frozen=True, slots=True)
class Floor:
    """A platform that was laid; `piece` is its name, or `BY_HAND`."""

    seat: Seat
    piece: str
    squares: tuple[Spot, ...]
    marked: tuple[Spot, ...]
    level: int


@dataclass(frozen=True, slots=True)
class Player:
    """What a seat has: its piece's space, its place on the bonus scale, lire, blocks, platforms and notes.

    `platforms` counts what is left of each of the setup's pieces; `notes` is the money as the bank handed it out.
    """

    seat: Seat
    space: int
    bonus: int
    lire: int
    blocks: int
    platforms: tuple[int, ...]
    notes: Notes = (0,) * len(NOTES)


@dataclass(frozen=True, slots=True)
class Payment:
    """What the bank paid, and why: `rule` is "floor" or "cash_in".

    `squares` times `level` is a floor's pay; `given` are the bank's notes, `change` those that came back.
    """

    seat: Seat
    lire: int
    rule: str
    round: int
    piece: str = ""
    squares: int = 0
    level: int = 0
    spots: tuple[Spot, ...] = ()
    given: Notes = (0,) * len(NOTES)
    change: Notes = (0,) * len(NOTES)


@dataclass(frozen=True, slots=True)
class State:
    """One play. `turns` counts those that have ended; `last_round`: somebody has laid the last block."""

    setup: Setup
    phase: Phase
    turn: Seat
    players: tuple[Player, ...]
    bank: Notes = (NOTES_EACH,) * len(NOTES)
    columns: tuple[Column, ...] = ((),) * SIDE**2
    floors: tuple[Floor, ...] = ()
    payments: tuple[Payment, ...] = ()
    pips: int = 0
    turns: int = 0
    last_round: bool = False

    @property
    def round(self) -> int:
        """The round that is being played, from 1."""
        return self.turns // self.setup.players + 1

    def player(self, seat: Seat) -> Player:
        """What a seat has."""
        return self.players[seat]

    def column(self, plot: Spot) -> Column:
        """What lies on a plot."""
        return self.columns[plot[0] * SIDE + plot[1]]

    def top(self, plot: Spot) -> Layer | None:
        """What lies uppermost on a plot; None on a free one."""
        column = self.column(plot)
        return column[-1] if column else None

    def players_with(self, player: Player) -> tuple[Player, ...]:
        """The players, what one of them has exchanged."""
        return (*self.players[: player.seat], player, *self.players[player.seat + 1 :])

    def columns_with(self, layers: Mapping[Spot, Layer]) -> tuple[Column, ...]:
        """The columns with one more layer on each of these plots."""
        columns = list(self.columns)
        for (row, column), layer in layers.items():
            columns[row * SIDE + column] = (*columns[row * SIDE + column], layer)
        return tuple(columns)

    def with_player(self, player: Player) -> State:
        """The same state with what one seat has exchanged."""
        return replace(self, players=self.players_with(player))
