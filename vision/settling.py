"""When a camera's automatics have come to rest, and with which controls they are fixed there.

Pure: metadata of frames in, controls to set out, both by libcamera's names.
Source: libcamera's control reference; AfMode, AfTrigger and AfState are integers there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from vision.camera import TOO_DARK

Controls = dict[str, Any]

_AF_MANUAL, _AF_AUTO = 0, 1
_AF_START = 0
_AF_FOCUSED, _AF_FAILED = 2, 3

LENS_TOLERANCE = 0.1
"""Dioptres: far less than the depth of field at arm's length."""

ALIKE_FRAMES = 6
SPREAD = 0.03
"""Exposure and colours have settled when as many frames in a row differ by no more than this part."""

TOO_BRIGHT = 240.0
"""Mean brightness, of 255, at which most of a picture has lost what it showed."""

_FLICKER_MANUAL = 1


def flicker(mains_hz: int | None) -> Controls:
    """What keeps lamps at 50 or 60 Hz from drawing bands: they flash twice a period, and the control is in µs."""
    if mains_hz is None:
        return {}
    return {"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": round(1_000_000 / (2 * mains_hz))}


class Focus:
    """One autofocus, after which the lens stays where it is; or a given position, in dioptres."""

    def __init__(self, position: float | None = None) -> None:
        self._position = position
        self._asked = False
        self._moving_to: float | None = None
        self.arrived = False

    def start(self) -> Controls:
        """The controls that a camera is to be configured with; a position that was found once is kept."""
        self._asked, self.arrived, self._moving_to = False, False, self._position
        if self._position is None:
            return {"AfMode": _AF_AUTO}
        return {"AfMode": _AF_MANUAL, "LensPosition": self._position}

    def next(self, metadata: Mapping[str, Any]) -> Controls:
        """What to set after this frame; `arrived` tells when frames are sharp."""
        if self._moving_to is not None:
            self.arrived = abs(metadata.get("LensPosition", self._moving_to) - self._moving_to) <= LENS_TOLERANCE
            return {}
        if not self._asked:
            self._asked = True
            return {"AfMode": _AF_AUTO, "AfTrigger": _AF_START}
        if metadata.get("AfState") not in (_AF_FOCUSED, _AF_FAILED):
            return {}
        self._moving_to = metadata["LensPosition"]
        if metadata["AfState"] == _AF_FOCUSED:
            self._position = self._moving_to
        return {"AfMode": _AF_MANUAL, "LensPosition": self._moving_to}


class Exposure:
    """Exposure and colour gains: automatic until they have settled on a picture that shows something, then fixed.

    When a fixed picture gets too dark or too bright, for a lamp was switched or evening has come, all begins anew.
    """

    def __init__(self) -> None:
        self._recent: deque[tuple[float, ...]] = deque(maxlen=ALIKE_FRAMES)
        self._useless = 0
        self.fixed = False

    def next(self, metadata: Mapping[str, Any], brightness: float) -> Controls:
        """What to set after a frame with this metadata and mean brightness, 0 to 255."""
        if self.fixed:
            return self._watch(brightness)
        gains = metadata.get("ColourGains", (1.0, 1.0))
        exposure = metadata.get("ExposureTime", 0) * metadata.get("AnalogueGain", 1.0)
        self._recent.append((brightness, exposure, *gains))
        if brightness < TOO_DARK:
            self._recent.clear()
        if len(self._recent) < ALIKE_FRAMES or not all(_alike(values) for values in zip(*self._recent, strict=True)):
            return {}
        self.fixed, self._useless = True, 0
        found = {name: metadata[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in metadata}
        return {"AeEnable": False, "AwbEnable": False, **found}

    def _watch(self, brightness: float) -> Controls:
        self._useless = 0 if TOO_DARK <= brightness <= TOO_BRIGHT else self._useless + 1
        if self._useless < ALIKE_FRAMES:
            return {}
        self.fixed = False
        self._recent.clear()
        # Zero gives a value back to the automatics.
        return {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}


def _alike(values: tuple[float, ...]) -> bool:
    return max(values) - min(values) <= SPREAD * max(map(abs, values))
