"""The chart's own arithmetic, and that it rests when nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import hypot
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kivy.core.window import Window

from ui.widgets.chart import DASHES, Chart, Course, dashed, spread, ticks

Driver = Any

LENGTHS = st.floats(0, 500).map(lambda value: round(value, 1))


@given(least=st.integers(-(10**6), 0), span=st.integers(0, 10**9))
def test_ticks_hold_all_values_at_equal_round_distances(least: int, span: int) -> None:
    found = ticks(least, least + span)
    steps = {later - earlier for earlier, later in pairwise(found)}
    assert found[0] <= least
    assert found[-1] >= least + span
    assert len(steps) == 1
    assert str(steps.pop()).rstrip("0") in {"1", "2", "5"}
    assert 2 <= len(found) <= 7


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [(0, 4, (0, 1, 2, 3, 4)), (0, 12, (0, 5, 10, 15)), (0, 401567, (0, 200000, 400000, 600000))],
)
def test_ticks_of_usual_scores(least: int, most: int, expected: tuple[int, ...]) -> None:
    assert ticks(least, most) == expected


@given(points=st.lists(st.tuples(LENGTHS, LENGTHS), min_size=2, max_size=6), pattern=st.sampled_from(DASHES))
def test_dashes_cover_their_share_of_the_line(points: list[tuple[float, float]], pattern: tuple[float, ...]) -> None:
    def length(line: list[tuple[float, float]]) -> float:
        return sum(hypot(x - to_x, y - to_y) for (x, y), (to_x, to_y) in pairwise(line))

    whole, drawn = length(points), sum(map(length, dashed(points, pattern)))
    share = sum(pattern[::2]) / sum(pattern)
    assert drawn <= whole + 1e-6
    assert abs(drawn - whole * share) <= sum(pattern)


@given(st.lists(LENGTHS, min_size=1, max_size=10).map(sorted))
def test_names_at_the_ends_never_lie_on_one_another(wanted: list[float]) -> None:
    places = spread(wanted, 20.0, 0.0, 500.0)
    assert all(later - earlier >= 20 - 1e-6 for earlier, later in pairwise(places))
    assert places[-1] <= 500
    assert places[0] >= -1e-6


def test_ends_that_have_room_stay_where_they_are() -> None:
    assert spread([10, 100, 300], 20, 0, 500) == [10, 100, 300]


def test_courses_are_told_apart_in_a_grey_picture(start: Callable[..., Driver]) -> None:
    driver = start((800, 480))
    pictures = []
    for seat in range(4):
        chart = Chart()
        Window.clear()
        Window.add_widget(chart)
        driver.frames(2)
        chart.show([Course(seat, (1, 2, 3, 4))], ("1", "2", "3", "4"))
        driver.frames(3)
        grey = driver.pixels().mean(axis=2)
        pictures.append(grey > (grey.min() + grey.max()) / 2)
        Window.remove_widget(chart)
    differing = [np.sum(one != other) for i, one in enumerate(pictures) for other in pictures[i + 1 :]]
    assert min(differing) > 300
