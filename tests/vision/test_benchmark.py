import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

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
    assert "| seconds, whole read | median" in out


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


@pytest.mark.parametrize("content", [None, "not JSON"])
def test_a_folder_without_truth_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    if content:
        (tmp_path / "a.jpg").touch()
        (tmp_path / "a.json").write_text(content)
    with pytest.raises(SystemExit) as refused:
        benchmark.main([str(tmp_path)])
    assert refused.value.code == 2
    assert "truth file" in capsys.readouterr().err


def test_calibration_error() -> None:
    honest = [(0.75, True)] * 3 + [(0.75, False)]
    assert benchmark.calibration_error(honest) == pytest.approx(0, abs=1e-9)
    boastful = [(0.95, False)] * 2
    assert benchmark.calibration_error(boastful) == pytest.approx(0.95)
    assert np.isnan(benchmark.calibration_error([]))


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
    peer = peers.load("tesseract")
    assert peer.face_of(np.zeros((4, 4, 3), np.uint8)) == "2"
    assert peer.text_in(np.zeros((4, 4, 3), np.uint8)) == " 4 2"
