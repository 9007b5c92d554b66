"""The die of seven LEDs. The number is drawn before anything is shown; what blinks until then says nothing about it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from secrets import SystemRandom
from typing import Any

from gpiozero import LED, LEDBoard

from companion.errors import brief
from companion.intents import Drawn, Rolled
from companion.language import later
from companion.parts import Condition, Part
from hardware import names
from hardware.pins import Pins, give_back
from hardware.wiring import PLACES, Wiring

Pattern = tuple[int, ...]
"""On (1) or off (0) for each place, in the order of `PLACES`."""

PART = "die"
SOURCE = "led"
FACES = range(1, 7)

NOT_WIRED = later("No LED die is wired: the screen shows what is rolled.")
LACKING = later("The LED die lacks {places}: the screen shows what is rolled.")
FAILS = later("The LED die does not work ({error}): the screen shows what is rolled.")

PATTERN_S = 0.06
"""How long a pattern stays, at least: 17 patterns a second."""

STAYS = (1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5)
"""How many times as long each face of the animation stays: it slows down, in 1.32 seconds."""

ON = {
    1: {"centre"},
    2: {"top_left", "bottom_right"},
    3: {"top_left", "centre", "bottom_right"},
    4: {"top_left", "top_right", "bottom_left", "bottom_right"},
    5: {"top_left", "top_right", "centre", "bottom_left", "bottom_right"},
    6: {"top_left", "top_right", "middle_left", "middle_right", "bottom_left", "bottom_right"},
}

DARK: Pattern = (0,) * len(PLACES)

ANIMATION_S = sum(STAYS) * PATTERN_S

FAIR_RANGE = (0.83, 12.83)
"""Between these lies the chi-square figure of a fair die in 19 of 20 series of rolls.

Source: quantiles 0.025 and 0.975 of the chi-square distribution with five degrees of freedom.
"""

FEWEST_ROLLS = 30
"""From here on each face is expected five times, and the chi-square distribution is a fair description."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One number that was drawn. `at_s` is monotonic; `cut` when a new roll came before it was shown."""

    pips: int
    at_s: float
    cut: bool = False


def pattern(pips: int) -> Pattern:
    """The LEDs that show a number from 1 to 6."""
    return tuple(int(place in ON[pips]) for place in PLACES)


def animation(pips: int, generator: random.Random) -> Iterator[Pattern]:
    """What the LEDs show, a pattern every `PATTERN_S`: faces that change ever more slowly, last of all the number."""
    last = 0
    for number, stay in enumerate(STAYS, start=1):
        # The last one differs from the number, so that the number is seen to appear.
        unwanted = {last, pips} if number == len(STAYS) else {last}
        last = generator.choice([face for face in FACES if face not in unwanted])
        yield from [pattern(last)] * stay
    yield pattern(pips)


def counts(rolls: Collection[Roll]) -> dict[int, int]:
    """How often each face was drawn."""
    drawn = Counter(roll.pips for roll in rolls)
    return {face: drawn[face] for face in FACES}


def chi_square(drawn: Mapping[int, int]) -> float:
    """How far the counts of the six faces are from even: the sum of (count - expected)² / expected; 0 without rolls."""
    expected = sum(drawn.values()) / len(FACES)
    return sum((drawn[face] - expected) ** 2 for face in FACES) / expected if expected else 0.0


def fairness(rolls: Collection[Roll]) -> str:
    """The counts and the chi-square figure in a sentence, with the range that a fair die keeps to."""
    drawn = counts(rolls)
    seen = ", ".join(f"{face}: {count}" for face, count in drawn.items())
    if len(rolls) < FEWEST_ROLLS:
        return f"{len(rolls)} rolls ({seen}); from {FEWEST_ROLLS} rolls on they tell whether the die is fair."
    low, high = FAIR_RANGE
    figure = f"chi-square {chi_square(drawn):.2f}"
    return f"{len(rolls)} rolls ({seen}); {figure}, and a fair die gives {low} to {high} in 19 of 20 series."


