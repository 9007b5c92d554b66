from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import SetupError
from companion.games.cassa_grande import rules
from companion.games.cassa_grande.pieces import FACES, FRAMES, read_deck, standard_deck, without, write_deck
from companion.games.cassa_grande.setup import HouseRules, Setup


def test_hands_and_deck_of_the_standard_copy() -> None:
    assert write_deck(standard_deck(4)) == "8x0 4x1 8x2 4x3 4x4 4x,"
    assert write_deck(standard_deck(2)) == "6x0 4x1 6x2 4x3 2x4 2x,"
    assert (Setup().hand, Setup(players=2).hand) == ("0012234,", "00011222334,")
    assert [frame**2 - len(standard_deck(players)) for players, frame in FRAMES.items()] == [1, 4]


def test_only_cards_that_are_there_can_be_taken_away() -> None:
    assert without("00123,", "0,2") == "013"
    with pytest.raises(ValueError, match="no 0 among"):
        without("0123", "00")


def test_each_player_holds_their_digits_and_lays_out_the_comma() -> None:
    for setup, size in ((Setup(), 7), (Setup(players=2), 11)):
        hands = rules.new(setup).hands
        assert [(hand.seat, hand.size, hand.waiting) for hand in hands] == [(seat, size, 1) for seat in setup.seats]


@given(st.text(FACES, max_size=40))
def test_a_deck_survives_its_text(faces: str) -> None:
    assert sorted(read_deck(write_deck(faces))) == sorted(faces)


@pytest.mark.parametrize("text", ["8", "8x", "x0", "8x5", "-1x0", "8x01", "100x0", "\u0664x0"])
def test_what_is_no_deck_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a count and a face"):
        read_deck(text)


@pytest.mark.parametrize(
    ("setup", "key", "sentence"),
    [
        (Setup(players=3), "players", "Cassa Grande is for 2 or 4 players, not 3: choose 2 or 4."),
        (Setup(variants=frozenset("AF")), "variants", "Variant F is not known: choose among A B C D E."),
        (Setup(rounds=0), "rounds", "Play 1 to 99 rounds."),
        (Setup(players=2, first=1), "first", "The first player must be A or C."),
        (Setup(round_points=(1, 2, 3, 4)), "round_points", "4 whole numbers, the best rank's first"),
        (Setup(round_points=(4, 3)), "round_points", "4 whole numbers"),
        (Setup(house=HouseRules(ties="best")), "house.ties", "House rule ties must be better or worse."),
        (Setup(deck="0015"), "deck", "0 1 2 3 4 ,"),
        (Setup(deck=""), "deck", "1 to 36 cards"),
        (Setup(deck="0" * 40), "deck", "1 to 36 cards, the cells of the frame; it holds 40"),
        (Setup(deck="00001"), "deck", "play it with variant E"),
        (Setup(deck="00001", variants=frozenset("E")), "deck", "5 cards cannot be dealt evenly to 4 players"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused_in_a_sentence(setup: Setup, key: str, sentence: str) -> None:
    with pytest.raises(SetupError) as caught:
        rules.new(setup)
    ((found, said),) = caught.value.problems
    assert found == key
    assert sentence in said


def test_a_deck_played_with_other_counts_is_a_setting() -> None:
    assert rules.new(Setup(deck="0" * 4 + "1" * 8 + "," * 4)).hand(0).pool == "011,"
    dealt = Setup(deck="0123" + ",", players=2, variants=frozenset("E"))
    with pytest.raises(SetupError, match="5 cards cannot be dealt evenly"):
        rules.new(dealt)


def test_everything_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(SetupError) as caught:
        rules.read_setup(
            {"players": "4", "rounds": "many", "first": "Q", "house.ties": "?", "deck": "9", "colour": "red"}
        )
    assert [key for key, _ in caught.value.problems] == ["colour", "rounds", "first", "deck", "house.ties"]


@pytest.mark.parametrize("key", ["players", "rounds", "round_points"])
@pytest.mark.parametrize("text", ["\u0664", "1_0", "\uff14", "+4", "4.0", "", "\u00b2", "9" * 5000])
def test_numbers_are_written_in_plain_digits(key: str, text: str) -> None:
    with pytest.raises(SetupError) as caught:
        rules.read_setup({key: text})
    assert caught.value.problems[0][0] == key
    assert len(str(caught.value)) < 200


def test_what_is_usual_is_left_out_of_the_header() -> None:
    assert rules.write_setup(Setup()) == {"players": "4"}
    assert rules.read_setup({}) == Setup()
    full = Setup(
        players=2,
        variants=frozenset("EA"),
        house=HouseRules("worse", "same", "all", "any_time", "off"),
        rounds=3,
        first=2,
        deck="0011,,",
        round_points=(3, 0),
    )
    assert rules.write_setup(full) == {
        "players": "2",
        "variants": "A E",
        "rounds": "3",
        "first": "C",
        "deck": "2x0 2x1 2x,",
        "round_points": "3 0",
        "house.ties": "worse",
        "house.tied_start": "same",
        "house.stuck_comma": "all",
        "house.dealt_commas": "any_time",
        "house.grid_check": "off",
    }
    assert rules.read_setup(rules.write_setup(full)) == full
