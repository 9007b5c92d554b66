"""The one family of errors: each says in one sentence what is wrong and what to do.

What a player can cause by playing is a value (`companion.rules.Refusal`), not an exception.
"""

from __future__ import annotations

from collections.abc import Sequence


class CompanionError(Exception):
    """Something that a person handed in cannot be used. `str(error)` is fit to be shown."""


class NotationError(CompanionError):
    """A text is not a move of this game."""


class GridError(CompanionError):
    """Rows are not a layout that can be read."""


class DataError(CompanionError):
    """Data with one or more wrong values; all of them are named at once.

    `problems` holds (key, sentence) pairs in the order in which they were found.
    """

    def __init__(self, problems: Sequence[tuple[str, str]], source: str = "") -> None:
        self.problems = tuple(problems)
        self.source = source
        sentences = " ".join(sentence for _, sentence in self.problems)
        super().__init__(f"{source}: {sentences}" if source else sentences)


class SetupError(DataError):
    """A play cannot be set up like this."""


class BoxError(DataError):
    """A box profile cannot be used."""


class JournalError(CompanionError):
    """A journal's text cannot be understood. `line` counts from 1."""

    def __init__(self, line: int, sentence: str) -> None:
        self.line = line
        self.sentence = sentence
        super().__init__(f"Line {line}: {sentence}")
