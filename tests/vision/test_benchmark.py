import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import Outcome, Reading
from vision import benchmark, peers

FRAMES = Path(__file__).parent / "frames"


class Guesser:
    """A peer that reads every card as 2 and finds nothing in a whole picture."""

    def text_in(self, image: NDArray[np.uint8]) -> str:
        return "" if image.size else "?"

    def face_of(self, card: NDArray[np.uint8]) -> str | None:
        return "2" if card.shape == (128, 128, 3) else None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("table_08", "table_26"):
        for ending in (".jpg", ".json"):
            shutil.copy(FRAMES / f"{name}{ending}", tmp_path)
    return tmp_path


def test_the_table_names_what_matters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main([str(folder)]) == 0
    out = capsys.readouterr().out
    assert "| photographs | 2: 1 finished layouts, 1 unfinished" in out
    assert "| all totals right without a question | 1 of 1 (100.00 %) |" in out
    assert "| silently wrong | 0 of 2 |" in out
    assert "| not read | 0 |" in out
    assert "| seconds, whole read | median" in out


def test_every_row_that_is_printed_is_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main([str(folder)]) == 0
    explained = {" ".join(line.split("  ")[0].split()) for line in (benchmark.__doc__ or "").splitlines()} - {""}
    rows = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines() if line.startswith("| ")][1:]
    assert rows
    for row in rows:
        assert any(row.startswith(words) for words in explained), row


