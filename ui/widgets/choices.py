"""Questions before a play: toggles with a sentence each, one answer of several, a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from ui.widgets import load_rules
from ui.widgets.button import Tap
from ui.widgets.panel import Row, Scroll
from ui.widgets.text import Paragraph, Text


class Toggle(ButtonBehavior, Row):
    """Something that holds or does not, with its sentence; a tap flips `on`, then does the deed."""

    text = StringProperty("")
    told = StringProperty("")
    on = BooleanProperty(False)

    def __init__(self, deed: Callable[[], object], **rest: Any) -> None:
        super().__init__(always_release=False, **rest)
        self._deed = deed

    def on_release(self) -> None:
        """Flip it."""
        self.on = not self.on
        self._deed()


class Ask(Scroll):
    """Questions, one below the other."""

    def add(self, toggle: Toggle) -> None:
        """A toggle."""
        self.ids.questions.add_widget(toggle)

    def one_of(
        self, question: str, answers: Sequence[tuple[str, str]], taken: str, deed: Callable[[str], object]
    ) -> None:
        """One answer of several; `answers` are (value, words)."""
        self.ids.questions.add_widget(Paragraph(text=question))
        row = Row(size_hint_y=None)
        row.bind(minimum_height=row.setter("height"))
        for value, words in answers:
            row.add_widget(Tap(words, partial(_take, row, words, value, deed), chosen=value == taken))
        self.ids.questions.add_widget(row)

    def count(self, question: str, number: int, most: int, deed: Callable[[int], object]) -> None:
        """A number from 1."""
        self.ids.questions.add_widget(Counter(question, number, most, deed))


class Counter(Row):
    """A number between a minus and a plus."""

    def __init__(self, question: str, number: int, most: int, deed: Callable[[int], object]) -> None:
        super().__init__()
        self._most, self._deed = most, deed
        self._number = number
        self._shown: Text = self.ids.number
        self.ids.question.text = question
        self.step(0)

    def step(self, by: int) -> None:
        """More or fewer."""
        self._number = min(self._most, max(1, self._number + by))
        self._shown.text = str(self._number)
        self.ids.less.disabled = self._number == 1
        self.ids.more.disabled = self._number == self._most
        self._deed(self._number)


def _take(row: Row, words: str, value: str, deed: Callable[[str], object]) -> None:
    for tap in row.children:
        tap.chosen = tap.text == words
    deed(value)


load_rules(__file__)
