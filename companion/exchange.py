"""Plays out and in: JSON with all that is kept, text journals for people, results as CSV.

A play that comes in is played again first: what the rules refuse is not taken, and its result is made anew. A play is
known by its id, or by its journal where it has none; what is here already adds nothing.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion import journal_text, plays_json
from companion.errors import DataError, JournalError, quoted
from companion.journal import Journal, Refused, replay
from companion.kept import Kept, WholePlay
from companion.rules import Rules, write_seat
from companion.score import ScoreSheet
from companion.store import Store
from companion.wording import Sentences, refusal_sentence

COLUMNS = (
    "play", "game", "started", "finished", "seconds", "sheet", "seat", "player", "total", "rank", "won", "note",
)  # fmt: skip
"""The columns of `results_csv`, whatever was played and by how many."""

_MARK = "\ufeff"
"""The byte order mark, with which some editors begin a text."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet takes a text for something to work out. Source: OWASP, "CSV Injection"."""

_COMMENT = re.compile(r"# (play|started|finished|note): *(.*)")


@dataclass(frozen=True, slots=True)
class Taken:
    """A play that came in: how many entries it added to it, or None when nothing of it was new."""

    play: str
    added: int | None


def to_text(store: Store, play: str) -> str:
    """A play as a text journal; comments before its header hold its id, dates and note. Raises: StoreError."""
    whole = store.whole(play)
    comments = [f"# play: {play}", f"# started: {whole.started.isoformat()}"]
    if whole.finished:
        comments.append(f"# finished: {whole.finished.isoformat()}")
    if whole.note:
        comments.append(f"# note: {json.dumps(whole.note, ensure_ascii=False)}")
    return "\n".join([*comments, journal_text.write(store.games[whole.journal.game], whole.journal)])


def to_json(store: Store, plays: Iterable[str] | None = None) -> str:
    """Plays as `plays_json` has them, oldest first: those with the ids, else all. Raises: StoreError."""
    wanted = None if plays is None else set(plays)
    chosen = [saved for saved in reversed(store.plays()) if wanted is None or saved.id in wanted]
    return plays_json.write(((saved, store.whole(saved.id)) for saved in chosen), store.games)


def results_csv(store: Store) -> str:
    """A line for each seat of each finished play, the oldest first; its columns are COLUMNS.

    A text that a spreadsheet would take for a formula gets an apostrophe before it. Raises: StoreError.
    """
    titles = dict(store.database.rows("SELECT id, title FROM play"))
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for play in reversed(store.plays()):
        for seat, total in play.totals.items():
            rank, finished = play.ranks[seat], play.finished.isoformat(timespec="seconds") if play.finished else ""
            cells = (
                play.id, play.game, play.started.isoformat(timespec="seconds"), finished, round(play.play_s),
                titles[play.id], write_seat(seat), play.names.get(seat, ""), total, rank, int(rank == 1), play.note,
            )  # fmt: skip
            lines.writerow(map(_cell, cells))
    return text.getvalue()


def _cell(value: str | int) -> str | int:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def take_json(store: Store, text: str, sentences: Mapping[str, Sentences], source: str = "") -> tuple[Taken, ...]:
    """Take in all plays of a JSON text; `sentences` are the games' own, `source` is the file's name.

    Raises: DataError, before anything is taken; StoreError, which keeps what was taken so far.
    """
    plays = []
    for number, whole in enumerate(plays_json.read(text.removeprefix(_MARK), store.games, source), start=1):
        ready = _played_again(store.games[whole.journal.game], whole)
        if isinstance(ready, Refused):
            sentence = refusal_sentence(sentences[whole.journal.game], ready.refusal, whole.journal.names)
            raise DataError([("entries", f"Play {number}: Entry {ready.entry + 1}: {sentence}")], source)
        plays.append(ready)
    return tuple(Taken(whole.id, store.add(whole, result)) for whole, result in plays)


def take_text(store: Store, text: str, wall: datetime, sentences: Mapping[str, Sentences], source: str = "") -> Taken:
    """Take in a text journal.

    It tells no times: its entries get the date of its beginning, or `wall` where it does not tell that either.

    Raises: JournalError, StoreError; then nothing is taken.
    """
    text = text.removeprefix(_MARK)
    journal = journal_text.read(text, store.games, source)
    ready = _played_again(store.games[journal.game], _from_text(store, text, journal, wall, source))
    if isinstance(ready, Refused):
        sentence = refusal_sentence(sentences[journal.game], ready.refusal, journal.names)
        raise JournalError(journal_text.line_of_entry(text, ready.entry), sentence, source)
    whole, result = ready
    return Taken(whole.id, store.add(whole, result))


def _from_text(store: Store, text: str, journal: Journal[Any, Any], wall: datetime, source: str) -> WholePlay:
    values: dict[str, Any] = {"play": None, "started": wall, "finished": None, "note": ""}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            break  # the header begins
        if found := _COMMENT.fullmatch(line.strip()):
            key, value = found.groups()
            try:
                values[key] = _read_comment(key, value)
            except ValueError as error:
                raise JournalError(number, f"{error}.", source) from error
    play = values["play"] or store.same(journal) or _made_id(store.games[journal.game], journal)
    kept = tuple(Kept(entry, values["started"], 0.0) for entry in journal.entries)
    return WholePlay(play, journal, kept, values["started"], values["finished"], values["note"])


def _read_comment(key: str, text: str) -> Any:
    if key == "play":
        return plays_json.read_id(text)
    if key != "note":
        return plays_json.read_date(text)
    try:
        note = json.loads(text)
    except (ValueError, RecursionError):
        note = None
    if not isinstance(note, str):
        raise ValueError(f'{quoted(text)} is not a text in double quotes: write it like "at Zoë\'s"')
    return note


def _made_id(rules: Rules[Any, Any, Any], journal: Journal[Any, Any]) -> str:
    content = journal_text.write(rules, journal).encode("utf-8", "surrogatepass")
    return f"text-{hashlib.sha256(content).hexdigest()[:32]}"


def _played_again(rules: Rules[Any, Any, Any], whole: WholePlay) -> tuple[WholePlay, ScoreSheet | None] | Refused:
    """The play, with its date and result when it is finished; else what is refused."""
    played = replay(rules, whole.journal)
    if played.refused:
        return played.refused
    over = not rules.to_act(played.state) and next(iter(rules.legal_moves(played.state)), None) is None
    if not (whole.finished or over):
        return whole, None
    last = whole.kept[-1].wall if whole.kept else whole.started
    return replace(whole, finished=whole.finished or last), played.sheets[-1]
