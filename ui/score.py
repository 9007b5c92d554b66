"""`companion score`: a layout that is typed in, added up for every seat."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.games import GAMES
from companion.games.cassa_grande import box, pieces, scoring
from companion.rules import Seat, write_seat
from companion.score import ScoreSheet
from companion.wording import Sentences, line_sentence, seat_name
from ui.status import Status, tell


@dataclass(frozen=True, slots=True)
class Typed:
    """How a game's typed layouts are added up and checked."""

    sheet: Callable[[Sequence[str]], ScoreSheet]

    doubt: Callable[[Sequence[str], Path | None], str | None]
    """One sentence when the layout does not fit the deck of a box profile (None: the sample's)."""


def _cassa_grande_doubt(rows: Sequence[str], profile: Path | None) -> str | None:
    grid = scoring.clean_rows(rows)
    shown = pieces.write_deck("".join(grid))
    deck = pieces.write_deck(box.load(profile).decks[scoring.players_of(grid)])
    if shown == deck:
        return None
    return f"Check the rows: they hold ({shown}), and the deck in play holds ({deck})."


TYPED = {"cassa-grande": Typed(scoring.sheet, _cassa_grande_doubt)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion score` takes."""
    parser.add_argument("game", choices=TYPED, metavar="GAME", help=f"one of: {', '.join(TYPED)}")
    parser.add_argument("rows", nargs="+", metavar="ROW", help="a row as seat A reads it, top row first; X for a gap")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--box", type=Path, metavar="FILE", help="a box profile: which cards this deck holds")
    tell(
        parser,
        {
            Status.DONE: "the rows are added up, even when they do not fit the deck (standard error says so)",
            Status.BAD_INPUT: "the rows, the box profile or the usage are wrong",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Print every seat's total and lines. Raises: GridError, BoxError."""
    typed = TYPED[arguments.game]
    sheet = typed.sheet(arguments.rows)
    doubt = typed.doubt(arguments.rows, arguments.box)
    if arguments.json:
        print(json.dumps({"game": arguments.game, **sheet_json(sheet), "doubt": doubt}))
        return Status.DONE
    print("\n".join(sheet_text(sheet, GAMES[arguments.game].sentences)))
    if doubt:
        print(doubt, file=sys.stderr)
    return Status.DONE


def sheet_text(sheet: ScoreSheet, sentences: Sentences, names: Mapping[Seat, str] | None = None) -> list[str]:
    """Every seat's name, total and rank, and below them the lines that make up the total."""
    ranks = sheet.ranks()
    text = []
    for seat, total in sheet.totals().items():
        shared = " shared" if list(ranks.values()).count(ranks[seat]) > 1 else ""
        text.append(f"{seat_name(seat, names)}  {total}  (rank {ranks[seat]}{shared})")
        text += [f"     {line_sentence(sentences, line, names)}" for line in sheet.lines_of(seat)]
    return text


def sheet_json(sheet: ScoreSheet) -> dict[str, object]:
    """The sheet as JSON values, by the seats' letters."""
    return {
        "title": sheet.title,
        "totals": {write_seat(seat): total for seat, total in sheet.totals().items()},
        "ranks": {write_seat(seat): rank for seat, rank in sheet.ranks().items()},
        "lines": [
            {
                "seat": write_seat(line.seat),
                "points": line.points,
                "rule": line.rule,
                "facts": dict(line.facts),
                "spots": line.spots,
            }
            for line in sheet.lines
        ],
    }
