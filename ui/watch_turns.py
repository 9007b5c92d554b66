"""`companion watch casa-grande`: a play as JSON that names a photograph for each turn, and what the camera proposes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError, printable
from companion.games.casa_grande import play_json, rules
from companion.games.casa_grande.moves import Built, Floored, Move, Rolled, Stepped
from companion.games.casa_grande.play_json import PlayFile, Turn
from companion.games.casa_grande.sight import propose
from companion.games.casa_grande.state import Phase, State
from companion.sight import Match, Option, Proposal
from companion.textfile import read_text
from ui.eyes import casa_grande
from ui.replay import LARGEST_JOURNAL
from ui.status import Status
from vision import frame

GAME = play_json.GAME


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera proposed at the photograph of a turn."""

    photo: Path
    proposal: Proposal[Move]
    seconds: float

    def as_json(self) -> dict[str, object]:
        """One line of the output."""
        return {
            "photo": str(self.photo),
            "outcome": self.proposal.match.value,
            "options": [_option(option) for option in self.proposal.options],
            "spots": [list(spot) for spot in self.proposal.spots],
            "reason": self.proposal.reason,
            "seconds": round(self.seconds, 3),
        }

    def as_text(self) -> str:
        """One line for a person."""
        told = [", then ".join(map(rules.write, option.moves)) for option in self.proposal.options]
        line = f"{printable(self.photo.name)}: {self.proposal.match}"
        if told:
            line += f" ({self.proposal.options[0].confidence:.2f}): {' | or '.join(told)}"
        return f"{line}  {self.proposal.reason}" if self.proposal.reason else line


def run(arguments: argparse.Namespace) -> Status:
    """Watch the play. Raises: CompanionError."""
    play = play_json.read(read_text(arguments.play, LARGEST_JOURNAL), str(arguments.play))
    if not arguments.photos.is_dir():
        raise CompanionError(f"{printable(str(arguments.photos))} is no folder: name the folder of the photographs.")
    clear, shown = 0, 0
    for seen in _watched(play, arguments.photos, as_proposed=arguments.confirm == "proposed"):
        print(json.dumps(seen.as_json()) if arguments.json else seen.as_text(), flush=True)
        clear += seen.proposal.match is Match.CLEAR
        shown += 1
    if not arguments.json:
        print(f"{clear} of {shown} photographs are clear.", file=sys.stderr)
    return Status.DONE if clear == shown else Status.PLEASE_CHECK


def _watched(play: PlayFile, folder: Path, *, as_proposed: bool) -> Iterator[Seen]:
    """Each turn's photograph against what was confirmed before it. Raises: CompanionError."""
    eyes = casa_grande(play.sizes)
    state = rules.new(play.setup)
    if play.setup_photo is None:
        raise CompanionError("The play names no setup_photo: add the picture of the empty board.")
    first = eyes(state).read(_picture(folder, play.setup_photo))
    if first.explained is None:
        raise CompanionError(f"{printable(play.setup_photo)}: {first.reason}")
    for number, turn in enumerate(play.turns, start=1):
        if turn.photo is None:
            raise CompanionError(f"Turn {number} of the play names no photo: add its picture's name.")
        rolled = _rolled(state, turn, number)
        image = _picture(folder, turn.photo)
        started = time.perf_counter()
        proposal = propose(rolled, eyes(rolled).read(image))
        seconds = time.perf_counter() - started
        yield Seen(folder / turn.photo, proposal, seconds)
        if not as_proposed:
            state = _played(rolled, turn.moves[1:], number)
        elif proposal.options:
            state = _played(rolled, proposal.options[0].moves, number)
        else:
            state = _passed(rolled)


def _picture(folder: Path, name: str) -> NDArray[np.uint8]:
    return frame.load(folder / Path(name).name).image


def _rolled(state: State, turn: Turn, number: int) -> State:
    """The state after the roll of a turn. Raises: CompanionError."""
    if turn.seat != state.turn:
        raise CompanionError(f"Turn {number} of the play is not of the player at turn: put the turns in their order.")
    return _played(state, [Rolled(turn.seat, turn.die)], number)


def _played(state: State, moves: Sequence[Move], number: int) -> State:
    """The state after moves. Raises: CompanionError."""
    for move in moves:
        if rules.refusal(state, move) is not None:
            raise CompanionError(f"Turn {number} of the play is refused by the rules: companion replay tells why.")
        state, _ = rules.apply(state, move)
    return state


def _passed(state: State) -> State:
    """The state when nobody could say what the seat at turn did: its piece stays, the next seat rolls."""
    return replace(state, phase=Phase.ROLL, pips=0, turns=state.turns + 1, turn=(state.turn + 1) % state.setup.players)


def _option(option: Option[Move]) -> dict[str, object]:
    """One proposal as the output has it."""
    built = next((move for move in option.moves if isinstance(move, Built)), None)
    floor = next((move for move in option.moves if isinstance(move, Floored)), None)
    stays = isinstance(option.moves[-1], Stepped)
    return {
        "kind": "stay" if stays else "build",
        "block": list(built.plot) if built else None,
        "platform": [list(spot) for spot in floor.squares] if floor else None,
        "piece": floor.piece if floor else None,
        "bought": next((move.bought for move in option.moves if isinstance(move, Stepped)), 0),
        "confidence": round(option.confidence, 4),
    }
