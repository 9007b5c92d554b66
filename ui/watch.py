"""`companion watch`: the photographs of a play, one after the other, each with what the camera would propose."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, printable
from companion.game import Game
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed, TurnedOver
from companion.journal import Entry, Journal, Played, Undone, following, refusal, stand, standing_before
from companion.journal_text import line_of_entry, read
from companion.sight import Match, Proposal
from companion.textfile import read_text
from companion.wording import refusal_sentence
from ui import watch_turns
from ui.eyes import EYES
from ui.replay import LARGEST_JOURNAL
from ui.status import Status, tell
from vision import frame

ENDINGS = (".jpg", ".jpeg", ".png", ".webp")

_NAMED = re.compile(r"(?:.*[^a-z])?entry[-_ ]?0*(\d{1,5})", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+)")

ORDER = """
how photographs and entries go together:
  A play's entries that change the table are its cards laid, its cards turned over, and undo. In the order of their
  names (a number in a name counts as a number), photograph k shows the table after the k-th of these entries. Where
  there is one photograph more than entries, the first one shows the table before them all. A folder whose names all
  end in entry-N (entry-012.jpg, evening-entry-12.png) says itself: the table after the journal's N-th entry, counted
  from 1, whatever it is; entry-0 is the table before them all. There may be fewer photographs than entries.

  Casa Grande: a play as JSON names its setup_photo and each turn's photo itself.

what is printed, a line a photograph:
  settled     nothing has changed, which is right after undo only
  clear       one move explains it; --confirm proposed plays it
  ambiguous   a few explanations, the likeliest first, or one that is not sure
  unexplained no move explains it: look at the spots (cells, as the play counts them)
  unreadable  the table cannot be seen"""


SHOWS: Mapping[str, Callable[[Any], bool]] = {"cassa-grande": lambda move: isinstance(move, Placed | TurnedOver)}
"""By the game's name: which moves change what lies on the table."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One photograph: it shows the table after so many of the journal's entries."""

    photo: Path
    after: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `companion watch` takes."""
    games = (*SHOWS, watch_turns.GAME)
    parser.add_argument("game", choices=games, metavar="GAME", help=f"one of: {', '.join(games)}")
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR", help="a folder of JPEG, PNG or WebP files")
    parser.add_argument(
        "--play",
        type=Path,
        required=True,
        metavar="FILE",
        help="the journal of the play, as text; Casa Grande: the play as JSON",
    )
    parser.add_argument(
        "--confirm",
        choices=("truth", "proposed"),
        default="truth",
        help="what is played after each photograph: the journal's entry (truth, the default), or what the camera "
        "proposes where that is clear, and else nothing (proposed; Casa Grande: always its best option)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a photograph, each on its own line")
    parser.epilog = "\n".join(filter(None, (parser.epilog, ORDER)))
    tell(
        parser,
        {
            Status.DONE: "every photograph is clear (after undo: settled)",
            Status.BAD_INPUT: "the journal, the folder, a photograph or the usage is wrong",
            Status.PLEASE_CHECK: "one photograph at least is not clear",
        },
    )


def run(arguments: argparse.Namespace) -> Status:
    """Watch the play. Raises: CompanionError."""
    if arguments.game == watch_turns.GAME:
        return watch_turns.run(arguments)
    text = read_text(arguments.play, LARGEST_JOURNAL)
    journal = read(text, {name: game.rules for name, game in GAMES.items()}, str(arguments.play))
    if journal.game != arguments.game:
        raise CompanionError(f"{printable(str(arguments.play))} is a journal of {journal.game}: name that game.")
    game, shows = GAMES[journal.game], SHOWS[journal.game]
    _check(game, journal, text)
    shots = _shots(arguments.photos, journal.entries, shows)
    evening = _Evening(game, shows, journal, arguments.confirm == "proposed")
    clear = 0
    for shot in shots:
        seen = evening.watch(shot)
        print(json.dumps(seen.as_json(game)) if arguments.json else seen.as_text(game), flush=True)
        clear += seen.good
    if not arguments.json:
        print(f"{clear} of {len(shots)} photographs are clear.", file=sys.stderr)
    return Status.DONE if clear == len(shots) else Status.PLEASE_CHECK


def _check(game: Game, journal: Journal[Any, Any], text: str) -> None:
    """Raises: CompanionError when an entry of the journal is refused."""
    _, refused = stand(game.rules, journal)
    if refused is not None:
        line = line_of_entry(text, refused.entry)
        sentence = refusal_sentence(game.sentences, refused.refusal, journal.names)
        raise CompanionError(f"The play cannot be watched, for its line {line} is refused. {sentence}")


