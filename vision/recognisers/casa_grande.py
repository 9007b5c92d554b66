"""Photographs of a Casa Grande play that goes on: which turn explains what changed on the board.

The first picture shows the empty board, with no more than the pieces on their corners. After that the play is known:
each picture is held against the last one that was confirmed.

Source: rule digest, "What goes wrong at the table".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.casa_grande import rules, sight
from companion.games.casa_grande.board import PLOTS, SIDE
from companion.games.casa_grande.box import Sizes
from companion.games.casa_grande.moves import Move, Rolled
from companion.games.casa_grande.sight import BOARD, Top
from companion.games.casa_grande.state import Column, Phase, State
from companion.language import _
from companion.sight import Match, Outcome, Proposal, Reading, Spot
from vision.towers import explain, grid, hands, pose, register, track
from vision.towers.checking import Told, check
from vision.towers.explain import Explained
from vision.towers.judging import judged
from vision.towers.lamp import lamp
from vision.towers.looks import Looks
from vision.towers.planes import Block, Planes, hidden, patch
from vision.towers.pose import Floats, View
from vision.towers.weigh import Scene, bodies

LONG_SIDE_PX = 1000
"""Pictures are looked at in this size."""

HAND_CELLS = 6
"""So many strange cells of the board's rim are a hand, an arm or a sheet of paper."""

REMEMBERED = 6
"""So many confirmed pictures are kept: undo leads back to them."""

_DIFFERS = 0.6
"""A new top is not shown when such a share of it looks otherwise."""


@dataclass(frozen=True, eq=False, slots=True)
class _Shown:
    """A picture and the towers that it is known to show."""

    planes: Planes
    columns: tuple[Column, ...]


class BoardReader:
    """Reads the photographs of one play, one after the other. Not for several threads.

    `corners` are those of the plots, (4, 2) px of the first picture: far left, far right, near right, near left; where
    none are given they are looked for.
    """

    def __init__(self, sizes: Sizes | None = None, corners: NDArray[np.floating] | None = None) -> None:
        self._sizes = sizes or Sizes()
        self._corners = corners
        out = (self._sizes.board_mm - SIDE * self._sizes.pitch_mm) / 2
        self._span = (-out, SIDE * self._sizes.pitch_mm + out)
        self._print: register.Print | None = None
        self._first: Planes | None = None
        self._looks = Looks()
        self._shown: list[_Shown] = []
        self._last: Scene | None = None

    def read(self, image: NDArray[np.uint8], state: State) -> Reading:
        """Read one picture, (H, W, 3) uint8 BGR, upright, when the play stands so.

        `state` knows everything that was confirmed, and best the roll too. What was confirmed since the picture before
        is taken to be on it.
        """
        small = _smaller(image)
        if self._first is None or self._print is None:
            return self._set_up(image, state)
        self._confirm(state)
        view = register.find(small, self._print, self._shown[-1].planes.view)
        if view is None or not _whole(small, view, self._span):
            return _unreadable(_("The board is not seen: show all of it, and take hands away."))
        return self._explained(Planes(small, view, self._sizes.pitch_mm, SIDE), state, self._first)

    def check(self, image: NDArray[np.uint8], state: State) -> list[Told] | None:
        """What every top in view shows by itself, beside what the play says; None when the board is not seen.

        `state` is what should lie there now. The empty board must have been read before.
        """
        if self._first is None or self._print is None:
            return None
        self._confirm(state)
        small = _smaller(image)
        view = register.find(small, self._print, self._shown[-1].planes.view)
        if view is None or not _whole(small, view, self._span):
            return None
        after, towers = Planes(small, view, self._sizes.pitch_mm, SIDE), bodies(_layers(state.columns), self._sizes)
        after.lamp = lamp(self._first, after, self._span, towers)
        scene = Scene(self._shown[-1].planes, after, sight.tops(state), towers, self._sizes, self._looks)
        return check(scene, self._first, state.setup.seats)

    def _set_up(self, image: NDArray[np.uint8], state: State) -> Reading:
        view = self._find(image)
        if view is None:
            return _unreadable(_("The empty board is not found: show all of it from above."))
        small = _smaller(image)
        view = pose.scaled(view, max(small.shape) / max(image.shape))
        self._first = Planes(small, view, self._sizes.pitch_mm, SIDE)
        self._print = register.learn(small, view, self._span)
        alone = [player.space for player in state.players]
        self._looks.guesses.update(
            (player.seat, track.colour(self._first, player.space, self._sizes))
            for player in state.players
            if alone.count(player.space) == 1
        )
        self._shown = [_Shown(self._first, state.columns)]
        self._learn(self._shown[-1], state)
        return Reading(Outcome.CLEAR, (), (), (), explained=Proposal(Match.SETTLED))

    def _find(self, image: NDArray[np.uint8]) -> View | None:
        pitch = self._sizes.pitch_mm
        if self._corners is not None:
            ends = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]) * pitch
            points, seen = np.column_stack([ends, np.zeros(4)]), np.asarray(self._corners, np.float64)
            return pose.fitted(points, seen, (image.shape[0], image.shape[1]))[0]
        found = grid.middles(image, SIDE)
        if found is None:
            return None
        nodes, seen = found
        points = np.column_stack([(nodes[:, ::-1] + 0.5) * pitch, np.zeros(len(nodes))])
        view, error = pose.fitted(points, seen, (image.shape[0], image.shape[1]))
        across = float(np.linalg.norm(np.ptp(seen, axis=0))) / SIDE
        return view if error < 0.06 * across and _whole(image, view, (0.0, SIDE * pitch)) else None

    def _explained(self, after: Planes, state: State, first: Planes) -> Reading:
        before, sizes = self._shown[-1], self._sizes
        towers = bodies(_layers(before.columns), sizes)
        after.lamp = lamp(first, after, self._span, towers)
        tops = {plot: _top(state, before.columns, plot) for plot in PLOTS}
        scene = Scene(before.planes, after, tops, towers, sizes, self._looks)
        self._last = scene
        given = {
            plot: sight.top_of(state, plot) for plot in PLOTS if state.column(plot) != _column(before.columns, plot)
        }
        spaces = {space for _, each in _rolls(state) for space in sight.spaces(each)}
        colour = self._looks.guesses.get(state.turn, self._looks.colour(state.turn))
        arrived = dict.fromkeys(spaces, 0.0)
        if colour is not None and state.phase in (Phase.ROLL, Phase.STEP):
            arrived = track.arrived(before.planes, after, colour, spaces, sizes)
        places = [track.middle(space, sizes) for space in {*spaces, *(player.space for player in state.players)}]
        found = [
            (first, each) for first, rolled in _rolls(state) for each in explain.explain(scene, rolled, arrived, given)
        ]
        found.sort(key=lambda pair: -pair[1].total)
        strange = hands.strange(before.planes, after, self._span, places, towers + _risen(scene, found[0][1]))
        if strange >= HAND_CELLS:
            return _unreadable(_("Something covers the board: take hands away."))
        proposal = judged(found, arrived)
        outcome = Outcome.CLEAR if proposal.match in (Match.CLEAR, Match.SETTLED) else Outcome.ASK
        return Reading(outcome, (), proposal.spots, (), explained=proposal)

    def _confirm(self, state: State) -> None:
        """Take what was confirmed since the last picture: that one shows it, or an earlier one does after undo."""
        if state.columns == self._shown[-1].columns:
            return
        for number, shown in enumerate(self._shown):
            if shown.columns == state.columns:
                del self._shown[number + 1 :]
                return
        if self._last is not None and _shows(self._last, state):
            shown = _Shown(self._last.after, state.columns)
            self._shown = [*self._shown[1 - REMEMBERED :], shown]
            self._learn(shown, state)

    def _learn(self, shown: _Shown, state: State) -> None:
        """The looks of every top in view."""
        towers = bodies(_layers(state.columns), self._sizes)
        covers: dict[float, NDArray[np.bool_]] = {}
        for plot, top in sight.tops(state).items():
            if top.kind == BOARD or top.seat is None:
                continue
            height = top.height_mm(self._sizes)
            if height not in covers:
                covers[height] = hidden(shown.planes.view, towers, height, self._sizes.pitch_mm, SIDE)
            self._looks.learn(top.kind, top.seat, shown.planes.at(height)[patch(plot)], ~covers[height][patch(plot)])


