"""`companion replay`: a journal of a play, played again from its first line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion.errors import quoted
from companion.game import Game
from companion.games import GAMES
from companion.journal import Journal, Refused, Replay, replay
from companion.journal_text import line_of_entry, read, write_entry
from companion.rules import write_seat
from companion.textfile import read_text
from companion.wording import event_sentence, refusal_sentence
from ui import replay_turns
from ui.score import sheet_json, sheet_text
from ui.status import Status, tell

LARGEST_JOURNAL = 16 * 2**20
"""In bytes; a long evening takes some ten thousand."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion replay` takes."""
    parser.add_argument(
        "journal",
        type=Path,
        metavar="FILE",
        help="a journal (a header, a blank line, an entry a line), or a play of Casa Grande as JSON",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; of a play as JSON, one a turn")
    tell(
        parser,
        {
            Status.DONE: "every line holds",
            Status.BAD_INPUT: "the file is no journal or cannot be read, or bad usage",
            Status.PLEASE_CHECK: "a line is refused by a rule",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Replay the journal. Raises: JournalError, CompanionError."""
    text = read_text(arguments.journal, LARGEST_JOURNAL)
    if replay_turns.is_play(text):
        return replay_turns.run(text, str(arguments.journal), as_json=arguments.json)
    journal = read(text, {name: game.rules for name, game in GAMES.items()}, str(arguments.journal))
    game = GAMES[journal.game]
    result = replay(game.rules, journal)
    refused = _refused_json(game, journal, text, result.refused) if result.refused else None
    if arguments.json:
        print(json.dumps(_as_json(game, journal, result, refused)))
    elif refused is None:
        print(_as_text(game, journal, result))
    if refused is None:
        return Status.DONE
    print(f"Line {refused['line']}, {quoted(str(refused['entry']))}: {refused['sentence']}", file=sys.stderr)
    return Status.PLEASE_CHECK


def _refused_json(game: Game, journal: Journal[Any, Any], text: str, refused: Refused) -> dict[str, object]:
    return {
        "line": line_of_entry(text, refused.entry),
        "entry": write_entry(game.rules, journal.entries[refused.entry]),
        "rule": refused.refusal.rule,
        "sentence": refusal_sentence(game.sentences, refused.refusal, journal.names),
    }


def _as_text(game: Game, journal: Journal[Any, Any], result: Replay[Any]) -> str:
    text = []
    for sheet in result.sheets:
        if sheet.lines:
            text += [sheet.title, *sheet_text(sheet, game.sentences, journal.names), ""]
    if result.events:
        text.append(event_sentence(game.sentences, result.events[-1], journal.names))
    else:
        text.append("No move has been made yet.")
    return "\n".join(text)


def _as_json(
    game: Game, journal: Journal[Any, Any], result: Replay[Any], refused: dict[str, object] | None
) -> dict[str, object]:
    return {
        "game": journal.game,
        "names": {write_seat(seat): name for seat, name in journal.names.items()},
        "revision": journal.revision,
        "sheets": [sheet_json(sheet) for sheet in result.sheets],
        "events": [event_sentence(game.sentences, event, journal.names) for event in result.events],
        "refused": refused,
    }
