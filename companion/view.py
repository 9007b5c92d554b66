"""What a screen draws: one play as it stands, in values and sentences. A screen decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from companion.clock import Times
from companion.intents import Amend, Make
from companion.rules import Seat
from companion.score import ScoreSheet
from companion.sight import Proposal

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


class Tone(StrEnum):
    """How a message is meant."""

    TOLD = "told"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence for the people at the table. `number` grows with every message of a session, the same text too.

    `beeps`: it wants to be heard. `agree` is the intent behind "We play it this way", where the table may agree to what
    was refused; else None.
    """

    number: int
    tone: Tone
    sentence: str
    beeps: bool = False
    agree: Make[Any] | Amend[Any] | None = None


@dataclass(frozen=True, slots=True)
class Question(Generic[MoveT]):
    """What the camera proposes, at which revision, and since when (monotonic seconds); a person answers.

    `sentences` say what each option means, in the order of the proposal's options.
    """

    revision: int
    proposal: Proposal[MoveT]
    sentences: tuple[str, ...]
    since_s: float


@dataclass(frozen=True, slots=True)
class Line:
    """What an entry that holds meant, in sentences, for the history; `number` is the entry's in the journal.

    Adjustments of one seat for one reason that follow each other are one line with their sum; it has the first one's
    number, and `entries` says how many there are. Each of them is undone by itself: one undo takes back one tap.
    """

    number: int
    sentences: tuple[str, ...]
    entries: int = 1


@dataclass(frozen=True, slots=True)
class View(Generic[StateT, MoveT]):
    """A play as it stands.

    `prompt` is what to do now; `happened` is what the last entry meant, `announced` what of it everybody must hear;
    `hands` is what the hands must change on the
    table after an undo or redo, in order, and `put_back` whether the camera has seen it done. `sheets` are the game's,
    the last one decides the play. `undoable` and `redoable` count entries. `sighting` says why the camera sees nothing
    just now, or is empty.
    """

    play: str
    game: str
    names: dict[Seat, str]
    seats: tuple[Seat, ...]
    revision: int
    state: StateT
    to_act: tuple[Seat, ...]
    over: bool
    prompt: str
    happened: tuple[str, ...]
    announced: tuple[str, ...]
    hands: tuple[str, ...]
    put_back: bool
    sheets: tuple[ScoreSheet, ...]
    history: tuple[Line, ...]
    undoable: int
    redoable: int
    times: Times
    question: Question[MoveT] | None
    message: Message | None
    sighting: str
