"""`companion table --simulate` in the middle of a play; says when a light is on, and at the end how all pins are.

Usage: lit.py [what follows `companion table --simulate`...]
"""

from __future__ import annotations

import json
import sys
from typing import Any

from beside import run_table
from gpiozero.pins import mock

pins: dict[str, mock.MockPin] = {}


class Remembered(mock.MockFactory):  # type: ignore[misc]
    """A factory whose pins can be looked at after its end."""

    def pin(self, *arguments: Any, **options: Any) -> mock.MockPin:
        pin = super().pin(*arguments, **options)
        return pins.setdefault(pin.info.name, pin)


def play(app: Any) -> None:
    """Begin a play; then, once, say which pins are high."""
    from companion.games import GAMES
    from companion.games.cassa_grande.setup import Setup

    if app.desk.session is None:
        app.desk.begin(GAMES["cassa-grande"], Setup(players=2), {})
        app.open("table")
        return
    if not told and (high := high_pins()):
        told.append(high)
        print(json.dumps(high), flush=True)


def high_pins() -> list[str]:
    """The pins that are high because the program drives them so."""
    return [name for name, pin in pins.items() if pin.function == "output" and pin.state]


told: list[list[str]] = []

if __name__ == "__main__":
    mock.MockFactory = Remembered
    status = run_table(["--simulate", *sys.argv[1:]], play)
    print(json.dumps(high_pins()), flush=True)
    sys.exit(status)
