"""What readings mean in a play; the beliefs are made by hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Move, Placed, TurnedOver
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.sight import propose
from companion.games.cassa_grande.state import Phase, State, cells
from companion.proposal import SURE
from companion.sight import GAP, OTHER, UNKNOWN, Match, Outcome, Proposal, Reading, Sighting, Spot

NOWHERE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

Beliefs = Mapping[Spot, Mapping[str, float]]


def reading(seen: Beliefs, *, followed: bool = True) -> Reading:
    """A reading of beliefs that are given by cells; not `followed`: its rows do not say where they begin."""
    if not seen:
        return Reading(Outcome.UNREADABLE, (), (), (), "No layout was found.")
    lying = [cell for cell, belief in seen.items() if belief.get(GAP, 0.0) < 0.5]
    top, left = min(row for row, _ in lying), min(column for _, column in lying)
    height, width = (max(cell[axis] for cell in lying) - (top, left)[axis] + 1 for axis in (0, 1))
    shown = {cell: max(seen[cell], key=lambda piece: seen[cell][piece]) for cell in lying}
    rows = tuple(
        "".join(shown.get((top + row, left + column), GAP).replace(OTHER, UNKNOWN) for column in range(width))
        for row in range(height)
    )
    sightings = tuple(Sighting((cell[0] - top, cell[1] - left), NOWHERE, seen[cell]) for cell in seen)
    return Reading(Outcome.CLEAR, rows, (), sightings, origin=(top, left) if followed else None)


def table(state: State) -> dict[Spot, dict[str, float]]:
    """What a sure reader sees of a state's layout."""
    return {card.cell: {card.face: 1.0} for card in state.layout}


def after(state: State, *moves: str) -> dict[Spot, dict[str, float]]:
    for text in moves:
        state, _ = rules.apply(state, rules.read(text))
    return table(state)


def told(proposal: Proposal[Move]) -> list[list[str]]:
    return [[rules.write(move) for move in option.moves] for option in proposal.options]


Play = Callable[..., State]


@pytest.fixture
def corner(play: Play) -> State:
    """Three cards round a corner; D lays the next."""
    return play(Setup(), "A 0,0 ?", "B 0,1 ?", "C 1,0 ?")


def test_an_empty_table_before_the_first_card(play: Play) -> None:
    assert propose(play(Setup()), reading({})) == Proposal(Match.SETTLED)


def test_the_first_card_lies_on_cell_0_0_wherever_it_is_seen(play: Play) -> None:
    found = propose(play(Setup()), reading({(4, -3): {UNKNOWN: 1.0}}))
    assert (found.match, told(found)) == (Match.CLEAR, [["A 0,0 ?"]])


@pytest.mark.parametrize("followed", [True, False])
def test_a_card_that_makes_the_box_grow_to_the_left_and_top(corner: State, followed: bool) -> None:
    found = propose(corner, reading(after(corner, "D -1,-1 ?"), followed=followed))
    assert (found.match, told(found)) == (Match.CLEAR, [["D -1,-1 ?"]])
    assert found.options[0].spots == ((-1, -1),)


def test_a_row_has_two_ends(play: Play) -> None:
    state = play(Setup(), "A 0,0 ?", "B 0,1 ?")
    seen = after(state, "C 0,2 ?")
    assert told(propose(state, reading(seen))) == [["C 0,2 ?"]]
    found = propose(state, reading(seen, followed=False))
    assert found.match is Match.AMBIGUOUS
    assert sorted(told(found)) == [["C 0,-1 ?"], ["C 0,2 ?"]]


def test_nothing_has_changed(corner: State) -> None:
    assert propose(corner, reading(table(corner))).match is Match.SETTLED
    assert propose(corner, reading(table(corner), followed=False)).match is Match.SETTLED


def test_two_quick_cards_are_both_proposed_in_their_only_order(play: Play) -> None:
    state = play(Setup(), "A 0,0 ?")
    found = propose(state, reading(after(state, "B 0,1 ?", "C 0,2 ?")))
    assert (found.match, told(found)) == (Match.CLEAR, [["B 0,1 ?", "C 0,2 ?"]])


def test_two_quick_cards_in_either_order_are_a_question(corner: State) -> None:
    found = propose(corner, reading(after(corner, "D 1,1 ?", "A -1,0 ?")))
    assert found.match is Match.AMBIGUOUS
    assert sorted(told(found)) == [["D -1,0 ?", "A 1,1 ?"], ["D 1,1 ?", "A -1,0 ?"]]


