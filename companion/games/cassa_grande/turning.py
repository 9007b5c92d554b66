"""Turning all cards over: which grids can be what was laid face down.

Source: rule digest, "Play" 5; how strictly a grid is checked is the house rule `grid_check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.errors import GridError
from companion.games.cassa_grande.moves import TurnedOver
from companion.games.cassa_grande.pieces import FACES, sort_faces, without, write_deck
from companion.games.cassa_grande.placing import accounted_for
from companion.games.cassa_grande.scoring import clean_rows
from companion.games.cassa_grande.state import State, box, cells, grid, known_faces
from companion.rules import Refusal, Seat
from companion.score import Facts
from companion.sight import GAP, UNKNOWN, Spot


def refusal(state: State, move: TurnedOver, agreed: bool = False) -> Refusal | None:
    """Why the cards on the table cannot show this grid, or None. Spots are cells of the grid, from its top left.

    By agreement (`agreed`) it does not matter whose cards are whose.
    """
    try:
        rows = clean_rows(move.rows)
    except GridError as error:
        return Refusal("grid_rows", {"problem": str(error)})
    if unknown := _spots(rows, UNKNOWN):
        return Refusal("grid_unknown", _place(unknown[0]), unknown)
    if state.setup.house.grid_check == "off":
        frame, height, width = state.setup.frame, len(rows), len(rows[0])
        too_big = max(height, width) > frame
        return Refusal("grid_size", {"frame": frame, "height": height, "width": width}) if too_big else None
    return (
        _cells_refusal(state, rows) or _deck_refusal(state, rows) or (None if agreed else _hands_refusal(state, rows))
    )


def _cells_refusal(state: State, rows: tuple[str, ...]) -> Refusal | None:
    laid = grid(state)
    height, width = len(laid), len(laid[0])
    if (len(rows), len(rows[0])) != (height, width):
        facts = {"height": height, "width": width, "rows": len(rows), "columns": len(rows[0])}
        return Refusal("grid_box", facts)
    for spot in ((row, column) for row in range(height) for column in range(width)):
        was, shows = laid[spot[0]][spot[1]], rows[spot[0]][spot[1]]
        if (was == GAP) != (shows == GAP):
            return Refusal("grid_gap" if was == GAP else "grid_card", {**_place(spot), "face": shows}, (spot,))
        if was not in (UNKNOWN, shows):
            return Refusal("grid_known", {**_place(spot), "was": was, "face": shows}, (spot,))
    return None


def _deck_refusal(state: State, rows: tuple[str, ...]) -> Refusal | None:
    shown, deck = "".join(rows).replace(GAP, ""), state.setup.cards
    for face in FACES:
        if shown.count(face) > deck.count(face):
            facts: Facts = {
                "face": face,
                "count": shown.count(face),
                "allowed": deck.count(face),
                "deck": write_deck(deck),
            }
            return Refusal("grid_deck", facts, _spots(rows, face))
    return None


def _hands_refusal(state: State, rows: tuple[str, ...]) -> Refusal | None:
    if state.setup.house.grid_check != "hands":
        return None
    top, left, _, _ = box(cells(state))
    for hand in state.hands:
        spots = tuple((row - top, column - left) for row, column in _unknown_cells(state, [hand.seat]))
        shown = sort_faces("".join(rows[row][column] for row, column in spots))
        if hand.pool is not None and shown != hand.pool:
            facts: Facts = {"seat": hand.seat, "shown": shown, "held": hand.pool}
            return Refusal("grid_hands", facts, spots)
    return None


def _spots(rows: Sequence[str], symbol: str) -> tuple[Spot, ...]:
    return tuple((r, c) for r, row in enumerate(rows) for c, shown in enumerate(row) if shown == symbol)


def _place(spot: Spot) -> dict[str, int | str]:
    return {"row": spot[0] + 1, "column": spot[1] + 1}


def legal_moves(state: State) -> Iterator[TurnedOver]:
    """Every grid that fits the deck (and the hands, where they are checked), one at a time: there are very many."""
    laid = grid(state)
    top, left, _, _ = box(cells(state))
    for faces in _assignments(groups(state)):
        rows = [list(row) for row in laid]
        for (row, column), face in faces.items():
            rows[row - top][column - left] = face
        yield TurnedOver(tuple(map("".join, rows)))


def groups(state: State) -> list[tuple[list[Spot], str]]:
    """The cells of unknown cards, with the faces that lie there in some order."""
    if state.setup.house.grid_check != "hands":
        return [(_unknown_cells(state, state.setup.seats), without(state.setup.cards, known_faces(state)))]
    known = [(_unknown_cells(state, [hand.seat]), hand.pool) for hand in state.hands if hand.pool is not None]
    others = [hand.seat for hand in state.hands if hand.pool is None]
    return [*known, (_unknown_cells(state, others), without(state.setup.cards, accounted_for(state)))]


def _unknown_cells(state: State, seats: Sequence[Seat]) -> list[Spot]:
    return [card.cell for card in state.layout if card.seat in seats and card.face == UNKNOWN]


def _assignments(among: Sequence[tuple[list[Spot], str]]) -> Iterator[dict[Spot, str]]:
    if not among:
        yield {}
        return
    spots, faces = among[0]
    for order in distinct_orders(faces):
        for rest in _assignments(among[1:]):
            yield {**dict(zip(spots, order, strict=True)), **rest}


def distinct_orders(faces: str) -> Iterator[str]:
    """The different orders of these faces, in alphabetical order."""
    order = sorted(faces)
    while True:
        yield "".join(order)
        rise = next((i for i in range(len(order) - 2, -1, -1) if order[i] < order[i + 1]), None)
        if rise is None:
            return
        swap = next(i for i in range(len(order) - 1, rise, -1) if order[i] > order[rise])
        order[rise], order[swap] = order[swap], order[rise]
        order[rise + 1 :] = reversed(order[rise + 1 :])
