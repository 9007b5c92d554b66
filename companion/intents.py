"""What a person asked for: small values that touch, keys, buttons and the die put into one inbox.

Whoever puts one decides nothing; `companion.session` does when the inbox is drained.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from companion.rules import Seat

MoveT = TypeVar("MoveT")

PIPS = range(1, 7)
"""What a die may show."""


@dataclass(frozen=True, slots=True)
class Make(Generic[MoveT]):
    """A move was made and put in by hand; `agreed`: it holds though a rule that can be waived is broken."""

    move: MoveT
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Confirm:
    """Yes to an option of the question that was shown at this revision of the journal; an older one is dropped."""

    revision: int
    option: int = 0


@dataclass(frozen=True, slots=True)
class Reject:
    """No to the question that was shown at this revision."""

    revision: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last so many entries that hold."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class Redo:
    """Put in again the last so many entries that were taken back."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class Adjust:
    """Overrule the program: a seat's result changes by so many points."""

    seat: Seat
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Amend(Generic[MoveT]):
    """Another move was made in place of the entry with this number, from 0; what came after it is played again.

    `agreed`: all that holds, though a rule that may be waived is broken.
    """

    entry: int
    move: MoveT
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop all clocks."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clocks run again."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die shows this many pips; it came from `source`: the LED die, a person's typing, or the camera.

    `logged`: it was told with `Drawn` before.
    """

    pips: int
    source: str
    logged: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A die has drawn a number that it does not show yet: it is logged, and means nothing until it is `Rolled`."""

    pips: int
    source: str


class Control(StrEnum):
    """What a button is for."""

    CONFIRM = "confirm"
    UNDO = "undo"
    ROLL = "roll"
    PHOTOGRAPH = "photograph"
    SEAT = "seat"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed (`held`: kept down to the limit). `seat` says whose, for a seat's own button.

    `at_s` is monotonic.
    """

    control: Control
    at_s: float
    held: bool = False
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something beneath the screen has a sentence for the people at the table."""

    sentence: str


Intent = (
    Make[MoveT] | Amend[MoveT] | Confirm | Reject | Undo | Redo | Adjust | Pause | Resume | Drawn | Rolled | Pressed
    | Notice
)  # fmt: skip
