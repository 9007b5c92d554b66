from __future__ import annotations

import json
from pathlib import Path

import pytest

from ui.main import main

GOLDEN = Path(__file__).parents[1] / "games" / "cassa_grande" / "golden"


def test_a_single_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOLDEN / "worked_example.txt")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "Round 1"
    assert [line for line in lines if "rank" in line] == [
        "Ana  35344  (rank 3)",
        "Ben  15448  (rank 4)",
        "Zoë  401567  (rank 1)",
        "Łukasz  230626  (rank 2)",
    ]
    assert "     4,X00X reads 4: stops at the comma" in lines
    assert lines[-1] == "The play is over."


def test_a_tournament_ends_with_its_standing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOLDEN / "two_players_three_rounds.txt")]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line in {"Round 1", "Round 2", "Round 3", "Standing"}] == [
        "Round 1",
        "Round 2",
        "Round 3",
        "Standing",
    ]
    standing = out.split("Standing\n")[1].splitlines()
    assert standing[:5] == [
        "山田  4  (rank 2)",
        "     Round 1: rank 2 with 27185 earns 1",
        "     Round 2: rank 2 with 31145 earns 1",
        "     Round 3: rank 2 with 38256 earns 1",
        "     +1 by agreement: the leaflet's own sums were used",
    ]
    assert standing[5] == 'O"Neil  6  (rank 1)'


def test_a_play_that_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evening.txt"
    path.write_text('\ufeffgame: cassa-grande\r\nseat A: "Zoë"\r\n\r\nA 0,0 ?\r\n', encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == "Zoë lays a card face down on 0,0.\n"
    path.write_text("game: cassa-grande\n", encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == "No move has been made yet.\n"


def test_the_first_refused_line_is_named_with_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOLDEN / "past_the_frame.txt")]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "Line 14, 'C 0,-1 ?': Frame rule: a card on 0,-1 makes the layout 6 wide and 2 high; 5 by 5 is the limit.\n"
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", str(GOLDEN / "worked_example.txt")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["names"] == {"A": "Ana", "B": "Ben", "C": "Zoë", "D": "Łukasz"}
    assert found["revision"] == 33
    assert found["sheets"][-1]["totals"] == {"A": 35344, "B": 15448, "C": 401567, "D": 230626}
    assert found["events"][0] == "Ana lays a card face down on 0,0."
    assert found["refused"] is None
    assert main(["replay", "--json", str(GOLDEN / "past_the_frame.txt")]) == 3
    refused = json.loads(capsys.readouterr().out)["refused"]
    assert (refused["line"], refused["entry"], refused["rule"]) == (14, "C 0,-1 ?", "frame")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Line 1: The journal does not name its game"),
        ("game: cassa-grande\nplayers: 3\n", "Line 2: Cassa Grande is for 2 or 4 players, not 3: choose 2 or 4."),
        ("game: cassa-grande\n\nA 0,0 ?\nhello\n", "Line 4: 'hello' is not a move of Cassa Grande"),
    ],
)
def test_what_is_no_journal_is_refused_in_one_sentence(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "evening.txt"
    path.write_text(text, encoding="utf-8")
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence.replace("Line", "line") in err
    assert "evening.txt" in err
    assert err.count("\n") == 1


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "photo.jpg"
    binary.write_bytes(b"\xff\xd8\xff\xe0")
    for path, reason in ((tmp_path / "missing.txt", "cannot be read"), (tmp_path, "cannot be read"), (binary, "UTF-8")):
        assert main(["replay", str(path)]) == 2
        err = capsys.readouterr().err
        assert reason in err
        assert err.count("\n") == 1


def test_help_tells_the_exit_status_and_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["replay", "--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert "3 a line is refused by a rule" in out
    assert "companion replay" in out
