"""Each house rule with its default and its other values; two of them stand with what they rule, elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.scoring import next_starter, standing
from companion.games.cassa_grande.setup import CHOICES, HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State
from companion.games.cassa_grande.wording import SENTENCES
from companion.score import ScoreLine, ScoreSheet
from companion.wording import line_sentence

Play = Callable[..., State]
Ask = Callable[[State, str], str | None]


def result(*totals: int, players: int = 4) -> ScoreSheet:
    seats = Setup(players=players).seats
    return ScoreSheet(
        "Round", seats, tuple(ScoreLine(seat, n, "whole_line") for seat, n in zip(seats, totals, strict=True))
    )


def test_every_house_rule_has_its_default_among_its_choices() -> None:
    assert set(CHOICES) == {rule.name for rule in fields(HouseRules)}
    for rule in fields(HouseRules):
        assert rule.default == CHOICES[rule.name][0]


@pytest.mark.parametrize(
    ("totals", "better", "worse"),
    [
        ((9, 8, 7, 6), (4, 3, 2, 1), (4, 3, 2, 1)),
        ((9, 9, 7, 6), (4, 4, 2, 1), (3, 3, 2, 1)),
        ((9, 8, 8, 6), (4, 3, 3, 1), (4, 2, 2, 1)),
        ((9, 8, 6, 6), (4, 3, 2, 2), (4, 3, 1, 1)),
        ((7, 9, 7, 7), (3, 4, 3, 3), (1, 4, 1, 1)),
        ((5, 5, 5, 5), (4, 4, 4, 4), (1, 1, 1, 1)),
        ((5, 6, 5, 6), (2, 4, 2, 4), (1, 3, 1, 3)),
    ],
)
def test_ties(totals: tuple[int, ...], better: tuple[int, ...], worse: tuple[int, ...]) -> None:
    for choice, points in (("better", better), ("worse", worse)):
        sheet = standing(Setup(rounds=2, house=HouseRules(ties=choice)), [result(*totals)])
        assert tuple(sheet.totals().values()) == points


def test_the_screen_says_that_a_rank_is_shared() -> None:
    lines = standing(Setup(rounds=2), [result(9, 9, 7, 6)]).lines
    assert line_sentence(SENTENCES, lines[0]) == "Round 1: rank 1 shared by 2 with 9 earns 4"
    assert line_sentence(SENTENCES, lines[2]) == "Round 1: rank 3 with 7 earns 2"


def test_round_points_of_two_players() -> None:
    assert standing(Setup(players=2, rounds=2), [result(1, 2, players=2)]).totals() == {0: 1, 2: 2}
    agreed = Setup(players=2, rounds=2, round_points=(5, 0))
    assert standing(agreed, [result(1, 2, players=2)]).totals() == {0: 0, 2: 5}


@pytest.mark.parametrize(
    ("starter", "winners", "clockwise", "same"),
    [
        (0, (2,), 2, 2),
        (0, (0,), 0, 0),
        (0, (2, 3), 2, 0),
        (1, (0, 2), 2, 1),
        (2, (0, 2), 0, 2),
        (3, (2, 1), 1, 3),
        (1, (0, 1, 2, 3), 2, 1),
    ],
)
def test_tied_start(starter: int, winners: tuple[int, ...], clockwise: int, same: int) -> None:
    assert next_starter(Setup(), starter, winners) == clockwise
    assert next_starter(Setup(house=HouseRules(tied_start="same")), starter, winners) == same


# stuck_comma: hands of a digit or two and a comma run out of digits long before a frame of five is full.

SHORT = "0011,,"
LONG = "00001111,,"


def short(choice: str, deck: str = SHORT) -> Setup:
    return Setup(players=2, deck=deck, house=HouseRules(stuck_comma=choice))


def test_by_default_a_player_with_only_the_comma_takes_it_back_at_once(
    play: Play, refused: Ask, events: Callable[[State, str], list[str]]
) -> None:
    state = play(short("own"), "A 0,0 0", "C 0,1 0")
    assert refused(state, "A 0,2 ,") == "comma_waits"
    assert events(state, "A 0,2 1") == ["placed_face_down", "comma_back"]
    state = play(state, "A 0,2 1")
    assert (state.hand(0).size, state.hand(0).waiting) == (1, 0)
    assert (state.hand(2).size, state.hand(2).waiting) == (1, 1)
    assert refused(state, "C 0,3 ,") == "comma_waits"
    assert refused(play(state, "C 0,3 1"), "A 0,4 ,") is None


def test_house_rule_all_take_their_comma_back_then(play: Play, refused: Ask, events: Callable[..., list[str]]) -> None:
    state = play(short("all"), "A 0,0 0", "C 0,1 0")
    assert events(state, "A 0,2 1") == ["placed_face_down", "commas_free"]
    assert refused(play(state, "A 0,2 1"), "C 0,3 ,") is None


def test_house_rule_a_player_with_only_the_comma_waits(play: Play, refused: Ask) -> None:
    setup = Setup(players=2, variants=frozenset("E"), deck=LONG, house=HouseRules(stuck_comma="wait"))
    state = play(setup, "dealt 000,, 01111", "A 0,0 0", "C 0,1 1", "A 1,0 0", "C 1,1 1", "A 2,0 0")
    assert rules.to_act(state) == (2,)
    assert state.table_turn == 3
    state = play(state, "C 2,1 1")
    assert rules.to_act(state) == (2,)
    assert state.table_turn == 4
    state = play(state, "C 3,0 1")
    assert rules.to_act(state) == (2,)
    state = play(state, "C 3,1 0")
    assert rules.to_act(state) == (0,)
    assert refused(state, "A 4,0 ,") is None
    assert state.commas_free


def test_a_waiting_player_joins_again_when_the_limits_are_set(play: Play) -> None:
    deck = "0" * 10 + ",,"
    setup = Setup(players=2, variants=frozenset("E"), deck=deck, house=HouseRules(stuck_comma="wait"))
    state = play(setup, "dealt 0000,, 000000", "A 0,0 0", "C 0,1 0", "A 0,2 0", "C 0,3 0", "A 0,4 0", "C 1,0 0")
    state = play(state, "A 2,0 0")
    assert rules.to_act(state) == (2,)
    state = play(state, "C 3,0 0")
    assert rules.to_act(state) == (2,)
    state = play(state, "C 4,0 0")
    assert rules.to_act(state) == (0,)
    assert play(state, "A 4,1 ,", "C 4,2 0", "A 4,3 ,").phase == Phase.OVER


@pytest.mark.parametrize("choice", CHOICES["stuck_comma"])
@pytest.mark.parametrize("variants", ["", "B", "E", "BE"])
def test_no_choice_leaves_the_table_stuck(choice: str, variants: str) -> None:
    house = HouseRules(stuck_comma=choice)
    state = rules.new(Setup(players=2, variants=frozenset(variants), deck=SHORT, house=house))
    for _ in range(40):
        if state.phase == Phase.OVER:
            break
        state, _ = rules.apply(state, next(rules.legal_moves(state)))
    assert state.phase == Phase.OVER


def test_a_deck_of_commas_alone_is_played_as_it_is(play: Play) -> None:
    over = play(Setup(players=2, deck=",,"), "A 0,0 ,", "C 0,1 ,")
    assert rules.score(over)[-1].totals() == {0: 0, 2: 0}
