"""Which rules the table may waive, and how the play goes on then."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Dealt, Move, Placed, Swapped, TurnedOver
from companion.games.cassa_grande.placing import legal_cells
from companion.games.cassa_grande.setup import HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State, cells
from companion.games.cassa_grande.undoing import hands
from companion.rules import IllegalMove


def after(setup: Setup, *moves: Move, agreed: bool = False) -> State:
    state = rules.new(setup)
    for move in moves:
        state, _ = rules.apply(state, move, agreed)
    return state


def refused(state: State, move: Move, *, agreed: bool = False) -> str | None:
    refusal = rules.refusal(state, move, agreed)
    return None if refusal is None else refusal.rule


A, B = Placed(0, (0, 0)), Placed(1, (0, 1))
ROW = [Placed(seat, (0, column)) for column, seat in enumerate([0, 1, 2, 3, 0, 1])]
WAIVED = [
    (Setup(), (A,), Placed(2, (0, 1)), "turn"),
    (Setup(), (A,), Placed(0, (0, 1)), "turn"),
    (Setup(), (A,), Placed(1, (0, 3)), "touch"),
    (Setup(), (A,), Placed(2, (0, 3)), "touch"),
    (Setup(), (), Placed(0, (2, -1)), "first_card"),
    (Setup(), (A,), Placed(1, (0, 1), ","), "comma_waits"),
    (Setup(variants=frozenset("A")), (), Placed(0, (0, 0)), "face_up"),
    (Setup(variants=frozenset("B")), (A,), Placed(1, (0, 1)), "swap_first"),
    (Setup(variants=frozenset("B")), (A,), Swapped(0, 1, ",", "2"), "comma_laid_out"),
]
KEPT = [
    (Setup(), (A,), Placed(1, (0, 0)), "occupied"),
    (Setup(), (A,), Placed(3, (0, 0)), "occupied"),
    (Setup(), ROW, Placed(2, (0, 6)), "frame"),
    (Setup(), (A,), Placed(1, (0, 8)), "frame"),
    (Setup(), (), Placed(0, (0, 6)), "first_card"),
    (Setup(), (A,), Placed(1, (0, 1), "9"), "not_in_hand"),
    (Setup(players=2), (A,), Placed(1, (0, 1)), "turn"),
    (Setup(), (A,), TurnedOver(("1",)), "place_first"),
    (Setup(), (A,), Swapped(0, 1), "place_first"),
    (Setup(variants=frozenset("E")), (), A, "deal_first"),
    (Setup(variants=frozenset("B")), (A,), Swapped(0, 0), "swap_partner"),
    (Setup(variants=frozenset("B")), (A,), Swapped(1, 2), "turn"),
    (Setup(variants=frozenset("E")), (), Dealt(("0",)), "deal_hands"),
]  # fmt: skip


@pytest.mark.parametrize(("setup", "moves", "move", "rule"), WAIVED)
def test_what_keeps_the_play_fair_may_be_waived(setup: Setup, moves: tuple[Move, ...], move: Move, rule: str) -> None:
    state = after(setup, *moves)
    assert refused(state, move) == rule
    with pytest.raises(IllegalMove):
        rules.apply(state, move)
    assert refused(state, move, agreed=True) is None
    played, events = rules.apply(state, move, agreed=True)
    assert played != state
    assert events


@pytest.mark.parametrize(("setup", "moves", "move", "rule"), KEPT)
def test_what_the_program_needs_may_not(setup: Setup, moves: tuple[Move, ...], move: Move, rule: str) -> None:
    state = after(setup, *moves)
    assert refused(state, move, agreed=True) == rule
    with pytest.raises(IllegalMove):
        rules.apply(state, move, agreed=True)


def test_after_a_card_out_of_turn_the_next_seat_follows_the_one_that_laid_it() -> None:
    state = after(Setup(), A, Placed(2, (0, 1)), agreed=True)
    assert state.turn == 3
    assert [card.seat for card in state.layout] == [0, 2]
    assert [hand.size for hand in state.hands] == [6, 7, 6, 7]


def test_whoever_lays_the_first_card_has_begun() -> None:
    state = after(Setup(), Placed(2, (0, 0)), agreed=True)
    assert (state.starter, state.turn) == (2, 3)
    assert [event.name for event in hands(state, rules.new(Setup()))] == ["take_back"]


def test_two_cards_of_one_seat_in_a_row_are_two_turns_of_the_table() -> None:
    """Variant C: every other turn of the table lies face up."""
    state = after(Setup(variants=frozenset("C")), Placed(0, (0, 0), "1"), Placed(0, (0, 1)), agreed=True)
    assert state.table_turn == 2
    assert refused(state, Placed(1, (0, 2))) is None


def test_a_comma_that_did_not_wait_comes_from_those_laid_out() -> None:
    state = after(Setup(), A, Placed(1, (0, 1), ","), agreed=True)
    hand = state.hand(1)
    assert (hand.size, hand.waiting) == (7, 0)
    assert "," not in (hand.pool or ",")
    assert refused(after(Setup(), A, Placed(1, (0, 1), ","), Placed(2, (0, 2)), agreed=True), Placed(3, (0, 3))) is None


def test_a_seat_without_a_card_cannot_lay_one() -> None:
    setup = Setup(players=2)
    state = rules.new(setup)
    while state.hand(0).size:
        cell = next(iter(legal_cells(state)))
        state, _ = rules.apply(state, Placed(0, cell), agreed=True)
        assert sum(hand.size + hand.waiting for hand in state.hands) + len(state.layout) == len(setup.cards)
    if state.hand(0).waiting:
        state, _ = rules.apply(state, Placed(0, next(iter(legal_cells(state)))), agreed=True)
    assert refused(state, Placed(0, next(iter(legal_cells(state)))), agreed=True) == "empty_hand"


def test_a_swap_that_was_skipped_is_not_asked_back() -> None:
    setup = Setup(variants=frozenset("B"))
    before = after(setup, A, Swapped(0, 1), B, Swapped(1, 2))
    skipped = after(setup, A, B, Swapped(1, 2), agreed=True)
    assert (skipped.turn, skipped.skipped) == (2, ((0, 0),))
    names = Counter(event.name for event in hands(before, rules.new(setup)))
    assert names == {"take_back": 2, "swaps_back": 1}
    events = hands(skipped, rules.new(setup))
    assert [event.facts["seat"] for event in events if event.name == "swap_back"] == [1]


def test_a_grid_of_somebody_elses_cards_may_be_agreed_and_adds_up() -> None:
    setup = Setup(house=HouseRules(grid_check="hands"))
    state = rules.new(setup)
    while state.phase is Phase.PLACE:
        state, _ = rules.apply(state, Placed(state.turn, next(iter(legal_cells(state)))))
    laid = next(rules.legal_moves(state))
    assert isinstance(laid, TurnedOver)
    rows = [list(row) for row in laid.rows]
    top, left = min(row for row, _ in cells(state)), min(column for _, column in cells(state))
    faces = {card: rows[card.cell[0] - top][card.cell[1] - left] for card in state.layout}
    one, other = next(
        (a.cell, b.cell) for a in state.layout for b in state.layout if a.seat != b.seat and faces[a] != faces[b]
    )
    (r, c), (s, d) = ((cell[0] - top, cell[1] - left) for cell in (one, other))
    rows[r][c], rows[s][d] = rows[s][d], rows[r][c]
    grid = TurnedOver(tuple(map("".join, rows)))
    assert refused(state, grid) == "grid_hands"
    over, _ = rules.apply(state, grid, agreed=True)
    assert over.phase is Phase.OVER
    assert over.rounds[0].rows == grid.rows
    wrong = TurnedOver(tuple("".join(row).replace("4", "3") for row in rows))
    assert refused(state, wrong, agreed=True) == "grid_deck"


def test_the_frame_and_the_sum_hold_whatever_was_agreed() -> None:
    """A card that touches nothing leaves a layout that is read and added up like any other."""
    setup = Setup(players=2)
    state = rules.new(setup)
    frame = [(row, column) for row in range(setup.frame) for column in range(setup.frame)]
    for cell in sorted(frame, key=lambda at: (at[0] * 3 + at[1] * 2) % 5):
        if state.phase is Phase.PLACE and cell not in cells(state):
            start = (0, 0) if not state.layout else cell
            state, _ = rules.apply(state, Placed(state.turn, start), agreed=True)
    assert state.phase is Phase.TURN_OVER
    state, _ = rules.apply(state, next(rules.legal_moves(state)))
    sheet = rules.score(state)[-1]
    assert state.phase is Phase.OVER
    assert sheet.total(0) == sum(line.points for line in sheet.lines_of(0)) > 0