def _shots(folder: Path, entries: Sequence[Entry[Any]], shows: Callable[[Any], bool]) -> list[Shot]:
    """Which photograph shows the table after which entry. Raises: CompanionError."""
    shown = printable(str(folder))
    if not folder.is_dir():
        raise CompanionError(f"{shown} is no folder: name the folder of the photographs.")
    photos = sorted((p for p in folder.iterdir() if p.suffix.lower() in ENDINGS), key=_by_name)
    if not photos:
        raise CompanionError(f"{shown} holds no photograph: put JPEG, PNG or WebP files into it.")
    named = [_NAMED.fullmatch(photo.stem) for photo in photos]
    if any(named):
        afters = [int(name[1]) if name else -1 for name in named]
        if -1 in afters or max(afters) > len(entries) or len(set(afters)) < len(afters):
            raise CompanionError(
                f"The photographs in {shown} are not all named for an entry of their own, 0 to {len(entries)}: "
                "name all of them or none."
            )
        return sorted((Shot(photo, after) for photo, after in zip(photos, afters, strict=True)), key=lambda s: s.after)
    changes = [number for number, entry in enumerate(entries, start=1) if _changes(entry, shows)]
    if len(photos) == len(changes) + 1:
        changes = [0, *changes]
    if len(photos) > len(changes):
        raise CompanionError(
            f"{shown} holds {len(photos)} photographs, and {len(changes)} entries of the play change the table: "
            "take away those that belong to another play."
        )
    return [Shot(photo, after) for photo, after in zip(photos, changes, strict=False)]


def _by_name(photo: Path) -> list[tuple[int, int, str]]:
    parts = _NUMBER.split(photo.name)
    return [(int(part), 0, "") if part.isdecimal() else (0, 1, part) for part in parts if part]


def _changes(entry: Entry[Any], shows: Callable[[Any], bool]) -> bool:
    """Whether an entry changes what lies on the table."""
    return isinstance(entry, Undone) or (isinstance(entry, Played) and shows(entry.move))


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera proposed at one photograph; `right` tells whether the journal says the same."""

    photo: Path
    proposal: Proposal[Any]
    expected: tuple[Any, ...]
    seconds: float

    @property
    def good(self) -> bool:
        """Whether nobody has to look: one clear proposal, or nothing where nothing was done."""
        return self.proposal.match is (Match.CLEAR if self.expected else Match.SETTLED)

    @property
    def right(self) -> bool:
        """Whether the likeliest option holds the moves that the journal has."""
        options = self.proposal.options
        return (options[0].moves if options else ()) == self.expected

    def as_json(self, game: Game) -> dict[str, object]:
        """One line of the output."""
        options = self.proposal.options
        return {
            "photo": str(self.photo),
            "outcome": self.proposal.match.value,
            "moves": [[game.rules.write(move) for move in option.moves] for option in options],
            "confidence": round(options[0].confidence, 4) if options else None,
            "spots": self.proposal.spots,
            "reason": self.proposal.reason,
            "seconds": round(self.seconds, 3),
            "right": self.right,
        }

    def as_text(self, game: Game) -> str:
        """One line for a person."""
        told = [", then ".join(game.rules.write(move) for move in option.moves) for option in self.proposal.options]
        line = f"{printable(self.photo.name)}: {self.proposal.match}"
        if told:
            line += f" ({self.proposal.options[0].confidence:.2f}): {' | or '.join(told)}"
        return f"{line}  {self.proposal.reason}" if self.proposal.reason else line


class _Evening:
    """The play as it has been confirmed so far; with `as_proposed` by the camera, else by the journal."""

    def __init__(self, game: Game, shows: Callable[[Any], bool], truth: Journal[Any, Any], as_proposed: bool) -> None:
        self._game = game
        self._shows = shows
        self._eyes = EYES[game.name](truth.setup)
        self._truth = truth
        self._as_proposed = as_proposed
        if game.propose is None:
            raise CompanionError(f"{game.title} is not followed by photographs: put its moves in.")
        self._propose = game.propose
        self._seen = 0
        self._journal = replace(truth, entries=())
        self._standing = standing_before(game.rules, truth.setup)

    def watch(self, shot: Shot) -> Seen:
        """One photograph against the play before it; then what is confirmed is played. Raises: FrameError."""
        before, done, after = self._parted(self._truth.entries[self._seen : shot.after])
        self._put_in(before)
        state = self._standing.state
        started = time.perf_counter()
        reading = self._eyes(state).read(frame.load(shot.photo).image)
        proposal = self._propose(state, reading)
        seconds = time.perf_counter() - started
        if not self._as_proposed:
            self._put_in(done)
        elif proposal.match is Match.CLEAR:
            self._put_in([Played(move) for move in proposal.options[0].moves])
        self._put_in(after)
        self._seen = shot.after
        return Seen(shot.photo, proposal, tuple(entry.move for entry in done), seconds)

    def _parted(self, entries: Sequence[Entry[Any]]) -> tuple[list[Entry[Any]], list[Played[Any]], list[Entry[Any]]]:
        """The entries up to a photograph: what was put in before, the moves that it shows, what was put in after."""
        at = max((number for number, entry in enumerate(entries, start=1) if isinstance(entry, Undone)), default=0)
        while at < len(entries) and not _changes(entries[at], self._shows):
            at += 1
        done = [entry for entry in entries[at:] if isinstance(entry, Played) and _changes(entry, self._shows)]
        return list(entries[:at]), done, [entry for entry in entries[at:] if not _changes(entry, self._shows)]

    def _put_in(self, entries: Sequence[Entry[Any]]) -> None:
        """Go on with these; one that can no longer follow what the camera proposed is left out."""
        rules = self._game.rules
        for entry in entries:
            if refusal(rules, self._truth.setup, self._standing, entry) is None:
                self._journal = replace(self._journal, entries=(*self._journal.entries, entry))
                self._standing = following(rules, self._journal, self._standing)
