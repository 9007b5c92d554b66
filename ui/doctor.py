"""`companion doctor`: is everything there that an evening needs, and what to do where it is not."""

from __future__ import annotations

import argparse
import json
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from ui.checks import camera, clock, disk, display, fonts, models, packages, pins, power, store, user
from ui.checks import config as settings
from ui.checks.finding import Finding, Level
from ui.checks.machine import Machine
from ui.config import Config, ConfigError, default, load
from ui.errors import report, sentence
from ui.status import Status, tell

Check = Callable[[Machine, Config], Iterable[Finding]]

CHECKS: Mapping[str, Check] = {
    module.NAME: module.check
    for module in (packages, user, pins, power, camera, models, display, fonts, clock, disk, store)
}
"""All but that of the settings, in the order in which they are shown."""

WORDS = {Level.OK: "ok", Level.WARN: "warn", Level.FAIL: "FAIL"}
WIDTH = 118


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion doctor` takes."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings that go before all others")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    tell(
        parser,
        {
            Status.DONE: "nothing fails; there may be warnings",
            Status.BAD_INPUT: "bad usage",
            Status.PLEASE_CHECK: "something fails, and the line below it says what to do",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Look at everything and say how it is."""
    start = time.perf_counter()
    findings = examine(Machine(), arguments.config)
    seconds = time.perf_counter() - start
    print(json.dumps(as_json(findings, seconds)) if arguments.json else as_text(findings))
    return status_of(findings)


def examine(machine: Machine, config_file: Path | None = None, checks: Mapping[str, Check] = CHECKS) -> list[Finding]:
    """All findings; a check that fails itself is one of them."""
    try:
        config = load(config_file, machine.environment, machine.path("/etc/table-companion/companion.toml"))
        findings = list(settings.check(machine, config))
    except ConfigError as error:
        config = default(machine.environment)
        findings = list(settings.problems(error))
    for name, check in checks.items():
        try:
            findings += check(machine, config)
        except Exception as error:
            findings.append(_failed(name, error))
    return findings


def _failed(name: str, error: Exception) -> Finding:
    told = f"This cannot be checked ({type(error).__name__}: {sentence(error)})."
    return Finding(name, Level.FAIL, told, report(error))


def status_of(findings: Sequence[Finding]) -> Status:
    """The exit status: warnings are no failure."""
    return Status.PLEASE_CHECK if any(finding.level is Level.FAIL for finding in findings) else Status.DONE


def as_text(findings: Sequence[Finding]) -> str:
    """A line a finding, with the fix below it, and a last line that sums up."""
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        start = f"{WORDS[finding.level]:4}  {finding.name:{width}}  "
        lines += _wrapped(finding.sentence, start)
        if finding.fix:
            # Not wrapped: a command has to be copied in one piece.
            lines.append(f"{' ' * len(start)}fix: {finding.fix}")
    return "\n".join([*lines, "", summary(findings)])


def _wrapped(text: str, start: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )


def summary(findings: Sequence[Finding]) -> str:
    """How many of each kind, and what that means."""
    counts = {level: sum(finding.level is level for finding in findings) for level in Level}
    fails, warns = counts[Level.FAIL], counts[Level.WARN]
    if fails:
        return f"{fails} to mend first, {warns} to know of, {counts[Level.OK]} in order."
    if warns:
        return f"Ready to play; {warns} to know of, {counts[Level.OK]} in order."
    return f"Ready to play: all {counts[Level.OK]} in order."


def as_json(findings: Sequence[Finding], seconds: float) -> dict[str, object]:
    """One object; `ready` says that nothing fails."""
    return {
        "ready": status_of(findings) is Status.DONE,
        "findings": [
            {"name": finding.name, "level": finding.level.value, "sentence": finding.sentence, "fix": finding.fix}
            for finding in findings
        ],
        "seconds": round(seconds, 3),
    }
