from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterator

import pytest
from gpiozero import LED
from hypothesis import given
from hypothesis import strategies as st

from companion.intents import Drawn, Rolled
from companion.parts import Condition, Part
from hardware.die import (
    ANIMATION_S,
    FAIR_RANGE,
    PATTERN_S,
    Die,
    Pattern,
    Roll,
    animation,
    chi_square,
    counts,
    fairness,
    pattern,
)
from hardware.pins import Pins
from hardware.wiring import DEFAULT, PLACES, Wiring

LEDS = Wiring(die=DEFAULT.die)


def share_below(figure: float) -> float:
    """How many of a fair die's series give a smaller chi-square figure, from 0 to 1.

    Source: the closed form of the chi-square distribution with five degrees of freedom.
    """
    tail = math.sqrt(2 * figure / math.pi) * math.exp(-figure / 2) * (1 + figure / 3)
    return math.erf(math.sqrt(figure / 2)) - tail


def drawing(*rows: str) -> Pattern:
    """A pattern drawn as it lies on the table, in the order of the places."""
    return tuple(int(mark == "o") for mark in "".join(rows) if mark != " ")


def shown(pins: Pins, wiring: Wiring = LEDS) -> Pattern:
    return tuple(int(pins.factory.pin(wiring.die[place]).state) for place in PLACES)


@pytest.fixture
def die(pins: Pins) -> Iterator[Die]:
    opened = Die(pins, LEDS, random.Random(7))
    yield opened
    opened.close()


def test_the_pips_lie_as_on_a_die() -> None:
    # A die's face has three rows; its middle column has a pip in the middle row only.
    rows = [("top_left", "top_right"), ("middle_left", "centre", "middle_right"), ("bottom_left", "bottom_right")]
    assert list(PLACES) == [place for row in rows for place in row]
    assert pattern(1) == drawing(". .", ".o.", ". .")
    assert pattern(2) == drawing("o .", "...", ". o")
    assert pattern(3) == drawing("o .", ".o.", ". o")
    assert pattern(4) == drawing("o o", "...", "o o")
    assert pattern(5) == drawing("o o", ".o.", "o o")
    assert pattern(6) == drawing("o o", "o.o", "o o")
    assert [sum(pattern(pips)) for pips in range(1, 7)] == [1, 2, 3, 4, 5, 6]


@given(st.integers(1, 6), st.integers())
def test_an_animation_is_short_calm_and_ends_with_the_number(pips: int, seed: int) -> None:
    patterns = list(animation(pips, random.Random(seed)))
    faces = [pattern(face) for face in range(1, 7)]
    assert set(patterns) <= set(faces)
    assert patterns[-1] == pattern(pips)
    assert patterns[-2] != patterns[-1]
    assert 1 / PATTERN_S <= 20
    assert len(patterns[:-1]) * PATTERN_S == pytest.approx(ANIMATION_S)
    assert ANIMATION_S <= 1.5
    stays = [len(list(group)) for _, group in itertools.groupby(patterns)]
    assert stays[:-1] == sorted(stays[:-1])


def test_the_animation_says_nothing_about_the_number() -> None:
    generator = random.Random(5)
    first = {pips: counts([]) for pips in range(1, 7)}
    for pips, _ in itertools.product(range(1, 7), range(600)):
        first[pips][sum(next(animation(pips, generator)))] += 1
    assert max(share_below(chi_square(drawn)) for drawn in first.values()) < 0.9999


def told(pips: int) -> list[Drawn | Rolled]:
    """A number that is drawn and shown."""
    return [Drawn(pips, "led"), Rolled(pips, "led", logged=True)]


def test_a_roll_is_drawn_first_then_shown_and_stays(die: Die, pins: Pins) -> None:
    start_s = time.monotonic()
    die.roll(start_s)
    drawn = die.rolls[-1]
    assert (drawn.at_s, drawn.cut) == (start_s, False)
    assert die.is_rolling
    assert die.poll(start_s + ANIMATION_S - 0.01) == [Drawn(drawn.pips, "led")]
    assert die.poll(start_s + ANIMATION_S) == [Rolled(drawn.pips, "led", logged=True)]
    assert shown(pins) == pattern(drawn.pips)
    assert not die.is_rolling
    assert die.poll(start_s + 99) == []
    time.sleep(3 * PATTERN_S)
    assert shown(pins) == pattern(drawn.pips)


def test_gpiozero_plays_the_animation_to_its_end(die: Die, pins: Pins) -> None:
    die.roll(0.0)
    end_s, seen = time.monotonic() + ANIMATION_S + 1.0, set()
    last = pattern(die.rolls[0].pips)
    while time.monotonic() < end_s and (len(seen) < 3 or shown(pins) != last):
        seen.add(shown(pins))
        time.sleep(PATTERN_S / 3)
    time.sleep(ANIMATION_S / 2)
    assert len(seen) >= 3
    assert die.poll(ANIMATION_S) == told(die.rolls[0].pips)
    assert shown(pins) == last


def test_a_new_roll_cuts_the_animation_and_both_are_in_the_log(die: Die, pins: Pins) -> None:
    die.roll(10.0)
    die.roll(10.3)
    cut, valid = die.rolls
    assert (cut.at_s, cut.cut, valid.at_s, valid.cut) == (10.0, True, 10.3, False)
    assert die.poll(10.0 + ANIMATION_S) == [Drawn(cut.pips, "led"), Drawn(valid.pips, "led")]
    assert die.poll(10.3 + ANIMATION_S) == [Rolled(valid.pips, "led", logged=True)]
    assert shown(pins) == pattern(valid.pips)
    die.roll(20.0)
    assert not die.rolls[1].cut


