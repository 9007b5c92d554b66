"""Files that are replaced whole: whatever happens meanwhile, the old content stands there or the new one."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import StoreError, printable
from companion.language import _, later

NO_ROOM = later("There is no room left on the disk for {path}: delete something, then do it again.")
NOT_WRITABLE = later("{path} cannot be written: let this user write in the folder {folder}, or name another place.")


def write_text(path: Path, text: str) -> None:
    """Put the text, as UTF-8, in the place of whatever file stands there. Raises: StoreError."""
    new = beside(path, ".new")
    with told(path):
        try:
            with new.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            replace(new, path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def beside(path: Path, suffix: str) -> Path:
    """The file with the same name and a suffix."""
    return path.with_name(path.name + suffix)


def replace(new: Path, path: Path) -> None:
    """Rename, so that it outlasts a power cut. `new` is on the disk already. Raises: OSError."""
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the folder's names on the disk. Raises: OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process is in here with the same folder. A killed one leaves. Raises: OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the system's errors about a file into StoreErrors that say what to do."""
    try:
        yield
    except OSError as error:
        raise StoreError(_sentence(path, error)) from error
    except UnicodeEncodeError as error:
        raise StoreError(
            _("The character {sign} cannot be written: type it again without it.").format(sign=quoted_part(error))
        ) from error


def quoted_part(error: UnicodeEncodeError) -> str:
    """What of a text cannot be written, in quotes."""
    return repr(printable(error.object[error.start : error.end]))


def _sentence(path: Path, error: OSError) -> str:
    names = {"path": printable(str(path)), "folder": printable(str(path.parent))}
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _(NO_ROOM).format(**names)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _(NOT_WRITABLE).format(**names)
    reason = error.strerror or _("the system does not say why")
    return _("{path} cannot be used ({reason}): name another place.").format(path=names["path"], reason=reason)
