from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from math import factorial

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import TurnedOver
from companion.games.cassa_grande.setup import HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State
from companion.games.cassa_grande.turning import distinct_orders

Ask = Callable[[State, str], str | None]

# Two cards each, and no comma: small enough to try every grid.
DECK = "0011"
ROUND = ("A 0,0 ?", "C 0,1 ?", "A 1,0 ?", "C 1,2 1")


def small(check: str = "deck") -> Setup:
    return Setup(players=2, deck=DECK, house=HouseRules(grid_check=check))


@pytest.fixture
def laid(play: Callable[..., State]) -> State:
    """Cards lie as ??. over ?.1 and wait to be turned over."""
    return play(small(), *ROUND)


def test_every_fitting_grid_is_listed_once(laid: State) -> None:
    fitting = {(f"{a}{b}.", f"{c}.1") for a, b, c in permutations("001")}
    listed = [move.rows for move in rules.legal_moves(laid) if isinstance(move, TurnedOver)]
    assert len(listed) == len(set(listed)) == 3
    assert set(listed) == fitting


def test_with_hands_checked_each_players_own_cards_are_shuffled_only(play: Callable[..., State], refused: Ask) -> None:
    state = play(small("hands"), *ROUND)
    listed = {move.rows for move in rules.legal_moves(state) if isinstance(move, TurnedOver)}
    assert listed == {("00.", "1.1"), ("10.", "0.1")}
    assert refused(state, "turned over 01. 0.1") == "grid_hands"
    assert refused(state, "turned over 10. 0.1") is None


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ("01X 0X1", None),
        ("01. 0.1", None),
        ("01. 0.0", "grid_known"),
        ("00. 0.1", "grid_deck"),
        ("04. 0.1", "grid_deck"),
        ("0?. 0.1", "grid_unknown"),
        ("011 0.1", "grid_gap"),
        ("0.. 0.1", "grid_card"),
        ("00 11", "grid_box"),
        ("01. 0.1 ...", "grid_box"),
        ("0Z. 0.1", "grid_rows"),
        ("01. 0.", "grid_rows"),
    ],
)
def test_a_grid_must_be_what_was_laid(rows: str, rule: str | None, laid: State, refused: Ask) -> None:
    assert refused(laid, f"turned over {rows}") == rule


def test_a_table_may_overrule_the_check(play: Callable[..., State], refused: Ask) -> None:
    state = play(small("off"), *ROUND)
    assert refused(state, "turned over 44. 4.4") is None
    assert refused(state, "turned over 444444") == "grid_size"
    assert refused(state, "turned over ?4. 4.4") == "grid_unknown"
    assert rules.score(play(state, "turned over 44. 4.4"))[-1].totals() == {0: 48, 2: 4}


def test_nothing_else_can_be_done_while_cards_wait_to_be_turned(laid: State, refused: Ask) -> None:
    assert rules.to_act(laid) == ()
    assert refused(laid, "A 0,2 ?") == "turn_over_first"


def test_cards_that_are_all_known_need_no_turning(play: Callable[..., State]) -> None:
    over = play(small(), "A 0,0 0", "C 0,1 1", "A 1,0 1", "C 1,1 0")
    assert over.phase == Phase.OVER
    assert rules.score(over)[-1].totals() == {0: 1 + 10, 2: 1 + 10}


def test_spots_show_which_cards_to_look_at(laid: State) -> None:
    refusal = rules.refusal(laid, TurnedOver(("01.", "0.0")))
    assert refusal is not None
    assert refusal.spots == ((1, 2),)
    assert refusal.facts == {"row": 2, "column": 3, "was": "1", "face": "0"}


def test_distinct_orders_are_all_of_them_once() -> None:
    orders = list(distinct_orders("0012,"))
    assert len(orders) == len(set(orders)) == factorial(5) // 2
    assert set(orders) == {"".join(order) for order in permutations("0012,")}
    assert list(distinct_orders("")) == [""]


def test_rows_of_the_finished_round_have_one_way_to_write_a_gap(laid: State, play: Callable[..., State]) -> None:
    over = play(laid, "turned over 01X 0X1")
    assert over.rounds[0].rows == ("01.", "0.1")
