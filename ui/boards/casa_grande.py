"""Casa Grande's table: the towers from above, steps to buy, plots to tap, platforms to lay, and what each pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from companion.games.casa_grande import building
from companion.games.casa_grande.board import PLOTS, SIDE, after, is_corner, lane
from companion.games.casa_grande.course import CORNER_GAIN
from companion.games.casa_grande.moves import Built, Done, Move, Stepped
from companion.games.casa_grande.state import Phase, State
from companion.intents import Control, Make, Pressed, Rolled
from companion.language import _
from companion.rules import write_seat
from companion.sight import Spot
from companion.view import View
from ui import theme as look
from ui.boards import casa_grande_drawing as drawing
from ui.boards.board import Board
from ui.boards.cells import Grid
from ui.boards.laying import Laying, Offer, begun, offers, pay
from ui.boards.plots import PlotCell
from ui.desk import now
from ui.widgets.button import Tap
from ui.widgets.dialog import choose, tell
from ui.widgets.panel import Tiles

TYPED = "typed"
"""The source of a number that a person read off a real die."""

ZOOMED = 6
"""So many plots each way are shown where the whole board would be too small for fingers."""


class CasaGrandeBoard(Board):
    """The board from above, with what may be done now."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._view: View[State, Move] | None = None
        self._laying: Laying | None = None
        self._level = 0
        self._zoom: Spot | None = None
        self._told_tray: object = None
        self._grid = Grid(self._tapped, PlotCell, pos_hint={"x": 0, "y": 0})
        self.fbind("turn", self._grid.setter("turn"))
        self.fbind("size", lambda *_: self._draw())
        self.add_widget(self._grid)

    @property
    def grid(self) -> Grid:
        """The plots, and the track round them."""
        return self._grid

    def show(self, view: View[State, Move]) -> None:
        """Draw the play as it stands; what was half done belongs to the state before."""
        if self._view is None or (view.play, view.revision) != (self._view.play, self._view.revision):
            self._laying, self._zoom = None, None
        self._view = view
        self._draw()

    def ways(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """The levels, one by one."""
        if self._view is None:
            return ()
        highest = max((len(column) and column[-1].level for column in self._view.state.columns), default=0)
        levels = [(_("Only level {level}").format(level=n), partial(self._see_level, n)) for n in range(1, highest + 1)]
        whole = [(_("All levels"), partial(self._see_level, 0))]
        return [(_("Levels"), partial(choose, _("Which level?"), whole + levels))] if levels else []

    # --- Drawing

    def _draw(self) -> None:
        view = self._view
        if view is None:
            return
        state = view.state
        self.hint, self.beside = "", _bonus(state)
        match state.phase:
            case Phase.ROLL:
                self._set_tray(("roll", state.turns), self._rolling)
            case Phase.STEP:
                self._set_tray(("step", state), partial(self._stepping, state))
            case Phase.BLOCK:
                self.hint = _("Come closer, then tap the plot.") if self._small and self._zoom is None else ""
                self._set_tray(("block", self._zoom), self._zooming)
            case Phase.FLOOR:
                self._show_laying(state)
            case Phase.OVER:
                self._set_tray(None, lambda: ())
        self._show_plots(state)

    def _show_plots(self, state: State) -> None:
        shown = drawing.shown(state, self._level)
        move = None if self._laying is None else self._laying.move
        if move is not None:
            drawing.lay(shown, state, move)
        if state.phase is Phase.BLOCK and self.hints:
            drawing.mark(shown, [built.plot for built in building.legal_moves(state, state.turn)])
        elif self._laying is not None and self._laying.drawn is None and self.hints:
            drawing.mark(shown, {spot for way in self._laying.ways for spot in way.squares} & set(PLOTS))
        self._grid.show(self._within_reach(state, shown))

    def _within_reach(self, state: State, shown: drawing.Shown) -> drawing.Shown:
        """What may be tapped, where it is large enough; else quarters that come closer."""
        choosing = state.phase in (Phase.BLOCK, Phase.FLOOR)
        if not self._small:
            return drawing.tappable(shown)
        if self._zoom is None:
            return shown
        top, left = self._zoom
        near = {
            spot: plot for spot, plot in shown.items() if 0 <= spot[0] - top < ZOOMED and 0 <= spot[1] - left < ZOOMED
        }
        return drawing.tappable(near) if choosing else near

    @property
    def _small(self) -> bool:
        return bool(min(self.width, self.height) < (SIDE + 2) * look.LEAST_TARGET)

    # --- Trays

    def _set_tray(self, told: object, make: Callable[[], Iterable[Any]]) -> None:
        """Put what `make` makes into the tray; while it would tell the same, the tray stays as it is."""
        if told == self._told_tray and (self.tray is not None) == (told is not None):
            return
        self._told_tray = told
        if told is None:
            self.tray = None
            return
        tray = Tiles(cols=2, size_hint_y=None)
        tray.bind(minimum_height=tray.setter("height"))
        for widget in make():
            tray.add_widget(widget)
        self.tray = tray

    def _rolling(self) -> Iterator[Any]:
        yield Tap(_("Roll the die"), self._roll, kind="primary")
        yield Tap(_("A real die"), self._ask_pips)

    def _roll(self) -> None:
        self.put(Pressed(Control.ROLL, now().monotonic_s))

    def _ask_pips(self) -> None:
        """The number that people read off their own die."""
        choose(_("What does the die show?"), [(str(pips), partial(self._typed, pips)) for pips in range(1, 7)])

    def _stepping(self, state: State) -> Iterator[Any]:
        player = state.player(state.turn)
        yield Tap(_step_told(state, 0), partial(self._make, Stepped(state.turn)), kind="primary")
        if player.bonus:
            yield Tap(_("Buy steps"), partial(self._shop, state))

    def _shop(self, state: State) -> None:
        """Every space that can be reached, with its price and the lane that it opens."""
        bonus = state.player(state.turn).bonus
        choices = [
            (_step_told(state, bought), partial(self._make, Stepped(state.turn, bought)))
            for bought in range(1, bonus + 1)
        ]
        choose(_("How far?"), choices)

    def _zooming(self) -> Iterator[Any]:
        """A closer look, where the whole board is too small for fingers."""
        if not self._small:
            return
        if self._zoom is None:
            yield Tap(_("Come closer"), self._ask_quarter)
        else:
            yield Tap(_("Whole board"), partial(self._come_closer, None))

    def _ask_quarter(self) -> None:
        far = SIDE - ZOOMED
        quarters = (
            (_("Far left"), (0, 0)),
            (_("Far right"), (0, far)),
            (_("Near left"), (far, 0)),
            (_("Near right"), (far, far)),
        )
        choose(_("Which part of the board?"), [(name, partial(self._come_closer, at)) for name, at in quarters])

    def _show_laying(self, state: State) -> None:
        laying = self._laying
        if laying is None:
            choices = offers(state)
            best = max((offer.most for offer in choices), default=0)
            if best and self.hints:
                self.hint = _("The best platform pays {lire} lire.").format(lire=best)
            self._set_tray(("floor", state), partial(self._flooring, state, choices))
            return
        move = laying.move
        by_hand = laying.drawn is not None
        self.hint = (
            _("Tap its squares; twice where it is marked.")
            if by_hand
            else _("Tap where {piece} goes.").format(piece=laying.piece)
        )
        told = "" if move is None or not self.hints else _("Lay it: {lire} lire").format(lire=pay(state, move))
        self._set_tray(("lay", move is None, told, self._zoom), partial(self._placing, laying, told))

    def _flooring(self, state: State, choices: Sequence[Offer]) -> Iterator[Any]:
        yield Tap(_("Lay a platform"), partial(self._choose_piece, state, choices))
        yield Tap(_("No platform"), partial(self._make, Done(state.turn)), kind="primary")

    def _choose_piece(self, state: State, choices: Sequence[Offer]) -> None:
        listed = [
            (self._offered(offer), partial(self._begin, begun(state, offer.piece, offer.ways, hints=self.hints)))
            for offer in choices
            if offer.ways or not self.hints
        ]
        by_hand = Laying(state.turn, "", drawn={})
        choose(_("Which platform?"), [*listed, (_("Another one, square by square"), partial(self._begin, by_hand))])

    def _offered(self, offer: Offer) -> str:
        if not self.hints:
            return _("{piece}, {left} left").format(piece=offer.piece, left=offer.left)
        return _("{piece}, {left} left: up to {lire} lire").format(piece=offer.piece, left=offer.left, lire=offer.most)

    def _placing(self, laying: Laying, told: str) -> Iterator[Any]:
        if laying.move is not None:
            yield Tap(told or _("Lay it"), self._lay, kind="primary")
        if laying.ways and self.hints:
            yield Tap(_("Next place"), self._next_place)
        yield from self._zooming()
        yield Tap(_("Back"), partial(self._begin, None), kind="quiet")

    # --- What is tapped

    def _make(self, move: Move) -> None:
        self.put(Make(move))

    def _typed(self, pips: int) -> None:
        self.put(Rolled(pips, TYPED))

    def _begin(self, laying: Laying | None) -> None:
        self._laying, self._zoom = laying, None
        self._draw()

    def _next_place(self) -> None:
        if self._laying is not None:
            self._begin(self._laying.turned())

    def _lay(self) -> None:
        move = None if self._laying is None else self._laying.move
        if move is not None:
            self._make(move)

    def _see_level(self, level: int) -> None:
        self._level = level
        self._draw()

    def _come_closer(self, corner: Spot | None) -> None:
        self._zoom = corner
        self._draw()

    def _tapped(self, spot: Spot) -> None:
        if self._view is None:
            return
        state = self._view.state
        if state.phase is Phase.BLOCK:
            self._make(Built(state.turn, spot))
        elif self._laying is not None:
            self._laying = self._laying.tapped(spot)
            self._draw()
        else:
            title = _("Plot {row},{column}").format(row=spot[0], column=spot[1])
            tell(title, drawing.layers_told(state, spot, self._view.names))


def _bonus(state: State) -> str:
    """Everybody's place on the bonus scale and blocks left, in one line."""
    each = (f"{write_seat(player.seat)} {player.bonus} ({player.blocks})" for player in state.players)
    return _("Bonus (blocks left): {each}").format(each=" · ".join(each))


def _step_told(state: State, bought: int) -> str:
    """Where so many bought steps lead, what they cost and what that space opens."""
    steps = state.pips + bought
    space = after(state.player(state.turn).space, steps)
    if is_corner(space):
        where = _("corner, stay, gain {points}").format(points=CORNER_GAIN)
    else:
        rows = sorted({plot[0] for plot in lane(space)})
        columns = sorted({plot[1] for plot in lane(space)})
        where = (
            _("lane rows {first} and {last}").format(first=rows[0], last=rows[-1])
            if len(rows) < SIDE
            else _("lane columns {first} and {last}").format(first=columns[0], last=columns[-1])
        )
    if not bought:
        return _("Move {steps}: {where}").format(steps=steps, where=where)
    return _("Move {steps} for {bought}: {where}").format(steps=steps, bought=bought, where=where)
