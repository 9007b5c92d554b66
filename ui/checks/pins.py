"""The pins: the board, the chip that holds its header, gpiozero and lgpio, and who else uses what the wiring needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.errors import printable
from companion.parts import Condition
from companion.rules import write_seat
from hardware.wiring import BUSES, Wiring
from ui.checks.finding import Finding, Level
from ui.checks.gpiochip import Chip
from ui.checks.machine import Machine
from ui.checks.packages import pip
from ui.config import Config

NAME = "pins"
HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chips that a Pi's header hangs on: Pi 5, Pi 4, older ones. Their numbers change with the kernel."""

KNOWN_MODELS = re.compile(r"Raspberry Pi ([2345]|400|500|Zero|Compute Module [345]|Model [AB])\b")
PI_5 = re.compile(r"Raspberry Pi (5|500|Compute Module 5)\b")
GOOD_GPIOZERO = (2, 0, 1, 3)
"""2.0.1.post3: the first on the package index that finds a Pi 5's chip by its label."""

GOOD_LGPIO = (0, 2, 2)


def check(machine: Machine, config: Config) -> Iterator[Finding]:
    """Everything about the pins; without a header there is only a word that it is missing."""
    chips = machine.chips(machine.root)
    if not machine.is_pi and not any(chip.label in HEADER_LABELS for chip in chips):
        told = f"This is {printable(machine.model)}, no Raspberry Pi" if machine.model else "This is no Raspberry Pi"
        yield Finding(NAME, Level.WARN, f"{told}: there are no buttons and lights; the screen does it all.")
        yield from _gpiozero(machine)
        yield from _factory(machine)
        return
    if not KNOWN_MODELS.match(machine.model):
        sentence = f"The model {printable(machine.model) or 'without a name'} is not known here."
        yield Finding(NAME, Level.WARN, sentence, "Try every button and light: python -m hardware.bench")
    yield from _gpiozero(machine)
    yield from _lgpio(machine)
    yield from _factory(machine)
    header = next((chip for chip in chips if chip.label in HEADER_LABELS), None)
    if header is None:
        yield _no_header(machine, chips)
        return
    yield _opening(machine, header)
    yield from _busy(machine, config, header)
    yield from _buses(machine, config)


def _opening(machine: Machine, header: Chip) -> Finding:
    """Open the pins in another process, as the program does."""
    ran = machine.python_script(_OPEN, 10.0)
    if ran is None or ran.status != 0 or not ran.output.strip():
        ending = "does not end" if ran and ran.status is None else "fails"
        return Finding(NAME, Level.FAIL, f"Opening the pins {ending}.", AGAIN)
    condition, _, sentence = ran.output.strip().splitlines()[-1].partition(" ")
    if condition != Condition.OK:
        return Finding(NAME, Level.FAIL, printable(sentence), AGAIN)
    board = printable(machine.model) or "This board"
    return Finding(NAME, Level.OK, f"{board}: {header.device} ({header.label}), kernel {machine.kernel}, opens.")


AGAIN = "Mend that and whatever else fails here, then start the Pi again: sudo reboot"

_OPEN = """
from hardware.pins import open_pins
pins = open_pins()
print(pins.part.condition, pins.part.sentence)
pins.close()
"""


def _no_header(machine: Machine, chips: list[Chip]) -> Finding:
    closed = [chip for chip in chips if chip.problem]
    if closed:
        sentence = f"/dev/{closed[0].device} cannot be asked: {closed[0].problem}."
        return Finding(NAME, Level.FAIL, sentence, f"sudo usermod -aG gpio {machine.user().name}, then start again")
    listed = ", ".join(f"{chip.device} ({chip.label})" for chip in chips) or "none"
    sentence = f"No chip of this kernel ({machine.kernel}) is the header's: {listed}."
    return Finding(NAME, Level.FAIL, sentence, "Update and start again: sudo apt full-upgrade && sudo reboot")


def _gpiozero(machine: Machine) -> Iterator[Finding]:
    package = machine.package("gpiozero")
    if package is None:
        # Not installed at all: the packages' check says so.
        return
    told = f"gpiozero {package.version}{' of the system' if package.system else ''}"
    if PI_5.match(machine.model) and not package.system and version_numbers(package.version) < GOOD_GPIOZERO:
        sentence = (
            f"{told} misses a Pi 5's pins: from kernel 6.6.45 on they are gpiochip0, no longer gpiochip4"
            f" (this is {machine.kernel})."
        )
        yield Finding(NAME, Level.FAIL, sentence, f"{pip(machine)} install --upgrade 'gpiozero>=2.0.1.post3'")
    else:
        yield Finding(NAME, Level.OK, f"{told}.")


def _lgpio(machine: Machine) -> Iterator[Finding]:
    package, module = machine.package("lgpio"), machine.modules.get("lgpio")
    if package is not None and version_numbers(package.version) < GOOD_LGPIO:
        sentence = f"lgpio {package.version} is an old or empty package: pins do not work with it."
        fix = f"{pip(machine)} uninstall -y lgpio, then {_system_lgpio(machine)}"
        yield Finding(NAME, Level.FAIL, sentence, fix)
    elif package is None and (module is None or module.state != "ok"):
        yield Finding(NAME, Level.FAIL, "lgpio, which drives the pins, is not there.", _system_lgpio(machine))
    else:
        version = package.version if package else "of the system"
        yield Finding(NAME, Level.OK, f"Pin factory lgpio, version {version}.")


