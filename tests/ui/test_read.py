"""`companion read` with a stand-in for the eye: what is printed, written and returned for each kind of photograph."""

from __future__ import annotations

import argparse
import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import GAP, Outcome, Reading, Sighting
from ui import read
from ui.main import main
from vision.frame import FrameError

ROWS = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
"""The worked example of the rules."""

PAIR = ("1100,", "22334", "0,120", "01.22", "34000")

CLEAR, ASK, UNREADABLE = (100, 150, 200)
"""The grey value of a picture tells the stand-in what to answer."""


def reading_of(
    rows: tuple[str, ...], outcome: Outcome, reason: str | None = None, *, finished: bool = False
) -> Reading:
    sightings = tuple(
        Sighting((row, column), ((x, y), (x + 8.0, y), (x + 8.0, y + 8.0), (x, y + 8.0)), {symbol: 1.0})
        for row, symbols in enumerate(rows)
        for column, symbol in enumerate(symbols)
        for x, y in [(10.0 * column + 10, 10.0 * row + 10)]
        if symbol != GAP
    )
    doubtful = ((1, 0),) if outcome is Outcome.ASK else ()
    return Reading(outcome, rows, doubtful, sightings, reason, finished)


class Eye:
    """Answers by the picture's grey value, and notes how it was made."""

    def __init__(
        self,
        box_file: Path | None = None,
        partial: bool = False,
        rows: tuple[str, ...] = ROWS,
        *,
        finished: bool = True,
    ) -> None:
        self.box_file, self.partial, self.rows, self.finished = box_file, partial, rows, finished

    def read(self, image: NDArray[np.uint8]) -> Reading:
        match int(image[0, 0, 0]):
            case 100:
                return reading_of(self.rows, Outcome.CLEAR, finished=self.finished)
            case 150:
                return reading_of(self.rows, Outcome.ASK, "Look at the ringed card.")
            case _:
                return Reading(Outcome.UNREADABLE, (), (), (), "No cards are seen; take the photograph from above.")


@pytest.fixture(autouse=True)
def eye(monkeypatch: pytest.MonkeyPatch) -> list[Eye]:
    made: list[Eye] = []

    def make(box_file: Path | None, partial: bool) -> Eye:
        made.append(Eye(box_file, partial))
        return made[-1]

    use(monkeypatch, make)
    return made


def use(monkeypatch: pytest.MonkeyPatch, make: Callable[[Path | None, bool], Eye]) -> None:
    monkeypatch.setitem(read.SEEN, "cassa-grande", read.Seen(make, read.SEEN["cassa-grande"].sheet))


@pytest.fixture
def photo(tmp_path: Path) -> Callable[[str, int], str]:
    def save(name: str, grey: int) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        assert cv2.imwrite(str(path), np.full((90, 120, 3), grey, np.uint8))
        return str(path)

    return save


Photo = Callable[[str, int], str]


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_json_of_a_clear_photograph(photo: Photo, capsys: pytest.CaptureFixture[str]) -> None:
    name = photo("table.png", CLEAR)
    assert main(["read", "cassa-grande", name, "--json"]) == 0
    [shown] = objects(capsys)
    assert list(shown) == ["photo", "outcome", "rows", "doubtful", "totals", "cards", "reason", "seconds"]
    assert shown["photo"] == name
    assert shown["outcome"] == "clear"
    assert shown["rows"] == list(ROWS)
    assert shown["doubtful"] == []
    assert shown["totals"] == {"A": 35344, "B": 15448, "C": 401567, "D": 230626}
    assert shown["reason"] is None
    assert isinstance(shown["seconds"], float)
    cards = shown["cards"]
    assert isinstance(cards, list)
    assert len(cards) == 32
    assert cards[0] == [0, 0, [[10.0, 10.0], [18.0, 10.0], [18.0, 18.0], [10.0, 18.0]]]


def test_two_players_read_from_opposite_sides(
    photo: Photo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, lambda box_file, partial: Eye(box_file, partial, PAIR))
    assert main(["read", "cassa-grande", photo("table.png", CLEAR), "--json"]) == 0
    [shown] = objects(capsys)
    assert shown["totals"] == {"A": 1100 + 22334 + 0 + 1 + 34000, "C": 43 + 22 + 21 + 43322 + 0}