def test_three_new_cards_are_asked_about(corner: State) -> None:
    found = propose(corner, reading(after(corner, "D 1,1 ?", "A -1,0 ?", "B -1,1 ?")))
    assert (found.match, found.spots) == (Match.UNEXPLAINED, ((-1, 0), (-1, 1), (1, 1)))
    assert found.reason == "Camera: 3 new cards lie on the table; put them in one after the other."


def test_a_card_that_vanished(corner: State) -> None:
    seen = table(corner)
    seen[0, 1] = {GAP: 1.0}
    found = propose(corner, reading(seen))
    assert (found.match, found.spots) == (Match.UNEXPLAINED, ((0, 1),))
    assert found.reason == "Camera: the card on 0,1 is not seen; put it back, or take away what covers it."


def test_a_card_that_moved(corner: State) -> None:
    seen = table(corner) | {(0, 1): {GAP: 1.0}, (2, 1): {UNKNOWN: 1.0}}
    found = propose(corner, reading(seen))
    assert (found.match, found.spots) == (Match.UNEXPLAINED, ((0, 1), (2, 1)))
    assert found.reason == "Camera: no card is seen on 0,1, and one on 2,1; put it back, or take hands away."


@pytest.mark.parametrize(
    ("cell", "rule"), [((0, 3), "Touch rule: a card on 0,3 touches no other"), ((6, 0), "Touch rule: a card on 6,0")]
)
def test_an_illegal_cell_is_named_with_its_rule(corner: State, cell: Spot, rule: str) -> None:
    found = propose(corner, reading(table(corner) | {cell: {UNKNOWN: 1.0}}))
    assert (found.match, found.spots) == (Match.UNEXPLAINED, (cell,))
    assert (found.reason or "").startswith(rule)


def test_a_card_past_the_frame_is_named_with_its_rule(play: Play) -> None:
    state = play(Setup(players=2), *(f"{'AC'[k % 2]} 0,{k} ?" for k in range(5)))
    found = propose(state, reading(table(state) | {(0, 5): {UNKNOWN: 1.0}}))
    assert found.match is Match.UNEXPLAINED
    assert found.reason == "Frame rule: a card on 0,5 makes the layout 6 wide and 1 high; 5 by 5 is the limit."


def test_a_thing_that_is_no_card(corner: State) -> None:
    found = propose(corner, reading(table(corner) | {(1, 1): {OTHER: 0.97, UNKNOWN: 0.03}}))
    assert found.reason == "Camera: what lies on 1,1 is no card of this game; take it away."


def test_a_card_laid_open_where_it_belongs_face_down(corner: State) -> None:
    found = propose(corner, reading(table(corner) | {(1, 1): {"3": 1.0}}))
    assert found.reason == "Face-down rule: the card on 1,1 shows 3; turn it face down."


def test_a_doubtful_card_is_a_question(corner: State) -> None:
    found = propose(corner, reading(table(corner) | {(1, 1): {UNKNOWN: 0.6, GAP: 0.4}}))
    assert (found.match, told(found)) == (Match.AMBIGUOUS, [["D 1,1 ?"]])


def test_a_gap_that_the_reader_doubts_is_a_question(corner: State) -> None:
    doubted = replace(reading(table(corner)), outcome=Outcome.ASK, doubtful=((1, 1),))
    found = propose(corner, doubted)
    assert (found.match, told(found)) == (Match.AMBIGUOUS, [["D 1,1 ?"]])


def test_a_covered_table_is_unreadable(corner: State) -> None:
    found = propose(corner, reading({}))
    assert found.match is Match.UNREADABLE
    assert found.reason == "Camera: no card is seen; take hands away and let the camera see the whole layout."


def test_the_layout_seen_from_another_side(play: Play) -> None:
    state = play(Setup(), "A 0,0 ?", "B 0,1 ?", "C 0,2 ?", "D 1,0 ?", "A 2,1 ?")
    turned = {(column, -row): belief for (row, column), belief in table(state).items()}
    found = propose(state, reading(turned, followed=False))
    assert found.match is Match.UNEXPLAINED
    assert found.reason == "Camera: the layout is seen from another side; seat A belongs at the picture's bottom edge."


