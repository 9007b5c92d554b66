"""What a person sees when something goes wrong: one sentence, and a report for whoever mends the program."""

from __future__ import annotations

import sys
import tempfile
import traceback
from importlib.metadata import version


def sentence(error: Exception) -> str:
    """An error's message on one line, even when a file's name holds line breaks."""
    return " ".join(str(error).split())


def report(error: Exception) -> str:
    """Write the details of an unforeseen error into a temporary file. Returns the sentence that says where it is."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="companion-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write(f"companion {version('table-companion')}, Python {sys.version}\n{sys.argv}\n\n")
            traceback.print_exception(error, file=file)
    except OSError:
        return f"The program failed ({type(error).__name__}), and no report of it could be written."
    return f"The program failed; please send the report {file.name} to its makers."
