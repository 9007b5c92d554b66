from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.parts import Condition
from vision.album import Album
from vision.camera import NoPictureError


def encoded(grey: int, suffix: str = ".jpg") -> bytes:
    image = np.full((64, 96, 3), grey, np.uint8)
    image[::2] //= 2
    return cv2.imencode(suffix, image)[1].tobytes()


def put(folder: Path, name: str, data: bytes, second: int) -> None:
    (folder / name).write_bytes(data)
    os.utime(folder / name, (second, second))


def test_the_newest_picture_is_seen(tmp_path: Path) -> None:
    put(tmp_path, "b.jpg", encoded(80), 1)
    put(tmp_path, "a.jpg", encoded(160), 2)
    picture = Album(tmp_path, clock=lambda: 5.0).grab()
    assert picture.at_s == 5.0
    assert picture.image.shape == (64, 96, 3)
    assert picture.image.flags.c_contiguous
    assert abs(int(picture.image.max()) - 160) < 4


def test_a_picture_that_changes_shows_up_at_the_next_grab(tmp_path: Path) -> None:
    album = Album(tmp_path)
    put(tmp_path, "table.png", encoded(80, ".png"), 1)
    assert album.grab().image.max() == 80
    put(tmp_path, "table.png", encoded(90, ".png"), 2)
    assert album.grab().image.max() == 90
    put(tmp_path, "new.png", encoded(100, ".png"), 3)
    assert album.grab().image.max() == 100
    (tmp_path / "new.png").unlink()
    assert album.grab().image.max() == 90


def test_a_picture_of_the_same_second_and_size_is_seen_to_have_changed(tmp_path: Path) -> None:
    album = Album(tmp_path)
    put(tmp_path, "table.png", encoded(80, ".png"), 1)
    assert album.grab().image.max() == 80
    put(tmp_path, "part", encoded(81, ".png"), 1)
    (tmp_path / "part").replace(tmp_path / "table.png")
    assert album.grab().image.max() == 81


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95])
def test_a_picture_that_is_still_growing_is_left_for_later(tmp_path: Path, suffix: str, share: float) -> None:
    album = Album(tmp_path)
    put(tmp_path, "old.png", encoded(80, ".png"), 1)
    whole = encoded(160, suffix)
    put(tmp_path, f"new{suffix}", whole[: int(len(whole) * share)], 2)
    assert album.grab().image.max() == 80
    put(tmp_path, f"new{suffix}", whole, 3)
    assert album.grab().image.max() > 150


def test_what_is_no_picture_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "table.png", encoded(80, ".png"), 1)
    put(tmp_path, "notes.txt", b"nothing", 2)
    put(tmp_path, ".hidden.png", encoded(90, ".png"), 3)
    (tmp_path / "folder.png").mkdir()
    assert Album(tmp_path).grab().image.max() == 80


def test_an_empty_or_missing_folder_is_a_state_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "album"
    album = Album(folder)
    album.open()
    with pytest.raises(NoPictureError, match="There is no folder") as missing:
        album.grab()
    assert missing.value.part.condition is Condition.MISSING
    folder.mkdir()
    with pytest.raises(NoPictureError, match="put a JPEG, PNG or WebP into it"):
        album.grab()
    put(folder, "table.png", encoded(80, ".png"), 1)
    assert album.grab().image.max() == 80
    album.close()
