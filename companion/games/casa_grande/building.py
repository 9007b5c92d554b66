"""Where blocks may be put.

Source: rule digest, "Board" (lanes), "Turn" 2 and "Levels".
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.casa_grande.board import lane, on_board
from companion.games.casa_grande.moves import Built
from companion.games.casa_grande.state import Layer, State
from companion.rules import Refusal, Seat


def level_on(top: Layer | None) -> int:
    """The level of a block that is put on this top: a floor has the level of the blocks under it."""
    return 1 if top is None else top.level + 1


def refusal(state: State, move: Built, agreed: bool = False) -> Refusal | None:
    """Why the seat may not put a block there; `agreed` leaves only what the towers need."""
    row, column = move.plot
    facts = {"row": row, "column": column}
    if not on_board(move.plot):
        return Refusal("plot_outside", facts)
    if not state.player(move.seat).blocks:
        return Refusal("no_blocks", {"seat": move.seat})
    if agreed:
        return None
    if move.plot not in lane(state.player(move.seat).space):
        return Refusal("lane", {"seat": move.seat, **facts}, (move.plot,))
    top = state.top(move.plot)
    if top is not None and top.floor is None and top.seat != move.seat:
        return Refusal("block_of_other", {"seat": top.seat, **facts}, (move.plot,))
    return None


def legal_moves(state: State, seat: Seat) -> Iterator[Built]:
    """A seat's blocks in the lane beside its piece, wherever the turn is."""
    moves = (Built(seat, plot) for plot in lane(state.player(seat).space))
    return (move for move in moves if refusal(state, move) is None)


def has_plot(state: State, seat: Seat) -> bool:
    """Whether there is a plot for a block in the lane beside a seat's piece."""
    return next(legal_moves(state, seat), None) is not None
