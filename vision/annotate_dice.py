"""The annotated picture of dice: each top face's outline and its value."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognisers.die import CLEAR_CONFIDENCE, DieReading

_SURE = (90, 200, 60)
_DOUBT = (0, 140, 255)
_BAND = (28, 24, 22)


def annotate(image: NDArray[np.uint8], reading: DieReading) -> NDArray[np.uint8]:
    """A copy of the photograph (H, W, 3) uint8, BGR, with the dice drawn in; doubtful ones carry a question mark."""
    canvas = image.copy()
    stroke = max(1, round(max(image.shape[:2]) / 600))
    for die in reading.dice:
        corners = np.rint(np.array(die.corners)).astype(np.int32)
        sure = die.confidence >= CLEAR_CONFIDENCE
        colour = _SURE if sure else _DOUBT
        cv2.polylines(canvas, [corners], True, colour, stroke, cv2.LINE_AA)
        text = str(die.value) if sure else f"{die.value}?"
        size = 0.6 * stroke
        # Beside the die, so that its pips stay in sight.
        at = (int(corners[:, 0].max()) + 3 * stroke, int(corners[:, 1].max()))
        for ink, width in ((_BAND, 4 * stroke), (colour, 2 * stroke)):
            cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
    return canvas
