"""Where a printer puts the digits of a number card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Placing:
    """One digit on a card: centre and height as shares of the side, quarter turns anticlockwise."""

    x: float
    y: float
    height: float
    turns: int = 0


def big(rng: np.random.Generator) -> tuple[Placing, ...]:
    """One large digit, alone or with indices in one, two or four corners."""
    off = 0.08 if rng.random() < 0.3 else 0.015
    middle = Placing(0.5 + rng.normal(0, off), 0.5 + rng.normal(0, off), rng.uniform(0.38, 0.8))
    corners = int(rng.choice([0, 0, 0, 1, 2, 2, 4, 4]))
    if not corners:
        return (middle,)
    inset, height = rng.uniform(0.09, 0.16), rng.uniform(0.07, 0.15)
    centre = Placing(middle.x, middle.y, min(middle.height, 0.62))
    style = rng.random()
    turns = (0, 2, 0, 2) if style < 0.4 else (0, 2, 3, 1) if style < 0.75 else (0, 0, 0, 0)
    places = ((inset, inset), (1 - inset, 1 - inset), (1 - inset, inset), (inset, 1 - inset))
    return (centre, *(Placing(x, y, height, turn) for (x, y), turn in list(zip(places, turns, strict=True))[:corners]))


def four_way(rng: np.random.Generator) -> tuple[Placing, ...]:
    """The digit on all four sides, feet outwards or inwards, or in all four corners."""
    height, inset = rng.uniform(0.15, 0.32), rng.uniform(0.15, 0.27)
    inwards = 2 * int(rng.random() < 0.2)
    if rng.random() < 0.25:
        places = ((inset, inset), (1 - inset, inset), (1 - inset, 1 - inset), (inset, 1 - inset))
        turns = (0, 3, 2, 1) if rng.random() < 0.6 else (0, 0, 2, 2) if rng.random() < 0.5 else (0, 0, 0, 0)
    else:
        places = ((0.5, 1 - inset), (1 - inset, 0.5), (0.5, inset), (inset, 0.5))
        turns = (0, 1, 2, 3)
    around = tuple(Placing(x, y, height, (t + inwards) % 4) for (x, y), t in zip(places, turns, strict=True))
    room = 1 - 2 * inset - height - 0.06
    if room > 0.14 and rng.random() < 0.3:
        return (*around, Placing(0.5, 0.5, min(0.3, room)))
    return around


def two_way(rng: np.random.Generator) -> tuple[Placing, ...]:
    """The digit twice, the second upside down, one above the other or from corner to corner."""
    height, dx = rng.uniform(0.26, 0.42), rng.choice([0.0, rng.uniform(-0.24, 0.24)])
    dy = rng.uniform(0.22, 0.27)
    return Placing(0.5 + dx, 0.5 + dy, height), Placing(0.5 - dx, 0.5 - dy, height, 2)


def scattered(rng: np.random.Generator) -> tuple[Placing, ...]:
    """Two to six digits of any sizes and turns, here and there."""
    placings: list[Placing] = []
    largest = rng.uniform(0.2, 0.5)
    for _ in range(30):
        height = largest * rng.uniform(0.35, 1.0) if placings else largest
        room = 0.5 * height + 0.03
        x, y = rng.uniform(room, 1 - room, 2)
        if all(max(abs(x - p.x), abs(y - p.y)) > (height + p.height) / 2 for p in placings):
            placings.append(Placing(float(x), float(y), height, int(rng.integers(0, 4)) if rng.random() < 0.7 else 0))
        if len(placings) == 6:
            break
    return tuple(placings[: int(rng.integers(1, 7))])


def held_out(rng: np.random.Generator) -> tuple[Placing, ...]:
    """Layouts that training never shows: off the middle with a twin, three on a diagonal, three in a column."""
    kind = rng.random()
    if kind < 0.4:
        height = rng.uniform(0.45, 0.6)
        return Placing(0.36, 0.6, height), Placing(0.8, 0.2, height * 0.35, int(rng.integers(0, 4)))
    height = rng.uniform(0.2, 0.27)
    x = 0.27 if kind < 0.7 else 0.0
    return tuple(Placing(0.5 + x * step, 0.5 + 0.3 * step, height, int(step > 0) * 2) for step in (-1, 0, 1))
