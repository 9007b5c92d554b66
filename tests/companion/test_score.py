from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.score import ScoreLine, ScoreSheet


def sheet(*totals: int, lower_wins: bool = False) -> ScoreSheet:
    lines = tuple(ScoreLine(seat, points, "line") for seat, points in enumerate(totals))
    return ScoreSheet("Sheet", tuple(range(len(totals))), lines, lower_wins)


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        ((9, 8, 7, 6), (1, 2, 3, 4)),
        ((9, 9, 7, 6), (1, 1, 3, 4)),
        ((7, 9, 7, 9), (3, 1, 3, 1)),
        ((1, 2, 2, 2), (4, 1, 1, 1)),
        ((0, 0), (1, 1)),
    ],
)
def test_equal_totals_share_the_better_rank(totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    assert tuple(sheet(*totals).ranks().values()) == ranks
    assert tuple(sheet(*(-total for total in totals), lower_wins=True).ranks().values()) == ranks


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-(10**6), 10**6)), max_size=30))
def test_a_total_is_the_sum_of_its_lines(points: list[tuple[int, int]]) -> None:
    lines = tuple(ScoreLine(seat, number, "line") for seat, number in points)
    whole = ScoreSheet("Sheet", (0, 1, 2, 3)).with_lines(lines)
    assert whole.totals() == {seat: sum(n for s, n in points if s == seat) for seat in range(4)}
    assert sum(len(whole.lines_of(seat)) for seat in whole.seats) == len(points)


def test_leaders() -> None:
    assert sheet(3, 5, 5, 1).leaders() == (1, 2)
    assert sheet(3, 5, 5, 1, lower_wins=True).leaders() == (3,)
