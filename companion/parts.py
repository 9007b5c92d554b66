"""The parts that may be missing at any time: each is in a state, and a state has a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.language import told


class Condition(StrEnum):
    """How a part is."""

    OK = "ok"
    MISSING = "missing"
    BUSY = "busy"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Part:
    """A camera, a button, a light, the die: its name and how it is.

    `template` is the sentence that says what to do, filled from `facts` where there are any; it is empty when all is
    well.
    """

    name: str
    condition: Condition = Condition.OK
    template: str = ""
    facts: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What to do, in the language that is used."""
        return told(self.template, self.facts) if self.template else ""
