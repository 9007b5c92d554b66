"""A photograph from a file: opened with care, decoded once, turned upright."""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from companion.errors import CompanionError
from companion.language import _

MAX_PIXELS = 64_000_000
"""The largest phones make 48 to 50 million pixels; decoded, this many take 192 MB."""

MAX_BYTES = 256 * 1024 * 1024

MIN_SIDE_PX = 32

_FORMATS = ("JPEG", "PNG", "WEBP")
_EXIF_ORIENTATION = 0x0112
_JPEG_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")
"""A marker that is neither a stuffed byte nor a restart, which both belong to the picture's own data."""


class FrameError(CompanionError):
    """A file that cannot be read as a photograph; the message is one sentence for the person."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One photograph, upright: `image` is (H, W, 3) uint8, BGR."""

    image: NDArray[np.uint8]
    source: Path


def load(path: Path) -> Frame:
    """Read a JPEG, PNG or WebP file, turned as its EXIF orientation says.

    The size is known before anything is decoded, so a small file that unfolds to a huge picture does no harm.
    16-bit and grey pictures become 8-bit BGR; an alpha channel is dropped.

    Raises:
        FrameError: the file is missing, not a photograph, damaged, too large or too small.
    """
    data = _bytes(path)
    orientation, jpeg = _inspect(path, data)
    if jpeg and not _jpeg_is_whole(data):
        raise _error(path, _("{path}: the picture is cut short; copy it again from the camera."))
    return Frame(_upright(_decode(path, data), orientation), path)


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise _error(path, _("{path}: this is a folder; name the photographs in it."))
        if path.exists() and not path.is_file():
            raise _error(path, _("{path}: this is not a file; name a photograph."))
        if path.stat().st_size > MAX_BYTES:
            raise _error(
                path, _("{path}: the file is larger than {most} MB; save the picture smaller."), most=MAX_BYTES // 2**20
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise _error(path, _("{path}: there is no such file; check the name.")) from None
    except PermissionError:
        raise _error(path, _("{path}: this file may not be read; change its permissions.")) from None
    except OSError as error:
        raise _error(path, _("{path}: this file cannot be read ({error})."), error=error.strerror) from None
    if not data:
        raise _error(path, _("{path}: the file is empty; copy it again from the camera."))
    return data


def _inspect(path: Path, data: bytes) -> tuple[int, bool]:
    """EXIF orientation (1 to 8) and whether it is a JPEG, from the file's header alone."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as header:
                width, height = header.size
                jpeg = header.format in ("JPEG", "MPO")
                animated = not jpeg and getattr(header, "is_animated", False)
                orientation = _orientation(header)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise _too_large(path) from None
    except UnidentifiedImageError:
        raise _error(path, _("{path}: this is not a JPEG, PNG or WebP picture; save it as JPEG.")) from None
    except Exception as error:  # Pillow's parsers raise what they please on a broken header.
        raise _error(path, _("{path}: the picture's header is damaged ({error})."), error=error) from None
    if width * height > MAX_PIXELS:
        raise _too_large(path)
    if min(width, height) < MIN_SIDE_PX:
        sentence = _("{path}: the picture is only {width} x {height} pixels; take a larger one.")
        raise _error(path, sentence, width=width, height=height)
    if animated:
        raise _error(path, _("{path}: this is an animation; save one picture of it."))
    return orientation, jpeg


def _too_large(path: Path) -> FrameError:
    sentence = _("{path}: the picture has more than {most} million pixels; save it smaller.")
    return _error(path, sentence, most=MAX_PIXELS // 1_000_000)


def _error(path: Path, template: str, **facts: object) -> FrameError:
    return FrameError(template.format(path=path, **facts))


def _orientation(header: Image.Image) -> int:
    try:
        orientation = header.getexif().get(_EXIF_ORIENTATION, 1)
    except Exception:  # A photograph with a broken EXIF block is still a photograph.
        return 1
    return orientation if orientation in range(1, 9) else 1


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether the end-of-image marker follows the picture's data.

    Some versions of OpenCV fill the missing rest with grey and say nothing. The marker is looked for segment by
    segment, because a thumbnail inside a segment has an end of its own.
    Source: ITU-T T.81, annex B.
    """
    position = 2
    while marker := _JPEG_MARKER.search(data, position):
        if marker[1] == b"\xd9":
            return True
        position = marker.end() + int.from_bytes(data[marker.end() : marker.end() + 2], "big")
    return False


def _decode(path: Path, data: bytes) -> NDArray[np.uint8]:
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    with _codec_messages() as messages:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        except cv2.error:
            image = None
    if image is None or b"premature end" in messages.getvalue().lower():
        raise _error(path, _("{path}: the picture is damaged; copy it again from the camera."))
    return np.asarray(image, np.uint8)


@contextmanager
def _codec_messages() -> Iterator[io.BytesIO]:
    """Collect what the C libraries print to standard error: it is no sentence for a person, but it tells of damage."""
    messages = io.BytesIO()
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        stderr = os.dup(2)
    except OSError:  # The caller closed it (`2>&-`).
        stderr = os.open(os.devnull, os.O_WRONLY)
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 2)
        try:
            yield messages
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            printed.seek(0)
            messages.write(printed.read())


def _upright(image: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Source: Exif 2.32, tag 0x0112: where the stored picture's first row and first column belong."""
    if orientation in (5, 6, 7, 8):
        image = np.swapaxes(image, 0, 1)
    if orientation in (3, 4, 7, 8):
        image = image[::-1]
    if orientation in (2, 3, 6, 7):
        image = image[:, ::-1]
    return np.ascontiguousarray(image)
