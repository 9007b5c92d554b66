"""Plays as JSON: everything that is kept, and for other readers the totals, ranks and seconds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from companion.errors import CompanionError, DataError, JournalError, brief, quoted
from companion.intents import PIPS
from companion.journal import Journal
from companion.journal_text import read_entry, write_entry
from companion.kept import Kept, KeptRoll, SavedPlay, WholePlay
from companion.rules import Rules, Seat, read_seat, write_seat
from companion.wording import listed

FORMAT = "table-companion plays"
VERSION = 1

LONGEST_S = 366 * 86_400
"""Active time of one entry, in seconds: more is no evening's."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,64}", re.ASCII)
_KINDS = {str: "a text", dict: "an object", list: "a list", int: "a whole number"}

ValueT = TypeVar("ValueT")


def write(plays: Iterable[tuple[SavedPlay, WholePlay]], games: Mapping[str, Rules[Any, Any, Any]]) -> str:
    """The plays as one JSON object."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "plays": [_play(saved, whole, games[saved.game]) for saved, whole in plays],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _play(saved: SavedPlay, whole: WholePlay, rules: Rules[Any, Any, Any]) -> dict[str, object]:
    return {
        "id": whole.id,
        "game": saved.game,
        "setup": rules.write_setup(whole.journal.setup),
        "names": _by_letter(whole.journal.names),
        "started": whole.started.isoformat(),
        "finished": whole.finished.isoformat() if whole.finished else None,
        "note": whole.note,
        "seconds": saved.play_s,
        "totals": _by_letter(saved.totals),
        "ranks": _by_letter(saved.ranks),
        "entries": [
            {"entry": write_entry(rules, each.entry), "wall": each.wall.isoformat(), "spent_s": each.spent_s}
            for each in whole.kept
        ],
        "rolls": [{"pips": roll.pips, "source": roll.source, "wall": roll.wall.isoformat()} for roll in whole.rolls],
    }


def _by_letter(values: Mapping[Seat, ValueT]) -> dict[str, ValueT]:
    return {write_seat(seat): value for seat, value in values.items()}


def read(text: str, games: Mapping[str, Rules[Any, Any, Any]], source: str = "") -> tuple[WholePlay, ...]:
    """The inverse of `write`; totals, ranks and seconds are not looked at. `source` is the file's name.

    Raises: DataError, with the first thing that cannot be understood.
    """
    try:
        try:
            data = json.loads(text, object_pairs_hook=_object)
        except (ValueError, RecursionError) as error:
            raise _wrong("", f"This is not JSON: hand in a file that begins with {FORMAT!r}.") from error
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise _wrong("format", f'This holds no plays: the key "format" must be {FORMAT!r}.')
        if _value(data, "version", int, "") > VERSION:
            raise _wrong("version", "This was written by a newer companion: update this one.")
        plays = _value(data, "plays", list, "")
        return tuple(_read_play(play, games, f"Play {number}: ") for number, play in enumerate(plays, start=1))
    except DataError as error:
        raise DataError(error.problems, source) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise _wrong(key, f"The key {quoted(key)} is given twice in one object: keep one of the two.")
        data[key] = value
    return data


def _read_play(data: object, games: Mapping[str, Rules[Any, Any, Any]], where: str) -> WholePlay:
    try:
        play = read_id(_value(data, "id", str, where))
    except ValueError as error:
        raise _wrong("id", f"{where}{error}.") from error
    game = _value(data, "game", str, where)
    if game not in games:
        raise _wrong("game", f"{where}The game {quoted(game)} is not known: use {listed(tuple(games))}.")
    rules, settings = games[game], _value(data, "setup", dict, where)
    names = _value(data, "names", dict, where)
    for texts, key in ((settings, "setup"), (names, "names")):
        if not all(isinstance(value, str) for value in texts.values()):
            raise _wrong(key, f'{where}What the object "{key}" holds must be texts.')
    try:
        setup = rules.read_setup(settings)
        by_seat = {read_seat(letter): name for letter, name in names.items()}
    except CompanionError as error:
        raise _wrong("setup", f"{where}{error}") from error
    for seat in by_seat.keys() - set(rules.seats(setup)):
        letters = listed(tuple(map(write_seat, rules.seats(setup))))
        raise _wrong("names", f"{where}Seat {write_seat(seat)} does not play: name one of {letters}.")
    entries = _value(data, "entries", list, where)
    kept = tuple(_read_entry(rules, number, each, where) for number, each in enumerate(entries, start=1))
    finished = None if _get(data, "finished", where) is None else _date(data, "finished", where)
    journal = Journal(game, setup, by_seat, tuple(each.entry for each in kept))
    note, started = _value(data, "note", str, where), _date(data, "started", where)
    return WholePlay(play, journal, kept, started, finished, note, _read_rolls(play, data, where))


def _read_entry(rules: Rules[Any, Any, Any], number: int, data: object, where: str) -> Kept[Any]:
    where = f"{where}Entry {number}: "
    try:
        entry = read_entry(rules, number, _value(data, "entry", str, where))
    except JournalError as error:
        raise _wrong("entry", f"{where}{error.sentence}") from error
    spent_s = _get(data, "spent_s", where)
    if isinstance(spent_s, bool) or not isinstance(spent_s, int | float) or not 0 <= spent_s <= LONGEST_S:
        raise _wrong("spent_s", f'{where}"spent_s" must be seconds, from 0 to {LONGEST_S}.')
    return Kept(entry, _date(data, "wall", where), float(spent_s))


def _read_rolls(play: str, data: object, where: str) -> tuple[KeptRoll, ...]:
    """The rolls of the die; older companions wrote none."""
    if isinstance(data, dict) and "rolls" not in data:
        return ()
    found = []
    for number, roll in enumerate(_value(data, "rolls", list, where), start=1):
        place = f"{where}Roll {number}: "
        pips = _value(roll, "pips", int, place)
        if isinstance(pips, bool) or pips not in PIPS:
            raise _wrong("pips", f'{place}"pips" must be from {PIPS[0]} to {PIPS[-1]}, not {quoted(pips)}.')
        found.append(KeptRoll(play, pips, _value(roll, "source", str, place), _date(roll, "wall", place)))
    return tuple(found)


def _get(data: object, key: str, where: str) -> Any:
    if not isinstance(data, dict) or key not in data:
        raise _wrong(key, f'{where}The key "{key}" is missing.')
    return data[key]


def _value(data: object, key: str, kind: type[ValueT], where: str) -> ValueT:
    value = _get(data, key, where)
    if not isinstance(value, kind):
        raise _wrong(key, f'{where}"{key}" must be {_KINDS[kind]}, not {quoted(value)}.')
    return value


def _date(data: object, key: str, where: str) -> datetime:
    text = _value(data, key, str, where)
    try:
        return read_date(text)
    except ValueError as error:
        raise _wrong(key, f'{where}"{key}": {error}.') from error


def read_id(text: str) -> str:
    """A play's id. Raises: ValueError, with a clause that says what is wrong."""
    if not _ID.fullmatch(text):
        raise ValueError(f"{quoted(text)} is not the id of a play: use up to 64 letters and digits")
    return text


def read_date(text: str) -> datetime:
    """A date with its time zone, in UTC. Raises: ValueError, with a clause that says what is wrong."""
    try:
        date = datetime.fromisoformat(text)
        if date.tzinfo is not None:
            return date.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValueError(f"{brief(text)!r} is not a date such as 2026-11-30T20:15:00+01:00")


def _wrong(key: str, sentence: str) -> DataError:
    return DataError([(key, sentence)])
