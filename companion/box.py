"""Box profiles: what is in one owner's copy of a game, as a TOML file.

A game says which values it needs; `Table` reads them and collects everything that is wrong, so that a person can mend a
file in one go.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from companion.errors import BoxError, FileError, brief, quoted
from companion.textfile import read_text

BoxT = TypeVar("BoxT")
Problems = list[tuple[str, str]]

MOST_BYTES = 2**16
"""How large an owner's file may be."""

LONGEST_LINE = 500
"""How many characters a line may have: a key of n parts costs tomllib n² memory, and a number has its limits too."""


class Table:
    """One TOML table being checked. Wrong values are noted in `problems`, never raised."""

    def __init__(self, values: dict[str, object], problems: Problems, where: str = "") -> None:
        self._values = values
        self._problems = problems
        self._where = where

    def table(self, key: str) -> Table:
        """The table under `key`; an empty one, with a note, when there is none."""
        value = self._values.get(key)
        if not isinstance(value, dict):
            self._note(key, "must be a table")
            return Table({}, [], self._path(key))
        return Table(value, self._problems, self._path(key))

    def tables(self, key: str, most: int) -> list[Table]:
        """The list of tables under `key`, one at least and `most` at most; empty, with a note, when there is none."""
        value = self._values.get(key)
        if not isinstance(value, list) or not 1 <= len(value) <= most or not all(isinstance(v, dict) for v in value):
            self._note(key, f"must be 1 to {most} tables, each under [[{key}]]")
            return []
        return [Table(each, self._problems, f"{self._path(key)}.{number}") for number, each in enumerate(value, 1)]

    def has(self, key: str) -> bool:
        """Whether there is anything under `key`."""
        return key in self._values

    def text(self, key: str, allowed: Iterable[str] = ()) -> str:
        """The text under `key`, one of `allowed` where that is given."""
        value, choices = self._values.get(key), tuple(allowed)
        if isinstance(value, str) and value.strip() and (not choices or value in choices):
            return value
        self._note(key, f"must be {' or '.join(map(repr, choices))}" if choices else "must be a text")
        return ""

    def integer(self, key: str, low: int, high: int) -> int:
        """The whole number under `key`, from `low` to `high`."""
        value = self._values.get(key)
        # TOML's true is Python's True, which is an int.
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self._note(key, f"must be a whole number from {low} to {high}")
        return low

    def number(self, key: str, low: float, high: float) -> float:
        """The number under `key`, from `low` to `high`."""
        value = self._values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        self._note(key, f"must be a number from {low} to {high}")
        return float(low)

    def flag(self, key: str) -> bool:
        """The truth value under `key`."""
        value = self._values.get(key)
        if isinstance(value, bool):
            return value
        self._note(key, "must be true or false")
        return False

    def lines(self, key: str) -> list[str]:
        """The list of texts under `key`, one at least."""
        value = self._values.get(key)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return value
        self._note(key, 'must be a list of texts, such as ["#o#"]')
        return []

    def only(self, keys: Iterable[str]) -> None:
        """Note every key that the game does not know."""
        known = tuple(keys)
        for key in self._values:
            if key not in known:
                self._note(key, f"is not known here; allowed are {' '.join(known)}", missing=False)

    def note(self, sentence: str) -> None:
        """Note something about the table as a whole."""
        self._problems.append((self._where, f"{self._where} {sentence}."))

    def note_on(self, key: str, rule: str) -> None:
        """Note what the value under `key` must be."""
        self._note(key, rule, missing=False)

    def _path(self, key: str) -> str:
        shown = brief(key) if key.replace("_", "").isalnum() else f'"{brief(key)}"'
        return f"{self._where}.{shown}" if self._where else shown

    def _note(self, key: str, rule: str, *, missing: bool = True) -> None:
        found = f" (found {quoted(self._values[key])})" if missing and key in self._values else ""
        lost = " (it is missing)" if missing and key not in self._values else ""
        path = self._path(key)
        self._problems.append((path, f"{path} {rule}{found}{lost}."))


def read(text: str, check: Callable[[Table], BoxT], source: str = "") -> BoxT:
    """A profile from its TOML text; `check` picks the game's values out of the top table.

    Raises: BoxError, naming every wrong key and what is allowed there.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            sentence = f"Line {number} is longer than {LONGEST_LINE} characters: write one value a line."
            raise BoxError([("", sentence)], source)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoxError([("", f"This is not TOML: {brief(str(error), 120)}.")], source) from error
    except RecursionError as error:
        raise BoxError([("", "The values are nested too deeply: write plain tables of numbers.")], source) from error
    problems: Problems = []
    box = check(Table(values, problems))
    if problems:
        raise BoxError(problems, source)
    return box


def load(path: Path, check: Callable[[Table], BoxT]) -> BoxT:
    """A profile from an owner's file. Raises: BoxError."""
    try:
        text = read_text(path, MOST_BYTES)
    except FileError as error:
        raise BoxError([("", f"This box profile cannot be read: {error.reason}.")], str(path)) from error
    return read(text, check, str(path))


def sample(package: str, check: Callable[[Table], BoxT]) -> BoxT:
    """The profile that the program ships for a game: `sample.toml` beside the game's modules."""
    return read((files(package) / "sample.toml").read_text(encoding="utf-8"), check, "sample.toml")
