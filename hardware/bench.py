"""Trying out what is wired: each LED lights up in turn, then each press is named.

python -m hardware.bench --config companion.toml
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from companion.box import MOST_BYTES
from companion.errors import CompanionError, FileError, brief
from companion.intents import Control, Drawn, Notice, Pressed, Rolled
from companion.parts import Condition
from companion.textfile import read_text
from hardware.buttons import part_name
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.presses import Key
from hardware.wiring import DEFAULT, PLACES, Wiring

LIT_S = 0.6
POLL_S = 1 / 30

DONE, BAD_INPUT, NO_PINS, TERMINATED = 0, 2, 3, 143

EPILOG = f"""\
Without --config the wiring is the one of the README. Ctrl-C ends it, and switches everything off.

example:
  python -m hardware.bench --config companion.toml

exit status:
  {DONE} ended by Ctrl-C
  {BAD_INPUT} the file, its [wiring] table or the usage is wrong
  {NO_PINS} there are no pins here; a sentence says why
"""


def main(
    argv: Sequence[str] | None = None,
    pins: Pins | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Run the bench until Ctrl-C and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware.bench",
        description="Light each LED by name in turn, then name each press with its milliseconds.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file with a [wiring] table")
    arguments = parser.parse_args(argv)
    try:
        wiring = DEFAULT if arguments.config is None else _wiring(arguments.config)
    except CompanionError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    with _ended_by_sigterm(), Panel(wiring, pins, clock) as panel:
        if panel.pins.factory is None:
            print(panel.pins.part.sentence, file=sys.stderr)
            return NO_PINS
        try:
            _name_parts(panel)
            _light_up(panel, sleep)
            _name_presses(panel, clock, sleep)
        except KeyboardInterrupt:
            print()
    return DONE


def _wiring(file: Path) -> Wiring:
    try:
        tables = tomllib.loads(read_text(file, MOST_BYTES))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FileError(str(file), f"it is not TOML ({brief(str(error), 120)})") from error
    table = tables.get("wiring")
    if not isinstance(table, dict):
        raise FileError(str(file), "it has no table [wiring]")
    return Wiring.from_table(table)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Leave through the contexts when the process is told to end: LEDs would stay as they are."""

    def leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        sys.exit(TERMINATED)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _name_parts(panel: Panel) -> None:
    for part in panel.parts:
        if part.condition is not Condition.OK:
            _say(part.sentence)
    for raw in panel.buttons.levels():
        level, state = "high" if raw.high else "low", "down" if raw.down else "up"
        _say(f"{raw.name}: GPIO {raw.bcm} is {level}, so the button is {state}")


def _light_up(panel: Panel, sleep: Callable[[float], None]) -> None:
    for name in panel.lights.names:
        _say(name)
        panel.lights.switch(name, True)
        sleep(LIT_S)
        panel.lights.switch(name, False)
    for place in PLACES if panel.die.has_leds else ():
        _say(f"die {place}")
        panel.die.light(place)
        sleep(LIT_S)
    panel.die.light(None)


def _name_presses(panel: Panel, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
    _say("Press each button, shortly and long; roll rolls the die. Ctrl-C ends.")
    while True:
        for intent in panel.poll(clock()):
            if not isinstance(intent, Drawn):
                _say(_told(intent, panel))
            if isinstance(intent, Pressed) and intent.control is Control.ROLL:
                panel.die.roll(clock())
        sleep(POLL_S)


def _told(intent: Pressed | Notice | Rolled, panel: Panel) -> str:
    match intent:
        case Notice():
            return intent.sentence
        case Rolled():
            return f"die: {intent.pips}"
        case Pressed():
            key = Key(intent.control, intent.seat)
            length_s = panel.buttons.last_length_s(key)
            if intent.held or length_s is None:
                return f"{part_name(key)}: held for {panel.hold_s * 1000:.0f} ms"
            return f"{part_name(key)}: {length_s * 1000:.0f} ms"


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
