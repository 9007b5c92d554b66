from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.intents import Control, Notice, Pressed
from hardware.presses import Key, Recogniser

CONFIRM, UNDO = Key(Control.CONFIRM), Key(Control.UNDO)
A, B, C = (Key(Control.SEAT, seat) for seat in range(3))
KEYS = (CONFIRM, UNDO, A, B, C)

Edge = tuple[Key, bool, float]
Told = list[Pressed | Notice]


def pressed(key: Key, at_s: float, *, held: bool = False) -> Pressed:
    return Pressed(key.control, at_s, held, key.seat)


def press(key: Key, start_s: float, length_s: float) -> list[Edge]:
    return [(key, True, start_s), (key, False, start_s + length_s)]


def bouncing(key: Key, start_s: float, length_s: float, gaps_s: Sequence[float]) -> list[Edge]:
    """A press whose contact opens and closes again after it closed, and the other way round after it opened."""
    edges = []
    for down, at_s in ((True, start_s), (False, start_s + length_s)):
        edges.append((key, down, at_s))
        for number, gap_s in enumerate(gaps_s):
            at_s += gap_s
            edges.append((key, down if number % 2 else not down, at_s))
        if len(gaps_s) % 2:
            edges.append((key, down, at_s + 0.0005))
    return edges


def run(edges: Iterable[Edge], ticks_s: Iterable[float] = (60.0,), **options: float) -> Told:
    """Everything told when each edge is delivered at its own time, and ticks come at these."""
    recogniser, told, waiting = Recogniser(KEYS, **options), Told(), sorted(edges, key=lambda edge: edge[2])
    for now_s in ticks_s:
        while waiting and waiting[0][2] <= now_s:
            recogniser.feed(*waiting.pop(0))
        told += recogniser.tick(now_s)
    assert not waiting
    return told


def sentences(told: Told) -> list[str]:
    return [intent.sentence for intent in told if isinstance(intent, Notice)]


def presses(told: Told) -> list[Pressed]:
    return [intent for intent in told if isinstance(intent, Pressed)]


def test_a_press_of_60_ms_counts_once_it_is_released() -> None:
    recogniser = Recogniser(KEYS)
    recogniser.feed(CONFIRM, True, 1.0)
    assert recogniser.tick(1.05) == []
    recogniser.feed(CONFIRM, False, 1.06)
    assert recogniser.tick(1.07) == []
    assert recogniser.tick(1.06 + 0.02) == [pressed(CONFIRM, 1.0)]
    assert recogniser.tick(9.0) == []
    assert recogniser.last_length_s(CONFIRM) == pytest.approx(0.06)


@pytest.mark.parametrize("debounce_s", [0.005, 0.02, 0.05, 0.1])
def test_a_press_of_60_ms_counts_with_every_debounce_time(debounce_s: float) -> None:
    edges = bouncing(CONFIRM, 1.0, 0.06, [0.001] * 8)
    assert run(edges, debounce_s=debounce_s) == [pressed(CONFIRM, 1.0)]


def test_five_bounces_are_one_press() -> None:
    assert run(bouncing(UNDO, 2.0, 0.2, [0.001] * 10)) == [pressed(UNDO, 2.0)]


def test_hold_acts_at_its_limit_once_and_its_release_does_nothing() -> None:
    recogniser = Recogniser(KEYS, hold_s=1.0)
    recogniser.feed(CONFIRM, True, 5.0)
    assert recogniser.tick(5.99) == []
    assert recogniser.tick(6.0) == [pressed(CONFIRM, 5.0, held=True)]
    assert recogniser.tick(6.03) == []
    for number in range(7):
        recogniser.feed(CONFIRM, bool(number % 2), 6.2 + 0.002 * number)
    assert recogniser.tick(6.5) == []


