"""Pictures as camera drivers deliver them, turned into BGR."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_CONVERSIONS = {
    # picamera2 names formats by their order in a little-endian word: "RGB888" lies in memory as B, G, R.
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "YUYV": cv2.COLOR_YUV2BGR_YUY2,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
    "MJPEG": cv2.COLOR_RGB2BGR,  # picamera2 decodes it with Pillow.
}


def bgr(array: NDArray[np.uint8], pixel_format: str, size: tuple[int, int]) -> NDArray[np.uint8]:
    """An array as picamera2 gives it, as a (H, W, 3) uint8 BGR image, contiguous.

    `size` is (width, height) px without the padding that rows and planes may have.

    Raises:
        ValueError: the format is not known, or the array is smaller than that.
    """
    if pixel_format not in _CONVERSIONS:
        raise ValueError(f"unknown picture format {pixel_format}")
    conversion = _CONVERSIONS[pixel_format]
    # Padding is cropped last: the colour planes of YUV420 are only found in rows of their full length.
    whole = array if conversion is None else cv2.cvtColor(array, conversion)
    width, height = size
    if whole.shape[0] < height or whole.shape[1] < width:
        raise ValueError(f"picture of {whole.shape[1]} x {whole.shape[0]} pixels instead of {width} x {height}")
    return np.ascontiguousarray(whole[:height, :width], np.uint8)
