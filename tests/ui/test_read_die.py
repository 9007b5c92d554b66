"""`companion read die`: what is printed and returned for each kind of photograph."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sight import Outcome
from ui import read_die
from ui.main import main
from vision.recognisers.die import Die, DieReading

CORNERS = ((10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0))
READINGS = {
    50: DieReading(Outcome.CLEAR, (Die(2, CORNERS, 0.9), Die(6, CORNERS, 1.0))),
    100: DieReading(Outcome.ASK, (Die(4, CORNERS, 0.5),), "A die is not sure; look at it and type its number."),
    150: DieReading(Outcome.UNREADABLE, (), "No die is seen; take the photograph from closer."),
}


@pytest.fixture(autouse=True)
def eye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_die.die, "read", lambda image: READINGS[int(image[0, 0, 0])])


def photo(folder: Path, grey: int) -> str:
    path = folder / f"{grey}.png"
    assert cv2.imwrite(str(path), np.full((60, 80, 3), grey, np.uint8))
    return str(path)


@pytest.mark.parametrize(
    ("grey", "status", "values"), [(50, 0, [2, 6]), (100, 3, [4]), (150, 3, [])], ids=["clear", "ask", "unreadable"]
)
def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str], grey: int, status: int, values: list[int]) -> None:
    name = photo(tmp_path, grey)
    assert main(["read", "die", name, "--json"]) == status
    out, err = capsys.readouterr()
    shown = json.loads(out)
    assert list(shown) == ["photo", "outcome", "values", "reason", "seconds"]
    assert (shown["photo"], shown["outcome"], shown["values"]) == (name, READINGS[grey].outcome.value, values)
    assert shown["reason"] == READINGS[grey].reason
    assert isinstance(shown["seconds"], float)
    assert err == ""


def test_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [photo(tmp_path, grey) for grey in (50, 100)]
    assert main(["read", "die", *names]) == 3
    out = capsys.readouterr().out
    assert f"{names[0]}: clear\n  2 6\n  together 8\n" in out
    assert f"{names[1]}: ask\n  4\nA die is not sure" in out


def test_a_bad_file_is_told_and_the_others_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "notes.jpg"
    text.write_text("five", encoding="utf-8")
    assert main(["read", "die", str(text), str(tmp_path / "none.jpg"), photo(tmp_path, 50), "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["values"] for line in out.splitlines()] == [[2, 6]]
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize("option", [["--partial"], ["--box", "mine.toml"]])
def test_options_for_cards_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: list[str]) -> None:
    assert main(["read", "die", photo(tmp_path, 50), *option]) == 2
    assert "leave them out" in capsys.readouterr().err


def test_an_annotated_picture_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "die", photo(tmp_path, 50), "--out", str(tmp_path / "out")]) == 0
    assert "Annotated picture" in capsys.readouterr().out
    drawn = cv2.imread(str(tmp_path / "out" / "50.annotated.jpg"))
    assert drawn is not None
    assert drawn.shape == (60, 80, 3)
    assert int(drawn.max()) > 120