@pytest.mark.parametrize(("length_s", "held"), [(1.2, True), (1.0, True), (0.99, False), (0.3, False)])
def test_long_or_short_never_both(length_s: float, held: bool) -> None:
    told = [pressed(CONFIRM, 3.0, held=held)]
    assert run(press(CONFIRM, 3.0, length_s)) == told
    assert run(press(CONFIRM, 3.0, length_s), [number / 30 for number in range(180)]) == told


def test_a_contact_that_bounces_at_the_limit_is_still_held() -> None:
    edges = [(CONFIRM, True, 0.0), (CONFIRM, False, 0.995), (CONFIRM, True, 1.002), (CONFIRM, False, 1.5)]
    ticks_s = [number / 30 for number in range(60)]
    assert run(edges, ticks_s) == [pressed(CONFIRM, 0.0, held=True)]


def test_the_next_press_after_a_hold_counts() -> None:
    told = run([*bouncing(CONFIRM, 1.0, 1.5, [0.003] * 6), *press(CONFIRM, 3.0, 0.1)])
    assert told == [pressed(CONFIRM, 1.0, held=True), pressed(CONFIRM, 3.0)]


bounces = st.lists(st.floats(0.0001, 0.002), max_size=7)


@settings(max_examples=10)
@given(st.lists(st.tuples(st.floats(0.03, 0.5), st.floats(0.08, 1.0), bounces), min_size=100, max_size=100))
def test_a_hundred_presses_with_bounces_are_a_hundred(series: list[tuple[float, float, list[float]]]) -> None:
    edges, starts, at_s = [], [], 1.0
    for length_s, pause_s, gaps_s in series:
        starts.append(at_s)
        edges += bouncing(CONFIRM, at_s, length_s, gaps_s)
        at_s += length_s + pause_s
    expected = [pressed(CONFIRM, start_s) for start_s in starts]
    assert run(edges, [200.0]) == expected
    assert run(edges, [number / 8 for number in range(1600)]) == expected


one_press = st.tuples(st.sampled_from(KEYS), st.floats(0.03, 1.4), st.floats(0.001, 0.4), bounces)


@settings(max_examples=50)
@given(st.lists(one_press, min_size=1, max_size=8), st.lists(st.floats(0.0, 8.0), max_size=40), st.integers(0, 99))
def test_late_ticks_and_late_edges_change_nothing(
    series: list[tuple[Key, float, float, list[float]]], ticks_s: list[float], seed: int
) -> None:
    edges: list[Edge] = []
    free_s, at_s = dict.fromkeys(KEYS, 0.0), 0.5
    for key, length_s, step_s, gaps_s in series:
        # Nobody presses a button again before it is released.
        start_s = max(at_s + step_s, free_s[key] + 0.1)
        edges += bouncing(key, start_s, length_s, gaps_s)
        free_s[key], at_s = start_s + length_s, start_s
    regular = [number / 30 for number in range(450)]
    expected = run(edges, regular)
    assert run(edges, [15.0]) == expected
    assert run(edges, [*sorted(ticks_s), 15.0]) == expected
    late = Recogniser(KEYS)
    by_key = [[edge for edge in edges if edge[0] == key] for key in random.Random(seed).sample(KEYS, len(KEYS))]
    for edge in (edge for of_key in by_key for edge in of_key):
        late.feed(*edge)
    assert late.tick(15.0) == expected


def test_cross_talk_on_a_second_pin_does_nothing_and_is_told() -> None:
    told = run([*press(CONFIRM, 1.0, 0.1), *press(UNDO, 1.004, 0.1)])
    assert presses(told) == [pressed(CONFIRM, 1.0)]
    sentence = "Confirm was taken; undo followed 4 ms later and does nothing: press it again if you meant it."
    assert sentences(told) == [sentence]


@pytest.mark.parametrize("gap_s", [0.0, 0.001, 0.01])
def test_cross_talk_between_seats_and_over_a_long_press_does_nothing_either(gap_s: float) -> None:
    told = run([*press(A, 1.0, 2.0), *press(B, 1.0 + gap_s, 2.0)])
    assert presses(told) == [pressed(A, 1.0, held=True)]
    assert len(sentences(told)) == 1


