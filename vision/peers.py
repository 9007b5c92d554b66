"""General text readers that people would use instead, for the benchmark alone: none is needed to run the companion."""

from __future__ import annotations

import importlib
import logging
import os
import shutil
from types import ModuleType
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError

NAMES = ("rapidocr", "tesseract")
FACES = "01234,"


class PeerError(CompanionError):
    """A peer is not installed; the message is one sentence for the person."""


class Peer(Protocol):
    """A reader of printed text."""

    def text_in(self, image: NDArray[np.uint8]) -> str:
        """All characters read in a whole picture, (H, W, 3) uint8 BGR, in any order."""

    def face_of(self, card: NDArray[np.uint8]) -> str | None:
        """The face on one card, (S, S, 3) uint8 BGR, tried in four turns; None when nothing like a face was read."""


def load(name: str) -> Peer:
    """One of `NAMES`.

    Raises:
        PeerError: it is not installed.
    """
    return RapidOcr() if name == "rapidocr" else Tesseract()


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise PeerError(f"{error.name} is not installed: run .venv/bin/pip install -e '.[peers]'") from error


def _four_turns(card: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    return [np.ascontiguousarray(np.rot90(card, k)) for k in range(4)]


class RapidOcr:
    """RapidOCR: detection and recognition networks on ONNX Runtime, one thread."""

    def __init__(self) -> None:
        os.environ["OMP_NUM_THREADS"] = "1"
        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        module = _module("rapidocr")
        threads = {
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
        self._engine = module.RapidOCR(params={"Global.log_level": "error", **threads})

    def text_in(self, image: NDArray[np.uint8]) -> str:
        """See `Peer`."""
        return "".join(self._engine(image).txts or ())

    def face_of(self, card: NDArray[np.uint8]) -> str | None:
        """See `Peer`."""
        best: tuple[float, str] | None = None
        for turned in _four_turns(card):
            answer = self._engine(turned, use_det=False, use_cls=False, use_rec=True)
            for text, score in zip(answer.txts or (), answer.scores or (), strict=True):
                if text.strip() in tuple(FACES) and (best is None or score > best[0]):
                    best = (float(score), text.strip())
        return best[1] if best else None


class Tesseract:
    """Tesseract through pytesseract; each card as a single character."""

    def __init__(self) -> None:
        os.environ["OMP_THREAD_LIMIT"] = "1"
        self._engine = _module("pytesseract")
        if shutil.which("tesseract") is None:
            raise PeerError("tesseract is not installed: install the system package tesseract-ocr")

    def text_in(self, image: NDArray[np.uint8]) -> str:
        """See `Peer`."""
        return str(self._engine.image_to_string(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), config="--psm 11"))

    def face_of(self, card: NDArray[np.uint8]) -> str | None:
        """See `Peer`."""
        best: tuple[float, str] | None = None
        for turned in _four_turns(card):
            data = self._engine.image_to_data(
                cv2.cvtColor(turned, cv2.COLOR_BGR2RGB),
                config=f"--psm 10 -c tessedit_char_whitelist={FACES}",
                output_type=self._engine.Output.DICT,
            )
            for text, score in zip(data["text"], data["conf"], strict=True):
                if text.strip() in tuple(FACES) and (best is None or float(score) > best[0]):
                    best = (float(score), text.strip())
        return best[1] if best else None
