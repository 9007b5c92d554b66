"""The settings: which files they come from, and everything that is wrong in these."""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import printable
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config, ConfigError

NAME = "settings"


def check(machine: Machine, config: Config) -> Iterator[Finding]:  # noqa: ARG001
    """The files that were read, and those that say nothing."""
    for notice in config.notices:
        yield Finding(NAME, Level.WARN, notice, "Write it again from deploy/companion.toml, or delete it.")
    files = ", ".join(printable(str(file)) for file in config.files)
    yield Finding(NAME, Level.OK, f"From {files}." if files else "No file is there: the defaults hold.")


def problems(error: ConfigError) -> Iterator[Finding]:
    """A finding for each setting that cannot be used; the other checks then go by the defaults."""
    for _, sentence in error.problems:
        yield Finding(NAME, Level.FAIL, sentence, "Mend it there; deploy/companion.toml explains every key.")
