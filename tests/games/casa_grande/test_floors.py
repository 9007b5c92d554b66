"""Platforms: where they may lie, and what they pay."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.casa_grande import rules
from companion.games.casa_grande.moves import Done, Floored
from companion.games.casa_grande.pieces import read_piece
from companion.games.casa_grande.setup import HouseRules, Setup
from companion.games.casa_grande.state import Phase, State

Table = Callable[..., State]
Refused = Callable[..., str | None]

I3 = "A floors I3 2,2! 2,3 2,4!"
ENDS = ("A builds 2,2", "A builds 2,4")


def tower(*plots: str, seat: str = "A", high: int = 1) -> list[str]:
    return [f"{seat} builds {plot}" for _ in range(high) for plot in plots]


def test_all_marked_squares_lie_on_own_blocks(table: Table, refused: Refused) -> None:
    assert refused(table(Setup(), *ENDS), I3) is None
    assert refused(table(Setup(), "A builds 2,2"), I3) == "floor_marked"
    assert refused(table(Setup(), "A builds 2,2", "B builds 2,4"), I3) == "floor_marked"
    assert refused(table(Setup(), "A builds 2,2", "A builds 2,3"), I3) == "floor_marked"
    assert refused(table(Setup()), I3) == "floor_on_nothing"
    lower = table(Setup(), "A builds 2,2", "A builds 2,2", "A builds 2,4", "A floors * 2,4!")
    assert refused(lower, I3) == "floor_marked"


def test_they_lie_anywhere_on_the_board_not_in_the_lane_alone(play: Table, table: Table, refused: Refused) -> None:
    state = play(table(Setup(), *ENDS, phase=Phase.ROLL), "A rolls 1", "A steps 0", "A builds 7,7")
    assert refused(state, I3) is None


def test_all_at_one_height(table: Table, refused: Refused) -> None:
    assert refused(table(Setup(), *tower("2,2", high=2), "A builds 2,4"), I3) == "floor_height"
    assert refused(table(Setup(), *tower("2,2", "2,4", high=2)), I3) is None


@pytest.mark.parametrize(("level", "pay"), [(1, 5), (2, 10), (3, 15)])
def test_the_pay_is_squares_times_level(play: Table, table: Table, level: int, pay: int) -> None:
    """The digest's examples: a T of 5 on level 1 pays 5, any 5 squares on level 2 pay 10."""
    state = table(Setup(), *tower("1,2", "1,4", "3,3", high=level))
    paid = play(state, "A floors T5 1,2! 1,3 1,4! 2,3 3,3!")
    assert (paid.player(0).lire, paid.floors[-1].level) == (pay, level)
    (line,) = rules.score(paid)[0].lines
    assert (line.points, line.facts["squares"], line.facts["level"]) == (pay, 5, level)


def test_unmarked_squares_need_no_support_and_cover_what_is_not_higher(table: Table, refused: Refused) -> None:
    for under in ([], ["B builds 2,3"], ["A builds 2,3"]):
        assert refused(table(Setup(), *ENDS, *under), I3) is None
    high = table(Setup(), *tower("2,2", "2,4", high=2), "B builds 2,3", "B floors * 2,3!")
    assert refused(high, I3) is None
    assert refused(table(Setup(), *ENDS, *tower("2,3", seat="B", high=2)), I3) == "floor_blocked"


def test_no_platform_lies_directly_on_a_platform(table: Table, refused: Refused) -> None:
    own, other = ((*ENDS, f"{seat} builds 2,3", f"{seat} floors * 2,3!") for seat in "AB")
    assert refused(table(Setup(), *own), I3) == refused(table(Setup(), *other), I3) == "floor_on_floor"
    lying = table(Setup(), *ENDS, I3)
    assert refused(lying, I3) == "floor_on_floor"
    assert refused(lying, I3, agreed=True) == "floor_on_floor"


