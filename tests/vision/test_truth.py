import json
from pathlib import Path

import pytest

from companion.sight import Outcome, Reading
from vision import truth

ROWS = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
TOTALS = {"A": 35344, "B": 15448, "C": 401567, "D": 230626}


def written(folder: Path, roll: float = 3.0, occluded: float = 0.0, grid: tuple[str, ...] = ROWS) -> truth.Truth:
    data = {
        "kind": "full6", "finished": True, "totals": TOTALS, "camera": {"roll_deg": roll},
        "grid": [[None if cell == "." else cell for cell in row] for row in grid],
        "cards": [{"row": 0, "col": 0, "value": "1", "occluded": occluded}],
    }  # fmt: skip
    (folder / "a.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "a.jpg").touch()
    (folder / "without-truth.jpg").touch()
    return next(truth.folder(folder))


def reading(rows: tuple[str, ...] = ROWS, doubtful: tuple[tuple[int, int], ...] = ()) -> Reading:
    return Reading(Outcome.ASK if doubtful else Outcome.CLEAR, rows, doubtful, ())


def test_a_right_reading(tmp_path: Path) -> None:
    verdict = truth.judge(written(tmp_path), reading(), TOTALS)
    assert verdict.totals_right
    assert verdict.wrong == 0


def test_wrong_totals_are_wrong(tmp_path: Path) -> None:
    assert not truth.judge(written(tmp_path), reading(), TOTALS | {"D": 0}).totals_right
    assert not truth.judge(written(tmp_path), reading(), {}).totals_right


def test_a_question_is_not_a_right_total(tmp_path: Path) -> None:
    assert not truth.judge(written(tmp_path), reading(doubtful=((0, 0),)), TOTALS).totals_right


def test_a_wrong_card_counts_and_keeps_its_doubt(tmp_path: Path) -> None:
    rows = ("21201,", *ROWS[1:])
    verdict = truth.judge(written(tmp_path), reading(rows, ((0, 0),)), {})
    assert verdict.wrong == 1
    assert verdict.cells is not None
    assert verdict.cells[0] == ("1", "2", True)
    assert not any(doubt for _, _, doubt in verdict.cells[1:])


def test_only_a_picture_on_the_diagonal_may_be_read_from_any_side(tmp_path: Path) -> None:
    quarter = tuple("".join(column) for column in zip(*ROWS, strict=True))[::-1]
    passed = dict(zip("DABC", TOTALS.values(), strict=True))
    assert not truth.judge(written(tmp_path), reading(quarter), passed).totals_right
    verdict = truth.judge(written(tmp_path, roll=41.0), reading(quarter), passed)
    assert verdict.totals_right
    assert verdict.wrong == 0


@pytest.mark.parametrize(("occluded", "covered"), [(0.2, False), (0.5, True)])
def test_a_covered_layout_is_known(tmp_path: Path, occluded: float, covered: bool) -> None:
    assert written(tmp_path, occluded=occluded).covered is covered


def test_another_grid_size_is_not_found(tmp_path: Path) -> None:
    assert truth.judge(written(tmp_path), reading(("012", "34,", "...")), {}).cells is None


def test_a_growing_layout_is_the_box_of_its_cards(tmp_path: Path) -> None:
    written(tmp_path, grid=("......", "..1...", ".0.?..", "......"))
    data = json.loads((tmp_path / "a.json").read_text())
    (tmp_path / "a.json").write_text(json.dumps(data | {"finished": False, "kind": "progress6"}))
    assert truth.load(tmp_path / "a.jpg").rows == (".1.", "0.?")
