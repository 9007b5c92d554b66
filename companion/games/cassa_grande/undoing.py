"""What hands must change on the table when a play goes from one point to another: an undo, a redo, or both.

The moves between need not be known: the two states are compared. Within a round cards go back into the hands and swaps
are undone; over a round's end the table is cleared, and the cards are laid out again from the grid with which that
round ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from companion.games.cassa_grande import dealing, swapping
from companion.games.cassa_grande.course import apply_legal, start_round
from companion.games.cassa_grande.moves import Placed, Swapped
from companion.games.cassa_grande.pieces import COMMA
from companion.games.cassa_grande.state import Phase, State, box, cells, grid
from companion.games.cassa_grande.tabletop import Laid, table
from companion.language import _, later
from companion.rules import Event, Seat
from companion.score import Facts
from companion.sight import GAP, UNKNOWN, Spot
from companion.wording import listed


@dataclass(frozen=True, slots=True)
class _Table:
    """What hands can change within a round, and what they have swapped.

    `owners`: whose card lies on a cell, in the order of play; `shown`: what shows there; `in_front`: commas that each
    seat has laid out in front; `swaps`: the seats and the cells after which a card was swapped, in the order of play.
    """

    owners: Mapping[Spot, Seat] = field(default_factory=dict)
    shown: Laid = field(default_factory=dict)
    in_front: Mapping[Seat, int] = field(default_factory=dict)
    swaps: tuple[tuple[Seat, Spot], ...] = ()

    @classmethod
    def of(cls, state: State) -> _Table:
        """The table in a state whose cards have been dealt."""
        return cls(_owners(state), table(state), _in_front(state), _swaps(state))

    def keeps(self, other: _Table, cell: Spot) -> bool:
        """Whether the same card lies on this cell here and there, either way up."""
        here, there = self.shown.get(cell, UNKNOWN), other.shown.get(cell, UNKNOWN)
        same_face = UNKNOWN in (here, there) or here == there
        return same_face and cell in other.owners and self.owners[cell] == other.owners[cell]


def hands(before: State, after: State) -> tuple[Event, ...]:
    """What the hands do, in this order, to bring the table from `before` to `after`; nothing when it is the same."""
    same_round = before.rounds == after.rounds or before.starter == after.starter
    if _number(before) == _number(after) and same_round:
        return tuple(_within_round(before, after))
    return tuple(_over_rounds(before, after))


def _number(state: State) -> int:
    """The round whose cards are on the table, from 1."""
    return len(state.rounds) + (state.phase != Phase.OVER)


def _within_round(before: State, after: State) -> Iterator[Event]:
    if after.phase == Phase.DEAL:
        if before.phase != Phase.DEAL:
            yield Event("collect_all")
    elif before.phase == Phase.DEAL:
        yield Event("deal_again")
        yield from _changes(_Table(), _Table.of(after))
    else:
        yield from _changes(_Table.of(before), _Table.of(after))


def _over_rounds(before: State, after: State) -> Iterator[Event]:
    dealt, number = "E" in after.setup.variants, _number(after)
    now, wanted = _Table(in_front=_in_front(before)), _Table.of(after)
    if dealt and before.phase != Phase.DEAL:
        yield Event("collect_all")
    elif before.layout:
        yield Event("clear_table", {"number": _number(before)})
        now = _Table()
    ended = (*before.rounds, *after.rounds[len(before.rounds) :])
    faces = _faces(after, ended[number - 1].rows) if number <= len(ended) else None
    if after.layout and faces is not None:
        cards = tuple(replace(card, face=faces[card.cell]) for card in after.layout)
        rows = " ".join(grid(replace(after, layout=cards)))
        yield Event("lay_out_again", {"number": number, "rows": rows}, tuple(wanted.owners))
        if dealt and any(hand.size + hand.waiting for hand in after.hands):
            yield Event("rest_in_hand")
        now = replace(now, owners=wanted.owners, shown={card.cell: card.face for card in cards}, swaps=wanted.swaps)
    elif dealt and after.phase != Phase.DEAL:
        yield Event("deal_again")
    yield from _changes(now, wanted)


def _faces(state: State, rows: Sequence[str]) -> Laid | None:
    """The faces of the cards that lie, from the grid with which their round ended; None unless they fit one place."""
    if not state.layout:
        return None
    lying, shown = box(cells(state)), table(state)
    height, width = lying[2] - lying[0] + 1, lying[3] - lying[1] + 1
    fitting = []
    for down, across in product(range(len(rows) - height + 1), range(len(rows[0]) - width + 1)):
        faces = {(r, c): rows[r - lying[0] + down][c - lying[1] + across] for r, c in shown}
        if GAP not in faces.values() and all(face in (UNKNOWN, faces[cell]) for cell, face in shown.items()):
            fitting.append(faces)
    return fitting[0] if len(fitting) == 1 else None


def _changes(before: _Table, after: _Table) -> Iterator[Event]:
    """From one table of a round to another: first what is undone, the newest first, then what is done again."""
    stay = [cell for cell in before.owners if before.keeps(after, cell)]
    yield from _turned_down([cell for cell in stay if _is_up(before, cell) and not _is_up(after, cell)], after)
    yield from _taken_back([cell for cell in before.owners if cell not in stay], before)
    yield from _commas_out(before, after)
    yield from _swapped_back([swap for swap in before.swaps if swap not in after.swaps])
    yield from _swapped_again([swap for swap in after.swaps if swap not in before.swaps])
    yield from _commas_in(before, after)
    yield from _laid_again([cell for cell in after.owners if cell not in stay], after)
    yield from _turned_up([cell for cell in stay if _is_up(after, cell) and not _is_up(before, cell)], after)


def _is_up(lying: _Table, cell: Spot) -> bool:
    return lying.shown.get(cell, UNKNOWN) != UNKNOWN


def _owners(state: State) -> dict[Spot, Seat]:
    return {card.cell: card.seat for card in state.layout}


def _in_front(state: State) -> dict[Seat, int]:
    """How many commas each seat has laid out in front; in variant E they are held in the hand."""
    dealt = "E" in state.setup.variants
    return {hand.seat: hand.waiting for hand in state.hands if hand.waiting and not dealt}


def _swaps(state: State) -> tuple[tuple[Seat, Spot], ...]:
    """After which cards there was an opponent to swap with, and it has been done: the round is played once more."""
    if "B" not in state.setup.variants:
        return ()
    again = start_round(state.setup, state.starter, state.rounds)
    if again.phase == Phase.DEAL:
        again, _ = apply_legal(again, dealing.unseen(again))
    swaps = []
    for card in state.layout:
        # Only a comma that was laid though it waits must be known for one: the others leave the hand alike.
        face = COMMA if card.face == COMMA and again.hand(card.seat).waiting else UNKNOWN
        again, _ = apply_legal(replace(again, turn=card.seat), Placed(card.seat, card.cell, face))
        if again.phase == Phase.SWAP and card.cell in state.skipped:
            again = replace(again, phase=Phase.PLACE)
        elif again.phase == Phase.SWAP:
            swaps.append((card.seat, card.cell))
            again, _ = apply_legal(again, Swapped(card.seat, swapping.partners(again)[0]))
    return tuple(swaps[:-1] if state.phase == Phase.SWAP else swaps)


def _turned_down(cells: Sequence[Spot], after: _Table) -> Iterator[Event]:
    if cells and len(cells) == len(after.owners):
        yield Event("turn_all_down_again", spots=tuple(cells))
    elif cells:
        yield Event("turn_down_again", {**_cards(cells), "cells": _listed(cells)}, tuple(cells))


def _turned_up(cells: Sequence[Spot], after: _Table) -> Iterator[Event]:
    if cells and len(cells) == len(after.owners):
        yield Event("turn_all_up_again", spots=tuple(cells))
    elif cells:
        yield Event("turn_up_again", {**_cards(cells), "cells": _listed(cells)}, tuple(cells))


def _taken_back(cells: Sequence[Spot], before: _Table) -> Iterator[Event]:
    for seat, own in _by_owner(cells[::-1], before.owners).items():
        yield Event("take_back", {"seat": seat, **_cards(own), "cells": _listed(own)}, tuple(own))


def _laid_again(cells: Sequence[Spot], after: _Table) -> Iterator[Event]:
    for seat, own in _by_owner([cell for cell in cells if not _is_up(after, cell)], after.owners).items():
        yield Event("lay_down_again", {"seat": seat, **_cards(own), "cells": _listed(own)}, tuple(own))
    for seat, own in _by_owner([cell for cell in cells if _is_up(after, cell)], after.owners).items():
        named = tuple(_("{face} on {cell}").format(face=_face(after.shown[cell]), cell=_listed([cell])) for cell in own)
        yield Event("lay_up_again", {"seat": seat, **_cards(own), "cells": listed(named, all_of=True)}, tuple(own))


def _commas_out(before: _Table, after: _Table) -> Iterator[Event]:
    seats = [seat for seat, count in after.in_front.items() if count > before.in_front.get(seat, 0)]
    if len(seats) > 1 and len(seats) == len(after.in_front):
        yield Event("all_commas_out")
        return
    for seat in seats:
        yield Event("comma_out", {"seat": seat})


def _commas_in(before: _Table, after: _Table) -> Iterator[Event]:
    seats = [seat for seat, count in before.in_front.items() if count > after.in_front.get(seat, 0)]
    if len(seats) > 1 and len(seats) == len(before.in_front):
        yield Event("all_commas_in")
        return
    for seat in seats:
        yield Event("comma_in", {"seat": seat})


def _swapped_back(swaps: Sequence[tuple[Seat, Spot]]) -> Iterator[Event]:
    if len(swaps) == 1:
        yield Event("swap_back", {"seat": swaps[0][0]})
    elif swaps:
        yield Event("swaps_back", {"count": len(swaps)})


def _swapped_again(swaps: Sequence[tuple[Seat, Spot]]) -> Iterator[Event]:
    if len(swaps) == 1:
        yield Event("swap_again", {"seat": swaps[0][0]})
    elif swaps:
        yield Event("swaps_again", {"count": len(swaps)})


def _by_owner(cells: Sequence[Spot], owners: Mapping[Spot, Seat]) -> dict[Seat, list[Spot]]:
    """Each seat's own of these cells, the seats in the order in which they come."""
    own: dict[Seat, list[Spot]] = {}
    for cell in cells:
        own.setdefault(owners[cell], []).append(cell)
    return own


def _face(face: str) -> str:
    return _("comma") if face == COMMA else face


def _cards(cells: Sequence[Spot]) -> Facts:
    return {"what": later("a card") if len(cells) == 1 else later("{count} cards"), "count": len(cells)}


def _listed(cells: Sequence[Spot]) -> str:
    return listed(tuple(f"{row},{column}" for row, column in cells), all_of=True)