def test_nothing_comes_under_a_platform_afterwards(table: Table) -> None:
    bridged = table(Setup(), *ENDS, I3, phase=Phase.BLOCK)
    state, _ = rules.apply(bridged, rules.read("A builds 2,3"), agreed=True)
    assert (state.top((2, 3)).level, [layer.level for layer in state.column((2, 3))]) == (2, [1, 2])


def test_never_over_the_edge_unless_the_house_says_so(table: Table, refused: Refused) -> None:
    out = "A floors O4 6,7 6,8 7,7! 7,8"
    pieces = (read_piece("O4 1x oo/#o"),)
    for edge, why in (("inside", "floor_edge"), ("over", None)):
        state = table(Setup(house=HouseRules(edge=edge), platforms=pieces), "A builds 7,7")
        assert refused(state, out) == why
        assert (rules.read(out) in list(rules.legal_moves(state))) == (why is None)
    marked_out = "A floors * 7,7! 7,8!"
    over = table(Setup(house=HouseRules(edge="over")), "A builds 7,7")
    assert refused(over, marked_out) == "floor_edge"
    paid, _ = rules.apply(
        table(Setup(house=HouseRules(edge="over"), platforms=pieces), "A builds 7,7"), rules.read(out)
    )
    assert paid.player(0).lire == 4


def test_identical_floors_are_a_house_rule(table: Table, refused: Refused) -> None:
    lying = [*ENDS, I3, *ENDS]
    again, aside = I3, "A floors I3 2,3! 2,4 2,5!"
    shifted = [*ENDS, I3, "A builds 2,3", "A builds 2,5", "A builds 2,5"]
    for rule, same, overlap in (
        ("same_squares", "floor_identical", None),
        ("any_overlap", "floor_identical", "floor_identical"),
        ("off", None, None),
    ):
        setup = Setup(house=HouseRules(identical_floor=rule))
        assert refused(table(setup, *lying), again) == same
        assert refused(table(setup, *shifted), aside) == overlap


def test_identical_floors_of_any_colour_and_turn_one_level_up_alone(table: Table, refused: Refused) -> None:
    square = "floors O4 2,2! 2,3 3,2 3,3!"
    turned = "A floors O4 2,2 2,3! 3,2! 3,3"
    below = [*tower("2,2", "3,3", seat="B"), f"B {square}"]
    assert refused(table(Setup(), *below, *tower("2,3", "3,2")), turned) == "floor_identical"
    assert refused(table(Setup(), *below, *tower("2,3", "3,2", high=2)), turned) is None
    larger = [*tower("2,2", "2,3", "2,4", seat="B"), "B floors * 2,2! 2,3 2,4!", *tower("2,2", "2,4")]
    assert refused(table(Setup(), *larger), I3) == "floor_identical"
    assert refused(table(Setup(), *larger, *tower("2,2", "2,4")), I3) is None


def test_covering_others_is_a_house_rule(table: Table, refused: Refused) -> None:
    for rule, why in (("anyone", None), ("own", "floor_covers")):
        setup = Setup(house=HouseRules(covering=rule))
        assert refused(table(setup, *ENDS, "B builds 2,3"), I3) == why
        assert refused(table(setup, *ENDS, "A builds 2,3"), I3) is None


def test_bridging_is_a_house_rule(table: Table, refused: Refused) -> None:
    for rule, why in (("allowed", None), ("off", "floor_bridges")):
        setup = Setup(house=HouseRules(bridging=rule))
        assert refused(table(setup, *ENDS), I3) == why
        assert refused(table(setup, *tower("2,2", "2,4", high=2), "A builds 2,3"), I3) == why
        assert refused(table(setup, *ENDS, "A builds 2,3"), I3) is None