def test_at_the_very_same_time_the_order_of_the_keys_decides() -> None:
    told = run([*press(UNDO, 1.0, 0.1), *press(CONFIRM, 1.0, 0.1)])
    assert presses(told) == [pressed(CONFIRM, 1.0)]
    assert run([*press(CONFIRM, 0.75, 0.25), *press(UNDO, 1.0, 0.3)]) == run(
        [*press(UNDO, 1.0, 0.3), *press(CONFIRM, 0.75, 0.25)]
    )


def test_a_late_edge_can_be_the_first_of_two() -> None:
    recogniser = Recogniser(KEYS)
    recogniser.feed(UNDO, True, 1.005)
    assert recogniser.tick(1.01) == []
    recogniser.feed(CONFIRM, True, 1.0)
    told = recogniser.tick(1.04)
    for key in (CONFIRM, UNDO):
        recogniser.feed(key, False, 1.1)
    told += recogniser.tick(1.2)
    assert told == run([*press(CONFIRM, 1.0, 0.1), *press(UNDO, 1.005, 0.095)])


def test_two_players_at_once_both_count_in_the_order_of_going_down() -> None:
    told = run([*press(B, 1.0, 0.4), *press(A, 1.034, 0.1)], [number / 30 for number in range(90)])
    assert sentences(told) == ["B 34 ms before A: both count."]
    assert presses(told) == [pressed(B, 1.0), pressed(A, 1.034)]


def test_two_central_buttons_at_once_are_one_hand() -> None:
    told = run([*press(CONFIRM, 1.0, 0.4), *press(UNDO, 1.05, 0.1)])
    assert sentences(told) == ["Confirm 50 ms before undo: confirm was taken; press undo again if you meant it."]
    assert presses(told) == [pressed(CONFIRM, 1.0)]


def test_a_button_that_somebody_leans_on_does_not_stop_the_others() -> None:
    told = run([(CONFIRM, True, 1.0), *press(UNDO, 1.5, 0.1), *press(UNDO, 9.0, 0.1)])
    assert told == [pressed(UNDO, 1.5), pressed(CONFIRM, 1.0, held=True), pressed(UNDO, 9.0)]


def test_one_after_the_other_is_not_at_once() -> None:
    told = run([*press(CONFIRM, 1.0, 0.05), *press(UNDO, 1.08, 0.05)])
    assert told == [pressed(CONFIRM, 1.0), pressed(UNDO, 1.08)]


def test_a_button_that_is_stuck_is_ignored_until_it_is_released() -> None:
    recogniser = Recogniser(KEYS, stuck=[UNDO])
    assert recogniser.tick(5.0) == []
    assert recogniser.is_stuck(UNDO)
    assert not recogniser.is_stuck(CONFIRM)
    for down, at_s in ((False, 6.0), (True, 6.005), (False, 7.0)):
        recogniser.feed(UNDO, down, at_s)
    assert recogniser.tick(7.01) == []
    assert recogniser.is_stuck(UNDO)
    assert recogniser.tick(7.1) == []
    assert not recogniser.is_stuck(UNDO)
    for _, down, at_s in press(UNDO, 8.0, 0.1):
        recogniser.feed(UNDO, down, at_s)
    assert recogniser.tick(9.0) == [pressed(UNDO, 8.0)]


def test_an_edge_of_the_future_waits_for_its_time() -> None:
    recogniser = Recogniser(KEYS)
    for edge in press(CONFIRM, 1.0, 0.1):
        recogniser.feed(*edge)
    assert recogniser.tick(0.9) == []
    assert recogniser.last_edge_s(CONFIRM) is None
    assert recogniser.tick(2.0) == [pressed(CONFIRM, 1.0)]
    assert recogniser.last_edge_s(CONFIRM) == 1.1
