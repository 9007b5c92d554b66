"""On the real lgpio and a GPIO chip that the kernel simulates; `run` makes both."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.intents import Control, Notice, Pressed, Rolled
from companion.parts import Condition, Part
from hardware.buttons import Buttons
from hardware.die import Die, pattern
from hardware.lights import Lights
from hardware.panel import Panel
from hardware.pins import Pins, open_pins
from hardware.wiring import DEFAULT, PLACES, Wiring

pytestmark = pytest.mark.pi

CONFIRM, UNDO, BUSY = 17, 27, 25
POLL_S = 1 / 30


class Header:
    """The far side of the simulated chip: what the wires see."""

    def __init__(self) -> None:
        self._folder = Path(os.environ["GPIO_SIM"])

    def bounce(self, bcm: int) -> float:
        """Thirteen edges as fast as can be, the last one down. How many seconds they took."""
        with (self._folder / f"sim_gpio{bcm}/pull").open("wb", buffering=0) as pull:
            start_s = time.monotonic()
            for _ in range(6):
                pull.write(b"pull-down")
                pull.write(b"pull-up")
            pull.write(b"pull-down")
            return time.monotonic() - start_s

    def press(self, bcm: int) -> None:
        """Connect the pin to ground."""
        (self._folder / f"sim_gpio{bcm}/pull").write_text("pull-down")

    def release(self, bcm: int) -> None:
        (self._folder / f"sim_gpio{bcm}/pull").write_text("pull-up")

    def level(self, bcm: int) -> int:
        return int((self._folder / f"sim_gpio{bcm}/value").read_text())


@pytest.fixture
def header() -> Header:
    return Header()


@pytest.fixture
def pins() -> Iterator[Pins]:
    opened = open_pins("lgpio")
    assert opened.part == Part("pins")
    yield opened
    opened.close()


@pytest.fixture
def buttons(pins: Pins) -> Iterator[Buttons]:
    opened = Buttons(pins, Wiring(confirm=CONFIRM, undo=UNDO))
    yield opened
    opened.close()


def polled(panel: Buttons | Panel | Die, for_s: float) -> list[Pressed | Notice | Rolled]:
    """What is told within that time, asked as often as the screen does."""
    told: list[Pressed | Notice | Rolled] = []
    end_s = time.monotonic() + for_s
    while time.monotonic() < end_s:
        told += panel.poll(time.monotonic())
        time.sleep(POLL_S)
    return told


def test_the_chip_is_found_by_its_label_and_the_working_directory_stays() -> None:
    code = """
