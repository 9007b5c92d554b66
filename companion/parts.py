"""The parts that may be missing at any time: each is in a state, and a state has a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Condition(StrEnum):
    """How a part is."""

    OK = "ok"
    MISSING = "missing"
    BUSY = "busy"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Part:
    """A camera, a button, a light, the die: its name and how it is.

    `sentence` says what to do; it is empty when all is well.
    """

    name: str
    condition: Condition = Condition.OK
    sentence: str = ""
