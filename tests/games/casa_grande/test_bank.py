"""The bank's notes: held against an exhaustive search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.casa_grande import bank, rules
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import NOTES, NOTES_EACH, Notes, Phase, State

FULL = (NOTES_EACH,) * len(NOTES)
stocks = st.tuples(*(st.integers(0, 3) for _ in NOTES))


def exhaustive(stock: Notes, lire: int) -> int | None:
    """How many notes at least are worth so much."""
    counts = [
        sum(picked)
        for picked in product(*(range(count + 1) for count in stock))
        if sum(note * count for note, count in zip(NOTES, picked, strict=True)) == lire
    ]
    return min(counts, default=None)


def test_twelve_notes_of_each_worth() -> None:
    state = rules.new(Setup())
    assert (NOTES, state.bank) == ((3, 4, 5, 6, 9, 25), FULL)


@settings(max_examples=80, deadline=None)
@given(stock=stocks, lire=st.integers(1, 60))
def test_the_fewest_notes_of_what_there_is(stock: Notes, lire: int) -> None:
    found, least = bank.fewest(stock, lire), exhaustive(stock, lire)
    assert (found is None) == (least is None)
    if found is not None:
        assert bank.worth(found) == lire
        assert sum(found) == least
        assert all(0 <= taken <= there for taken, there in zip(found, stock, strict=True))


@settings(max_examples=80, deadline=None)
@given(stock=stocks, purse=stocks, lire=st.integers(1, 60))
def test_a_payment_is_exact_where_the_notes_allow_it(stock: Notes, purse: Notes, lire: int) -> None:
    given, change = bank.payment(stock, purse, lire)
    assert all(0 <= taken <= there for taken, there in zip(given, stock, strict=True))
    assert all(0 <= taken <= there for taken, there in zip(change, purse, strict=True))
    paid = bank.worth(given) - bank.worth(change)
    assert paid <= lire
    without_nines = tuple(0 if note == 9 else count for note, count in zip(NOTES, stock, strict=True))
    if exhaustive(without_nines, lire) is not None:
        assert (paid, given[bank.NINE], any(change)) == (lire, 0, False)
        assert sum(given) == exhaustive(without_nines, lire)
    elif exhaustive(stock, lire) is not None:
        assert paid == lire
    if paid < lire:
        assert not any(change)
        assert exhaustive(stock, lire) is None
        assert all(exhaustive(stock, more) is None for more in range(paid + 1, lire + 1))


def test_nines_are_for_the_cash_ins_first() -> None:
    assert bank.told(bank.payment(FULL, bank.NONE, 9)[0]) == "6 + 3"
    assert bank.told(bank.cash_in(FULL, bank.NONE)[0]) == "9"
    assert bank.told(bank.payment((0, 0, 0, 0, 12, 0), bank.NONE, 18)[0]) == "9 + 9"
    assert bank.told(bank.cash_in((12, 12, 12, 12, 0, 12), bank.NONE)[0]) == "6 + 3"


@pytest.mark.parametrize(
    ("lire", "notes"),
    [(3, "3"), (5, "5"), (8, "5 + 3"), (10, "6 + 4"), (12, "6 + 6"), (25, "25"), (27, "6 + 6 + 6 + 6 + 3")],
)
def test_what_a_full_bank_gives(lire: int, notes: str) -> None:
    given, change = bank.payment(FULL, bank.NONE, lire)
    assert (bank.told(given), change) == (notes, bank.NONE)


def test_one_and_two_lire_need_change() -> None:
    """No note is worth so little: whoever has none to give back is owed it."""
    purse = (1, 0, 0, 0, 0, 0)
    given, change = bank.payment(FULL, purse, 2)
    assert (bank.told(given), bank.told(change)) == ("5", "3")
    assert bank.payment(FULL, bank.NONE, 2) == (bank.NONE, bank.NONE)


def test_notes_never_get_lost(play: Callable[..., State], table: Callable[..., State]) -> None:
    """Bank and purses together hold all the notes at any time, and a purse what its player has, up to what is owed."""
    state = table(Setup(blocks=60), phase=Phase.ROLL)
    for number in range(40):
        plot = f"{number % 8},{number // 8}"
        state = table(state, f"A builds {plot}", f"A builds {plot}", f"A builds {plot}") if number < 18 else state
    for number in range(18):
        state = table(state, f"A floors * {number % 8},{number // 8}!")
        together = state.bank
        for player in state.players:
            together = bank.plus(together, player.notes)
            assert bank.worth(player.notes) == player.lire
        assert together == FULL
    assert play(state).player(0).lire == 3 * 18


def test_a_bank_that_runs_empty_says_what_it_owes(table: Callable[..., State]) -> None:
    state = replace(table(Setup(), *["A builds 0,0"] * 7), bank=(1, 0, 0, 0, 0, 0))
    after, told = rules.apply(state, rules.read("A floors * 0,0!"))
    assert after.player(0).lire == 7
    assert [(event.name, event.facts.get("lire")) for event in told[1:]] == [("notes", None), ("bank_short", 4)]
