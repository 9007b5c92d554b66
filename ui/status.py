"""The exit statuses of every command; decision 4 says why they are these."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from enum import IntEnum


class Status(IntEnum):
    """What a command's exit status means."""

    DONE = 0
    """What was asked for is done; `read`: every photograph is clear."""

    FAILED = 1
    """The program itself failed; a report is written."""

    BAD_INPUT = 2
    """Bad usage, bad input, or no way to write; argparse's own number."""

    PLEASE_CHECK = 3
    """A person must look: a photograph is not clear, or a journal's line is refused."""

    NO_SCREEN = 4
    """There is no screen that the app could be shown on."""

    INTERRUPTED = 130
    """Stopped from the keyboard."""

    OUTPUT_CLOSED = 141
    """Whoever read the output went away."""


def tell(parser: argparse.ArgumentParser, meanings: Mapping[Status, str]) -> None:
    """Say below a command's help what its exit statuses mean."""
    lines = "\n".join(f"  {status:d} {meaning}" for status, meaning in meanings.items())
    parser.epilog = "\n\n".join(filter(None, (parser.epilog, f"exit status:\n{lines}")))
