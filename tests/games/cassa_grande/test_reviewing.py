"""A grid gone over: the deck decides with the person, and what cannot be says why."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.assigning import assigned
from companion.games.cassa_grande.moves import Placed, TurnedOver
from companion.games.cassa_grande.pieces import FACES, standard_deck
from companion.games.cassa_grande.reviewing import GridReview, review
from companion.games.cassa_grande.setup import HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State
from companion.sight import GAP, OTHER, UNKNOWN, Outcome, Reading, Sighting, Spot

FOUR = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
"""Source: rule digest, worked example; the totals too."""

TOTALS = {0: 35344, 1: 15448, 2: 401567, 3: 230626}
SPOTS = [(r, c) for r, row in enumerate(FOUR) for c, face in enumerate(row) if face != GAP]
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def laid_out(setup: Setup | None = None) -> State:
    state = rules.new(setup or Setup())
    for cell in SPOTS:
        state, _ = rules.apply(state, Placed(state.turn, cell))
    assert state.phase is Phase.TURN_OVER
    return state


def put(rows: tuple[str, ...], spot: Spot, symbol: str) -> tuple[str, ...]:
    row = rows[spot[0]]
    return (*rows[: spot[0]], row[: spot[1]] + symbol + row[spot[1] + 1 :], *rows[spot[0] + 1 :])


def seen(
    rows: tuple[str, ...] = FOUR,
    doubtful: tuple[Spot, ...] = (),
    beliefs: dict[Spot, dict[str, float]] | None = None,
    *,
    finished: bool = True,
) -> Reading:
    """A reading of these rows, each card believed surely but for those in `beliefs`."""
    sightings = tuple(
        Sighting((r, c), SQUARE, (beliefs or {}).get((r, c), {symbol: 0.999, OTHER: 0.001}))
        for r, row in enumerate(rows)
        for c, symbol in enumerate(row)
        if symbol != GAP
    )
    outcome = Outcome.ASK if doubtful or not finished else Outcome.CLEAR
    return Reading(outcome, rows, doubtful, sightings, finished=finished)


def opened(reading: Reading, state: State | None = None) -> GridReview:
    found = review(state or laid_out(), reading)
    assert found is not None
    return found


def test_a_clear_grid_is_added_up_by_the_rules() -> None:
    found = opened(seen())
    assert (found.doubtful, found.refusal, found.move) == ((), None, TurnedOver(FOUR))
    assert found.sheet is not None
    assert found.sheet.totals() == TOTALS


def test_doubtful_cards_come_in_the_order_of_the_reading_and_are_settled_one_by_one() -> None:
    found = opened(seen(doubtful=((2, 3), (0, 0))))
    assert found.doubtful == ((2, 3), (0, 0))
    found = found.chosen((2, 3), "1")
    assert (found.doubtful, found.said) == (((0, 0),), ((2, 3),))
    found = found.chosen((0, 0), "1")
    assert (found.doubtful, found.rows) == ((), FOUR)


def test_a_choice_takes_its_card_from_where_that_goes_least_against_what_was_seen() -> None:
    wrong, other = (2, 0), (2, 1)
    read = put(put(FOUR, wrong, "2"), other, "0")
    found = opened(seen(read, beliefs={wrong: {"2": 0.9, "0": 0.1}, other: {"0": 0.9, "2": 0.1}}))
    found = found.chosen(wrong, "0")
    assert found.rows == FOUR
    assert found.doubtful == (other,), "what changed with it is to be looked at"


def test_the_likeliest_choice_comes_first_and_knows_the_deck() -> None:
    hidden = (2, 3)
    found = opened(seen(put(FOUR, hidden, UNKNOWN), (hidden,), {hidden: {OTHER: 1.0}}, finished=False))
    choices = found.choices(hidden)
    assert choices[0].symbol == "1", "the deck has nothing else left"
    assert choices[0].share > 0.9
    assert [choice.share for choice in choices] == sorted((choice.share for choice in choices), reverse=True)
    assert sum(choice.share for choice in choices) == pytest.approx(1)
    assert found.rows == FOUR
    assert found.doubtful == (hidden,)


def test_what_the_deck_no_longer_allows_is_refused_by_its_rule() -> None:
    found = opened(seen())
    for spot in SPOTS:
        if FOUR[spot[0]][spot[1]] == "4":
            found = found.chosen(spot, "4")
    last = found.choices((0, 0))[-1]
    assert last.symbol == "4"
    assert last.refusal is not None
    assert last.refusal.rule == "grid_deck"
    assert found.chosen((0, 0), "4") == found


def test_a_gap_stays_a_gap_and_a_known_face_what_it_is() -> None:
    assert [choice.symbol for choice in opened(seen()).choices((1, 2))] == [GAP]
    state = laid_out()
    first, *others = state.layout
    known = replace(state, layout=(replace(first, face="1"), *others))
    found = opened(seen(put(FOUR, (0, 0), "0"), ((0, 0),)), known)
    assert (found.rows, found.doubtful) == (FOUR, ())
    assert [choice.symbol for choice in found.choices((0, 0))] == ["1"]


def test_a_card_that_was_not_seen_is_asked_about() -> None:
    found = opened(seen(put(FOUR, (5, 5), GAP), finished=False))
    assert found.rows == FOUR
    assert found.doubtful == ((5, 5),)


def test_without_a_deck_to_vouch_every_card_that_is_not_sure_is_asked_about() -> None:
    found = opened(seen(beliefs={(0, 0): {"1": 0.7, "4": 0.3}, (0, 1): {"1": 0.6, "4": 0.4}}, finished=False))
    assert found.doubtful == ((0, 1), (0, 0))


def test_hands_are_kept_apart_where_the_house_checks_them() -> None:
    # The worked example's cards are not dealt out evenly: this grid gives every seat its own hand.
    state = rules.new(Setup(house=HouseRules(grid_check="hands")))
    hands = {seat: list("0012234,") for seat in state.setup.seats}
    rows = [["."] * 6 for _ in range(6)]
    for number, (row, column) in enumerate(SPOTS):
        rows[row][column] = hands[number % 4].pop()
        state, _ = rules.apply(state, Placed(state.turn, (row, column)))
    grid = tuple(map("".join, rows))
    found = opened(seen(grid), state)
    assert found.refusal is None
    changed = found.chosen((0, 0), "0")
    assert changed.refusal is None, "another card of the same hand has changed with it"
    assert changed.rows != grid


def test_without_a_check_anything_may_be_said() -> None:
    state = laid_out(Setup(house=HouseRules(grid_check="off")))
    found = opened(seen(), state)
    assert {choice.symbol for choice in found.choices((0, 0))} == set(FACES + GAP)
    assert all(choice.refusal is None for choice in found.choices((0, 0)))
    found = found.chosen((0, 0), GAP)
    assert (found.rows[0], found.doubtful, found.refusal) == (".1201,", (), None)


@pytest.mark.parametrize(
    "reading",
    [
        Reading(Outcome.UNREADABLE, (), (), (), "No layout."),
        seen(FOUR[:5]),
        seen(tuple("".join(GAP if face == GAP else UNKNOWN for face in row) for row in FOUR), finished=False),
    ],
    ids=["nothing", "another size", "face down"],
)
def test_where_no_grid_is_seen_there_is_nothing_to_go_over(reading: Reading) -> None:
    assert review(laid_out(), reading) is None


def test_before_all_cards_lie_there_is_nothing_to_go_over() -> None:
    assert review(rules.new(Setup()), seen()) is None


SHARES = st.fixed_dictionaries(dict.fromkeys(FACES, st.floats(0, 1)))


@given(st.lists(SHARES, min_size=32, max_size=32), st.data())
def test_whatever_was_seen_and_said_the_deck_comes_out_right(
    shares: list[dict[str, float]], data: st.DataObject
) -> None:
    deck = standard_deck(4)
    costs = {spot: {face: 1 - share for face, share in seen.items()} for spot, seen in zip(SPOTS, shares, strict=True)}
    taken_for = {spot: data.draw(st.sampled_from(FACES + UNKNOWN)) for spot in SPOTS}
    order = data.draw(st.permutations(deck))
    fixed = dict(list(zip(SPOTS, order, strict=True))[: data.draw(st.integers(0, 32))])
    found = assigned(deck, costs, taken_for, fixed)
    assert found is not None
    assert set(found) == set(SPOTS)
    assert Counter(found.values()) == Counter(deck)
    assert fixed.items() <= found.items()


def test_more_of_a_face_than_the_deck_has_cannot_be() -> None:
    two = dict(list(dict.fromkeys(SPOTS, "1").items())[:5])
    assert assigned(standard_deck(4), {}, dict.fromkeys(SPOTS, "0"), two) is None
