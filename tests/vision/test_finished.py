"""Frames and decks from beliefs alone: no picture is needed to see when a total is certain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.cassa_grande.pieces import standard_deck
from companion.sight import GAP, Outcome
from vision.finished import MIN_LEAD, Finished, finished
from vision.layout import Layout
from vision.nodes import BACK, OTHER, Judged, frame_of
from vision.patches import Node
from vision.recognise import FACES

ROWS = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")


def belief(face: str, strength: float = 0.995) -> NDArray[np.float64]:
    values = np.full(8, (1 - strength) / 7)
    values[OTHER if face == GAP else FACES.index(face)] = strength
    return values


def judged(node: Node, values: NDArray[np.float64], *, seen: bool = True, off: float = 0.05) -> Judged:
    row, column = node
    quad = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32) + np.array([column, row], np.float32) * 50 + 100
    return Judged(node, quad, values, off, 0.9 if seen else 0.0, seen)


def table(rows: tuple[str, ...] = ROWS, ring: int = 1) -> dict[Node, Judged]:
    """A layout and the empty nodes around it."""
    found = {}
    for row in range(-ring, len(rows) + ring):
        for column in range(-ring, len(rows[0]) + ring):
            inside = 0 <= row < len(rows) and 0 <= column < len(rows[0])
            face = rows[row][column] if inside else GAP
            found[row, column] = judged((row, column), belief(face), seen=face != GAP)
    return found


def best(nodes: dict[Node, Judged], cards: str = standard_deck(4)) -> Finished:
    return max(finished(nodes, 6, cards), key=lambda thought: thought.likelihood)


def test_sure_beliefs_make_a_certain_total() -> None:
    reading = best(table()).reading()
    assert (reading.outcome, reading.rows, reading.finished) == (Outcome.CLEAR, ROWS, True)


def test_the_frame_is_found_among_the_nodes_around_it() -> None:
    assert best(table(ring=2)).layout.box == (0, 0, 5, 5)


def test_one_misread_card_is_a_question() -> None:
    nodes = table()
    nodes[0, 0] = judged((0, 0), belief("2", 0.9))
    thought = best(nodes)
    assert not thought.certain
    assert (0, 0) in thought.doubtful()
    assert thought.reading().outcome is Outcome.ASK


def test_two_cards_that_may_be_exchanged_are_a_question() -> None:
    nodes = table()
    for node in ((0, 0), (2, 1)):
        values = np.full(8, 0.002)
        values[[1, 2]] = 0.494
        nodes[node] = judged(node, values)
    assert {(0, 0), (2, 1)} <= set(best(nodes).doubtful())


def faint_pair(mine: float, other: float) -> dict[Node, Judged]:
    """A 1 and a 2, each believed `mine` to be itself and `other` to be the other one; the rest is spread evenly."""
    nodes = table()
    for node, face, instead in (((0, 0), 1, 2), ((2, 1), 2, 1)):
        values = np.full(8, (1 - mine - other) / 6)
        values[[face, instead]] = mine, other
        nodes[node] = judged(node, values)
    return nodes


def test_cards_that_are_faint_themselves_are_a_question_though_the_deck_prefers_them() -> None:
    thought = best(faint_pair(0.35, 0.035))
    assert thought.answer.leads.min() > MIN_LEAD
    assert set(thought.doubtful()) == {(0, 0), (2, 1)}
    assert thought.reading().outcome is Outcome.ASK


@pytest.mark.parametrize(("mine", "other"), [(0.6, 0.06), (0.45, 0.009)])
def test_cards_believed_by_themselves_or_led_to_by_far_need_no_question(mine: float, other: float) -> None:
    assert best(faint_pair(mine, other)).reading().rows == ROWS
    assert best(faint_pair(mine, other)).certain


@pytest.mark.parametrize(("seen", "outcome"), [(True, Outcome.CLEAR), (False, Outcome.ASK)])
def test_a_card_half_believed_is_a_question_when_the_finder_saw_none(seen: bool, outcome: Outcome) -> None:
    nodes = table()
    values = np.full(8, 0.03)
    values[[FACES.index(","), OTHER]] = 0.57, 0.25
    nodes[0, 5] = judged((0, 5), values, seen=seen)
    nodes[1, 2] = judged((1, 2), belief(GAP, 0.9), seen=False)
    assert best(nodes).reading().outcome is outcome


def test_a_card_that_glare_hides_is_what_the_others_leave() -> None:
    nodes = table()
    nodes[1, 0] = judged((1, 0), belief(GAP, 0.6), seen=True)
    reading = best(nodes).reading()
    assert (reading.outcome, reading.rows) == (Outcome.CLEAR, ROWS)


def test_a_card_with_a_strange_face_is_a_question() -> None:
    nodes = table()
    nodes[1, 0] = judged((1, 0), belief(GAP, 0.97), seen=True)
    thought = best(nodes)
    assert thought.doubtful() == [(1, 0)]
    assert thought.reading().rows == ROWS


@pytest.mark.parametrize("face", [FACES[BACK], "2"])
def test_a_card_where_the_deck_has_none_left_is_a_question(face: str) -> None:
    nodes = table()
    nodes[1, 2] = judged((1, 2), belief(face), seen=True)
    assert (1, 2) in best(nodes).doubtful()


def test_two_hidden_cards_of_different_faces_are_a_question() -> None:
    nodes = table()
    for node in ((1, 0), (0, 0)):
        nodes[node] = judged(node, belief(GAP, 0.95), seen=True)
    assert best(nodes).reading().outcome is Outcome.ASK


def test_a_hidden_card_that_nobody_saw_may_be_a_gap() -> None:
    nodes = table()
    nodes[1, 0] = judged((1, 0), belief(GAP, 0.999), seen=False)
    assert not best(nodes).certain


def test_a_card_face_down_is_no_finished_layout() -> None:
    nodes = table()
    nodes[1, 0] = judged((1, 0), belief(FACES[BACK]))
    assert not best(nodes).believable


def test_a_face_outside_the_frame_is_no_finished_layout() -> None:
    nodes = table()
    nodes[-1, 2] = judged((-1, 2), belief("2"))
    assert not best(nodes).believable


def test_another_deck_is_not_believed() -> None:
    nodes = table(tuple(row.replace("0", "4") for row in ROWS))
    assert not best(nodes).believable


def test_a_deck_with_other_counts_is_believed_when_the_box_says_so() -> None:
    rows = ("11211,", *ROWS[1:])
    deck = standard_deck(4).replace("0", "", 1) + "1"
    assert not best(table(rows)).certain
    assert best(table(rows), deck).reading().rows == rows


def test_a_card_far_from_its_place_is_doubted() -> None:
    nodes = table()
    nodes[2, 2] = judged((2, 2), belief("2"), off=0.48)
    assert best(nodes).doubtful() == [(2, 2)]


@pytest.mark.parametrize(("strange", "box"), [(1, (0, 0, 5, 5)), (40, (0, 0, 5, 12))])
def test_a_few_strange_cards_do_not_widen_the_frame(strange: int, box: tuple[int, int, int, int]) -> None:
    nodes = table()
    places = [(row, column) for column in range(12, 5, -1) for row in range(6)][:strange]
    nodes |= {node: judged(node, belief(GAP), seen=True) for node in places}
    assert frame_of(nodes.values()) == box


def test_a_layout_at_the_edge_of_the_picture_may_go_on() -> None:
    layout = Layout.of(table(ROWS[:4]))
    assert layout is not None
    assert not layout.cut_off((600, 600), 6)
    assert layout.cut_off((310, 600), 6)
    assert layout.cut_off((600, 380), 6)


def shining(share: float) -> NDArray[np.float64]:
    """A gap through which so much of a face shows."""
    values = belief(GAP, 1 - share)
    values[4] += share
    return values / values.sum()


def test_a_face_that_shines_through_in_a_gap_is_a_question_when_a_card_is_not_plain() -> None:
    nodes = table()
    nodes[1, 2] = judged((1, 2), shining(0.25), seen=False)
    assert best(nodes).certain
    nodes[1, 1] = judged((1, 1), belief(",", 0.85))
    assert best(nodes).doubtful() == [(1, 2)]


def test_a_card_too_many_is_a_question_however_plain_the_others_are() -> None:
    for values, seen in ((shining(0.6), False), (belief(FACES[BACK], 0.8), True)):
        nodes = table()
        nodes[1, 2] = judged((1, 2), values, seen=seen)
        assert best(nodes).doubtful() == [(1, 2)]


@pytest.mark.parametrize(("support", "asked"), [(0.5, [(1, 2)]), (0.1, [])])
def test_a_back_in_a_gap_that_the_finder_missed_is_a_question_by_its_edges(
    support: float, asked: list[tuple[int, int]]
) -> None:
    nodes = table()
    extra = judged((1, 2), belief(FACES[BACK], 0.999), seen=False)
    nodes[1, 2] = replace(extra, support=support)
    assert best(nodes).doubtful() == asked


def test_a_strange_card_in_a_gap_is_a_question_however_plain_the_others_are() -> None:
    nodes = table()
    nodes[1, 2] = judged((1, 2), belief(GAP, 0.99), seen=True)
    assert best(nodes).doubtful() == [(1, 2)]


def test_a_card_that_the_deck_puts_where_none_was_seen_is_a_question() -> None:
    nodes = table()
    values = belief(GAP, 0.95)
    values[FACES.index("1")] = 0.045
    nodes[0, 0] = judged((0, 0), values / values.sum(), seen=False)
    assert best(nodes).doubtful()[0] == (0, 0)