def _shows(scene: Scene, state: State) -> bool:
    """Whether the later picture shows the tops that are new in this state, as far as they are in view."""
    for plot in PLOTS:
        top = sight.top_of(state, plot)
        if top != scene.tops[plot]:
            if top.kind == BOARD:
                return False
            weight = scene.came(plot, top)
            if weight.visible > explain.SEEN and weight.odd > _DIFFERS:
                return False
    return True


def _rolls(state: State) -> list[tuple[tuple[Move, ...], State]]:
    """The state itself, or, before the roll, the state after each roll, with the move that leads there."""
    if state.phase is not Phase.ROLL:
        return [((), state)]
    rolls = [Rolled(state.turn, pips) for pips in rules.PIPS]
    return [((roll,), rules.apply(state, roll)[0]) for roll in rolls]


def _risen(scene: Scene, best: Explained) -> list[Block]:
    """What the best turn may have put in front of the rim."""
    turn = best.turn
    if turn is None:
        return []
    plots = ({turn.block} if turn.block is not None else set()) | set(turn.floor.squares if turn.floor else ())
    return [
        Block(plot, scene.sizes.block_mm / 2, 0.0, (scene.tops[plot].level + 1) * scene.sizes.layer_mm)
        for plot in plots
    ]


def _top(state: State, columns: tuple[Column, ...], plot: Spot) -> Top:
    """What lay uppermost on a plot when the columns stood so."""
    column = _column(columns, plot)
    if not column:
        return Top()
    layer = column[-1]
    if layer.floor is None:
        return Top(sight.BLOCK, layer.seat, layer.level)
    marked = layer.floor < len(state.floors) and plot in state.floors[layer.floor].marked
    return Top(sight.MARKED if marked else sight.FLOOR, layer.seat, layer.level)


def _column(columns: tuple[Column, ...], plot: Spot) -> Column:
    return columns[plot[0] * SIDE + plot[1]]


def _layers(columns: tuple[Column, ...]) -> Mapping[Spot, list[tuple[bool, int]]]:
    return {plot: [(layer.floor is not None, layer.level) for layer in _column(columns, plot)] for plot in PLOTS}


def _smaller(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    scale = LONG_SIDE_PX / max(image.shape[:2])
    if scale >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _whole(image: NDArray[np.uint8], view: View, span: tuple[float, float]) -> bool:
    """Whether the board lies in the picture, but for a finger's breadth of its rim."""
    out = (span[1] - span[0]) * 0.04
    ends: Floats = np.array(
        [(x, y, 0.0) for x in (span[0] + out, span[1] - out) for y in (span[0] + out, span[1] - out)]
    )
    seen = view.project(ends)
    return bool(((seen >= 0) & (seen <= np.array(image.shape[1::-1]) - 1)).all())


def _unreadable(reason: str) -> Reading:
    return Reading(Outcome.UNREADABLE, (), (), (), reason)