def test_a_piece_has_its_shape_and_its_marks_and_is_turned_but_not_flipped(table: Table, refused: Refused) -> None:
    for shape, allowed in (("L4", False), ("L4b", True)):
        pieces = (read_piece(f"{shape} 1x #./o./o#{' flips' * allowed}"),)
        state = table(Setup(platforms=pieces), "A builds 2,2", "A builds 4,3", "A builds 4,1", "A builds 3,4")
        assert refused(state, f"A floors {shape} 2,2! 3,2 4,2 4,3!") is None
        assert refused(state, f"A floors {shape} 2,2! 3,2 4,1! 4,2") == (None if allowed else "floor_shape")
    state = table(Setup(), *ENDS, "A builds 2,3", "A builds 3,2", "A builds 4,2")
    assert refused(state, "A floors I3 2,2! 3,2 4,2!") is None
    assert refused(state, "A floors I3 2,2! 2,3! 2,4") == "floor_shape"
    assert refused(state, "A floors I3 2,2! 2,3 3,2!") == "floor_shape"
    assert refused(state, "A floors Z9 2,2! 2,3 3,2!") == "floor_unknown"


def test_only_as_many_as_there_are(table: Table, refused: Refused) -> None:
    lines = [f"A {verb}" for row in (0, 2) for verb in
             (f"builds {row},0", f"builds {row},2", f"floors I3 {row},0! {row},1 {row},2!")]  # fmt: skip
    state = table(Setup(), *lines, "A builds 4,0", "A builds 4,2")
    third = "A floors I3 4,0! 4,1 4,2!"
    assert refused(state, third) == "floor_stock"
    assert not [m for m in rules.legal_moves(state) if isinstance(m, Floored) and m.piece == "I3"]
    assert refused(state, third, agreed=True) is None
    assert refused(table(Setup(), *lines, "B builds 4,0", "B builds 4,2", turn="B"), f"B{third[1:]}") is None


def test_a_platform_that_the_box_does_not_hold_is_laid_by_hand(play: Table, table: Table, refused: Refused) -> None:
    state = table(Setup(), *tower("2,2", "2,4", high=2))
    assert play(state, "A floors * 2,2! 2,3 2,4 3,3").player(0).lire == 8
    assert refused(state, "A floors * 2,2 2,3") == "floor_marks"
    assert refused(state, "A floors * 2,2! 2,4!") == "floor_apart"
    assert refused(state, "A floors * 2,2! 2,3!") == "floor_marked"
    assert rules.refusal(state, Floored(0, "*", ((2, 2), (2, 2)), ((2, 2),))).rule == "floor_marks"
    assert rules.refusal(state, Floored(0, "*", ((2, 2),), ((2, 4),))).rule == "floor_marks"
    assert rules.refusal(state, Floored(0, "*", (), ())).rule == "floor_marks"
    assert refused(state, "A floors * 2,2! " + " ".join(f"3,{c} 4,{c}" for c in range(8))) == "floor_marks"


def test_a_platform_is_optional_and_ends_the_turn(table: Table) -> None:
    state = table(Setup(), *ENDS)
    assert Done(0) in list(rules.legal_moves(state))
    for text in (I3, "A done"):
        after, _ = rules.apply(state, rules.read(text))
        assert (after.turn, after.phase) == (1, Phase.ROLL)


def test_an_agreement_waives_what_the_sums_do_not_need(table: Table, refused: Refused) -> None:
    for lying in (["A builds 2,2", "B builds 2,4"], ["A builds 2,2", "A builds 2,2", "A builds 2,4"], ["A builds 2,2"]):
        state = table(Setup(), *lying)
        assert refused(state, I3) is not None
        assert refused(state, I3, agreed=True) is None
    after, _ = rules.apply(table(Setup(), *tower("2,2", high=2), "A builds 2,4"), rules.read(I3), agreed=True)
    assert after.player(0).lire == 3 * 2
    assert refused(table(Setup()), I3, agreed=True) == "floor_on_nothing"
    assert refused(table(Setup(), *ENDS, *tower("2,3", high=2)), I3, agreed=True) == "floor_blocked"


def test_a_refusal_shows_where(table: Table) -> None:
    refusal = rules.refusal(table(Setup(), "A builds 2,2"), rules.read(I3))
    assert refusal.spots == ((2, 4),)
    assert refusal.facts == {"piece": "I3", "row": 2, "column": 4, "seat": 0}
    assert refusal.rule == "floor_marked"
