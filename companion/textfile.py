"""Text files that people hand in, read without trust."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISREG

from companion.errors import FileError


def read_text(path: Path, most_bytes: int) -> str:
    """The text of a UTF-8 file, with or without a byte order mark. Raises: FileError."""
    try:
        # Asked before opening: a pipe would wait for its writer.
        if not S_ISREG(path.stat().st_mode):
            raise FileError(str(path), "it is not an ordinary file")
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise FileError(str(path), error.strerror or "the system does not say why") from error
    if len(content) > most_bytes:
        raise FileError(str(path), f"it is larger than {most_bytes} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(str(path), "it is not UTF-8 text") from error
