"""Judges the digit reader on crops it never saw: painted ones, photographs with truth files, real tiles.

    python -m vision.training.digiteval --crops HELD_OUT... --photos CARDS --tiles TILES

prints accuracy, what a rule of doubt lets through, and writes the wrong ones as one picture each (`--wrong DIR`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognise import CORNERS_PX, FACES, MODEL, DigitReader, Recognition
from vision.rectify import CROP_PX

QUAD_NOISE = 0.02
TILE_CLASSES = ("1", "2", "3", "4")


@dataclass(frozen=True)
class Sample:
    """Crops with their true classes (N,) as indices of `FACES`, and a name for each."""

    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    names: tuple[str, ...]


def cut(
    picture: NDArray[np.uint8], corners: NDArray[np.float64], rng: np.random.Generator, noise: float
) -> NDArray[np.uint8]:
    """The crop of one card whose corners (4, 2) px are known, with an imprecise quad in a random quarter turn."""
    side = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean()
    quad = np.roll(corners, int(rng.integers(4)), 0) + rng.normal(0, noise * side, (4, 2))
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), np.array(CORNERS_PX, np.float32))
    return np.asarray(cv2.warpPerspective(picture, warp, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def photographs(folder: Path, seed: int, noise: float = QUAD_NOISE, repeats: int = 3) -> dict[str, Sample]:
    """Crops of every card up or down, less than a third hidden, by deck design; truth files as beside the pictures."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[tuple[NDArray[np.uint8], int, str]]] = {}
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        picture = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
        for card in truth["cards"]:
            if max(card["occluded"], card["covered"]) > 0.3 or card["state"] not in ("up", "down"):
                continue
            label = FACES.index(card["value"] if card["state"] == "up" else "?")
            corners = np.array(card["corners_px"], float)
            for _ in range(repeats):
                crop = cut(picture, corners, rng, noise)
                found.setdefault(truth["design"], []).append((crop, label, f"{path.stem} {card['row']},{card['col']}"))
    return {design: _sample(cards) for design, cards in sorted(found.items())}


def tiles(folder: Path) -> Sample:
    """Crops of number tiles, `folder`/VALUE/*.png, cut square around the tile's printed half, in all four turns."""
    found = []
    for value in sorted(path.name for path in folder.iterdir() if path.is_dir()):
        label = FACES.index(value if value in TILE_CLASSES else "*")
        for path in sorted((folder / value).glob("*.png")):
            picture = np.asarray(cv2.imread(str(path)), np.uint8)
            for place, square in enumerate(_squares(picture)):
                for turn in range(4):
                    crop = np.ascontiguousarray(np.rot90(square, turn))
                    found.append((crop, label, f"{value}/{path.stem} {place}"))
    return _sample(found)