class Die:
    """The die of a wiring. Without all seven LEDs it draws just the same, and the screen shows the number."""

    def __init__(self, pins: Pins, wiring: Wiring, generator: random.Random | None = None) -> None:
        self._generator = generator or SystemRandom()
        self._rolls: list[Roll] = []
        self._told = 0
        self._due_s: float | None = None
        self._patterns: tuple[Pattern, ...] = ()
        self._broken: list[Part] = []
        self._board: Any = None
        self._has_pins = pins.factory is not None
        self._wired = dict(wiring.die)
        if self._has_pins and len(self._wired) == len(PLACES):
            self._open(pins, wiring)

    def _open(self, pins: Pins, wiring: Wiring) -> None:
        make = partial(LED, active_high=wiring.active_high, pin_factory=pins.factory)
        # One by one first: a board of seven does not tell which of them is in use.
        for place, bcm in self._wired.items():
            tried = pins.device(names.LED.format(place=place), bcm, partial(make, bcm))
            if isinstance(tried, Part):
                self._broken.append(tried)
            else:
                tried.close()
        if not self._broken:
            bcms = [self._wired[place] for place in PLACES]
            self._board = LEDBoard(*bcms, active_high=wiring.active_high, pin_factory=pins.factory)
            self._board.source_delay = PATTERN_S

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Every number drawn since the start, the first one first."""
        return tuple(self._rolls)

    @property
    def has_leds(self) -> bool:
        """Whether all seven LEDs work, as far as is known."""
        return self._board is not None

    @property
    def is_rolling(self) -> bool:
        """Whether a number has been drawn that is not shown yet."""
        return self._due_s is not None

    def shows(self, now_s: float) -> Pattern:
        """What the seven LEDs show at a time, or would show if they were there; dark before the first roll."""
        if not self._rolls:
            return DARK
        if self._due_s is None:
            return pattern(self._rolls[-1].pips)
        step = int((now_s - self._rolls[-1].at_s) / PATTERN_S)
        return self._patterns[min(max(0, step), len(self._patterns) - 1)]

    @property
    def parts(self) -> tuple[Part, ...]:
        """How the die is: each LED that fails, or one part for the whole."""
        if not self._has_pins:
            return ()
        if self._broken:
            return tuple(self._broken)
        if self._board is None:
            missing = [place for place in PLACES if place not in self._wired]
            if len(missing) == len(PLACES):
                return (Part(PART, Condition.MISSING, NOT_WIRED),)
            return (Part(PART, Condition.MISSING, LACKING, {"places": " ".join(missing)}),)
        return (Part(PART),)

    def roll(self, now_s: float) -> None:
        """Draw a number and start showing it. A roll that is still being shown is cut; its number stays in the log."""
        if self._due_s is not None:
            cut = self._rolls[-1]
            self._rolls[-1] = Roll(cut.pips, cut.at_s, cut=True)
        pips = self._generator.randint(FACES[0], FACES[-1])
        self._rolls.append(Roll(pips, now_s))
        self._due_s, self._patterns = now_s, (pattern(pips),)
        if self._board is not None:
            self._due_s += ANIMATION_S
            self._patterns = tuple(animation(pips, self._generator))
            self._guarded(partial(self._play, self._patterns))

    def poll(self, now_s: float) -> list[Drawn | Rolled]:
        """Every number that was drawn since the last time, and the newest one, once it is shown, as rolled.

        It stays until the next roll. Thus a number is logged before anybody sees it, and so is one that is cut.
        """
        found: list[Drawn | Rolled] = [Drawn(roll.pips, SOURCE) for roll in self._rolls[self._told :]]
        self._told = len(self._rolls)
        if self._due_s is not None and now_s >= self._due_s:
            self._due_s = None
            pips = self._rolls[-1].pips
            self._guarded(partial(self._show, pattern(pips)))
            found.append(Rolled(pips, SOURCE, logged=True))
        return found

    def light(self, place: str | None) -> None:
        """Light one LED alone, or none: for trying them out."""
        self._guarded(partial(self._show, tuple(int(place == other) for other in PLACES)))

    def _play(self, patterns: Collection[Pattern]) -> None:
        # gpiozero's thread sets them one by one; a new source ends the one before.
        self._board.source = patterns

    def _show(self, shown: Pattern) -> None:
        # The thread that feeds the animation is gone before the last word is said.
        self._board.source = None
        self._board.value = shown

    def _guarded(self, act: Callable[[], None]) -> None:
        if self._board is None:
            return
        try:
            act()
        except Exception as error:  # as `Pins.device`
            self._broken.append(Part(PART, Condition.FAILED, FAILS, {"error": brief(str(error), 60)}))
            self._board = None

    def close(self) -> None:
        """All LEDs off, and the pins given back. A second call does nothing."""
        board = self._board
        # Off first: a pin that is given back may float.
        self.light(None)
        if board is not None:
            give_back(board)
            self._board = None
