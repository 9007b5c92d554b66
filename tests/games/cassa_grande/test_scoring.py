from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import GridError
from companion.games.cassa_grande.scoring import read_lines, seat_spots, sheet, turned
from companion.games.cassa_grande.wording import SENTENCES
from companion.wording import line_sentence

grids = st.integers(0, 2**32).map(lambda seed: random_grid(random.Random(seed)))


def random_grid(chance: random.Random) -> list[str]:
    size = chance.choice([5, 6])
    return ["".join(chance.choice("01234,.") for _ in range(size)) for _ in range(size)]


def slow_total(rows: Sequence[str], seat: int) -> int:
    """Walk the table itself: from the reader's far left, one line after the other, to the reader's right."""
    last = len(rows) - 1
    start = {0: (0, 0), 1: (0, last), 2: (last, last), 3: (last, 0)}[seat]
    right, nearer = {0: ((0, 1), (1, 0)), 1: ((1, 0), (0, -1)), 2: ((0, -1), (-1, 0)), 3: ((-1, 0), (0, 1))}[seat]
    total = 0
    for line in range(last + 1):
        number = 0
        for place in range(last + 1):
            row = start[0] + line * nearer[0] + place * right[0]
            column = start[1] + line * nearer[1] + place * right[1]
            if rows[row][column] in ",.":
                break
            number = number * 10 + int(rows[row][column])
        total += number
    return total


def test_worked_example(worked_example: tuple[str, ...]) -> None:
    result = sheet(worked_example)
    assert result.totals() == {0: 35344, 1: 15448, 2: 401567, 3: 230626}
    assert result.ranks() == {2: 1, 3: 2, 0: 3, 1: 4}
    assert [[line.points for line in result.lines_of(seat)] for seat in result.seats] == [
        [11201, 4, 22104, 2003, 32, 0],
        [0, 100, 1322, 2, 1, 14023],
        [3, 342, 2, 401220, 0, 0],
        [0, 4202, 0, 223100, 0, 3324],
    ]


def test_the_sources_lines_as_b_sees_them(worked_example: tuple[str, ...]) -> None:
    assert turned(worked_example) == (",X4233", "100X4,", "001322", "2X20,0", "1,2024", "14023X")


def test_lines_explain_themselves(worked_example: tuple[str, ...]) -> None:
    lines = sheet(worked_example).lines_of(0)
    assert [line_sentence(SENTENCES, line) for line in lines] == [
        "11201, reads 11201: stops at the comma",
        "4,X00X reads 4: stops at the comma",
        "022104 reads 22104",
        "2003X2 reads 2003: stops at the gap",
        "32,243 reads 32: stops at the comma",
        "X402,3 reads 0: starts with a gap",
    ]
    assert lines[1].facts == {"number": 2, "line": "4,X00X", "counted": "4", "ignored": ",X00X"}
    assert lines[1].spots == ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5))


@pytest.mark.parametrize(
    ("line", "points", "counted"),
    [("432,04", 432, "432"), ("3X4001", 3, "3"), ("32,04X", 32, "32"), ("000000", 0, "000000"), (",12344", 0, "")],
)
def test_a_line_counts_up_to_its_first_break(line: str, points: int, counted: str) -> None:
    read = sheet([line, *["XXXXXX"] * 5]).lines_of(0)[0]
    assert read.points == points
    assert read.facts["counted"] == counted
    assert f"{read.facts['counted']}{read.facts['ignored']}" == line


def test_two_players_read_five_rows_from_opposite_ends() -> None:
    rows = ("12340", "0,123", "22222", "X0123", "4000,")
    result = sheet(rows)
    assert result.seats == (0, 2)
    assert [line.points for line in result.lines_of(0)] == [12340, 0, 22222, 0, 4000]
    assert [line.points for line in result.lines_of(2)] == [0, 3210, 22222, 321, 4321]
    assert [line.facts["line"] for line in result.lines_of(2)] == [",0004", "3210X", "22222", "321,0", "04321"]


@given(grids)
def test_totals_agree_with_a_walk_over_the_table(rows: list[str]) -> None:
    seats = range(4)
    assert sheet(rows, seats).totals() == {seat: slow_total(rows, seat) for seat in seats}


@given(grids)
def test_the_next_seat_reads_what_the_turned_layout_shows(rows: list[str]) -> None:
    view: Sequence[str] = rows
    for seat in range(4):
        shown = [str(line.facts["line"]).replace("X", ".") for line in read_lines(rows, seat)]
        assert shown == list(view)
        for line, spots in zip(view, seat_spots(len(rows), len(rows), seat), strict=True):
            assert "".join(rows[row][column] for row, column in spots) == line
        view = turned(view)
    assert list(view) == rows


def test_every_way_to_write_a_gap_reads_the_same() -> None:
    rows = ["1X2", "x34", ".01"]
    assert sheet(rows, [0]).totals() == sheet(["1.2", ".34", ".01"], [0]).totals() == {0: 1}


def test_an_unknown_card_behind_the_break_does_not_matter_to_that_reader() -> None:
    assert sheet(["12,?00", *["XXXXXX"] * 5], [0]).total(0) == 12


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["12?,00", *["XXXXXX"] * 5], "Line 1 of A cannot be read: the card in row 1, column 3 is not known"),
        ([*["XXXXXX"] * 5, "12,?00"], "Line 1 of C cannot be read: the card in row 6, column 4 is not known"),
        (["XXXXXX"] * 7, "7 by 6 (rows by columns)"),
        (["XXXX"] * 4, "4 by 4 (rows by columns)"),
        (["XXXXXX"] * 5, "5 by 6 (rows by columns)"),
        (["XXXXXX", "XXXXX", *["XXXXXX"] * 4], "Row 2, 'XXXXX', has 5 symbols and row 1 has 6"),
        (["XXXXXX", "XX5XXX", *["XXXXXX"] * 4], "Row 2, 'XX5XXX', holds '5'"),
        (["\u0661XXXXX", *["XXXXXX"] * 5], "holds '\u0661'"),
        ([], "There are no rows"),
        ([""] * 6, "There are no rows"),
    ],
)
def test_what_is_no_layout_is_refused_in_a_sentence(rows: list[str], sentence: str) -> None:
    with pytest.raises(GridError, match=r"^[A-Z].*\.$") as caught:
        sheet(rows)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("row", ["5" * 100_000, "0" * 100_000, "\x1b" * 100_000])
def test_a_long_row_is_not_repeated_in_full(row: str) -> None:
    with pytest.raises(GridError) as caught:
        sheet(["000000", row])
    assert str(caught.value).startswith("Row 2, '")
    assert "…'" in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
