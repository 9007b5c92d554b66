"""A chart of numbers that grow from column to column, a line for each seat.

Lines are told apart by the shape of their marks, by their dashes and by the letter at their end, not by colour alone.
It is drawn when its numbers or its size change, and then rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, hypot, log10
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Line, Mesh
from kivy.properties import NumericProperty
from kivy.uix.relativelayout import RelativeLayout

from ui import theme as look
from ui.theme import theme
from ui.widgets import load_rules
from ui.widgets.badge import OUTLINES, Badge
from ui.widgets.scores import grouped
from ui.widgets.text import Text

DASHES: tuple[tuple[float, ...], ...] = (
    (1.0, 0.0),
    (10.0, 6.0),
    (3.0, 5.0),
    (14.0, 5.0, 3.0, 5.0),
    (18.0, 8.0),
)
"""Drawn and left out by turns, px; the first is a line without gaps. Taken by the seat's number."""

LETTER_WIDTH = 0.62
"""Of a digit, in its height."""

_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Course:
    """One line of the chart: a value for each column, whose place is `seat`'s.

    `full` names the columns that get a full mark, None all of them; the others' marks are hollow. `badge`: the letter
    stands at the end.
    """

    seat: int
    values: tuple[int, ...]
    full: frozenset[int] | None = None
    badge: bool = True


