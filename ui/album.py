"""What all that read photographs share: the folder of annotated pictures, and the progress bar."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Sequence
from os.path import realpath
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

JPEG_QUALITY = 92


def with_progress(photos: Sequence[str]) -> Iterable[str]:
    """The photographs, with a bar for a person who watches several of them being read."""
    shown = len(photos) > 1 and sys.stderr.isatty()
    return tqdm(photos, unit="photo", leave=False, file=sys.stderr, disable=not shown)


class Album:
    """The folder of annotated pictures. The first picture that cannot be written is the last one tried."""

    def __init__(self, folder: Path, photos: Sequence[str]) -> None:
        self._folder = folder
        self._originals = {realpath(photo) for photo in photos}
        self._written: list[Path] = []
        self._problem: str | None = None

    def add(self, photo: str, image: NDArray[np.uint8]) -> None:
        """Write the picture as NAME.annotated.jpg, or NAME-2.annotated.jpg after another photograph of that name."""
        if self._problem is not None:
            return
        picture = self._free_name(Path(photo).stem)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        part = picture.with_name(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data.tobytes())
            part.replace(picture)
        except OSError as error:
            self._problem = f"{picture}: annotated pictures cannot be written here ({error.strerror}); change --out."
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        else:
            self._written.append(picture)

    def _free_name(self, stem: str) -> Path:
        """A name that neither a picture of this run nor one of the photographs has."""
        picture = self._folder / f"{stem}.annotated.jpg"
        number = 1
        while picture in self._written or realpath(picture) in self._originals:
            number += 1
            picture = self._folder / f"{stem}-{number}.annotated.jpg"
        return picture

    def close(self, *, quiet: bool) -> bool:
        """Say where the pictures are, and what kept them from being written. Returns whether all were."""
        if not quiet:
            for picture in self._written:
                print(f"Annotated picture: {picture}")
        if self._problem is not None:
            print(self._problem, file=sys.stderr)
        return self._problem is None
