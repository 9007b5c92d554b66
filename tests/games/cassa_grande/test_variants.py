from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Dealt, Placed, Swapped
from companion.games.cassa_grande.setup import HouseRules, Setup
from companion.games.cassa_grande.state import Phase, State

Play = Callable[..., State]
Ask = Callable[[State, str], str | None]


def variant(letters: str, **values: object) -> Setup:
    return Setup(variants=frozenset(letters), **values)  # type: ignore[arg-type]


# A: cards face up


def test_a_card_that_lies_face_up_has_a_face(refused: Ask) -> None:
    state = rules.new(variant("A"))
    assert refused(state, "A 0,0 ?") == "face_up"
    assert refused(state, "A 0,0 3") is None
    assert {move.face for move in rules.legal_moves(state) if isinstance(move, Placed)} == set("01234")


# B: swaps


def test_a_swap_follows_each_card(play: Play, refused: Ask, events: Callable[[State, str], list[str]]) -> None:
    state = play(variant("B"), "A 0,0 ?")
    assert state.phase == Phase.SWAP
    assert rules.to_act(state) == (0,)
    assert refused(state, "B 0,1 ?") == "swap_first"
    assert refused(state, "B swaps A ? ?") == "turn"
    assert refused(state, "A swaps A ? ?") == "swap_partner"
    assert refused(state, "A swaps C ? ?") is None
    assert events(state, "A swaps C ? ?") == ["swapped"]
    after = play(state, "A swaps C ? ?")
    assert (after.phase, rules.to_act(after)) == (Phase.PLACE, (1,))


def test_known_swaps_are_followed_through_the_hands(play: Play, refused: Ask) -> None:
    state = play(variant("B"), "A 0,0 3", "A swaps B 4 0")
    assert (state.hand(0).pool, state.hand(1).pool) == ("000122,", "0122344,")
    assert [hand.size for hand in state.hands] == [6, 7, 7, 7]
    assert refused(state, "B 0,1 4") is None
    again = play(state, "B 0,1 4", "B swaps C 4 4", "C 0,2 ?", "C swaps D ? ?")
    assert again.hand(2).pool is None
    assert again.hand(0).pool == "000122,"


def test_a_card_that_is_not_held_cannot_be_swapped(play: Play, refused: Ask) -> None:
    state = play(variant("B"), "A 0,0 4")
    assert refused(state, "A swaps B 4 ?") == "not_in_hand"
    assert refused(state, "A swaps B ? 4") is None
    assert refused(state, "A swaps B , ?") == "comma_laid_out"
    assert refused(state, "A swaps B ? ,") == "comma_laid_out"


def test_a_hidden_swap_leaves_only_the_deck_to_check_against(play: Play, refused: Ask) -> None:
    state = play(variant("B"), "A 0,0 4", "A swaps B ? ?", "B 0,1 4", "B swaps A ? ?", "C 0,2 ?", "C swaps D ? ?")
    state = play(state, "D 0,3 4", "D swaps A ? ?")
    assert refused(state, "A 0,4 4") is None
    state = play(state, "A 0,4 4", "A swaps B ? ?")
    assert refused(state, "B 0,5 4") == "deck"
    assert "B 0,5 4" not in {rules.write(move) for move in rules.legal_moves(state)}


def test_the_last_card_needs_no_swap(play: Play) -> None:
    setup = Setup(players=2, variants=frozenset("B"), deck="0011")
    state = play(setup, "A 0,0 ?", "A swaps C ? ?", "C 0,1 ?", "C swaps A ? ?", "A 1,0 ?")
    assert (state.phase, rules.to_act(state)) == (Phase.PLACE, (2,))
    assert play(state, "C 1,1 ?").phase == Phase.TURN_OVER


def test_every_swap_with_every_opponent_is_listed(play: Play) -> None:
    state = play(variant("B", players=2), "A 0,0 4")
    moves = [move for move in rules.legal_moves(state) if isinstance(move, Swapped)]
    assert {move.other for move in moves} == {2}
    assert {move.gave for move in moves} == set("?0123")
    assert {move.got for move in moves} == set("?01234")
    assert len(moves) == 5 * 6


def test_an_opponent_without_cards_cannot_be_chosen(play: Play, refused: Ask) -> None:
    setup = variant("BE", deck="00000000,,,,", house=HouseRules(stuck_comma="wait"))
    state = play(setup, "dealt 0,, 0,, 000 000", "A 0,0 0", "A swaps B , ,", "B 0,1 0", "B swaps A , ,")
    state = play(state, "C 0,2 0", "C swaps D 0 0", "D 0,3 0", "D swaps C 0 0", "C 1,0 0", "C swaps D 0 0")
    state = play(state, "D 1,1 0", "D swaps C 0 0", "C 1,2 0", "D 1,3 0", "A 2,0 ,")
    assert refused(state, "A swaps C ? ?") == "swap_empty_hand"
    assert refused(state, "A swaps B ? ?") is None
    assert {move.other for move in rules.legal_moves(state) if isinstance(move, Swapped)} == {1}


# C: face up and face down by turns of the table


def test_cards_lie_up_and_down_by_turns_of_the_table(play: Play, refused: Ask) -> None:
    state = rules.new(variant("C", first=2))
    cells = iter((0, column) for column in range(6))
    for turn in range(3):
        for seat in "CDAB"[: 4 if turn == 0 else 1]:
            row, column = next(cells)
            hidden = refused(state, f"{seat} {row},{column} ?")
            assert hidden == ("face_up" if turn % 2 == 0 else None)
            state = play(state, f"{seat} {row},{column} {'2' if turn % 2 == 0 else '?'}")
        if turn == 1:
            break


