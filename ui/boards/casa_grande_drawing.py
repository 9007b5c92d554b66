"""Casa Grande's board as looks of squares: towers by their tops or one level at a time, and the track round them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.games.casa_grande.board import PLOTS, SIDE, SIDE_SPACES, SPACES, is_corner, on_board
from companion.games.casa_grande.floors import level_of
from companion.games.casa_grande.moves import Floored
from companion.games.casa_grande.state import Layer, State
from companion.language import _
from companion.rules import Seat, write_seat
from companion.sight import Spot
from companion.wording import seat_name
from ui.boards.plots import Plot

Shown = dict[Spot, Plot]
"""Squares by their place: plots from (0, 0), the track in the ring round them."""


def shown(state: State, level: int = 0) -> Shown:
    """The whole board; with a `level`, only what lies on that one."""
    newest = _newest(state)
    looks = {plot: _top(state, plot, level, newest) for plot in PLOTS}
    return looks | _track(state)


def tappable(looks: Shown) -> Shown:
    """The same with plots that can be tapped."""
    return {spot: replace(plot, taps=on_board(spot)) for spot, plot in looks.items()}


def mark(looks: Shown, plots: Iterable[Spot]) -> None:
    """Something may be done on these plots."""
    for plot in plots:
        looks[plot] = replace(looks[plot], legal=True)


def lay(looks: Shown, state: State, move: Floored) -> None:
    """Show a platform that is being placed."""
    level = level_of(state, move)
    for spot in filter(on_board, move.squares):
        kind = "mark" if spot in move.marked else "hole"
        text = f"{write_seat(move.seat)}{level or ''}"
        looks[spot] = Plot(kind, state.setup.colour_names[move.seat], text, level, chosen=True)


def layers_told(state: State, plot: Spot, names: Mapping[Seat, str]) -> str:
    """What lies on a plot, from the board up, a line each."""
    lines = []
    for layer in state.column(plot):
        facts = {"seat": seat_name(layer.seat, names), "level": layer.level}
        if layer.floor is None:
            lines.append(_("Level {level}: block of {seat}").format(**facts))
        else:
            piece = state.floors[layer.floor].piece
            lines.append(_("Level {level}: platform {piece} of {seat}").format(piece=piece, **facts))
    return "\n".join(lines) or _("Nothing lies here.")


def _top(state: State, plot: Spot, level: int, newest: frozenset[Spot]) -> Plot:
    column = [layer for layer in state.column(plot) if level in (0, layer.level)]
    if not column:
        return Plot(marked=plot in newest)
    top = column[-1]
    return Plot(
        _kind(state, plot, top),
        state.setup.colour_names[top.seat],
        f"{write_seat(top.seat)}{top.level}",
        top.level,
        marked=plot in newest,
    )


def _kind(state: State, plot: Spot, layer: Layer) -> str:
    if layer.floor is None:
        return "block"
    return "mark" if plot in state.floors[layer.floor].marked else "hole"


def _newest(state: State) -> frozenset[Spot]:
    """The squares of the platform that was laid last."""
    return frozenset(state.payments[-1].spots) & frozenset(PLOTS) if state.payments else frozenset()


def _track(state: State) -> Shown:
    looks: Shown = {}
    for space in range(SPACES):
        kind = "corner" if is_corner(space) else "track"
        for number, spot in enumerate(squares_of(space)):
            seats = [player.seat for player in state.players if player.space == space]
            # A lane space has two squares; the pieces share them out.
            here = seats[number::2] if kind == "track" and len(seats) > 1 else seats if number == 0 else []
            text = "".join(write_seat(seat) for seat in here)
            looks[spot] = Plot(kind, state.setup.colour_names[here[0]] if here else "", text)
    return looks


def squares_of(space: int) -> tuple[Spot, ...]:
    """The squares of the ring round the plots that make up a space: one for a corner, two for a lane space."""
    side, along = divmod(space, SIDE_SPACES)
    steps = (-1,) if along == 0 else (2 * along - 2, 2 * along - 1)
    last = SIDE - 1
    return tuple({0: (-1, step), 1: (step, SIDE), 2: (SIDE, last - step), 3: (last - step, -1)}[side] for step in steps)
