"""Cassa Grande's table: tap a cell to lay a card there, and read the turned cards in by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from companion.games.cassa_grande import dealing, swapping
from companion.games.cassa_grande.moves import Move, Placed, Swapped, TurnedOver
from companion.games.cassa_grande.pieces import FACES
from companion.games.cassa_grande.placing import cell_refusal, face_refusal, legal_cells
from companion.games.cassa_grande.state import Phase, State, box, cells, faces_up
from companion.intents import Make
from companion.language import _
from companion.sight import GAP, UNKNOWN, Spot
from companion.view import View
from companion.wording import seat_name
from ui.boards.board import Board
from ui.boards.cells import BACK, Grid, Look
from ui.theme import theme
from ui.widgets.badge import PersonTap
from ui.widgets.button import Tap
from ui.widgets.panel import Column, Tiles

LEAST_SPAN = 5
"""So many cells are shown across at least, so that the first cards are not drawn like giants."""


class CassaGrandeBoard(Board):
    """The layout as seat A sees it: backs and faces, the cells where a card may lie, the newest card marked."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self._view: View[State, Move] | None = None
        self._chosen: Spot | None = None
        self._typed: dict[Spot, str] = {}
        self._told_tray: tuple[object, ...] = ()
        self._grid = Grid(self._tapped, pos_hint={"x": 0, "y": 0})
        self.fbind("turn", self._grid.setter("turn"))
        self.add_widget(self._grid)

    @property
    def grid(self) -> Grid:
        """The cells."""
        return self._grid

    def show(self, view: View[State, Move]) -> None:
        """Draw the play as it stands; what was half done belongs to the state before."""
        if self._view is None or (view.play, view.revision) != (self._view.play, self._view.revision):
            self._chosen = None
            self._typed = {}
        self._view = view
        self._draw()

    def _draw(self) -> None:
        view = self._view
        if view is None:
            return
        state, self.hint = view.state, ""
        match state.phase:
            case Phase.PLACE:
                self._show_places(state)
            case Phase.SWAP:
                self._show_layout(state)
                self._set_tray((state, *view.names.items()), partial(self._partners, view))
                self.hint = _("With whom?")
            case Phase.TURN_OVER:
                self._show_turning(state)
            case Phase.DEAL:
                self._show_layout(state)
                deal = partial(self._make, dealing.unseen(state))
                self._set_tray((state,), lambda: [Tap(_("All are dealt"), deal, kind="primary")])
            case Phase.OVER:
                self._show_last_round(state)
                self._no_tray()

    def _no_tray(self) -> None:
        self._told_tray, self.tray = (), None

    def _set_tray(self, told: tuple[object, ...], make: Callable[[], Iterable[Any]]) -> None:
        """Put what `make` makes into the tray; while it would tell the same, the tray stays as it is."""
        if self.tray is not None and self._told_tray == told:
            return
        self._told_tray = told
        tray = Column(size_hint_y=None)
        tray.bind(minimum_height=tray.setter("height"))
        for widget in make():
            tray.add_widget(widget)
        self.tray = tray

    def _make(self, move: Move) -> None:
        self.put(Make(move))

    def _show_places(self, state: State) -> None:
        legal = set(legal_cells(state))
        if self._chosen is not None and faces_up(state):
            self.hint = _("Which card?")
            possible = _in_hand(state)
            self._set_tray(("lay", possible, theme.portrait), lambda: [_faces(self._lay_face, possible)])
        else:
            self._no_tray()
        self._show_layout(state, legal)

    def _show_layout(self, state: State, legal: Iterable[Spot] = ()) -> None:
        legal = set(legal)
        placing = state.phase is Phase.PLACE
        looks = {spot: Look(legal=self.hints, taps=True, chosen=spot == self._chosen) for spot in legal}
        for card in state.layout:
            face = BACK if card.face == UNKNOWN else card.face
            looks[card.cell] = Look(face, card.seat, marked=card is state.layout[-1])
        # Who taps where no card may lie is told the rule.
        self._grid.show(_filled(looks, LEAST_SPAN, Look(taps=placing)))

    def _show_last_round(self, state: State) -> None:
        rows = state.rounds[-1].rows if state.rounds else ()
        looks = {(r, c): Look(face) for r, row in enumerate(rows) for c, face in enumerate(row) if face != GAP}
        self._grid.show(_filled(looks, LEAST_SPAN))

    def _tapped(self, spot: Spot) -> None:
        if self._view is None:
            return
        state = self._view.state
        if state.phase is Phase.PLACE and (not faces_up(state) or cell_refusal(state, spot) is not None):
            self._make(Placed(state.turn, spot))
            return
        self._chosen = None if spot == self._chosen else spot
        self._draw()

    def _lay_face(self, face: str) -> None:
        if self._view is not None and self._chosen is not None:
            self._make(Placed(self._view.state.turn, self._chosen, face))

    def _partners(self, view: View[State, Move]) -> Iterable[Any]:
        for seat in swapping.partners(view.state):
            swap = partial(self._make, Swapped(view.state.turn, seat))
            yield PersonTap(swap, seat=seat, named=seat_name(seat, view.names))

    def _show_turning(self, state: State) -> None:
        """All cards lie: each is read in by hand, in any order, in rows by itself."""
        shown = _faces_shown(state) | self._typed
        spots = sorted(cells(state))
        open_spots = [spot for spot in spots if spot not in shown]
        if self._chosen is None and open_spots:
            self._chosen = open_spots[0]
        known = _faces_shown(state)
        looks = {
            spot: Look(shown.get(spot, BACK), taps=spot not in known, chosen=spot == self._chosen) for spot in spots
        }
        self._grid.show(_filled(looks, LEAST_SPAN))
        done = not open_spots
        self.hint = _("All cards are read in.") if done else _("Tap what the marked card shows.")
        self._set_tray(("type", done, theme.portrait), partial(self._typing, done=done))

    def _typing(self, *, done: bool) -> Iterable[Any]:
        yield _faces(self._type, FACES)
        if done:
            yield Tap(_("Add up"), self._add_up, kind="primary")

    def _add_up(self) -> None:
        if self._view is not None:
            state = self._view.state
            self._make(_turned(state, _faces_shown(state) | self._typed))

    def _type(self, face: str) -> None:
        if self._view is None or self._chosen is None:
            return
        self._typed[self._chosen] = face
        known = _faces_shown(self._view.state).keys() | self._typed.keys()
        spots = sorted(cells(self._view.state))
        later = spots[spots.index(self._chosen) :] + spots
        self._chosen = next((spot for spot in later if spot not in known), None)
        self._draw()