def test_face_up_comes_back_in_the_third_turn(play: Play, refused: Ask) -> None:
    state = play(variant("C", players=2), "A 0,0 4", "C 0,1 4", "A 0,2 ?", "C 0,3 ?")
    assert state.table_turn == 3
    assert refused(state, "A 0,4 ?") == "face_up"
    assert refused(state, "A 0,4 3") is None


def test_with_a_and_c_together_every_card_lies_face_up(play: Play, refused: Ask) -> None:
    state = play(variant("AC", players=2), "A 0,0 4", "C 0,1 4")
    assert refused(state, "A 0,2 ?") == "face_up"


# D: the smaller total wins


def test_the_smaller_total_wins(lay_out: Callable[..., State], worked_example: tuple[str, ...]) -> None:
    over = lay_out(rules.new(variant("D")), worked_example)
    assert rules.score(over)[-1].ranks() == {1: 1, 0: 2, 3: 3, 2: 4}
    second = lay_out(rules.new(variant("D", rounds=2)), worked_example)
    assert rules.to_act(second) == (1,)
    assert rules.score(second)[-1].totals() == {1: 4, 0: 3, 3: 2, 2: 1}


# E: all cards dealt


SHOWN = "dealt 00000000 11112222 22223333 4444,,,,"


def test_cards_are_dealt_first(play: Play, refused: Ask) -> None:
    state = rules.new(variant("E"))
    assert rules.to_act(state) == ()
    assert refused(state, "A 0,0 0") == "deal_first"
    assert list(rules.legal_moves(state)) == [Dealt(("?",) * 4)]
    dealt = play(state, SHOWN)
    assert (dealt.phase, rules.to_act(dealt)) == (Phase.PLACE, (0,))
    assert refused(dealt, "A 0,0 1") == "not_in_hand"
    assert refused(dealt, SHOWN) == "place_first"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("dealt ? ? ? ?", None),
        ("dealt 00000000 ? ? 4444,,,,", None),
        ("dealt ? ? ?", "deal_hands"),
        ("dealt 0000000 ? ? ?", "deal_size"),
        ("dealt 00000000 0??????? ? ?", "deal_deck"),
        ("dealt 01111100 ? ? ?", "deal_deck"),
        ("dealt 00000000 00000000 ? ?", "deal_deck"),
    ],
)
def test_only_the_deck_can_be_dealt(text: str, rule: str | None, refused: Ask) -> None:
    assert refused(rules.new(variant("E")), text) == rule


def test_no_comma_is_laid_out_but_held_ones_wait(play: Play, refused: Ask) -> None:
    state = play(variant("E", first=3), SHOWN)
    assert (state.hand(3).size, state.hand(3).waiting) == (4, 4)
    assert refused(state, "D 0,0 ,") == "comma_waits"
    state = play(state, "D 0,0 ?", "A 1,1 ?", "B 2,2 ?", "C 3,3 ?", "D 4,4 ?", "A 5,5 ?", "B 0,1 ?", "C 0,2 ?")
    assert refused(state, "D 0,3 ,") is None
    assert state.hand(3).size == 6


def test_house_rule_commas_may_be_played_at_any_time(play: Play, refused: Ask) -> None:
    setup = variant("E", first=3, house=HouseRules(dealt_commas="any_time"))
    assert refused(play(setup, SHOWN), "D 0,0 ,") is None


def test_a_hand_that_nobody_saw_is_checked_against_the_deck_only(play: Play, refused: Ask) -> None:
    state = play(variant("E"), "dealt ? 11112222 ? 4444,,,,")
    assert refused(state, "A 0,0 0") is None
    assert refused(state, "A 0,0 4") == "deck"
    assert refused(state, "A 0,0 2") is None


def test_a_held_comma_can_be_swapped_and_goes_on_waiting(play: Play) -> None:
    state = play(variant("BE"), "dealt 00000000 11112222 22223333 4444,,,,", "A 0,0 0", "A swaps D 0 ,")
    assert (state.hand(0).size, state.hand(0).waiting, state.hand(0).pool) == (6, 1, "000000,")
    assert (state.hand(3).size, state.hand(3).waiting, state.hand(3).pool) == (5, 3, "04444,,,")


def test_a_hidden_swap_of_dealt_cards_ends_what_is_known_of_the_commas(play: Play) -> None:
    state = play(variant("BE"), SHOWN, "A 0,0 0", "A swaps D ? ?")
    assert (state.hand(0).size, state.hand(0).waiting, state.hand(0).pool) == (7, 0, None)
    assert (state.hand(3).size, state.hand(3).waiting, state.hand(3).pool) == (8, 0, None)


def test_a_comma_that_comes_into_an_unseen_hand_is_not_told_from_its_others(play: Play) -> None:
    state = play(variant("BE"), "dealt ? ? ? 4444,,,,", "A 0,0 0", "A swaps D ? ,")
    assert (state.hand(0).size, state.hand(0).waiting, state.hand(0).pool) == (7, 0, None)


def test_all_variants_together_play_to_the_end(play: Play) -> None:
    state = play(Setup(players=2, variants=frozenset("ABCDE")), "dealt ? ?")
    placed = swapped = 0
    while state.phase != Phase.OVER:
        move = next(rules.legal_moves(state))
        placed += isinstance(move, Placed)
        swapped += isinstance(move, Swapped)
        state, _ = rules.apply(state, move)
    assert (placed, swapped) == (24, 22)
    assert len(state.rounds) == 1
