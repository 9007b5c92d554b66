"""What the parts are called, and what their names become in other languages."""

from __future__ import annotations

from companion.language import later, told

SEAT_BUTTON = later("seat {letter} button")
SEAT_LIGHT = later("seat {letter} light")
LED = later("die LED {place}")

WITHOUT_MORE = (
    later("confirm button"),
    later("undo button"),
    later("roll button"),
    later("photograph button"),
    later("buzzer"),
)
"""The parts that there is one of."""

PLACES = (
    later("top left"),
    later("top right"),
    later("middle left"),
    later("centre"),
    later("middle right"),
    later("bottom left"),
    later("bottom right"),
)
"""Where the die's LEDs are."""


def facts_of(name: str) -> dict[str, int | str]:
    """A part's name as the facts of its sentence."""
    match name.split():
        case ["seat", letter, kind]:
            return {"part": SEAT_BUTTON if kind == "button" else SEAT_LIGHT, "letter": letter}
        case ["die", "LED", place]:
            return {"part": LED, "place": place}
    return {"part": name}


def shown(name: str) -> str:
    """A part's name in the language that is used."""
    facts = facts_of(name)
    return told(str(facts["part"]), facts)
