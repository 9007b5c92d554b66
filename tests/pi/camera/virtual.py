"""The real picamera2 on libcamera's virtual camera, which lacks what only a Pi has."""

from __future__ import annotations

import sys
from typing import Any
from unittest import mock

# Only picamera2's preview on a bare screen uses pykms, and Debian does not have it.
sys.modules.setdefault("pykms", mock.MagicMock(name="pykms"))

import libcamera  # noqa: E402
import picamera2.picamera2  # noqa: E402
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators import LibcameraAllocator  # noqa: E402
from picamera2.allocators.allocator import Allocator  # noqa: E402

# The usual one wants the Pi's own memory pool.
picamera2.picamera2.DmaAllocator = Allocator


class VirtualPicamera2(Picamera2):
    """Picamera2 with buffers from the pipeline, and without raw pictures."""

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        configuration = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder])
        formats = configuration.at(0).formats
        return [
            {"format": str(pixel_format), "size": (size.width, size.height)}
            for pixel_format in formats.pixel_formats
            for size in formats.sizes(pixel_format)
        ]

    def configure_(self, camera_config: Any) -> None:
        if not isinstance(self.allocator, LibcameraAllocator):
            self.allocator = LibcameraAllocator(self.camera)
        super().configure_(camera_config)
