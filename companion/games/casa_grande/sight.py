"""What a camera above the board sees of a play, and what a turn would make of it.

Source: rule digest, "Turn", "Levels" and "What goes wrong at the table".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.casa_grande import building, floors, rules
from companion.games.casa_grande.board import PLOTS, after, is_corner, lane
from companion.games.casa_grande.box import Sizes
from companion.games.casa_grande.moves import Built, Done, Floored, Move, Stepped
from companion.games.casa_grande.state import Phase, State
from companion.rules import Seat
from companion.sight import Match, Proposal, Reading, Spot

BOARD = "board"
BLOCK = "block"
MARKED = "marked"
FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Top:
    """What lies uppermost on a plot: `kind` is `BOARD`, `BLOCK`, `MARKED` or `FLOOR` (a floor's other squares)."""

    kind: str = BOARD
    seat: Seat | None = None
    level: int = 0

    def height_mm(self, sizes: Sizes) -> float:
        """How high it lies above the board. Blocks keep the gap of a platform above them."""
        if self.kind == BOARD:
            return 0.0
        return self.level * sizes.layer_mm - (sizes.platform_mm if self.kind == BLOCK else 0.0)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat may have done since its roll: the moves, the piece's space, and what it put on the board."""

    moves: tuple[Move, ...]
    space: int
    bought: int
    block: Spot | None = None
    floor: Floored | None = None


def top_of(state: State, plot: Spot) -> Top:
    """What lies uppermost on a plot."""
    layer = state.top(plot)
    if layer is None:
        return Top()
    if layer.floor is None:
        return Top(BLOCK, layer.seat, layer.level)
    return Top(MARKED if plot in state.floors[layer.floor].marked else FLOOR, layer.seat, layer.level)


def tops(state: State) -> dict[Spot, Top]:
    """What lies uppermost on every plot."""
    return {plot: top_of(state, plot) for plot in PLOTS}


def spaces(state: State) -> dict[int, int]:
    """Where the piece of the seat at turn may stand after its steps: by the space, how many steps were bought.

    Before the steps `state` stands after the roll; after them the piece stays where it is.
    """
    player = state.player(state.turn)
    if state.phase is not Phase.STEP:
        return {player.space: 0}
    return {after(player.space, state.pips + bought): bought for bought in range(player.bonus, -1, -1)}


def stays(state: State) -> Iterator[Turn]:
    """The turns that end on a corner, and those in which nothing can be built."""
    if state.phase is not Phase.STEP:
        return
    for space, bought in spaces(state).items():
        moved, _ = rules.apply(state, Stepped(state.turn, bought))
        if is_corner(space) or moved.phase in (Phase.ROLL, Phase.OVER):
            yield Turn((Stepped(state.turn, bought),), space, bought)


def builds(state: State) -> Iterator[tuple[Spot | None, int, int, State]]:
    """Each block that may be laid: its plot (None where none can be), the piece's space, bought steps, the state then.

    A plot comes once for every space from which it can be reached.
    """
    seat = state.turn
    laid: dict[Spot, State] = {}
    for space, bought in spaces(state).items():
        moved = rules.apply(state, Stepped(seat, bought))[0] if state.phase is Phase.STEP else state
        if moved.phase is Phase.FLOOR and not is_corner(space):
            yield None, space, bought, moved
        if moved.phase is not Phase.BLOCK:
            continue
        for plot in lane(space):
            if building.refusal(moved, Built(seat, plot)) is None:
                if plot not in laid:
                    laid[plot] = rules.apply(moved, Built(seat, plot))[0]
                yield plot, space, bought, laid[plot]


def platforms(state: State) -> Iterator[tuple[Floored, int]]:
    """Each platform that the seat at turn may lay after its block, with its level."""
    for move in floors.legal_moves(state, state.turn):
        yield move, floors.level_of(state, move)


def as_turn(state: State, space: int, bought: int, block: Spot | None, floor: Floored | None) -> Turn:
    """The moves that are left of a turn, in their order."""
    seat = state.turn
    moves: list[Move] = [Stepped(seat, bought)] if state.phase is Phase.STEP else []
    if block is not None:
        moves.append(Built(seat, block))
    moves.append(floor if floor is not None else Done(seat))
    return Turn(tuple(moves), space, bought, block, floor)


def propose(_state: State, reading: Reading) -> Proposal[Move]:
    """What was done at the table since this state: the reader weighed the turns, for it needs the picture."""
    if reading.explained is not None:
        return reading.explained
    return Proposal(Match.UNREADABLE, reason=reading.reason)
