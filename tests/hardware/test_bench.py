from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.parts import Condition, Part
from hardware import bench
from hardware.pins import Pins
from hardware.wiring import DEFAULT, DEFAULT_TEXT, PLACES


class Evening:
    """A clock whose waiting moves time on, and hands that act at set times; in the end somebody presses Ctrl-C."""

    def __init__(self, steps: list[tuple[float, Callable[[], None]]], end_s: float) -> None:
        self.now_s = 0.0
        self._steps = steps
        self._end_s = end_s

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
        while self._steps and self._steps[0][0] <= self.now_s:
            self._steps.pop(0)[1]()
        if self.now_s >= self._end_s:
            raise KeyboardInterrupt


def test_each_led_lights_up_in_turn_and_each_press_is_named(pins: Pins, capsys: pytest.CaptureFixture[str]) -> None:
    pin = pins.factory.pin
    lit: list[str] = []
    names = {bcm: f"seat {'ABCD'[seat]} light" for seat, bcm in DEFAULT.lights().items()}
    names |= {18: "buzzer"} | {bcm: f"die {place}" for place, bcm in DEFAULT.die.items()}

    def look() -> None:
        lit.append(" and ".join(name for bcm, name in names.items() if pin(bcm).state))

    start_s = bench.LIT_S * len(names) + 0.5
    steps: list[tuple[float, Callable[[], None]]] = [
        (bench.LIT_S * (number + 0.5), look) for number in range(len(names))
    ]
    steps += [
        (start_s, pin(27).drive_low),
        (start_s + 0.1, pin(27).drive_high),
        (start_s + 1.0, pin(17).drive_low),
        (start_s + 2.5, pin(17).drive_high),
        (start_s + 3.0, pin(22).drive_low),
        (start_s + 3.1, pin(22).drive_high),
    ]
    evening = Evening(steps, start_s + 6)
    assert bench.main([], pins, evening.clock, evening.sleep) == bench.DONE
    said = capsys.readouterr().out.splitlines()
    order = [*(f"seat {letter} light" for letter in "ABCD"), "buzzer", *(f"die {place}" for place in PLACES)]
    assert lit == order
    assert said[:4] == [f"{name} button: GPIO {bcm} is high, so the button is up" for name, bcm in CENTRAL_PINS]
    assert said[4 : 4 + len(order)] == order
    assert said[4 + len(order)].startswith("Press each button")
    undo, confirm, roll, die, empty = said[5 + len(order) :]
    assert 60 <= milliseconds(undo, "undo button") <= 140
    assert confirm == "confirm button: held for 1000 ms"
    assert 60 <= milliseconds(roll, "roll button") <= 140
    assert die in {f"die: {pips}" for pips in range(1, 7)}
    assert empty == ""
    assert [pin(bcm).function for bcm in names] == ["input"] * len(names)


CENTRAL_PINS = [("confirm", 17), ("undo", 27), ("roll", 22), ("photograph", 23)]


def milliseconds(line: str, name: str) -> int:
    told, _, length = line.partition(": ")
    assert (told, length[-3:]) == (name, " ms")
    return int(length[:-3])


def test_a_config_file_says_what_is_wired(pins: Pins, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[camera]\nkind = 'none'\n[wiring]\nconfirm = 4\n")
    evening = Evening([], 0.5)
    assert bench.main(["--config", str(file)], pins, evening.clock, evening.sleep) == bench.DONE
    said = capsys.readouterr().out
    assert "confirm button: GPIO 4 is high, so the button is up" in said
    assert "No LED die is wired: the screen shows what is rolled." in said
    assert "die top_left" not in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[wiring]\nconfirm = 99\n", "wiring.confirm must be a BCM pin number"),
        ("[wiring", "it is not TOML"),
        ("wiring = 3", "it has no table [wiring]"),
        ("", "it has no table [wiring]"),
        (None, "No such file or directory"),
    ],
)
def test_a_config_file_that_cannot_be_used_is_one_sentence(
    text: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "companion.toml"
    if text is not None:
        file.write_text(text)
    assert bench.main(["--config", str(file)]) == bench.BAD_INPUT
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_without_pins_the_bench_says_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    pins = Pins(None, Part("pins", Condition.MISSING, "There are none here."))
    assert bench.main([], pins) == bench.NO_PINS
    assert capsys.readouterr() == ("", "There are none here.\n")


def test_the_help_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        bench.main(["--help"])
    assert caught.value.code == 0
    said = capsys.readouterr().out
    assert all(word in said for word in ("--config FILE", "example:", "python -m hardware.bench", "exit status:"))


def test_the_default_wiring_is_accepted_as_a_file(pins: Pins, tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(DEFAULT_TEXT)
    evening = Evening([], 0.5)
    assert bench.main(["--config", str(file)], pins, evening.clock, evening.sleep) == bench.DONE


def test_sigterm_ends_the_bench_through_its_contexts() -> None:
    code = """
import sys
from hardware import bench
from hardware.pins import open_pins
pins = open_pins("mock")
states = pins.factory.pin(21)
try:
    bench.main([], pins)
finally:
    print("closed:", states.function, [state.state for state in states.states], flush=True)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603
        assert process.stdout is not None
        for line in process.stdout:
            if line == "seat A light\n":
                break
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read().splitlines()
    assert process.returncode == bench.TERMINATED
    assert rest[-1] in ("closed: input [False, True, False]", "closed: input [False]")
