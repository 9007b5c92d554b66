from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.parts import Condition
from ui.photographs import LONG_SIDE_PX, PART, Photographs, encoded

PICTURE = np.random.default_rng(5).integers(0, 255, (120, 200, 3), np.uint8)
SIZE = len(encoded(PICTURE))


def keep(folder: Path, numbers: range, play: str = "now", by_age: tuple[str, ...] = (), **limits: Any) -> Photographs:
    """Keep a picture for each of these entries; all are written when this returns."""
    photographs = Photographs(folder, **{"spare_bytes": 0, **limits})
    photographs.open(play, by_age)
    for number in numbers:
        photographs.keep(number, PICTURE)
    photographs.close()
    return photographs


@pytest.mark.parametrize("shape", [(1296, 2304, 3), (2304, 1296, 3), (480, 640, 3)])
def test_pictures_are_made_smaller_and_never_larger(shape: tuple[int, int, int]) -> None:
    picture: NDArray[np.uint8] = np.full(shape, 90, np.uint8)
    image = cv2.imdecode(np.frombuffer(encoded(picture), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert max(image.shape) == min(LONG_SIDE_PX, max(shape))
    assert abs(image.shape[0] / image.shape[1] - shape[0] / shape[1]) < 0.01
    assert abs(int(image.mean()) - 90) <= 1


def test_pictures_lie_by_play_and_entry_and_nothing_is_left_beside_them(tmp_path: Path) -> None:
    photographs = keep(tmp_path, range(9, 12))
    assert photographs.of("now") == {number: tmp_path / "now" / f"{number}.jpg" for number in (9, 10, 11)}
    assert len(list((tmp_path / "now").iterdir())) == 3
    assert photographs.part.condition is Condition.OK
    assert photographs.of("another") == {}


def test_the_pictures_of_the_oldest_play_give_way_and_never_the_present_ones(tmp_path: Path) -> None:
    for play in ("old", "older", "oldest"):
        keep(tmp_path, range(2), play)
    photographs = keep(
        tmp_path, range(3), by_age=("gone", "oldest", "older", "now", "old"), most_bytes=round(5.5 * SIZE)
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["now", "old"]
    assert len(photographs.of("now")) == 3
    photographs = keep(tmp_path, range(3, 9), by_age=("now", "old"), most_bytes=round(5.5 * SIZE))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["now"]
    assert list(photographs.of("now")) == [0, 1, 2, 3, 4]
    assert photographs.part.condition is Condition.FAILED
    assert "no room" in photographs.part.sentence


def test_a_disk_that_is_nearly_full_is_left_to_the_plays(tmp_path: Path) -> None:
    photographs = keep(tmp_path, range(1), spare_bytes=10**18)
    assert photographs.of("now") == {}
    assert (photographs.part.name, photographs.part.condition) == (PART, Condition.FAILED)


def test_an_error_is_told_until_it_goes_well_again(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.write_bytes(b"")
    photographs = keep(folder, range(1))
    assert photographs.part.sentence.startswith(f"Photographs by turn: {folder}")
    folder.unlink()
    assert keep(folder, range(1)).part.condition is Condition.OK


def test_a_deleted_plays_pictures_are_gone(tmp_path: Path) -> None:
    photographs = keep(tmp_path, range(2))
    photographs.delete("now")
    photographs.delete("never kept")
    assert list(tmp_path.iterdir()) == []
