"""`companion problem`: problems that were saved at the table, read again by the present program."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.errors import CompanionError, printable
from ui import problems
from ui.errors import sentence
from ui.problems import Again, Verdict
from ui.status import Status, tell

SAID = {
    Verdict.MENDED: "mended: all is read rightly now",
    Verdict.ASKS: "asks: what is not read rightly is asked about",
    Verdict.WRONG: "wrong: {spots} read wrongly, without a question",
    Verdict.UNSAID: "nobody has said what is right; now it reads {rows}",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion problem` takes."""
    parser.add_argument(
        "bundles", type=Path, nargs="+", metavar="BUNDLE", help='a folder that the button "This was wrong" has saved'
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a problem, each on its own line")
    tell(
        parser,
        {
            Status.DONE: "every problem is mended",
            Status.BAD_INPUT: "a folder holds no problem or cannot be read, or bad usage",
            Status.PLEASE_CHECK: "one at least is not mended, or nobody has said what is right",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Read every problem again; the status is the worst of them."""
    status = Status.DONE
    for bundle in arguments.bundles:
        try:
            again = problems.read_again(problems.load(bundle))
        except CompanionError as error:
            print(sentence(error), file=sys.stderr)
            status = Status.BAD_INPUT
            continue
        print(_as_json(bundle, again) if arguments.json else f"{printable(str(bundle))}: {_as_text(again)}", flush=True)
        if status is Status.DONE and again.verdict is not Verdict.MENDED:
            status = Status.PLEASE_CHECK
    return status


def _as_text(again: Again) -> str:
    spots = ", ".join(f"row {row + 1} column {column + 1}" for row, column in again.wrong)
    return SAID[again.verdict].format(spots=spots, rows=" ".join(again.rows) or "nothing")


def _as_json(bundle: Path, again: Again) -> str:
    return json.dumps(
        {
            "problem": str(bundle),
            "verdict": again.verdict,
            "rows": list(again.rows),
            "right": None if again.right is None else list(again.right),
            "wrong": [list(spot) for spot in again.wrong],
        }
    )
