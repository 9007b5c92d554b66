"""What is dealt into a synthetic layout: which faces lie where, and what each seat would add up.

A grid is a list of rows; a cell is a face ("0" to "4" or ","), "?" for a face that is not seen, or None for a gap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Cell = str | None
Grid = list[list[Cell]]

DECK_OF_FOUR = "0" * 8 + "1" * 4 + "2" * 8 + "3" * 4 + "4" * 4 + "," * 4
DECK_OF_TWO = "0" * 6 + "1" * 4 + "2" * 6 + "3" * 4 + "4" * 2 + "," * 2
KINDS = ("full6", "full5", "progress6", "training", "scatter")


@dataclass(frozen=True, slots=True)
class Deal:
    """A grid of true faces and, cell for cell, whether the card lies "up", "down" or is "turning"."""

    kind: str
    faces: Grid
    states: Grid

    @property
    def seen(self) -> Grid:
        """The faces as they can be read: "?" where a card does not lie face up."""
        return [
            [value if state in ("up", None) else "?" for value, state in zip(*rows, strict=True)]
            for rows in zip(self.faces, self.states, strict=True)
        ]

    def turned(self, quarters: int) -> Deal:
        """The deal after that many clockwise quarter turns of the table."""
        faces, states = (np.rot90(np.array(g, object), -quarters).tolist() for g in (self.faces, self.states))
        return Deal(self.kind, faces, states)


def totals(grid: Grid) -> dict[str, int]:
    """The totals of the seats A (bottom), B (left), C (top) and D (right). Source: rule digest, "Reading"."""
    down = [list(column) for column in zip(*grid, strict=True)]
    lines = {"A": grid, "B": down, "C": [row[::-1] for row in grid], "D": [column[::-1] for column in down]}
    return {seat: sum(_number(line) for line in read) for seat, read in lines.items()}


def _number(line: list[Cell]) -> int:
    digits = ""
    for cell in line:
        if cell is None or not cell.isdigit():
            break
        digits += cell
    return int(digits or "0")


def deal(rng: np.random.Generator, kind: str) -> Deal:
    """A random deal of one of KINDS."""
    if kind == "full6":
        return _finished(rng, kind, 6, DECK_OF_FOUR)
    if kind == "full5":
        return _finished(rng, kind, 5, DECK_OF_TWO)
    if kind == "progress6":
        return _growing(rng)
    rows, cols = int(rng.integers(3, 5)), int(rng.integers(3, 5))
    if kind == "scatter":
        rows, cols = int(rng.integers(1, 5)), int(rng.integers(1, 7))
    faces: Grid = rng.choice(list(DECK_OF_FOUR), (rows, cols)).astype(object).tolist()
    for _ in range(int(rng.integers(0, max(1, rows * cols // 4)))):
        faces[rng.integers(rows)][rng.integers(cols)] = None
    if all(cell is None for row in faces for cell in row):
        faces[0][0] = "0"
    return Deal(kind, faces, [[None if cell is None else "up" for cell in row] for row in faces])


def _finished(rng: np.random.Generator, kind: str, side: int, deck: str) -> Deal:
    cells: list[Cell] = [*deck, *[None] * (side * side - len(deck))]
    rng.shuffle(cells)
    faces = [cells[row * side : (row + 1) * side] for row in range(side)]
    return Deal(kind, faces, [[None if cell is None else "up" for cell in row] for row in faces])


def _growing(rng: np.random.Generator) -> Deal:
    """Cards that touch by a side or a corner, within 6 x 6; all down at first, turned over towards the end."""
    deck = list(rng.permutation(list(DECK_OF_FOUR)))
    spots = [(5, 5)]
    for _ in range(int(rng.integers(4, 30))):
        near = {(r + dr, c + dc) for r, c in spots for dr in (-1, 0, 1) for dc in (-1, 0, 1)} - set(spots)
        fits = sorted(s for s in near if all(_span([*spots, s], axis) <= 6 for axis in (0, 1)))
        spots.append(fits[rng.integers(len(fits))])
    top, left = min(r for r, _ in spots), min(c for _, c in spots)
    faces: Grid = [[None] * _span(spots, 1) for _ in range(_span(spots, 0))]
    states: Grid = [[None] * _span(spots, 1) for _ in range(_span(spots, 0))]
    share_down, turning = rng.choice([0.15, 0.5, 1.0]), rng.random() < 0.3
    for k, (row, col) in enumerate(spots):
        faces[row - top][col - left] = str(deck[k])
        down = "turning" if turning and k == 0 else "down"
        states[row - top][col - left] = down if k == 0 or rng.random() < share_down else "up"
    return Deal("progress6", faces, states)


def _span(spots: list[tuple[int, int]], axis: int) -> int:
    along = [spot[axis] for spot in spots]
    return max(along) - min(along) + 1
