from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.errors import FileError
from companion.textfile import read_text


def test_the_text_is_read_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfZo\xc3\xab\r\n")
    assert read_text(path, 9) == "Zoë\r\n"
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    assert read_text(link, 10) == "Zoë\r\n"


def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path) -> None:
    large, binary, pipe = tmp_path / "large", tmp_path / "binary", tmp_path / "pipe"
    large.write_bytes(b"x" * 11)
    binary.write_bytes(b"\xff")
    os.mkfifo(pipe)
    for path, reason in (
        (large, "it is larger than 10 bytes"),
        (binary, "it is not UTF-8 text"),
        (pipe, "it is not an ordinary file"),
        (tmp_path, "it is not an ordinary file"),
        (tmp_path / "missing", "No such file or directory"),
    ):
        with pytest.raises(FileError) as caught:
            read_text(path, 10)
        assert str(caught.value) == f"{path} cannot be read: {reason}."


def test_a_files_name_cannot_command_a_terminal() -> None:
    with pytest.raises(FileError, match=r"^a \\x1bb cannot be read: "):
        read_text(Path("a\n\x1bb"), 10)
