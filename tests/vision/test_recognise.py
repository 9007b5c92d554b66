import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sight import OTHER, UNKNOWN
from vision.network import ModelError
from vision.recognise import FACES, MODEL, DigitReader
from vision.rectify import CROP_PX

Crop = NDArray[np.uint8]


@pytest.fixture(scope="module")
def reader() -> DigitReader:
    return DigitReader()


def card(text: str, font: int = cv2.FONT_HERSHEY_SIMPLEX, ink: int = 20, stock: int = 235) -> Crop:
    """A card on a grey table, its digit drawn by OpenCV, whose typeface no training deck uses."""
    big = np.full((512, 512, 3), 110, np.uint8)
    cv2.rectangle(big, (48, 48), (464, 464), (stock, stock, stock), -1)
    scale = 8 * 240 / cv2.getTextSize("8", font, 8, 30)[0][1]
    (width, height), _ = cv2.getTextSize(text, font, scale, 30)
    cv2.putText(big, text, ((512 - width) // 2, (512 + height) // 2), font, scale, (ink, ink, ink), 30, cv2.LINE_AA)
    return np.asarray(cv2.resize(big, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)


def best(reader: DigitReader, crops: list[Crop]) -> list[str]:
    return [FACES[place] for place in reader.beliefs(np.stack(crops)).probabilities.argmax(1)]


def test_the_classes_end_with_back_and_other() -> None:
    assert FACES[-2:] == (UNKNOWN, OTHER)


@pytest.mark.parametrize("font", [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX])
def test_digits_are_read_in_every_turn(reader: DigitReader, font: int) -> None:
    crops = [np.ascontiguousarray(np.rot90(card(digit, font), turn)) for digit in "01234" for turn in range(4)]
    assert best(reader, crops) == [digit for digit in "01234" for _ in range(4)]


def test_light_on_dark_reads_like_dark_on_light(reader: DigitReader) -> None:
    assert best(reader, [card(digit, ink=240, stock=40) for digit in "01234"]) == list("01234")


def test_a_turned_crop_gives_the_same_belief(reader: DigitReader) -> None:
    upright = card("2")
    turned = np.ascontiguousarray(np.rot90(upright))
    seen = reader.beliefs(np.stack([upright, turned]))
    assert np.allclose(seen.probabilities[0], seen.probabilities[1], atol=1e-3)
    assert seen.disagreement[0] == pytest.approx(seen.disagreement[1], abs=1e-3)


@pytest.mark.parametrize("number", ["5", "6", "7", "8", "9", "12", "13"])
def test_other_numbers_are_not_faces(reader: DigitReader, number: str) -> None:
    seen = reader.beliefs(card(number)[None])
    assert seen.probabilities[0].argmax() >= FACES.index(UNKNOWN) or seen.probabilities[0].max() < 0.9


def test_a_bare_card_is_not_a_face(reader: DigitReader) -> None:
    assert best(reader, [card("")])[0] in (UNKNOWN, OTHER)


def test_beliefs_are_probabilities(reader: DigitReader) -> None:
    crops = np.random.default_rng(1).integers(0, 256, (37, CROP_PX, CROP_PX, 3)).astype(np.uint8)
    seen = reader.beliefs(crops)
    assert seen.probabilities.shape == (37, len(FACES))
    assert np.allclose(seen.probabilities.sum(1), 1, atol=1e-5)
    assert (seen.disagreement >= 0).all()
    assert (seen.disagreement <= 1).all()
    assert (seen.novelty > 0).all()


def test_the_parts_of_a_batch_do_not_touch_each_other(reader: DigitReader) -> None:
    crops = np.stack([card(digit) for digit in "0123401234"])
    together, alone = reader.beliefs(crops), [reader.beliefs(crop[None]) for crop in crops]
    assert np.allclose(together.probabilities, np.concatenate([one.probabilities for one in alone]), atol=1e-4)


def test_no_crops_give_no_beliefs(reader: DigitReader) -> None:
    seen = reader.beliefs(np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8))
    assert seen.probabilities.shape == (0, len(FACES))
    assert seen.disagreement.shape == seen.novelty.shape == (0,)


@pytest.mark.parametrize(
    "crops", [np.zeros((1, 32, 32, 3), np.uint8), np.zeros((1, 64, 64), np.uint8), np.zeros((1, 64, 64, 3), np.float32)]
)
def test_crops_of_another_kind_are_refused(reader: DigitReader, crops: Crop) -> None:
    with pytest.raises(ValueError, match="must be"):
        reader.beliefs(crops)


def copied(folder: Path) -> Path:
    for name in (MODEL, MODEL.with_suffix(".json")):
        shutil.copy(name, folder)
    return folder / MODEL.name


def test_a_missing_network_is_named(tmp_path: Path) -> None:
    model = copied(tmp_path)
    model.unlink()
    with pytest.raises(ModelError, match=r"digits\.onnx is missing"):
        DigitReader(model).beliefs(card("1")[None])


def test_a_damaged_network_is_refused(tmp_path: Path) -> None:
    model = copied(tmp_path)
    data = bytearray(model.read_bytes())
    data[len(data) // 2] ^= 1
    model.write_bytes(data)
    with pytest.raises(ModelError, match="damaged"):
        DigitReader(model).beliefs(card("1")[None])


@pytest.mark.parametrize("text", ["", "{}", '{"sha256": 1}', "[]"])
def test_damaged_figures_are_refused(tmp_path: Path, text: str) -> None:
    model = copied(tmp_path)
    model.with_suffix(".json").write_text(text)
    with pytest.raises(ModelError, match="figures"):
        DigitReader(model).beliefs(card("1")[None])


def test_the_model_card_names_the_network() -> None:
    figures = json.loads(MODEL.with_suffix(".json").read_text())
    assert figures["sha256"] in MODEL.with_suffix(".md").read_text()
    assert MODEL.stat().st_size < 1_000_000