def test_few_cards_do_not_show_from_which_side_they_are_seen(play: Play) -> None:
    state = play(Setup(), "A 0,0 ?", "B 0,1 ?", "C 0,2 ?", "D 1,0 ?")
    turned = {(column, -row): belief for (row, column), belief in table(state).items()}
    found = propose(state, reading(turned, followed=False))
    assert found.match is Match.UNEXPLAINED
    assert found.reason is not None
    assert "take" in found.reason


def test_face_up_cards_are_proposed_by_belief(play: Play) -> None:
    state = play(Setup(variants=frozenset("A")), "A 0,0 1")
    sure = propose(state, reading(table(state) | {(0, 1): {"2": 0.98, "3": 0.02}}))
    assert (sure.match, told(sure)) == (Match.CLEAR, [["B 0,1 2"]])
    torn = propose(state, reading(table(state) | {(0, 1): {"3": 0.55, "2": 0.45}}))
    assert (torn.match, told(torn)) == (Match.AMBIGUOUS, [["B 0,1 3"], ["B 0,1 2"]])


def test_a_comma_laid_too_early_is_refused(play: Play) -> None:
    state = play(Setup(variants=frozenset("A")), "A 0,0 1")
    found = propose(state, reading(table(state) | {(0, 1): {",": 0.99, "1": 0.01}}))
    assert found.match is Match.UNEXPLAINED
    assert found.reason == "Comma rule: B's comma waits until the layout is 6 wide and 6 high; lay a digit."


def test_a_swap_is_not_seen_and_a_card_laid_before_it_is_refused(play: Play) -> None:
    state = play(Setup(variants=frozenset("B")), "A 0,0 ?")
    assert propose(state, reading(table(state))).match is Match.SETTLED
    found = propose(state, reading(table(state) | {(0, 1): {UNKNOWN: 1.0}}))
    assert (found.match, found.reason) == (Match.UNEXPLAINED, "Variant B: A first swaps a card with an opponent.")


def rows_reading(rows: Sequence[str], outcome: Outcome = Outcome.CLEAR, doubts: Beliefs | None = None) -> Reading:
    """A reading of rows; `doubts` are the spots to ask about with their beliefs."""
    rows = tuple(row.replace("X", GAP) for row in rows)
    sightings = tuple(
        Sighting((r, c), NOWHERE, (doubts or {}).get((r, c), {face: 1.0}))
        for r, row in enumerate(rows)
        for c, face in enumerate(row)
        if face != GAP
    )
    reason = None if outcome is Outcome.CLEAR else "Look at the ringed card."
    return Reading(outcome, rows, tuple(doubts or ()), sightings, reason, finished=outcome is Outcome.CLEAR)


@pytest.fixture
def complete(play: Play, worked_example: tuple[str, ...]) -> State:
    """All cards lie face down as the worked example has them."""
    wanted = [(r, c) for r in range(6) for c in range(6) if worked_example[r][c] != "X"]
    moves = (f"{'ABCD'[k % 4]} {r},{c} ?" for k, (r, c) in enumerate(_growing(wanted)))
    return play(Setup(), *moves)


def _growing(cells_: list[Spot]) -> list[Spot]:
    order, rest = cells_[:1], cells_[1:]
    while rest:
        order.append(next(c for c in rest if any(max(abs(c[0] - o[0]), abs(c[1] - o[1])) == 1 for o in order)))
        rest.remove(order[-1])
    return order


def test_a_finished_reading_is_the_grid_turned_over(complete: State, worked_example: tuple[str, ...]) -> None:
    found = propose(complete, rows_reading(worked_example))
    assert (found.match, told(found)) == (Match.CLEAR, [["turned over " + " ".join(worked_example).replace("X", ".")]])
    assert found.options[0].confidence >= 0.98


def test_cards_that_still_lie_face_down_are_waited_for(complete: State, worked_example: tuple[str, ...]) -> None:
    rows = ("??" + worked_example[0][2:], *worked_example[1:])
    found = propose(complete, rows_reading(rows, Outcome.ASK))
    assert (found.match, found.spots) == (Match.SETTLED, ((0, 0), (0, 1)))
    assert found.reason == "Camera: 2 cards still lie face down; turn all over in place."


def test_a_grid_with_a_gap_elsewhere_is_refused_with_its_spot(complete: State, worked_example: tuple[str, ...]) -> None:
    rows = ("1120X,", "4,X001", *worked_example[2:])
    found = propose(complete, rows_reading(rows))
    assert (found.match, found.spots) == (Match.UNEXPLAINED, ((0, 4),))
    assert "where a gap is shown" in (found.reason or "")