def test_a_doubtful_photograph_has_rows_and_no_totals(photo: Photo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cassa-grande", photo("table.png", ASK), "--json"]) == 3
    [shown] = objects(capsys)
    assert (shown["outcome"], shown["rows"], shown["doubtful"]) == ("ask", list(ROWS), [[1, 0]])
    assert shown["totals"] is None
    assert shown["reason"] == "Look at the ringed card."


def test_an_unreadable_photograph_says_why_on_standard_output(photo: Photo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cassa-grande", photo("table.png", UNREADABLE), "--json"]) == 3
    out, err = capsys.readouterr()
    shown = json.loads(out)
    assert (shown["outcome"], shown["rows"], shown["totals"], shown["cards"]) == ("unreadable", [], None, [])
    assert shown["reason"].startswith("No cards are seen")
    assert err == ""


@pytest.mark.parametrize("rows", [("0?", "1,", ".."), (*ROWS[:5], ".402..")])
def test_a_growing_layout_may_be_clear_and_has_no_totals(
    photo: Photo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...]
) -> None:
    # The second fills a frame of 6 by 6 and could be added up, but no deck vouches for it.
    use(monkeypatch, lambda box_file, partial: Eye(box_file, partial, rows, finished=False))
    name = photo("table.png", CLEAR)
    assert main(["read", "cassa-grande", name, "--json", "--partial"]) == 0
    [shown] = objects(capsys)
    assert (shown["outcome"], shown["rows"], shown["totals"]) == ("clear", list(rows), None)
    assert main(["read", "cassa-grande", name, "--partial"]) == 0
    assert "rank" not in capsys.readouterr().out


def test_the_box_and_partial_reach_the_eye(photo: Photo, eye: list[Eye]) -> None:
    name = photo("table.png", CLEAR)
    assert main(["read", "cassa-grande", name, "--box", "mine.toml", "--partial"]) == 0
    assert main(["read", "cassa-grande", name]) == 0
    assert [(made.box_file, made.partial) for made in eye] == [(Path("mine.toml"), True), (None, False)]


def test_the_text_explains_every_line(photo: Photo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cassa-grande", photo("table.png", CLEAR)]) == 0
    text = capsys.readouterr().out
    assert "  4 , X 0 0 X" in text
    assert "C  401567  (rank 1)" in text
    assert "4,X00X reads 4: stops at the comma" in text
    assert text.count(" reads ") == 24


def test_text_of_a_photograph_that_asks(photo: Photo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cassa-grande", photo("table.png", ASK)]) == 3
    text = capsys.readouterr().out
    assert "Look at the ringed card." in text
    assert " reads " not in text


@pytest.mark.parametrize(("greys", "status"), [((100, 100), 0), ((100, 150), 3), ((200, 100), 3), ((150, 200, 100), 3)])
def test_the_exit_status_of_several(photo: Photo, greys: tuple[int, ...], status: int) -> None:
    names = [photo(f"{number}.png", grey) for number, grey in enumerate(greys)]
    assert main(["read", "cassa-grande", *names]) == status


def test_bad_input_leaves_the_others_read(photo: Photo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("not a picture")
    bad = [str(text), str(tmp_path), str(tmp_path / "none.jpg")]
    names = [photo("one.png", CLEAR), *bad, photo("two.png", ASK)]
    assert main(["read", "cassa-grande", *names, "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["photo"] for line in out.splitlines()] == [names[0], names[-1]]
    assert [line.partition(": ")[0] for line in err.splitlines()] == bad


def test_a_line_break_in_a_name_makes_no_second_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cassa-grande", "no\nsuch.jpg"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_name_that_is_not_text_is_printed(photo: Photo, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.png")
    Path(photo("table.png", CLEAR)).rename(odd)
    assert main(["read", "cassa-grande", odd]) == 0
    assert "clear" in capfd.readouterr().out


def test_annotated_pictures_are_written(photo: Photo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "folder"
    names = [photo("table.png", CLEAR), photo("other.png", UNREADABLE)]
    assert main(["read", "cassa-grande", *names, "--out", str(out)]) == 3
    assert sorted(path.name for path in out.iterdir()) == ["other.annotated.jpg", "table.annotated.jpg"]
    picture = cv2.imread(str(out / "table.annotated.jpg"))
    assert picture is not None
    assert picture.shape[0] > 90
    assert f"Annotated picture: {out / 'table.annotated.jpg'}" in capsys.readouterr().out


def test_json_output_stays_json_with_annotated_pictures(
    photo: Photo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "cassa-grande", photo("table.png", CLEAR), "--json", "--out", str(tmp_path / "out")]) == 0
    assert len(objects(capsys)) == 1


def test_photographs_of_one_name_do_not_overwrite_each_other(photo: Photo, tmp_path: Path) -> None:
    names = [photo("a/table.png", CLEAR), photo("b/table.png", CLEAR), photo("table.png", ASK)]
    for _ in range(2):
        assert main(["read", "cassa-grande", *names, "--out", str(tmp_path / "out")]) == 3
        written = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert written == ["table-2.annotated.jpg", "table-3.annotated.jpg", "table.annotated.jpg"]


@pytest.mark.parametrize("given", [["table.png"], ["table.jpg"], ["table.jpg", "table.annotated.jpg"]])
def test_a_photograph_is_never_overwritten(photo: Photo, tmp_path: Path, given: list[str]) -> None:
    # DIR/table.jpg may have nothing to do with the photograph table.png that is read.
    names = {photo(name, CLEAR) for name in (*given, "table.jpg")}
    before = {name: Path(name).read_bytes() for name in names}
    read_names = [str(tmp_path / name) for name in given]
    for _ in range(2):
        assert main(["read", "cassa-grande", *read_names, "--out", str(tmp_path)]) == 0
        assert {name: Path(name).read_bytes() for name in names} == before
    assert len(list(tmp_path.iterdir())) == len(names) + len(given)


def test_an_earlier_annotated_picture_is_replaced(photo: Photo, tmp_path: Path) -> None:
    name, picture = photo("table.png", CLEAR), tmp_path / "out" / "table.annotated.jpg"
    assert main(["read", "cassa-grande", name, "--out", str(picture.parent)]) == 0
    clear = picture.read_bytes()
    assert main(["read", "cassa-grande", photo("table.png", ASK), "--out", str(picture.parent)]) == 3
    assert picture.read_bytes() != clear
    assert list(picture.parent.iterdir()) == [picture]


def test_an_out_folder_that_is_a_file(photo: Photo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("")
    names = [photo("one.png", CLEAR), photo("two.png", CLEAR)]
    assert main(["read", "cassa-grande", *names, "--json", "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2, "the readings are still printed"
    assert len(err.splitlines()) == 1
    assert "cannot be written here" in err


@pytest.mark.parametrize("code", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_no_room_or_permission_to_write(
    photo: Photo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    def fail(_: Path, __: bytes) -> int:
        raise OSError(code, os.strerror(code))

    name = photo("table.png", CLEAR)
    # The tests may run as root, who may write everywhere.
    monkeypatch.setattr(Path, "write_bytes", fail)
    assert main(["read", "cassa-grande", name, "--json", "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["outcome"] == "clear"
    assert os.strerror(code) in err
    assert len(err.splitlines()) == 1


def test_a_picture_that_cannot_be_finished_leaves_nothing_behind(
    photo: Photo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path, __: Path) -> Path:
        raise OSError(errno.EIO, "Input/output error")

    name = photo("table.png", CLEAR)
    monkeypatch.setattr(Path, "replace", fail)
    assert main(["read", "cassa-grande", name, "--out", str(tmp_path / "out")]) == 2
    assert list((tmp_path / "out").iterdir()) == []


class Terminal:
    """Standard error as a terminal: it keeps what is written to it."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("count", "shown"), [(1, False), (3, True)])
def test_the_progress_bar_is_for_many_photographs_on_a_terminal(
    photo: Photo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], count: int, shown: bool
) -> None:
    names = [photo(f"{number}.png", CLEAR) for number in range(count)]
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["read", "cassa-grande", *names, "--json"]) == 0
    assert ("photo" in terminal.text) is shown
    assert len(objects(capsys)) == count


def test_no_progress_bar_in_a_pipe(photo: Photo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "cassa-grande", *[photo(f"{number}.png", CLEAR) for number in range(3)], "--json"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", [[], ["cassa-grande"], ["chess", "a.jpg"], ["cassa-grande", "a.jpg", "--sun"]])
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["read", *arguments])
    assert stopped.value.code == 2
    assert "usage: companion read" in capsys.readouterr().err


def test_a_refusal_of_the_eye_itself_is_one_sentence(
    photo: Photo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: Path | None, __: bool) -> Eye:
        raise FrameError("The model is missing: install the program again.")

    use(monkeypatch, refuse)
    assert main(["read", "cassa-grande", photo("table.png", CLEAR)]) == 2
    assert capsys.readouterr() == ("", "The model is missing: install the program again.\n")


def test_arguments_are_complete() -> None:
    parser = argparse.ArgumentParser()
    read.add_arguments(parser)
    given = parser.parse_args(["cassa-grande", "a.jpg", "b.jpg"])
    assert given.photos == ["a.jpg", "b.jpg"]
    assert (given.json, given.out, given.box, given.partial) == (False, None, None, False)
