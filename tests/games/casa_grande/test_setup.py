"""What may be agreed before a play, as header lines and back."""

from __future__ import annotations

import pytest

from companion.errors import SetupError
from companion.games.casa_grande import rules
from companion.games.casa_grande.pieces import Piece, read_piece
from companion.games.casa_grande.setup import HouseRules, Setup, read_setup, write_setup

WRONG = {
    "players": "5", "first": "D", "blocks": "0", "colours": "red blue", "start": "1 2", "house.edge": "round",
    "pieces": "I3 2x ooo", "seats": "4",
}  # fmt: skip


@pytest.mark.parametrize(
    "setup",
    [
        Setup(),
        Setup(players=2, first=1, blocks=18),
        Setup(players=3, colours=("beige", "gray", "purple"), start=(10, 0, 5)),
        Setup(house=HouseRules("off", "own", "off", "over", "nothing", "ends")),
        Setup(platforms=(read_piece("I2 9x ##"), read_piece("F5 4x .##/oo./.o. flips"))),
    ],
)
def test_a_setup_survives_its_lines(setup: Setup) -> None:
    assert read_setup(write_setup(setup)) == setup


def test_the_platforms_are_always_written() -> None:
    assert "T5 1x #o#/.o./.#." in write_setup(Setup())["pieces"]


@pytest.mark.parametrize("key", WRONG)
def test_each_wrong_line_is_named(key: str) -> None:
    with pytest.raises(SetupError) as caught:
        read_setup({"players": "3", key: WRONG[key]})
    assert [found for found, _ in caught.value.problems] == [key]


def test_all_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(SetupError) as caught:
        read_setup({**WRONG, "players": "3"})
    assert {key for key, _ in caught.value.problems} == set(WRONG) - {"players"}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("players", "two"), ("players", "1_0"), ("players", "1"), ("first", "Z"), ("blocks", "61"), ("blocks", "-1"),
        ("start", "0 0 5"), ("start", "0 5"), ("start", "0 5 x"), ("colours", "gray gray purple"), ("pieces", ""),
        ("pieces", "I3 2x #o#; I3 2x ###"), ("pieces", "I3 #o#"), ("house.bridging", ""),
    ],
)  # fmt: skip
def test_other_wrong_values(key: str, text: str) -> None:
    with pytest.raises(SetupError) as caught:
        read_setup({"players": "3", key: text})
    assert key in [found for found, _ in caught.value.problems]


def test_a_play_is_not_begun_with_a_setup_that_cannot_be_played() -> None:
    with pytest.raises(SetupError):
        rules.new(Setup(players=1))
    with pytest.raises(SetupError):
        rules.new(Setup(platforms=(Piece("I2", ((0, 0), (0, 2)), ((0, 0),)),)))
    with pytest.raises(SetupError):
        rules.new(Setup(platforms=()))
