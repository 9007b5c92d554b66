from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.errors import StoreError
from companion.files import write_text


def test_a_text_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    for text in ("one\n", "山田\r\n\x00"):
        write_text(path, text)
        assert path.read_bytes() == text.encode()
    assert [each.name for each in tmp_path.iterdir()] == ["evening.txt"]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "There is no room left on the disk for {}: delete something, then do it again."),
        (errno.EDQUOT, "There is no room left on the disk for {}: delete something, then do it again."),
        (errno.EIO, "{} cannot be used (Input/output error): name another place."),
        (errno.EROFS, "{} cannot be written: let this user write in the folder {}, or name another place."),
    ],
)
def test_what_fails_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    path = tmp_path / "evening.txt"
    write_text(path, "old")

    def fail(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError) as caught:
        write_text(path, "new")
    assert str(caught.value) == sentence.format(path, tmp_path)
    assert path.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["evening.txt"]


def test_a_file_that_may_not_grow_leaves_the_old_text(tmp_path: Path, small_files: Callable[..., Any]) -> None:
    path = tmp_path / "evening.txt"
    write_text(path, "old")
    with small_files(1000), pytest.raises(StoreError, match=r"cannot be used \(File too large\)"):
        write_text(path, "x" * 1001)
    assert path.read_text(encoding="utf-8") == "old"


def test_half_a_character_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written: type it again without it"):
        write_text(tmp_path / "evening.txt", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_folder_is_named(open_folder: Path, ordinary_user: Callable[..., Any]) -> None:
    open_folder.chmod(0o555)
    with ordinary_user(), pytest.raises(StoreError, match=f"let this user write in the folder {open_folder}"):
        write_text(open_folder / "evening.txt", "x")
