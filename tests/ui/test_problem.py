"""Problems kept whole or not at all, and read again by the command."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import CompanionError, StoreError
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Journal, Played
from companion.sight import UNKNOWN, Outcome, Reading, Sighting
from ui import problems
from ui.main import main
from ui.problems import Problem, Verdict
from ui.status import Status
from vision.drawn import Scene, draw

WALL = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
FOUR = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
"""Source: rule digest, worked example."""

FACES = {(r, c): face for r, row in enumerate(FOUR) for c, face in enumerate(row) if face != "."}
CELLS = {(r - 2, c - 2): face for (r, c), face in FACES.items()}
ORDER = sorted(CELLS, key=lambda cell: (max(map(abs, cell)), cell))
NOTHING = Reading(Outcome.UNREADABLE, (), (), (), "No layout of cards was found.")
READ = Reading(
    Outcome.ASK,
    FOUR,
    ((0, 0),),
    (Sighting((0, 0), ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)), {"1": 2 / 3, UNKNOWN: 1 / 3}),),
    "Look at the ringed card.",
    finished=True,
)


def journal() -> Journal[Any, Any]:
    entries = tuple(Played(Placed(number % 4, cell)) for number, cell in enumerate(ORDER))
    return Journal("cassa-grande", Setup(), {0: "Zoë"}, entries)


def problem(right: tuple[str, ...] | None = FOUR, **scene: Any) -> Problem:
    image = draw(Scene(CELLS, seed=3, tilt_deg=18, reach=3, size=(640, 480), **scene))
    return Problem(journal(), image, right)


def test_a_problem_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    kept = problem()
    bundle = problems.save(tmp_path / "data" / "problems", kept, READ, WALL)
    assert bundle.name.startswith("20261130-201500-")
    again = problems.load(bundle)
    assert again.journal == kept.journal
    assert again.right == FOUR
    assert np.array_equal(again.image, kept.image), "the picture is kept without loss"


def test_a_problem_tells_what_was_read_by_which_program_and_networks(tmp_path: Path) -> None:
    details = json.loads((problems.save(tmp_path, problem(None), READ, WALL) / problems.DETAILS).read_text())
    assert details["right"] is None
    assert details["read"]["rows"] == list(FOUR)
    assert details["read"]["doubtful"] == [[0, 0]]
    assert details["read"]["sightings"][0]["belief"] == {"1": 0.666667, "?": 0.333333}
    assert set(details["networks"]) == {"cards.onnx", "dice.onnx", "digits.onnx"}
    assert all(len(checksum) == 64 for checksum in details["networks"].values())
    assert details["program"]


def test_problems_of_one_second_stand_side_by_side(tmp_path: Path) -> None:
    small = dataclasses.replace(problem(), image=np.zeros((40, 40, 3), np.uint8))
    bundles = {problems.save(tmp_path, small, NOTHING, WALL) for _ in range(5)}
    assert bundles == set(tmp_path.iterdir())
    assert len(bundles) == 5


@pytest.mark.parametrize("full_at", range(1, 6))
def test_a_full_disk_leaves_no_half_a_problem_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_at: int
) -> None:
    small = dataclasses.replace(problem(), image=np.zeros((40, 40, 3), np.uint8))
    before = problems.save(tmp_path, small, NOTHING, WALL)
    calls = 0
    synced = os.fsync

    def fsync(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == full_at:
            raise OSError(errno.ENOSPC, "No space left on device")
        synced(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(StoreError, match="There is no room left on the disk") as told:
        problems.save(tmp_path, small, NOTHING, WALL)
    assert "\n" not in str(told.value)
    left = [path for path in tmp_path.iterdir() if path != before]
    # The folder's new name may stand there already when the disk refuses to say that it has it.
    assert all(problems.load(path).right == FOUR for path in left)
    assert bool(left) == (full_at == 5)
    assert problems.load(before).right == FOUR


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "problems").write_text("a file is in the way")
    with pytest.raises(StoreError, match="name another place"):
        problems.save(tmp_path / "problems", problem(), NOTHING, WALL)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Status, str, str]:
    status = main(["problem", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_problem_that_is_read_rightly_now_is_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = problems.save(tmp_path, problem(), NOTHING, WALL)
    status, out, _ = run(capsys, str(bundle))
    assert (status, out) == (Status.DONE, f"{bundle}: mended: all is read rightly now\n")


def test_problems_that_are_not_mended_want_a_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrongly = ("41201,", "1,.00.", *FOUR[2:])
    bundles = [
        problems.save(tmp_path, problem(glare=(0, 1)), NOTHING, WALL),
        problems.save(tmp_path, problem(wrongly), NOTHING, WALL),
        problems.save(tmp_path, problem(None), NOTHING, WALL),
        problems.save(tmp_path, problem(), NOTHING, WALL),
    ]
    status, out, _ = run(capsys, *map(str, bundles), "--json")
    assert status is Status.PLEASE_CHECK
    read = [json.loads(line) for line in out.splitlines()]
    assert [each["verdict"] for each in read] == ["asks", "wrong", "unsaid", "mended"]
    assert read[1]["wrong"] == [[0, 0], [1, 0]]
    assert [each["problem"] for each in read] == list(map(str, bundles))


def test_a_picture_without_a_grid_asks(tmp_path: Path) -> None:
    bare = dataclasses.replace(problem(), image=draw(Scene({}, size=(640, 480))))
    again = problems.read_again(problems.load(problems.save(tmp_path, bare, NOTHING, WALL)))
    assert again.verdict is Verdict.ASKS


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        ({}, "cannot be read"),
        ({"problem.json": "{"}, "it is not JSON"),
        ({"problem.json": "[]"}, "describes no problem"),
        ({"problem.json": '{"format": "table-companion problem", "version": 9}'}, "by another companion"),
        ({"problem.json": '{"format": "table-companion problem", "version": 1, "right": [3]}'}, "a list of rows"),
        ({"journal.txt": "game: chess\n"}, "is not known"),
    ],
    ids=["missing", "no JSON", "another file", "newer", "no rows", "another game"],
)
def test_a_folder_that_is_no_problem_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoilt: dict[str, str], sentence: str
) -> None:
    bundle = tmp_path / "nothing"
    if spoilt:
        small = dataclasses.replace(problem(), image=np.zeros((40, 40, 3), np.uint8))
        bundle = problems.save(tmp_path, small, NOTHING, WALL)
        for name, text in spoilt.items():
            (bundle / name).write_text(text)
    status, out, err = run(capsys, str(bundle))
    assert (status, out) == (Status.BAD_INPUT, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_journal_that_no_longer_holds_says_so() -> None:
    broken = dataclasses.replace(journal(), entries=(Played(Placed(2, (0, 0))),))
    with pytest.raises(CompanionError, match="does not hold"):
        problems.read_again(Problem(broken, np.zeros((40, 40, 3), np.uint8), None))
