"""What a check found: how bad it is, one sentence, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    """Something is missing that an evening can do without."""

    FAIL = "fail"
    """It will spoil an evening, and somebody has to mend it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`name` is the subject, one word; `fix` says what to do, and is empty where there is nothing to do."""

    name: str
    level: Level
    sentence: str
    fix: str = ""