def _squares(picture: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """The whole tile, squeezed to a square card, with its edge continued as the margin."""
    inner = cv2.resize(picture, (52, 52), interpolation=cv2.INTER_AREA)
    yield np.asarray(cv2.copyMakeBorder(inner, 6, 6, 6, 6, cv2.BORDER_REPLICATE), np.uint8)


def _sample(found: list[tuple[NDArray[np.uint8], int, str]]) -> Sample:
    return Sample(
        np.stack([crop for crop, _, _ in found]),
        np.array([label for _, label, _ in found]),
        tuple(n for _, _, n in found),
    )


def painted(folders: list[Path]) -> Sample:
    """Crops written by `vision.training.crops`."""
    crops = np.concatenate([np.load(folder / "crops.npy") for folder in folders])
    labels = np.concatenate([np.load(folder / "labels.npy") for folder in folders]).astype(np.int64)
    return Sample(crops, labels, tuple(str(n) for n in range(len(labels))))


def read(reader: DigitReader, sample: Sample) -> Recognition:
    """Reads a sample in parts of 32."""
    parts = [reader.beliefs(sample.crops[start : start + 32]) for start in range(0, len(sample.crops), 32)]
    return Recognition(
        np.concatenate([part.probabilities for part in parts]),
        np.concatenate([part.disagreement for part in parts]),
        np.concatenate([part.novelty for part in parts]),
    )


def trusted(seen: Recognition, probability: float, disagreement: float, novelty: float) -> NDArray[np.bool_]:
    """Which readings a rule lets through without doubt, (N,)."""
    best = seen.probabilities.max(1)
    return np.asarray((best >= probability) & (seen.disagreement <= disagreement) & (seen.novelty <= novelty))


def calibration_error(seen: Recognition, labels: NDArray[np.int64], bins: int = 15) -> float:
    """Expected calibration error of the best guess."""
    best, right = seen.probabilities.max(1), seen.probabilities.argmax(1) == labels
    places = np.minimum((best * bins).astype(int), bins - 1)
    gaps = [
        abs(best[places == b].mean() - right[places == b].mean()) * (places == b).mean() for b in set(places.tolist())
    ]
    return float(sum(gaps))


RULES = ((0.0, 1.0, 99.0), (0.9, 1.0, 99.0), (0.99, 1.0, 99.0), (0.99, 0.3, 99.0), (0.99, 0.3, 1.2), (0.995, 0.15, 1.0))


def show(name: str, reader: DigitReader, sample: Sample, wrong_folder: Path | None) -> None:
    """Prints what the rules of doubt let through, and how much of that is wrong."""
    seen = read(reader, sample)
    guesses = seen.probabilities.argmax(1)
    # A stranger called a card's back is refused as well: neither is ever counted.
    faces = len(FACES) - 2
    right = (guesses == sample.labels) | ((guesses >= faces) & (sample.labels >= faces))
    print(f"{name}: {len(right)} crops, calibration error {100 * calibration_error(seen, sample.labels):.2f} %")
    for rule in RULES:
        sure = trusted(seen, *rule)
        shown = (guesses < faces) & sure
        silent = int((shown & ~right).sum())
        print(
            f"  p>={rule[0]:<5} disagreement<={rule[1]:<4} novelty<={rule[2]:<4}: kept {100 * sure.mean():6.2f} %, "
            f"wrong among kept {(sure & ~right).sum():4d}, of these read as a face {silent:4d}"
        )
    mixed = np.zeros((len(FACES), len(FACES)), int)
    np.add.at(mixed, (sample.labels, guesses), 1)
    for face, row in zip(FACES, mixed, strict=True):
        if row.sum():
            print(f"    {face} {row.tolist()}")
    if wrong_folder is not None:
        _picture_of_wrong(wrong_folder / f"{name.replace('/', '_')}.png", sample, seen, np.flatnonzero(~right))


def _picture_of_wrong(path: Path, sample: Sample, seen: Recognition, wrong: NDArray[np.int64]) -> None:
    """The most confident mistakes, each captioned with truth, guess and probability."""
    cells = []
    for index in sorted(wrong, key=lambda i: -float(seen.probabilities[i].max()))[:96]:
        cell = cv2.copyMakeBorder(cv2.resize(sample.crops[index], (96, 96)), 0, 16, 2, 2, cv2.BORDER_CONSTANT)
        guess = int(seen.probabilities[index].argmax())
        caption = f"{FACES[sample.labels[index]]}>{FACES[guess]} {seen.probabilities[index, guess]:.3f}"
        cv2.putText(cell, caption, (2, 108), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1)
        cells.append(cell)
    if cells:
        path.parent.mkdir(parents=True, exist_ok=True)
        cells += [np.zeros_like(cells[0])] * (-len(cells) % 12)
        cv2.imwrite(
            str(path), cv2.vconcat([cv2.hconcat(cells[start : start + 12]) for start in range(0, len(cells), 12)])
        )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--crops", type=Path, nargs="*", default=[])
    parser.add_argument("--photos", type=Path, nargs="*", default=[])
    parser.add_argument("--tiles", type=Path)
    parser.add_argument("--noise", type=float, default=QUAD_NOISE, help="quad noise, share of the side")
    parser.add_argument("--wrong", type=Path)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    reader = DigitReader(arguments.model)
    for folder in arguments.crops:
        show(f"crops {folder.name}", reader, painted([folder]), arguments.wrong)
    for folder in arguments.photos:
        for design, sample in photographs(folder, 1, arguments.noise).items():
            show(f"photos {design}", reader, sample, arguments.wrong)
    if arguments.tiles:
        show("tiles", reader, tiles(arguments.tiles), arguments.wrong)


if __name__ == "__main__":
    main()
