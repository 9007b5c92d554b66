"""Opening the pins: lgpio on a Raspberry Pi, gpiozero's mock where that is asked for, else none, with a sentence.

gpiozero's own fall-back chain is not used: it ends at pins that are slow and lose presses, with warnings only.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from gpiozero.exc import GPIOPinInUse, PinUnknownPi

from companion.errors import brief
from companion.language import later
from companion.parts import Condition, Part
from hardware.names import facts_of

LOG = logging.getLogger(__name__)

PART = "pins"
VARIABLE = "GPIOZERO_PIN_FACTORY"
"""gpiozero's own variable: `mock` gives pins without a Pi."""

LIKELY_OWNERS = {
    (0, 1): later("the board on top"),
    (2, 3): later("I2C"),
    (4,): later("1-Wire"),
    (7, 8, 9, 10, 11): later("SPI"),
    (14, 15): later("the serial port"),
    (12, 13, 18, 19, 20, 21): later("PWM or sound"),
}
"""Who takes which BCM pins when it is switched on.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header" and the overlays' README.
"""

NO_LGPIO = later(
    "There are no pins: install python3-lgpio on a Raspberry Pi; everything works on the screen meanwhile."
)
NO_FOLDER = later("The pins need a temporary folder ({error}): free some; everything works on the screen meanwhile.")
OTHER_CHIPS = later(
    "This computer has no pins (none of its GPIO chips is the header's: update the system); "
    "everything works on the screen meanwhile."
)
NO_CHIP = later("This computer has no pins (it has no GPIO chip); everything works on the screen meanwhile.")
NO_PI = later(
    "This is not a Raspberry Pi, so it has no buttons and no lights; everything works on the screen meanwhile."
)
NOT_ALLOWED = later(
    "The pins cannot be opened ({error}): run `sudo usermod -aG gpio $USER` and restart; "
    "everything works on the screen meanwhile."
)
FAILS = later(
    "The {part} on GPIO {bcm} does not work ({error}): check its wiring; everything works on the screen meanwhile."
)
IN_USE = later(
    "The {part}'s pin, GPIO {bcm}, is in use, by {user}: switch that off or take another pin; "
    "everything works on the screen meanwhile."
)
LIKELY_IN_USE = later(
    "The {part}'s pin, GPIO {bcm}, is in use, most likely by {what}: switch that off or take another pin; "
    "everything works on the screen meanwhile."
)

DeviceT = TypeVar("DeviceT")


@dataclass(frozen=True, slots=True)
class Pins:
    """The opened pins. `factory` is gpiozero's, None when there are none; `part` says how they are."""

    factory: Any
    part: Part
    chip: int | None = None

    def close(self) -> None:
        """Give all pins back. A second call does nothing."""
        if self.factory is not None:
            give_back(self.factory)

    def device(self, name: str, bcm: int, make: Callable[[], DeviceT]) -> DeviceT | Part:
        """A gpiozero device for one pin, or what is wrong with that pin."""
        try:
            return make()
        # Each pin library raises errors of its own; not one of them may stop the others' devices.
        except Exception as error:
            return trouble(name, bcm, error, self._user(bcm))

    def _user(self, bcm: int) -> str:
        if self.chip is not None:
            # Who it is only helps; where the kernel does not tell, the likely owner is named.
            with contextlib.suppress(Exception):
                return line_user(self.chip, bcm)
        return ""


def open_pins(kind: str | None = None) -> Pins:
    """The pins of this computer. `kind` is `lgpio` or `mock`; by default what the environment asks for, else lgpio."""
    kind = kind or os.environ.get(VARIABLE) or "lgpio"
    if kind == "mock":
        from gpiozero.pins.mock import MockFactory

        return Pins(MockFactory(), Part(PART))
    if kind != "lgpio":
        sentence = later("Pins of the kind {kind} are not supported: set {variable} to lgpio.")
        return _none(Condition.MISSING, sentence, kind=brief(kind), variable=VARIABLE)
    try:
        lgpio = import_lgpio()
    except ImportError:
        return _none(Condition.MISSING, NO_LGPIO)
    except OSError as error:
        return _none(Condition.FAILED, NO_FOLDER, error=str(error.strerror))
    return _open_lgpio(lgpio)


def import_lgpio() -> Any:
    """The module lgpio. Raises: ImportError; OSError where there is no folder for its pipe.

    At its import, lgpio makes a pipe in the working directory, or changes to the one that `LG_WD` names. Once the pipe
    is open its name is of no use, so the folder can go, and the working directory is what it was.
    """
    before = os.environ.get("LG_WD")
    with TemporaryDirectory(prefix="companion-pins-") as folder, contextlib.chdir(folder):
        os.environ["LG_WD"] = folder
        try:
            import lgpio
        finally:
            # Programs started later must not look for a folder that is gone.
            del os.environ["LG_WD"]
            if before is not None:
                os.environ["LG_WD"] = before
    return lgpio


def line_user(chip: int, bcm: int) -> str:
    """Who holds a line of a GPIO chip, by the name that the holder gave the kernel; empty when nobody does.

    Raises: ImportError; what lgpio raises.
    """
    lgpio = import_lgpio()
    handle = lgpio.gpiochip_open(chip)
    try:
        return str(lgpio.gpio_get_line_info(handle, bcm)[4])
    finally:
        lgpio.gpiochip_close(handle)


def trouble(name: str, bcm: int, error: Exception, user: str = "") -> Part:
    """What an error means for the part on that BCM pin; `user` is who holds its line, where that is known."""
    text = str(error).strip("'\"") or type(error).__name__
    if not isinstance(error, GPIOPinInUse) and "busy" not in text.lower():
        return Part(name, Condition.FAILED, FAILS, {**facts_of(name), "bcm": bcm, "error": brief(text, 60)})
    if user:
        return Part(name, Condition.BUSY, IN_USE, {**facts_of(name), "bcm": bcm, "user": brief(user)})
    likely = next((owner for pins, owner in LIKELY_OWNERS.items() if bcm in pins), later("another program"))
    return Part(name, Condition.BUSY, LIKELY_IN_USE, {**facts_of(name), "bcm": bcm, "what": likely})


def give_back(device: Any) -> None:
    """Close a gpiozero device or factory; one that fails must not keep the others from being switched off."""
    try:
        device.close()
    except Exception:  # as `Pins.device`
        LOG.exception("A pin could not be given back.")


def _none(condition: Condition, template: str, **facts: str) -> Pins:
    return Pins(None, Part(PART, condition, template, facts))


def _open_lgpio(lgpio: Any) -> Pins:
    from gpiozero.pins.lgpio import LGPIOFactory

    try:
        chip = _header_chip(lgpio)
        if chip is None:
            return _none(Condition.MISSING, OTHER_CHIPS if _chips() else NO_CHIP)
        return Pins(LGPIOFactory(chip=chip), Part(PART), chip)
    except PinUnknownPi:
        return _none(Condition.MISSING, NO_PI)
    except lgpio.error as error:
        return _none(Condition.FAILED, NOT_ALLOWED, error=str(error).strip("'\""))


def _header_chip(lgpio: Any) -> int | None:
    """The chip of the 40-pin header, by its label: kernels have numbered it 0 and 4."""
    for chip in _chips():
        handle = lgpio.gpiochip_open(chip)
        label = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
        if label.startswith("pinctrl-"):
            return chip
    return None


def _chips() -> list[int]:
    names = (re.fullmatch(r"gpiochip(\d+)", path.name) for path in Path("/dev").glob("gpiochip*"))
    return sorted(int(name[1]) for name in names if name)