def test_a_damaged_photograph_is_one_line_and_stops_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = folder / "table_08.jpg"
    damaged.write_bytes(damaged.read_bytes()[:5000])
    assert benchmark.main([str(folder)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert "| not read | 1 |" in out
    assert any(line.startswith("| photographs | 1: 0 finished layouts, 1 unfinished") for line in out)
    assert [line for line in out if line.startswith("NOT READ")] == [
        f"NOT READ {damaged}: the picture is cut short; copy it again from the camera."
    ]


def test_no_total_without_a_finished_layout() -> None:
    rows = ("11201,", "4,.00.", "022104", "2003.2", "32,243", ".402,3")
    assert benchmark.totals_of(Reading(Outcome.CLEAR, rows, (), (), finished=True))["A"] == 35344
    assert benchmark.totals_of(Reading(Outcome.CLEAR, rows, (), ())) == {}
    assert benchmark.totals_of(Reading(Outcome.ASK, rows, (), ())) == {}


def test_a_wrong_truth_file_shows_as_silently_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "table_08.json"
    data = json.loads(path.read_text())
    data["totals"]["A"] += 1
    path.write_text(json.dumps(data))
    assert benchmark.main([str(folder)]) == 1
    assert "SILENTLY WRONG table_08.jpg" in capsys.readouterr().out


def test_a_peer_reads_our_crops(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "load", {"rapidocr": Guesser()}.__getitem__)
    assert benchmark.main([str(folder), "--peer", "rapidocr"]) == 0
    out = capsys.readouterr().out
    assert "| rapidocr, our crops in four turns: cards right | 8 of 32 (25.00 %) |" in out
    assert "| rapidocr, our crops in four turns: cards wrong | 24 of 32 (75.00 %) |" in out
    assert "| rapidocr, our crops: layouts with every card right | 0 of 1 |" in out


@pytest.mark.parametrize("name", ["table_08", "table_26"])
def test_a_single_photograph_has_figures_that_are_numbers(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # The second is unfinished: a peer has nothing to read there.
    [other] = {"table_08", "table_26"} - {name}
    (folder / f"{other}.json").unlink()
    monkeypatch.setattr(peers, "load", {"rapidocr": Guesser()}.__getitem__)
    assert benchmark.main([str(folder), "--peer", "rapidocr"]) == 0
    out = capsys.readouterr().out
    assert "| seconds, whole read | median" in out
    assert ("rapidocr, our crops: median seconds" in out) is (name == "table_08")
    assert "nan" not in out


@pytest.mark.parametrize("name", peers.NAMES)
def test_a_peer_that_is_not_installed_is_told_before_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    monkeypatch.setattr(benchmark, "run", None)
    assert refused([str(folder), "--peer", name], capsys).endswith(
        "is not installed: run .venv/bin/pip install -e '.[peers]'\n"
    )


def test_tesseract_without_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytesseract", ModuleType("pytesseract"))
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(peers.PeerError, match="tesseract-ocr"):
        peers.load("tesseract")


@pytest.fixture
def number_tiles(tmp_path: Path) -> Path:
    """Cards cut out of a photograph stand in for tiles: a 1 in its folder, one among the 2s, one among the 12s."""
    truth = json.loads((FRAMES / "table_08.json").read_text())
    picture = np.asarray(cv2.imread(str(FRAMES / "table_08.jpg")), np.uint8)
    card = next(card for card in truth["cards"] if card["value"] == "1" and card["occluded"] == 0)
    flat = np.array([[0, 0], [80, 0], [80, 80], [0, 80]], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(card["corners_px"], np.float32), flat)
    for value in ("1", "2", "12"):
        (tmp_path / "tiles" / value).mkdir(parents=True)
        assert cv2.imwrite(str(tmp_path / "tiles" / value / "a.png"), cv2.warpPerspective(picture, warp, (80, 80)))
    (tmp_path / "tiles" / "4").mkdir()
    assert cv2.imwrite(str(tmp_path / "tiles" / "4" / "bare.png"), np.full((80, 60, 3), 200, np.uint8))
    return tmp_path / "tiles"


def test_number_tiles_are_read_or_refused(number_tiles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--tiles", str(number_tiles)]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| tiles with a face of the game: read right | 1 of 3 (33.33 %) |",
        "| tiles with a face of the game: read wrong | 1 of 3 (33.33 %) |",
        "| tiles with a face of the game: doubted | 1 of 3 (33.33 %) |",
        "| other tiles: taken for a face | 1 of 1 (100.00 %) |",
    ]


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as caught:
        benchmark.main(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--peer", "rapidocr"], ["--tiles", "nowhere", "--peer", "rapidocr"]])
def test_a_run_without_photographs_is_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "name a folder of photographs" in refused(arguments, capsys)


def test_a_folder_without_tiles_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no picture" in refused(["--tiles", str(tmp_path)], capsys)


@pytest.mark.parametrize("content", [None, "not JSON", "[]", "3", '{"grid": 1}', '{"grid": [["0"]], "cards": [1]}'])
def test_a_folder_without_truth_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    if content:
        (tmp_path / "a.jpg").touch()
        (tmp_path / "a.json").write_text(content)
    assert "truth file" in refused([str(tmp_path)], capsys)


def test_calibration_error() -> None:
    honest = [(0.75, True)] * 3 + [(0.75, False)]
    assert benchmark.calibration_error(honest) == pytest.approx(0, abs=1e-9)
    boastful = [(0.95, False)] * 2
    assert benchmark.calibration_error(boastful) == pytest.approx(0.95)


@dataclass
class Answer:
    txts: Sequence[str] | None
    scores: Sequence[float] | None


class Engine:
    """Stands in for RapidOCR: reads the sum of the picture's first pixel."""

    def __init__(self, params: dict[str, object]) -> None:
        assert params["EngineConfig.onnxruntime.intra_op_num_threads"] == 1

    def __call__(self, image: NDArray[np.uint8], **options: bool) -> Answer:
        if not options:
            return Answer(["12", "3"], [0.9, 0.8])
        if image[0, 0, 0] == 0:
            return Answer(None, None)
        return Answer([str(image[0, 0, 0])], [float(image[0, 0, 0]) / 10])


def test_rapidocr_takes_the_surest_of_four_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("rapidocr")
    module.RapidOCR = Engine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rapidocr", module)
    peer = peers.load("rapidocr")
    card = np.zeros((4, 4, 3), np.uint8)
    card[0, 0], card[0, 3], card[3, 3] = 1, 3, 9
    assert peer.face_of(card) == "3"
    assert peer.face_of(np.zeros((4, 4, 3), np.uint8)) is None
    assert peer.text_in(card) == "123"


def test_tesseract_takes_the_surest_of_four_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("pytesseract")
    readings = iter(
        [{"text": ["", "4"], "conf": [-1, 50]}, {"text": ["2"], "conf": [80]}, {"text": [], "conf": []}] * 2
    )
    module.image_to_string = lambda *_, **__: " 4 2"  # type: ignore[attr-defined]
    module.image_to_data = lambda *_, **__: next(readings)  # type: ignore[attr-defined]
    module.Output = type("Output", (), {"DICT": "dict"})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pytesseract", module)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    peer = peers.load("tesseract")
    assert peer.face_of(np.zeros((4, 4, 3), np.uint8)) == "2"
    assert peer.text_in(np.zeros((4, 4, 3), np.uint8)) == " 4 2"
