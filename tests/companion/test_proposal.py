"""What was seen against what candidates predict, in a made-up game: letters on spots."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.proposal import NOT_SEEN, RULED_OUT, SURE, Belief, Candidate, joined, propose
from companion.sight import GAP, Match, Proposal, Spot

LAYOUT = {(0, 0): "a", (0, 1): "b"}
EMPTY: Belief = {GAP: 1.0}


def seen(**changes: Belief) -> dict[Spot, Belief]:
    """A row of four spots as the layout expects them, but for these: s2={"c": 1.0}."""
    row: dict[Spot, Belief] = {(0, 0): {"a": 1.0}, (0, 1): {"b": 1.0}, (0, 2): EMPTY, (0, 3): EMPTY}
    return row | {(0, int(name[1:])): belief for name, belief in changes.items()}


def laid(name: str, **pieces: str) -> Candidate[str]:
    return Candidate((name,), LAYOUT | {(0, int(spot[1:])): piece for spot, piece in pieces.items()})


CANDIDATES = [laid("c on 2", s2="c"), laid("c on 3", s3="c"), laid("d on 2", s2="d")]


def test_nothing_has_changed() -> None:
    assert propose(LAYOUT, seen(), CANDIDATES) == Proposal(Match.SETTLED)


def test_exactly_one_explains_it() -> None:
    found = propose(LAYOUT, seen(s2={"c": 0.97, GAP: 0.03}), CANDIDATES)
    assert found.match is Match.CLEAR
    assert [(o.moves, o.confidence, o.spots) for o in found.options] == [(("c on 2",), 0.97, ((0, 2),))]


def test_a_few_explain_it_the_likeliest_first() -> None:
    found = propose(LAYOUT, seen(s2={"c": 0.3, "d": 0.69}), CANDIDATES)
    assert found.match is Match.AMBIGUOUS
    assert [o.moves for o in found.options] == [("d on 2",), ("c on 2",)]


def test_what_may_be_nothing_is_a_question() -> None:
    found = propose(LAYOUT, seen(s2={"c": 0.6, GAP: 0.4}), CANDIDATES)
    assert (found.match, [o.moves for o in found.options]) == (Match.AMBIGUOUS, [("c on 2",)])


def test_the_only_one_is_a_question_when_it_is_not_sure() -> None:
    found = propose(LAYOUT, seen(s2={"c": SURE - 0.01, "x": 1.01 - SURE}), CANDIDATES)
    assert found.match is Match.AMBIGUOUS


def test_no_move_explains_a_piece_that_is_gone() -> None:
    found = propose(LAYOUT, seen(s0=EMPTY, s2={"c": 1.0}), CANDIDATES)
    assert (found.match, found.options, found.spots) == (Match.UNEXPLAINED, (), ((0, 0), (0, 2)))


def test_confidence_is_that_of_the_weakest_changed_spot() -> None:
    both = laid("c on 2 and d on 3", s2="c", s3="d")
    found = propose(LAYOUT, seen(s2={"c": 0.99}, s3={"d": 0.93}), [*CANDIDATES, both])
    assert (found.match, found.options[0].confidence) == (Match.CLEAR, 0.93)


def test_a_hidden_spot_rules_nothing_out_and_vouches_for_nothing() -> None:
    view = seen(s2={"c": 1.0})
    del view[0, 0], view[0, 3]
    found = propose(LAYOUT, view, [*CANDIDATES, laid("c on 2 and d on 3", s2="c", s3="d")])
    assert found.match is Match.AMBIGUOUS
    assert [(o.moves, o.confidence) for o in found.options] == [(("c on 2",), 1.0), (("c on 2 and d on 3",), NOT_SEEN)]


def test_a_move_of_which_nothing_is_in_view_is_no_option() -> None:
    view = seen()
    del view[0, 3]
    assert propose(LAYOUT, view, CANDIDATES).match is Match.SETTLED


def test_ways_to_look_that_disagree_make_a_question() -> None:
    one = propose(LAYOUT, seen(s2={"c": 1.0}), CANDIDATES)
    other = propose(LAYOUT, seen(s3={"c": 0.95}), CANDIDATES)
    wrong = propose(LAYOUT, seen(s0=EMPTY), CANDIDATES)
    assert joined([wrong, one]) == one == joined([one, one])
    both = joined([other, one])
    assert (both.match, [o.moves for o in both.options]) == (Match.AMBIGUOUS, [("c on 2",), ("c on 3",)])
    worse = propose(LAYOUT, seen(s0=EMPTY, s1=EMPTY), CANDIDATES)
    assert joined([worse, wrong]) == wrong


@given(st.dictionaries(st.sampled_from(["c", "d", "x", GAP]), st.floats(0.01, 1), min_size=1))
def test_whatever_is_believed_a_clear_move_leaves_no_room_for_another(weights: dict[str, float]) -> None:
    total = sum(weights.values())
    belief = {piece: weight / total for piece, weight in weights.items()}
    found = propose(LAYOUT, seen(s2=belief), CANDIDATES)
    if found.match is Match.CLEAR:
        piece = found.options[0].moves[0][0]
        assert belief[piece] >= SURE
        assert all(share < RULED_OUT for other, share in belief.items() if other in {"c", "d", GAP} - {piece})
