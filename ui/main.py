"""The command line: `companion COMMAND ...`. It ends with one of `ui.status.Status`."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NamedTuple

from companion.errors import CompanionError
from ui.errors import report, sentence
from ui.status import Status


class Command(NamedTuple):
    """One subcommand; its module has `add_arguments(parser)` and `run(arguments) -> Status`."""

    module: str
    summary: str
    example: str


COMMANDS = {
    "table": Command(
        "ui.table",
        "lead an evening at the table, on the touchscreen",
        "companion table --simulate",
    ),
    "read": Command(
        "ui.read",
        "read finished layouts from photographs and add them up",
        "companion read cassa-grande table.jpg --out annotated",
    ),
    "score": Command(
        "ui.score",
        "add up a layout that is typed in",
        "companion score cassa-grande 11201, 4,X00X 022104 2003X2 32,243 X402,3",
    ),
    "replay": Command(
        "ui.replay",
        "replay the journal of a play and show how it stands",
        "companion replay evening.txt",
    ),
    "watch": Command(
        "ui.watch",
        "watch a play in a sequence of photographs: what the camera proposes at each",
        "companion watch cassa-grande --photos evening --play evening.txt --json",
    ),
    "print": Command(
        "ui.printing",
        "make a PDF to print and cut out: markers and our own sample pieces at true size",
        "companion print casa-grande --out sheets.pdf",
    ),
    "teach": Command(
        "ui.teach",
        "learn the pieces of your copy from photographs, as a box profile",
        "companion teach casa-grande pieces.jpg --out mine.toml",
    ),
    "problem": Command(
        "ui.problem",
        "read saved problems again: are they mended",
        "companion problem ~/.local/share/table-companion/problems/20261130-201500-3f9a1c",
    ),
    "doctor": Command(
        "ui.doctor",
        "look whether everything is there that an evening needs",
        "companion doctor",
    ),
}


def main(argv: Sequence[str] | None = None) -> Status:
    """Run one command and return the exit status. No traceback reaches the person."""
    _open_closed_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] not in COMMANDS:
        # The first word alone: what follows a command that is none may hold one.
        _top_parser().parse_args(arguments[:1] or ["--help"])
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name that is not valid text must not stop the reading.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _run(arguments[0], arguments[1:])
        sys.stdout.flush()
    except CompanionError as error:
        print(sentence(error), file=sys.stderr)
        return Status.BAD_INPUT
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output once more at exit; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Status.OUTPUT_CLOSED
    except Exception as error:
        print(report(error), file=sys.stderr)
        return Status.FAILED
    return status


def _open_closed_streams() -> None:
    """Let a standard stream that the caller closed (`2>&-`) lead nowhere, else the next file opened gets its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8")


def _run(name: str, arguments: Sequence[str]) -> Status:
    command = COMMANDS[name]
    # Imported here, so that typing in a score does not wait for the vision libraries.
    module = importlib.import_module(command.module)
    parser = argparse.ArgumentParser(
        prog=f"companion {name}",
        description=f"{command.summary[0].upper()}{command.summary[1:]}.",
        epilog=f"example:\n  {command.example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    status: Status = module.run(parser.parse_args(arguments))
    return status


def _top_parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:8} {command.summary}" for name, command in COMMANDS.items())
    examples = "\n".join(f"  {command.example}" for command in COMMANDS.values())
    parser = argparse.ArgumentParser(
        prog="companion",
        usage="companion COMMAND ...",
        description="Sits beside a real board game, reads the table and adds up what each player has scored.",
        epilog=f"commands (companion COMMAND --help says more):\n{commands}\n\nexamples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"companion {version('table-companion')}")
    parser.add_argument("command", metavar="COMMAND", choices=COMMANDS, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
