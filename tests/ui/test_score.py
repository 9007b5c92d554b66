from __future__ import annotations

import json
from pathlib import Path

import pytest

from ui.main import main

WORKED_EXAMPLE = ["11201,", "4,X00X", "022104", "2003X2", "32,243", "X402,3"]
TWO = ["43322", "21100", "0X,34", "32221", "1000,"]


def score(*arguments: str) -> int:
    return main(["score", "cassa-grande", *arguments])


def test_worked_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert score(*WORKED_EXAMPLE) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads == ["A  35344  (rank 3)", "B  15448  (rank 4)", "C  401567  (rank 1)", "D  230626  (rank 2)"]
    assert lines[1:7] == [
        "     11201, reads 11201: stops at the comma",
        "     4,X00X reads 4: stops at the comma",
        "     022104 reads 22104",
        "     2003X2 reads 2003: stops at the gap",
        "     32,243 reads 32: stops at the comma",
        "     X402,3 reads 0: starts with a gap",
    ]
    assert lines[8] == "     ,X4233 reads 0: starts with a comma"
    assert len(lines) == 4 * 7


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert score("--json", *WORKED_EXAMPLE) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["totals"] == {"A": 35344, "B": 15448, "C": 401567, "D": 230626}
    assert found["ranks"] == {"A": 3, "B": 4, "C": 1, "D": 2}
    assert found["doubt"] is None
    assert len(found["lines"]) == 24
    assert found["lines"][1] == {
        "seat": "A",
        "points": 4,
        "rule": "stops_at_comma",
        "facts": {"number": 2, "line": "4,X00X", "counted": "4", "ignored": ",X00X"},
        "spots": [[1, column] for column in range(6)],
    }


def test_two_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert score(*TWO) == 0
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if line[0] != " "] == ["A  97643  (rank 1)", "C  34712  (rank 2)"]
    assert err == ""


def test_a_slip_of_the_keyboard_is_pointed_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert score("11211,", *WORKED_EXAMPLE[1:]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("A  35354")
    assert err == (
        "Check the rows: they hold (7x0 5x1 8x2 4x3 4x4 4x,), and the deck in play holds (8x0 4x1 8x2 4x3 4x4 4x,).\n"
    )


def test_a_deck_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = {4: {"0": 7, "1": 5, "2": 8, "3": 4, "4": 4, ",": 4}, 2: {"0": 6, "1": 4, "2": 6, "3": 4, "4": 2, ",": 2}}
    tables = [
        "\n".join([f"[deck.{players}]", *(f'"{face}" = {count}' for face, count in deck.items())])
        for players, deck in counts.items()
    ]
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(['game = "cassa-grande"', 'name = "Mine"', *tables]), encoding="utf-8")
    assert score("11211,", *WORKED_EXAMPLE[1:], "--box", str(path)) == 0
    assert capsys.readouterr().err == ""
    path.write_text("name = 3", encoding="utf-8")
    assert score(*WORKED_EXAMPLE, "--box", str(path)) == 2
    assert "name must be a text (found 3)." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (WORKED_EXAMPLE[:5], "5 by 6 (rows by columns)"),
        ([*WORKED_EXAMPLE, "XXXXXX"], "7 by 6 (rows by columns)"),
        (["0123"] * 4, "4 by 4 (rows by columns)"),
        (["0123,4"], "1 by 6 (rows by columns)"),
        (["11201", *WORKED_EXAMPLE[1:]], "has 6 symbols and row 1 has 5"),
        (["11201.,", *WORKED_EXAMPLE[1:]], "has 6 symbols and row 1 has 7"),
        (["11251,", *WORKED_EXAMPLE[1:]], "holds '5'"),
        (["112 1,", *WORKED_EXAMPLE[1:]], "holds ' '"),
        (["1?201,", *WORKED_EXAMPLE[1:]], "row 1, column 2 is not known"),
        ([""], "There are no rows"),
    ],
)
def test_bad_rows_are_refused_in_one_sentence(
    rows: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(*rows) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["chess", "1"], ["cassa-grande"]])
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["score", *arguments])
    assert caught.value.code == 2
    assert "usage: companion score" in capsys.readouterr().err
