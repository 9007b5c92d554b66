"""What a screen draws: one play as it stands, in values and sentences. A screen decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from companion.clock import Times
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
    """One sentence for the people at the table. `number` grows with every message of a session, the same text too."""

    number: int
    tone: Tone
    sentence: str


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
    """An entry that holds, for the history: its number in the journal and what it meant, in sentences."""

    number: int
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View(Generic[StateT, MoveT]):
    """A play as it stands.

    `prompt` is what to do now; `happened` is what the last entry meant; `hands` is what the hands must change on the
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