def _faces_shown(state: State) -> dict[Spot, str]:
    """The faces that everybody has seen, by their cell."""
    return {card.cell: card.face for card in state.layout if card.face != UNKNOWN}


def _turned(state: State, shown: dict[Spot, str]) -> TurnedOver:
    """The grid as seat A reads it."""
    top, left, bottom, right = box(cells(state))
    columns = range(left, right + 1)
    rows = range(top, bottom + 1)
    return TurnedOver(tuple("".join(shown.get((row, column), GAP) for column in columns) for row in rows))


def _in_hand(state: State) -> str:
    """The faces that the seat at turn may lay."""
    hand = state.hand(state.turn)
    return "".join(face for face in FACES if face_refusal(state, hand, face) is None)


def _filled(looks: dict[Spot, Look], span: int, empty: Look | None = None) -> dict[Spot, Look]:
    """The looks in a rectangle of at least so many cells each way; all others look `empty`."""
    rows = [row for row, _ in looks] or [0]
    columns = [column for _, column in looks] or [0]
    top, bottom = _widened(min(rows), max(rows), span)
    left, right = _widened(min(columns), max(columns), span)
    everywhere = ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))
    return {spot: looks.get(spot, empty or Look()) for spot in everywhere}


def _widened(low: int, high: int, span: int) -> tuple[int, int]:
    lacking = max(0, span - (high - low + 1))
    return low - lacking // 2 - lacking % 2, high + lacking // 2


def _faces(deed: Callable[[str], object], possible: str) -> Tiles:
    """A key for each face; those that cannot come are out of use."""
    tiles = Tiles(cols=6 if theme.portrait else 3, size_hint_y=None)
    tiles.bind(minimum_height=tiles.setter("height"))
    for face in FACES:
        tiles.add_widget(Tap(face, partial(deed, face), bold=True, disabled=face not in possible))
    return tiles
