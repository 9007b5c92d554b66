"""Plays in JSON form: two that were photographed, and copies in which something was altered."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError
from companion.games.casa_grande.play_json import Replayed, read, replay
from ui.main import main

GOLDEN = Path(__file__).parent / "golden"
PLAY = json.loads((GOLDEN / "play.json").read_text())


def lines(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]], str]:
    status = main(["replay", str(path), "--json"])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


@pytest.mark.parametrize("name", ["play.json", "play2.json"])
def test_every_turn_comes_to_what_the_file_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, told, err = lines(GOLDEN / name, capsys)
    file = json.loads((GOLDEN / name).read_text())
    assert (status, err, len(told)) == (0, "", len(file["turns"]))
    for line, turn in zip(told, file["turns"], strict=True):
        assert (line["pay"], line["compensated"]) == (turn["pay"], turn["compensated"])
        assert {"bonus": line["bonus"], "money": line["money"]} == turn["after"] == line["after"]


def block(play: Any, turn: int, row: int, column: int) -> None:
    play["turns"][turn - 1]["move"]["block"]["plot"] = [row, column]


def another_lane(play: Any) -> None:
    block(play, 10, 3, 6)


def on_anothers_block(play: Any) -> None:
    block(play, 4, 5, 6)


def beside_the_board(play: Any) -> None:
    block(play, 2, 8, 6)


def wrong_block_level(play: Any) -> None:
    play["turns"][8]["move"]["block"]["level"] = 1


def wrong_floor_level(play: Any) -> None:
    play["turns"][12]["move"]["platform"]["level"] = 1


def mark_on_anothers_block(play: Any) -> None:
    platform = play["turns"][4]["move"]["platform"]
    platform.update(piece="L3", squares=[[4, 5], [4, 6], [5, 6]], marked=[[4, 5], [5, 6]])


def over_anothers_higher_top(play: Any) -> None:
    platform = play["turns"][13]["move"]["platform"]
    platform.update(piece="L4", squares=[[3, 2], [3, 3], [3, 4], [4, 2]], marked=[[3, 4], [4, 2]])


def over_the_edge(play: Any) -> None:
    platform = play["turns"][7]["move"]["platform"]
    platform.update(squares=[[4, 8], [5, 7], [5, 8]], marked=[[4, 8], [5, 7]])


def a_point_too_few(play: Any) -> None:
    play["turns"][6]["move"]["bought"] = 6


def another_die(play: Any) -> None:
    play["turns"][8]["die"] = 3


def no_such_die(play: Any) -> None:
    play["turns"][2]["die"] = 7


def out_of_turn(play: Any) -> None:
    play["turns"][3]["player"] = "purple"


def more_than_there_are(play: Any) -> None:
    play["box"]["pieces"][3]["count"] = 1


def another_shape(play: Any) -> None:
    play["turns"][5]["move"]["platform"]["squares"][1] = [6, 3]


def other_marks(play: Any) -> None:
    play["turns"][5]["move"]["platform"]["marked"] = [[5, 3], [5, 5]]


def no_such_piece(play: Any) -> None:
    play["turns"][5]["move"]["platform"]["piece"] = "Z9"


def stays_where_no_corner_is(play: Any) -> None:
    play["turns"][3]["move"] = {"kind": "stay", "bought": 0, "block": None, "platform": None}


def builds_on_the_corner(play: Any) -> None:
    play["turns"][22]["move"].update(kind="build", block={"plot": [0, 0], "level": 1})


def lays_no_block(play: Any) -> None:
    play["turns"][3]["move"]["block"] = None


def too_much_pay(play: Any) -> None:
    play["turns"][12]["pay"] = 12


def compensation_forgotten(play: Any) -> None:
    play["turns"][8]["compensated"] = None


def compensated_for_nothing(play: Any) -> None:
    play["turns"][9]["compensated"] = {"colour": "gray", "points": 1}


def cash_in_forgotten(play: Any) -> None:
    play["turns"][20]["after"]["bonus"]["beige"] = 9


def money_forgotten(play: Any) -> None:
    play["turns"][4]["after"]["money"]["gray"] = 0


ALTERED = [
    (another_lane, 10, "lane"),
    (on_anothers_block, 4, "block_of_other"),
    (beside_the_board, 2, "plot_outside"),
    (wrong_block_level, 9, "said_level"),
    (wrong_floor_level, 13, "said_level"),
    (mark_on_anothers_block, 5, "floor_marked"),
    (over_anothers_higher_top, 14, "floor_on_floor"),
    (over_the_edge, 8, "floor_edge"),
    (a_point_too_few, 7, "points"),
    (another_die, 9, "lane"),
    (no_such_die, 3, "pips"),
    (out_of_turn, 4, "turn"),
    (more_than_there_are, 14, "floor_stock"),
    (another_shape, 6, "floor_shape"),
    (other_marks, 6, "floor_shape"),
    (no_such_piece, 6, "floor_unknown"),
    (stays_where_no_corner_is, 4, "stays_off_corner"),
    (builds_on_the_corner, 23, "corner_ends"),
    (lays_no_block, 4, "block_first"),
    (too_much_pay, 13, "said_pay"),
    (compensation_forgotten, 9, "said_compensation"),
    (compensated_for_nothing, 10, "said_none_due"),
    (cash_in_forgotten, 21, "said_bonus"),
    (money_forgotten, 5, "said_lire"),
]


@pytest.mark.parametrize(("alter", "turn", "rule"), ALTERED, ids=[alter.__name__ for alter, _, _ in ALTERED])
def test_an_altered_copy_is_refused_at_its_turn_by_its_rule(
    alter: Callable[[Any], None], turn: int, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = copy.deepcopy(PLAY)
    alter(play)
    path = tmp_path / "altered.json"
    path.write_text(json.dumps(play))
    status, told, err = lines(path, capsys)
    assert (status, told[-1]["turn"], told[-1]["refused"]["rule"]) == (3, turn, rule)
    assert [line["refused"] for line in told[:-1]] == [None] * (turn - 1)
    assert err == f"Turn {turn}, {told[-1]['player']}: {told[-1]['refused']['sentence']}\n"
    assert told[-1]["money"] == (PLAY["turns"][turn - 2]["after"]["money"])


def test_what_is_not_stated_is_not_held_against_the_rules() -> None:
    play = copy.deepcopy(PLAY)
    for turn in play["turns"]:
        del turn["pay"], turn["compensated"], turn["after"], turn["photo"]
        for part in filter(None, (turn["move"]["block"], turn["move"]["platform"])):
            del part["level"]
    played = list(replay(read(json.dumps(play))))
    assert len(played) == len(PLAY["turns"])
    assert isinstance(played[-1], Replayed)
    assert [player.lire for player in played[-1].state.players] == [25, 20, 13, 22]


BROKEN: list[tuple[Callable[[Any], object], str]] = [
    (lambda play: play.update(game="chess"), "the file: game must be \"casa-grande\", not 'chess'."),
    (lambda play: play.update(turns={}), "the file: turns must be a list, not a table."),
    (lambda play: play["turns"][2].update(die="four"), "turn 3: die must be a whole number, not 'four'."),
    (lambda play: play["turns"][2].pop("move"), "turn 3: move must be an object, and it is missing."),
    (lambda play: play["turns"][2].update(player="red"), "turn 3: player must be one of gray orange purple beige"),
    (lambda play: play["turns"][0]["move"]["block"].update(plot=[1]), "plot must be [row, column], two whole numbers"),
    (lambda play: play["start"].update(gray=10), "Each of the 4 pieces starts on a corner of its own"),
    (lambda play: play["box"]["pieces"][0].update(marked=[]), "I3 must have a marked square"),
    (lambda play: play["box"].update(pitch_mm=-1), "box: pitch_mm must be a number from 5 to 60, not -1."),
    (
        lambda play: play["box"]["pieces"][0].update(flippable=1),
        "box, piece 1: flippable must be true or false, not 1.",
    ),
    (lambda play: play["box"]["pieces"][0].update(squares=[]), "box, piece 1: squares must be one square or more"),
]


@pytest.mark.parametrize(("spoil", "sentence"), BROKEN, ids=[sentence[:24] for _, sentence in BROKEN])
def test_a_file_that_is_no_such_play_is_told_in_one_line(
    spoil: Callable[[Any], object], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = copy.deepcopy(PLAY)
    spoil(play)
    path = tmp_path / "spoilt.json"
    path.write_text(json.dumps(play))
    status, told, err = lines(path, capsys)
    assert (status, told, err.count("\n")) == (2, [], 1)
    assert sentence in err


def test_a_file_that_breaks_off_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.json"
    path.write_text((GOLDEN / "play.json").read_text()[:2000])
    assert main(["replay", str(path)]) == 2
    assert "this is not JSON that can be read" in capsys.readouterr().err
    with pytest.raises(CompanionError, match="not JSON"):
        read("{" * 100_000)


def test_without_json_the_turns_are_told_and_the_money_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOLDEN / "play.json")]) == 0
    out = capsys.readouterr().out
    assert "beige reaches 9 on the bonus scale: 9 lire, and the marker goes back to 0. The bank gives beige 9." in out
    assert "Round 4: P5, 5 squares on level 2, pays 10" in out
