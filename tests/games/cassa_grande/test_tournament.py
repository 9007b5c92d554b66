from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.scoring import turned
from companion.games.cassa_grande.setup import HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State

LayOut = Callable[..., State]


def printed(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row.replace(".", "X") for row in rows)


def test_the_winner_starts_the_next_round(lay_out: LayOut, worked_example: tuple[str, ...]) -> None:
    state = lay_out(rules.new(Setup(rounds=3)), worked_example)
    assert rules.to_act(state) == (2,)
    assert (state.layout, state.table_turn, state.commas_free) == ((), 1, False)
    assert [hand.size for hand in state.hands] == [7, 7, 7, 7]
    state = lay_out(state, printed(turned(worked_example)))
    assert rules.to_act(state) == (1,)
    state = lay_out(state, worked_example)
    assert state.phase == Phase.OVER
    first, second, third, standing = rules.score(state)
    assert [sheet.title for sheet in (first, second, third, standing)] == ["Round 1", "Round 2", "Round 3", "Standing"]
    assert first.totals() == third.totals() == {0: 35344, 1: 15448, 2: 401567, 3: 230626}
    assert second.totals() == {0: 15448, 1: 401567, 2: 230626, 3: 35344}
    assert standing.totals() == {0: 2 + 1 + 2, 1: 1 + 4 + 1, 2: 4 + 3 + 4, 3: 3 + 2 + 3}
    assert [finished.starter for finished in state.rounds] == [0, 2, 1]


def test_the_standing_grows_round_by_round(lay_out: LayOut, worked_example: tuple[str, ...]) -> None:
    state = rules.new(Setup(rounds=2))
    assert [sheet.title for sheet in rules.score(state)] == ["Standing"]
    assert rules.score(state)[-1].totals() == {0: 0, 1: 0, 2: 0, 3: 0}
    state = lay_out(state, worked_example)
    assert rules.score(state)[-1].totals() == {0: 2, 1: 1, 2: 4, 3: 3}


def test_a_single_round_needs_no_standing(lay_out: LayOut, worked_example: tuple[str, ...]) -> None:
    assert rules.score(rules.new(Setup()))[-1].totals() == {0: 0, 1: 0, 2: 0, 3: 0}
    assert [sheet.title for sheet in rules.score(lay_out(rules.new(Setup()), worked_example))] == ["Round 1"]


SYMMETRIC = ("00112", "22344", ",3X3,", "44322", "21100")


@pytest.mark.parametrize(("choice", "starter"), [("clockwise", 2), ("same", 0)])
def test_tied_round(choice: str, starter: int, lay_out: LayOut) -> None:
    deck = "".join(SYMMETRIC).replace("X", "")
    setup = Setup(players=2, rounds=2, deck=deck, house=HouseRules(tied_start=choice))
    state = lay_out(rules.new(setup), SYMMETRIC)
    sheet, standing = rules.score(state)
    assert sheet.ranks() == {0: 1, 2: 1}
    assert standing.totals() == {0: 2, 2: 2}
    assert rules.to_act(state) == (starter,)


def test_a_tie_is_told(play: Callable[..., State]) -> None:
    state = play(Setup(players=2, deck="11"), "A 0,0 ?", "C 0,1 ?")
    _, events = rules.apply(state, rules.read("turned over 11"))
    assert [event.name for event in events] == ["round_tied", "round_tied", "play_over"]


def test_two_players_share_two_and_one(lay_out: LayOut) -> None:
    rows = ("43322", "21100", "0X,34", "32221", "1000,")
    state = lay_out(rules.new(Setup(players=2, rounds=2)), rows)
    sheet, standing = rules.score(state)
    assert sheet.totals() == {0: 43322 + 21100 + 0 + 32221 + 1000, 2: 0 + 12223 + 43 + 112 + 22334}
    assert standing.totals() == {0: 2, 2: 1}


def test_dealt_cards_are_dealt_again_each_round(lay_out: LayOut, worked_example: tuple[str, ...]) -> None:
    setup = Setup(rounds=2, variants=frozenset("E"))
    state, _ = rules.apply(rules.new(setup), rules.read("dealt ? ? ? ?"))
    state = lay_out(state, worked_example)
    assert (state.phase, state.starter) == (Phase.DEAL, 2)
    state, _ = rules.apply(state, rules.read("dealt ? ? ? ?"))
    assert rules.to_act(state) == (2,)


def test_a_finished_play_takes_no_more_moves(lay_out: LayOut, worked_example: tuple[str, ...]) -> None:
    over = lay_out(rules.new(Setup()), worked_example)
    for text in ("A 0,0 ?", "A swaps B ? ?", "dealt ? ? ? ?", "turned over 1"):
        refusal = rules.refusal(over, rules.read(text))
        assert refusal is not None
        assert refusal.rule == "over"