def test_a_doubtful_grid_offers_the_likeliest_first(complete: State, worked_example: tuple[str, ...]) -> None:
    doubts = {(0, 0): {"1": 0.55, "2": 0.45}, (0, 2): {"2": 0.5, "1": 0.5}}
    found = propose(complete, rows_reading(worked_example, Outcome.ASK, doubts))
    assert found.match is Match.AMBIGUOUS
    exchanged = ("21101,", *worked_example[1:])
    assert told(found)[:2] == [
        ["turned over " + " ".join(rows).replace("X", ".")] for rows in (worked_example, exchanged)
    ]


def test_nothing_is_proposed_once_the_play_is_over(complete: State, worked_example: tuple[str, ...]) -> None:
    over, _ = rules.apply(complete, TurnedOver(tuple(row.replace("X", GAP) for row in worked_example)))
    assert over.phase is Phase.OVER
    for seen in ({}, {(0, 0): {UNKNOWN: 1.0}}, table(complete)):
        assert propose(over, reading(seen)) == Proposal(Match.SETTLED)


def test_the_last_rounds_cards_are_no_new_ones(worked_example: tuple[str, ...], lay_out: Callable[..., State]) -> None:
    state = lay_out(rules.new(Setup(rounds=2)), worked_example)
    found = propose(state, rows_reading(worked_example))
    assert (found.match, found.options) == (Match.SETTLED, ())
    assert found.reason == "Camera: gather the cards of the last round before the next one starts."
    first = propose(state, reading({(0, 0): {UNKNOWN: 1.0}}))
    assert (first.match, len(first.options)) == (Match.CLEAR, 1)


@st.composite
def moments(draw: st.DrawFn) -> tuple[State, Placed]:
    """A state of a random play, and a card laid next."""
    setup = Setup(players=draw(st.sampled_from([2, 4])), variants=frozenset(draw(st.sampled_from(["", "A", "C", "D"]))))
    chance = random.Random(draw(st.integers(0, 10**6)))
    state = rules.new(setup)
    for _ in range(draw(st.integers(0, len(setup.cards) - 1))):
        state, _ = rules.apply(state, chance.choice(laid_moves(state)))
    return state, chance.choice(laid_moves(state))


def laid_moves(state: State) -> list[Placed]:
    moves = [move for move in rules.legal_moves(state) if isinstance(move, Placed)]
    down = any(move.face == UNKNOWN for move in moves)
    return [move for move in moves if (move.face == UNKNOWN) == down]


@given(moments())
def test_a_sure_reading_of_any_legal_card_is_clear_and_right(moment: tuple[State, Placed]) -> None:
    state, move = moment
    found = propose(state, reading(table(state) | {move.cell: {move.face: 1.0}}))
    assert (found.match, [option.moves for option in found.options]) == (Match.CLEAR, [(move,)])


@given(moments())
def test_a_reading_that_was_not_followed_never_hides_the_right_card(moment: tuple[State, Placed]) -> None:
    state, move = moment
    found = propose(state, reading(table(state) | {move.cell: {move.face: 1.0}}, followed=False))
    assert found.match in (Match.CLEAR, Match.AMBIGUOUS)
    assert (move,) in [option.moves for option in found.options]


@given(moments(), st.data())
def test_one_blurred_belief_never_makes_a_wrong_card_clear(moment: tuple[State, Placed], data: st.DataObject) -> None:
    state, move = moment
    seen = table(state) | {move.cell: {move.face: 1.0}}
    near = {(r + i, c + j) for r, c in seen for i in (-1, 0, 1) for j in (-1, 0, 1)}
    cell = data.draw(st.sampled_from(sorted(near)))
    true = move.face if cell == move.cell else seen[cell] and next(iter(seen[cell])) if cell in seen else GAP
    other = data.draw(st.sampled_from([piece for piece in (GAP, UNKNOWN, "0", "2", ",") if piece != true]))
    share = data.draw(st.floats(0.55, 0.99))
    seen[cell] = {true: share, other: 1 - share}
    found = propose(state, reading(seen))
    assert found.match in (Match.CLEAR, Match.AMBIGUOUS)
    assert found.options[0].moves == (move,)
    if found.match is Match.CLEAR and cell == move.cell:
        assert found.options[0].confidence >= SURE
    assert len(cells(state)) == len(state.layout)
