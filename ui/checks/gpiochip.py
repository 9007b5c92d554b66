"""The kernel's own list of the pins and who uses them.

Source: linux/gpio.h (`gpiochip_info`, `gpio_v2_line_info`); Linux 5.10 or newer.
"""

from __future__ import annotations

import fcntl
import os
import struct
from dataclasses import dataclass
from pathlib import Path

GET_CHIP_INFO = 0x8044B401
"""_IOR(0xB4, 0x01, struct gpiochip_info)"""

GET_LINE_INFO = 0xC100B405
"""_IOWR(0xB4, 0x05, struct gpio_v2_line_info)"""

_CHIP = struct.Struct("=32s32sI")
_LINE = struct.Struct("=32s32sIIQ176x")
_USED = 1


@dataclass(frozen=True, slots=True)
class Chip:
    """One GPIO chip. `users` maps each line in use to its consumer's name; `problem` says why it cannot be asked."""

    device: str
    label: str = ""
    lines: int = 0
    users: dict[int, str] | None = None
    problem: str = ""


def read_chips(root: Path) -> list[Chip]:
    """All chips below `root`/dev, by number; one that links to another is left out."""
    paths = [path for path in root.glob("dev/gpiochip[0-9]*") if not path.is_symlink()]
    return [_read_chip(path) for path in sorted(paths, key=lambda path: int(path.name.removeprefix("gpiochip")))]


def _read_chip(path: Path) -> Chip:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        return Chip(path.name, problem=error.strerror or "unknown")
    try:
        _, label, lines = _CHIP.unpack(fcntl.ioctl(descriptor, GET_CHIP_INFO, bytes(_CHIP.size)))
        return Chip(path.name, _text(label), lines, _users(descriptor, lines))
    except OSError as error:
        return Chip(path.name, problem=error.strerror or "unknown")
    finally:
        os.close(descriptor)


def _users(descriptor: int, lines: int) -> dict[int, str]:
    users = {}
    for offset in range(lines):
        asked = _LINE.pack(b"", b"", offset, 0, 0)
        _, consumer, _, _, flags = _LINE.unpack(fcntl.ioctl(descriptor, GET_LINE_INFO, asked))
        if flags & _USED:
            users[offset] = _text(consumer) or "the kernel"
    return users


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")