import os
from pathlib import Path
from hardware.pins import open_pins
os.chdir("/")
before = set(Path("/").iterdir())
pins = open_pins("lgpio")
assert type(pins.factory).__name__ == "LGPIOFactory" and pins.factory.board_info.model == "4B", pins
assert os.getcwd() == "/" and set(Path("/").iterdir()) == before
assert "LG_WD" not in os.environ
print("chip", pins.chip)
"""
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603
    assert done.stdout == "chip 0\n"


@pytest.mark.parametrize("active_high", [True, False])
def test_lights_reach_their_lines(pins: Pins, header: Header, active_high: bool) -> None:
    lights = Lights(pins, Wiring(seats=DEFAULT.seats, buzzer=18, active_high=active_high))
    wanted = [part.name for part in lights.parts if part.condition is Condition.OK]
    assert wanted == ["seat A light", "seat B light", "seat D light", "buzzer"]
    lights.turn([1])
    assert [header.level(bcm) for bcm in (21, 24, 26)] == [int(on is active_high) for on in (False, True, False)]
    lights.beep(5.0)
    assert header.level(18) == int(active_high)
    lights.poll(5.1)
    assert header.level(18) == int(not active_high)
    lights.close()


def test_a_press_is_seen_with_the_pull_up_asked_for_and_stamped_by_the_kernel(buttons: Buttons, header: Header) -> None:
    assert [raw.high for raw in buttons.levels()] == [True, True]
    assert header.level(CONFIRM) == 1
    before_s = time.monotonic()
    header.press(CONFIRM)
    after_s = time.monotonic()
    # The edge is taken long after it came; its stamp tells when that was.
    time.sleep(0.3)
    assert buttons.poll(time.monotonic()) == []
    assert buttons.levels()[0].down
    header.release(CONFIRM)
    (told,) = polled(buttons, 0.3)
    assert isinstance(told, Pressed)
    assert (told.control, told.held) == (Control.CONFIRM, False)
    print(f"stamped {(told.at_s - before_s) * 1000:.2f} ms after the start of a write of {after_s - before_s:.6f} s")
    assert before_s - 0.001 <= told.at_s <= after_s + 0.05
    assert not buttons.levels()[0].down


def test_thirteen_edges_are_one_press(pins: Pins, header: Header) -> None:
    buttons = Buttons(pins, Wiring(confirm=CONFIRM, debounce_s=0.05))
    for _ in range(5):
        took_s = header.bounce(CONFIRM)
        told = polled(buttons, 0.15)
        header.release(CONFIRM)
        told += polled(buttons, 0.3)
        # An emulated machine pauses now and then; edges that far apart are no bounces.
        if took_s < 0.05:
            break
    buttons.close()
    print(f"thirteen edges in {took_s * 1000:.1f} ms")
    assert [type(intent) for intent in told] == [Pressed]


def test_hold_acts_at_its_limit(buttons: Buttons, header: Header) -> None:
    header.press(UNDO)
    start_s = time.monotonic()
    told: list[Pressed | Notice] = []
    while not told and time.monotonic() < start_s + 3:
        time.sleep(POLL_S)
        told += buttons.poll(time.monotonic())
    took_s = time.monotonic() - start_s
    header.release(UNDO)
    assert polled(buttons, 0.2) == []
    (held,) = told
    assert isinstance(held, Pressed)
    assert (held.control, held.held) == (Control.UNDO, True)
    assert 1.0 <= took_s < 1.3


def test_thirty_short_presses_are_thirty(buttons: Buttons, header: Header) -> None:
    told = []
    for _ in range(30):
        header.press(CONFIRM)
        told += polled(buttons, 0.05)
        header.release(CONFIRM)
        told += polled(buttons, 0.07)
    told += polled(buttons, 0.3)
    assert [type(intent) for intent in told] == [Pressed] * 30


def test_a_handler_that_raises_stops_nothing(pins: Pins, header: Header) -> None:
    failures = [RuntimeError("once"), RuntimeError("twice")]

    def clock() -> float:
        if threading.current_thread() is not threading.main_thread() and failures:
            raise failures.pop()
        return time.monotonic()

    buttons = Buttons(pins, Wiring(confirm=CONFIRM), clock)
    header.press(CONFIRM)
    header.release(CONFIRM)
    end_s = time.monotonic() + 5
    while failures and time.monotonic() < end_s:
        time.sleep(0.01)
    lost = polled(buttons, 0.2)
    header.press(CONFIRM)
    told = polled(buttons, 0.1)
    header.release(CONFIRM)
    told += polled(buttons, 0.3)
    buttons.close()
    assert (failures, lost) == ([], [])
    assert [type(intent) for intent in told] == [Pressed]


def test_buttons_go_on_after_the_garbage_collector(buttons: Buttons, header: Header) -> None:
    gc.collect()
    header.press(CONFIRM)
    time.sleep(0.05)
    header.release(CONFIRM)
    assert [type(intent) for intent in polled(buttons, 0.3)] == [Pressed]


def test_the_die_shows_each_number_on_seven_lines(pins: Pins, header: Header) -> None:
    die = Die(pins, Wiring(die=DEFAULT.die))
    assert [part.condition for part in die.parts] == [Condition.OK]
    for place in PLACES:
        die.light(place)
        assert [header.level(DEFAULT.die[other]) for other in PLACES] == [int(other == place) for other in PLACES]
    for _ in range(3):
        start_s = time.monotonic()
        die.roll(start_s)
        seen = set()
        told: list[Rolled] = []
        while not told:
            seen.add(tuple(header.level(DEFAULT.die[place]) for place in PLACES))
            time.sleep(0.01)
            told = die.poll(time.monotonic())
        assert time.monotonic() - start_s < 1.6
        assert tuple(header.level(DEFAULT.die[place]) for place in PLACES) == pattern(told[0].pips)
        assert len(seen) > 3
        assert told[0].pips == die.rolls[-1].pips
    die.close()
    assert [header.level(bcm) for bcm in DEFAULT.die.values()] == [0] * 7


def test_a_busy_pin_is_named_with_its_owner_and_the_others_work(header: Header) -> None:
    with Panel(Wiring(confirm=CONFIRM, undo=BUSY, seats=DEFAULT.seats), open_pins("lgpio")) as panel:
        busy = {part.name: part.sentence for part in panel.parts if part.condition is Condition.BUSY}
        print(*busy.values(), sep="\n")
        assert set(busy) == {"undo button", "seat C light"}
        assert "GPIO 25, is in use, by spi0" in busy["undo button"]
        header.press(CONFIRM)
        polled(panel, 0.06)
        header.release(CONFIRM)
        assert [type(intent) for intent in polled(panel, 0.3)] == [Pressed]


def test_a_pin_of_another_program_is_named(tmp_path: Path) -> None:
    code = (
        "import sys, lgpio; lgpio.gpio_claim_output(lgpio.gpiochip_open(0), 27, 1); print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as other:  # noqa: S603
        assert other.stdout is not None
        assert other.stdout.readline() == b"\n"
        with Panel(Wiring(confirm=CONFIRM, undo=UNDO), open_pins("lgpio")) as panel:
            parts = {part.name: part for part in panel.parts}
        assert other.stdin is not None
        other.stdin.close()
    print(parts["undo button"].sentence)
    assert parts["undo button"].condition is Condition.BUSY
    assert parts["confirm button"].condition is Condition.OK


def test_sigterm_turns_the_leds_off(header: Header) -> None:
    command = [sys.executable, "-m", "hardware.bench"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bench:  # noqa: S603
        assert bench.stdout is not None
        for line in bench.stdout:
            if line == "seat B light\n":
                break
        end_s = time.monotonic() + 5
        while header.level(24) == 0:
            assert time.monotonic() < end_s
        bench.send_signal(signal.SIGTERM)
    assert bench.returncode == 143
    assert header.level(24) == 0