def test_the_numbers_come_from_the_systems_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    random.seed(1)
    asked = []

    def urandom(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    die = Die(Pins(None, Part("pins")), LEDS)
    monkeypatch.setattr("random._urandom", urandom)
    die.roll(1.0)
    assert asked
    assert die.rolls[0].pips == 1


def test_every_face_is_drawn_and_evenly() -> None:
    die = Die(Pins(None, Part("pins")), LEDS, random.Random(11))
    for number in range(6000):
        die.roll(float(number))
        assert die.poll(float(number)) == told(die.rolls[-1].pips)
    drawn = counts(die.rolls)
    assert sum(drawn.values()) == 6000
    assert share_below(chi_square(drawn)) < 0.9999


@pytest.mark.parametrize(
    ("drawn", "figure"),
    [((5, 8, 9, 8, 10, 20), 13.4), ((10, 10, 10, 10, 10, 10), 0.0), ((6, 0, 0, 0, 0, 0), 30.0), ((0,) * 6, 0.0)],
)
def test_the_chi_square_figure_is_worked_out_from_the_counts(drawn: tuple[int, ...], figure: float) -> None:
    assert chi_square(dict(enumerate(drawn, start=1))) == pytest.approx(figure)


def test_a_fair_die_keeps_to_its_range_in_19_of_20_series() -> None:
    low, high = FAIR_RANGE
    assert share_below(low) == pytest.approx(0.025, abs=0.0005)
    assert share_below(high) == pytest.approx(0.975, abs=0.0005)


def test_fairness_is_told_in_a_sentence() -> None:
    few = [Roll(pips, 0.0) for pips in (1, 1, 6)]
    seen = "1: 2, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1"
    assert fairness(few) == f"3 rolls ({seen}); from 30 rolls on they tell whether the die is fair."
    even = [Roll(pips, 0.0) for pips in range(1, 7)] * 5
    assert fairness(even).startswith("30 rolls (1: 5, 2: 5, 3: 5, 4: 5, 5: 5, 6: 5); chi-square 0.00,")
    assert fairness(even).endswith("a fair die gives 0.83 to 12.83 in 19 of 20 series.")


def test_leds_to_33_volts_show_the_same(pins: Pins) -> None:
    die = Die(pins, Wiring(die=DEFAULT.die, active_high=False), random.Random(1))
    die.roll(0.0)
    die.poll(ANIMATION_S)
    assert tuple(1 - level for level in shown(pins)) == pattern(die.rolls[0].pips)
    die.close()


def test_one_led_alone_can_be_tried(die: Die, pins: Pins) -> None:
    for place in PLACES:
        die.light(place)
        assert shown(pins) == tuple(int(other == place) for other in PLACES)
    die.light(None)
    assert shown(pins) == (0,) * 7


def test_a_die_that_lacks_an_led_shows_no_wrong_number(pins: Pins) -> None:
    die = Die(pins, Wiring(die={place: bcm for place, bcm in DEFAULT.die.items() if place != "centre"}))
    sentence = "The LED die lacks centre: the screen shows what is rolled."
    [part] = die.parts
    assert (part.name, part.condition, part.sentence) == ("die", Condition.MISSING, sentence)
    die.roll(1.0)
    assert die.poll(1.0) == told(die.rolls[0].pips)
    assert not die.has_leds


def test_a_busy_led_is_named_and_the_number_is_drawn_all_the_same(pins: Pins) -> None:
    with LED(13, pin_factory=pins.factory):
        die = Die(pins, LEDS)
        (part,) = die.parts
        assert (part.name, part.condition) == ("die LED centre", Condition.BUSY)
        die.roll(1.0)
        assert die.poll(1.0) == told(die.rolls[0].pips)
        die.close()


def test_an_led_that_fails_is_named_and_the_number_is_told(brittle_pins: Pins) -> None:
    die = Die(brittle_pins, LEDS)
    die.light("centre")
    brittle_pins.factory.pin(20).broken = True
    die.light("bottom_right")
    (part,) = die.parts
    assert part.condition is Condition.FAILED
    assert "the line is gone" in part.sentence
    die.roll(1.0)
    assert die.poll(1.0) == told(die.rolls[0].pips)


def test_closing_in_the_middle_of_a_roll_gives_the_pins_back(pins: Pins) -> None:
    die = Die(pins, LEDS)
    die.roll(1.0)
    die.close()
    die.close()
    assert shown(pins) == (0,) * 7
    for bcm in DEFAULT.die.values():
        LED(bcm, pin_factory=pins.factory).close()
    assert die.poll(9.0) == told(die.rolls[0].pips)


def test_without_pins_the_die_is_no_part_and_draws() -> None:
    die = Die(Pins(None, Part("pins", Condition.MISSING, "None.")), LEDS)
    assert die.parts == ()
    assert Die(Pins(None, Part("pins")), Wiring()).parts == ()
    die.light("centre")
    die.roll(1.0)
    assert die.poll(1.0) == told(die.rolls[0].pips)