def _system_lgpio(machine: Machine) -> str:
    install = "sudo apt install python3-lgpio"
    return install if machine.sees_system_packages else f"{install}, and {ENVIRONMENT}"


ENVIRONMENT = "make the environment again so that it sees them: python3 -m venv --clear --system-site-packages .venv"


def _factory(machine: Machine) -> Iterator[Finding]:
    wanted = machine.environment.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if wanted == "mock":
        sentence = "GPIOZERO_PIN_FACTORY is mock: buttons and lights are only pretended."
        yield Finding(NAME, Level.WARN, sentence, "For real ones: unset GPIOZERO_PIN_FACTORY")
    elif wanted != "lgpio":
        sentence = f"GPIOZERO_PIN_FACTORY is {printable(wanted)}, and only lgpio works on every Pi."
        yield Finding(NAME, Level.FAIL, sentence, "unset GPIOZERO_PIN_FACTORY")


def version_numbers(version: str) -> tuple[int, ...]:
    """The numbers in a version: "2.0.1.post3" gives (2, 0, 1, 3)."""
    return tuple(int(number) for number in re.findall(r"\d+", version.partition("+")[0]))


def _busy(machine: Machine, config: Config, header: Chip) -> Iterator[Finding]:
    wired = wired_pins(config.wiring)
    taken = {pin: user for pin, user in (header.users or {}).items() if pin in wired}
    holders = machine.holders(f"/dev/{header.device}")
    for pin, user in sorted(taken.items()):
        by = f"{printable(user)!r}" + (f", {' or '.join(holders)}" if user.startswith("lg") and holders else "")
        yield Finding(NAME, Level.FAIL, f"GPIO {pin} ({wired[pin]}) is in use by {by}.", _release(user))
    if not taken:
        others = ", ".join(f"{pin} ({printable(user)})" for pin, user in sorted((header.users or {}).items()))
        sentence = f"None of the wired pins is in use{f'; others in use: {others}' if others else ''}."
        yield Finding(NAME, Level.OK, sentence)


def _release(user: str) -> str:
    owner = user.lower()
    if owner.startswith("lg"):
        return "End the other program that drives pins (the companion itself: sudo systemctl stop companion)."
    for words, title in (
        (("spi",), "SPI"),
        (("i2c", "sda", "scl"), "I2C"),
        (("w1", "onewire"), "1-Wire"),
        (("uart", "serial", "txd", "rxd"), "the serial port"),
    ):
        if any(word in owner for word in words):
            return f"Turn {title} off (sudo raspi-config, Interface Options), or use another pin in [wiring]."
    return "End the program of that name, or take its line out of /boot/firmware/config.txt, or use another pin."


SWITCHES = (
    (re.compile(r"dtparam=(?:.*,)?spi=on"), "SPI", BUSES["spi"]),
    (re.compile(r"dtparam=(?:.*,)?i2c(?:_arm)?=on"), "I2C", BUSES["i2c"]),
    (re.compile(r"dtparam=(?:.*,)?i2s=on"), "I2S sound", (18, 19, 20, 21)),
    (re.compile(r"enable_uart=1"), "The serial port", BUSES["uart"]),
)
"""A line of config.txt that turns a bus on, the bus, and its pins. Source: Raspberry Pi documentation, "config.txt"."""

ONE_WIRE = re.compile(r"dtoverlay=w1-gpio(?:.*gpiopin=(\d+))?")


def _buses(machine: Machine, config: Config) -> Iterator[Finding]:
    wired = wired_pins(config.wiring)
    for bus, pins in _buses_on(machine.text("/boot/firmware/config.txt") or machine.text("/boot/config.txt")):
        both = [pin for pin in pins if pin in wired]
        if both:
            named = " and ".join(f"{pin} ({wired[pin]})" for pin in both)
            fix = "Turn it off (sudo raspi-config, Interface Options), or use other pins in [wiring]."
            yield Finding(NAME, Level.FAIL, f"{bus} is on and needs GPIO {named}.", fix)


def _buses_on(config_text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for line in config_text.splitlines():
        for pattern, bus, pins in SWITCHES:
            if pattern.match(line.strip()):
                yield bus, pins
        one_wire = ONE_WIRE.match(line.strip())
        if one_wire:
            yield "1-Wire", (int(one_wire[1] or 4),)


def wired_pins(wiring: Wiring) -> dict[int, str]:
    """What each wired BCM pin is for."""
    pins = {pin: f"the button {key.name}" for key, pin in wiring.buttons().items()}
    pins |= {pin: f"the die's {place}" for place, pin in wiring.die.items()}
    pins |= {pin: f"seat {write_seat(seat)}'s light" for seat, pin in wiring.lights().items()}
    return pins if wiring.buzzer is None else pins | {wiring.buzzer: "the buzzer"}