class Chart(RelativeLayout):
    """Courses over the same columns, with their numbers."""

    small = NumericProperty(14)

    def __init__(self, **rest: Any) -> None:
        self._courses: tuple[Course, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._redraw = Clock.create_trigger(self._draw, -1)
        super().__init__(**rest)
        self.fbind("size", self._redraw)
        self.fbind("small", self._redraw)

    def show(self, courses: Sequence[Course], columns: Sequence[str]) -> None:
        """Draw these courses; each column has a name."""
        if (tuple(courses), tuple(columns)) != (self._courses, self._columns):
            self._courses, self._columns = tuple(courses), tuple(columns)
            self._redraw()

    def _draw(self, *_args: Any) -> None:
        self.clear_widgets()
        self.canvas.clear()
        if not self._courses or not self._columns or min(self.size) < 2 * theme.target:
            return
        marks = ticks(*_range(self._courses))
        letters = max(len(grouped(value)) for value in (marks[0], *marks, *_ends(self._courses)))
        badge = self.small * 1.6
        figure = letters * self.small * LETTER_WIDTH + theme.gap
        right = figure + (badge if any(course.badge for course in self._courses) else 0)
        self._box = figure, self.small * 1.8, self.width - figure - right, self.height - self.small * 2.8
        self._low, self._high = marks[0], marks[-1]
        with self.canvas:
            for mark in marks:
                _x, y = self._place(0, mark)
                Color(*look.EDGE)
                Line(points=[figure, y, self.width - right, y], width=1)
            for course in self._courses:
                self._draw_course(course)
        self._name_rows(marks)
        self._name_columns()
        self._draw_ends(figure, badge)

    def _place(self, column: int, value: float) -> _Point:
        left, low, width, height = self._box
        across = (column + 0.5) / len(self._columns)
        return left + width * across, low + height * (value - self._low) / (self._high - self._low)

    def _aside(self, course: Course) -> float:
        """Courses that run over one another stay to be seen: each is a little to the side."""
        return (self._courses.index(course) - (len(self._courses) - 1) / 2) * float(self.small) * 0.4

    def _name_rows(self, marks: Sequence[int]) -> None:
        for mark in marks:
            _x, y = self._place(0, mark)
            self._write(grouped(mark), 0, y, self._box[0] - theme.gap * 0.5, "right")

    def _name_columns(self) -> None:
        """As many names as have room, the last one always."""
        _left, low, width, _height = self._box
        room = max(map(len, self._columns)) * self.small * LETTER_WIDTH + theme.gap
        step = max(1, ceil(room * len(self._columns) / width))
        last = len(self._columns) - 1
        for column in range(last, -1, -step):
            x, _y = self._place(column, 0)
            wide = min(room, 2 * (self.width - x))
            self._write(self._columns[column], x - wide / 2, low - self.small, wide, "center")

    def _draw_course(self, course: Course) -> None:
        aside = self._aside(course)
        points = [(x + aside, y) for x, y in (self._place(*each) for each in enumerate(course.values))]
        Color(*look.SEATS[course.seat].colour)
        pattern = [length * theme.scale for length in DASHES[course.seat % len(DASHES)]]
        for dash in dashed(points, pattern):
            Line(points=[value for point in dash for value in point], width=max(1.1, 1.4 * theme.scale))
        side = self.small * 0.85
        for column, (x, y) in enumerate(points):
            full = course.full is None or column in course.full
            _mark(course.seat, x - side / 2, y - side / 2, side, full=full)

    def _draw_ends(self, figure: float, badge: float) -> None:
        """Each course's letter and last value, none over another."""
        left, low, width, height = self._box
        ordered = sorted(self._courses, key=lambda course: (course.values[-1], -course.seat))
        wanted = [self._place(0, course.values[-1])[1] for course in ordered]
        places = spread(wanted, badge * 1.05, low, low + height)
        for course, y in zip(ordered, places, strict=True):
            x = left + width
            if course.badge:
                letter = Badge(seat=course.seat, base=badge * 0.6, pos=(x, y - badge / 2))
                # Badges have a size of their own, which comes with their rules.
                letter.size = badge, badge
                self.add_widget(letter)
                x += badge
            self._write(grouped(course.values[-1]), x + theme.gap * 0.3, y, figure - theme.gap * 0.3, "left", bold=True)

    def _write(self, text: str, x: float, y: float, width: float, halign: str, *, bold: bool = False) -> None:
        label = Text(text=text, halign=halign, bold=bold, base=self.small, fits=True, size_hint=(None, None))
        label.color = look.INK if bold else look.MUTED
        label.size = width, self.small * 1.6
        label.pos = x, y - label.height / 2
        self.add_widget(label)


def ticks(least: int, most: int) -> tuple[int, ...]:
    """Three to six round numbers at equal distances, from at most `least` to at least `most`."""
    span = max(1, most - least)
    size = 10 ** floor(log10(span))
    step = next(
        step for step in (size // 5, size // 2, size, 2 * size, 5 * size) if step >= 1 and span / step <= 4 and step
    )
    first, last = floor(least / step), ceil(most / step)
    return tuple(step * number for number in range(first, max(last, first + 1) + 1))


def dashed(points: Sequence[_Point], pattern: Sequence[float]) -> Iterator[list[_Point]]:
    """What is drawn of a line through points; `pattern` holds lengths, drawn and left out by turns."""
    if len(pattern) < 2 or not pattern[1]:
        yield list(points)
        return
    number, left = 0, pattern[0]
    dash = [points[0]] if points else []
    for (x, y), (to_x, to_y) in pairwise(points):
        length, done = hypot(to_x - x, to_y - y), 0.0
        while done < length:
            step = min(left, length - done)
            done, left = done + step, left - step
            point = x + (to_x - x) * done / length, y + (to_y - y) * done / length
            if number % 2 == 0:
                dash.append(point)
            if left <= 0:
                if number % 2 == 0:
                    yield dash
                number = (number + 1) % len(pattern)
                left, dash = pattern[number], [point]
    if number % 2 == 0 and len(dash) > 1:
        yield dash


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, which are sorted, at least so far from each other, within the limits if they fit."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + least) if places else max(place, low))
    top = high
    for number in reversed(range(len(places))):
        places[number] = min(places[number], top)
        top = places[number] - least
    return places


def _range(courses: Sequence[Course]) -> tuple[int, int]:
    values = [value for course in courses for value in course.values]
    return min(0, *values), max(0, *values)


def _ends(courses: Sequence[Course]) -> list[int]:
    return [course.values[-1] for course in courses]


def _mark(seat: int, x: float, y: float, side: float, *, full: bool) -> None:
    """A seat's shape, full, or with a hole."""
    outline = OUTLINES[look.SEATS[seat].shape]
    Color(*look.SEATS[seat].colour)
    _shape(outline, x, y, side)
    if not full:
        hole = side * 0.55
        Color(*look.SURFACE)
        _shape(outline, x + (side - hole) / 2, y + (side - hole) / 2, hole)


def _shape(outline: Sequence[_Point], x: float, y: float, side: float) -> None:
    vertices = [value for px, py in outline for value in (x + side * px, y + side * py, 0, 0)]
    Mesh(vertices=vertices, indices=list(range(len(outline))), mode="triangle_fan")


load_rules(__file__)
