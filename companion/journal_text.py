"""A journal as text: a header of "key: value" lines, a blank line, and one entry a line.

A small example::

    game: cassa-grande
    seat A: "Zoë"
    players: 2

    # Lines that begin with # are for people.
    A 0,0 ?
    undo
    adjust C -10 "looked at a card"
    agreed C 0,3 ?
    amend 1 A 0,0 4

A move that is agreed holds though it breaks a rule. An amendment names the place, from 1, among the entries that hold
so far. No game writes a move that begins with one of these words.

Names and reasons are JSON strings, so that any character survives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from companion.errors import DataError, JournalError, NotationError, brief, quoted
from companion.journal import Adjusted, Amended, Entry, Journal, Played, Undone
from companion.rules import Rules, Seat, read_seat, write_seat
from companion.wording import listed

MoveT = TypeVar("MoveT")
SetupT = TypeVar("SetupT")

_HEADER = re.compile(r"([a-z][a-z_.]*(?: [A-Z])?): *(.*)")
_ADJUST = re.compile(r"adjust ([A-Z]) ([+-]?\d{1,12}) (.*)", re.ASCII)
_AGREED = "agreed "
_AMEND = re.compile(rf"amend ([1-9]\d{{0,5}}) ({_AGREED})?(.*)", re.ASCII)


def write(rules: Rules[SetupT, Any, MoveT], journal: Journal[SetupT, MoveT]) -> str:
    """The journal as text."""
    lines = [f"game: {journal.game}"]
    lines += [f"seat {write_seat(seat)}: {_written(name)}" for seat, name in journal.names.items()]
    lines += [f"{key}: {value}" for key, value in rules.write_setup(journal.setup).items()]
    lines += ["", *(write_entry(rules, entry) for entry in journal.entries)]
    return "\n".join(lines) + "\n"


def write_entry(rules: Rules[SetupT, Any, MoveT], entry: Entry[MoveT]) -> str:
    """One entry on one line."""
    match entry:
        case Played(move, agreed):
            return _AGREED * agreed + rules.write(move)
        case Amended(position, move, agreed):
            return f"amend {position + 1} {_AGREED * agreed}{rules.write(move)}"
        case Undone():
            return "undo"
        case Adjusted(seat, points, reason):
            return f"adjust {write_seat(seat)} {points:+d} {_written(reason)}"


def read(text: str, games: Mapping[str, Rules[Any, Any, Any]], source: str = "") -> Journal[Any, Any]:
    """The inverse of `write`; `source` is the file's name, where there is one.

    Raises: JournalError, with the first line that cannot be understood.
    """
    try:
        return _read(text, games)
    except JournalError as error:
        raise JournalError(error.line, error.sentence, source) from error


def _read(text: str, games: Mapping[str, Rules[Any, Any, Any]]) -> Journal[Any, Any]:
    header = _read_header(text)
    if "game" not in header:
        raise JournalError(1, f'The journal does not name its game: begin with "game: {next(iter(games))}".')
    line, game = header.pop("game")
    if game not in games:
        raise JournalError(line, f"The game {quoted(game)} is not known: use {listed(tuple(games))}.")
    rules = games[game]
    names = {
        _read_seat_key(line, key): _read_quoted(line, value)
        for key, (line, value) in header.items()
        if key.startswith("seat ")
    }
    settings = {key: value for key, (_, value) in header.items() if not key.startswith("seat ")}
    try:
        setup = rules.read_setup(settings)
    except DataError as error:
        key, sentence = error.problems[0]
        raise JournalError(header.get(key, (line, ""))[0], sentence) from error
    for seat in names:
        if seat not in rules.seats(setup):
            line, _ = header[f"seat {write_seat(seat)}"]
            raise JournalError(line, f"Seat {write_seat(seat)} does not play: name one of {_letters(rules, setup)}.")
    entries = tuple(read_entry(rules, line, content) for line, content in _entry_lines(text))
    return Journal(game, setup, names, entries)


def read_entry(rules: Rules[Any, Any, MoveT], line: int, text: str) -> Entry[MoveT]:
    """The inverse of `write_entry`. Raises: JournalError, with the line's number."""
    if text == "undo":
        return Undone()
    try:
        if found := _ADJUST.fullmatch(text):
            seat, points, reason = found.groups()
            return Adjusted(read_seat(seat), int(points), _read_quoted(line, reason))
        if found := _AMEND.fullmatch(text):
            place, agreed, move = found.groups()
            return Amended(int(place) - 1, rules.read(move), bool(agreed))
        return Played(rules.read(text.removeprefix(_AGREED)), text.startswith(_AGREED))
    except NotationError as error:
        raise JournalError(line, str(error)) from error


def line_of_entry(text: str, entry: int) -> int:
    """The number of the line, from 1, that holds an entry, counted from 0."""
    return [line for line, _ in _entry_lines(text)][entry]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not splitlines(): names may hold line separators that only Python would take for an end of line.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("#"):
            yield number, line.strip()


def _header_end(text: str) -> int:
    """The number of the blank line that ends the header, or of the line past the end of the text."""
    begun = False
    for number, line in _lines(text):
        if begun and not line:
            return number
        begun = begun or bool(line)
    return len(text.split("\n")) + 1


def _read_header(text: str) -> dict[str, tuple[int, str]]:
    header: dict[str, tuple[int, str]] = {}
    end = _header_end(text)
    for number, line in _lines(text):
        if number >= end or not line:
            continue
        found = _HEADER.fullmatch(line)
        if not found:
            raise JournalError(
                number, f'{quoted(line)} is not a header line: write "key: value", and a blank line after all.'
            )
        key, value = found.groups()
        if key in header:
            raise JournalError(number, f"{brief(key)} is given twice: keep one of the two lines.")
        header[key] = number, value
    return header


def _entry_lines(text: str) -> Iterator[tuple[int, str]]:
    end = _header_end(text)
    return ((number, line) for number, line in _lines(text) if number > end and line)


def _read_seat_key(line: int, key: str) -> Seat:
    try:
        return read_seat(key.removeprefix("seat "))
    except NotationError as error:
        raise JournalError(line, str(error)) from error


def _written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read_quoted(line: int, text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, str):
        raise JournalError(line, f'{quoted(text)} is not a text in double quotes: write it like "Zoë".')
    return value


def _letters(rules: Rules[SetupT, Any, Any], setup: SetupT) -> str:
    return listed(tuple(map(write_seat, rules.seats(setup))))
