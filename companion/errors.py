"""The one family of errors: each says in one sentence what is wrong and what to do.

What a player can cause by playing is a value (`companion.rules.Refusal`), not an exception.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.language import _

SHOWN_LENGTH = 40
"""How many characters of what a person handed in a sentence repeats."""

_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """The text on one line, without characters that command a terminal: a space for white space, else an escape."""
    # Joiners do not print, but Persian names and many emoji are spelt with them.
    return "".join(
        character
        if character.isprintable() or character in _JOINERS
        else " "
        if character.isspace()
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def brief(text: str, length: int = SHOWN_LENGTH) -> str:
    """The printable text, cut with an ellipsis to so many characters."""
    shown = printable(text[: length + 1])
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"


def quoted(value: object) -> str:
    """A wrong value as a sentence repeats it: briefly, a text in quotes."""
    match value:
        case str():
            return repr(value if len(value) <= SHOWN_LENGTH else f"{value[: SHOWN_LENGTH - 1]}…")
        case dict():
            return "a table"
        case list():
            return "a list"
        case int() if value.bit_length() > 64:
            return "a number far too large"
        case _:
            return str(value)


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
        sentences = " ".join(sentence for _key, sentence in self.problems)
        super().__init__(f"{printable(source)}: {sentences}" if source else sentences)


class FileError(CompanionError):
    """A file cannot be read. `reason` is a clause without a full stop."""

    def __init__(self, source: str, reason: str) -> None:
        self.source = source
        self.reason = reason
        super().__init__(_("{path} cannot be read: {reason}.").format(path=printable(source), reason=reason))


class StoreError(CompanionError):
    """What was to be kept or looked up is not. Nothing that was kept before is lost, and the store goes on."""


class SetupError(DataError):
    """A play cannot be set up like this."""


class BoxError(DataError):
    """A box profile cannot be used."""


class JournalError(CompanionError):
    """A journal's text cannot be understood. `line` counts from 1; `source` is the file's name, where there is one."""

    def __init__(self, line: int, sentence: str, source: str = "") -> None:
        self.line = line
        self.sentence = sentence
        self.source = source
        super().__init__(f"{printable(source)}, line {line}: {sentence}" if source else f"Line {line}: {sentence}")
