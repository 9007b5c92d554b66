"""Pulls the plug on a play, over and over: every entry that was confirmed must be there at the next start.

`python tests/proofs/plug.py --times 300` starts a table that plays as fast as it can, undoes and puts in again, kills
it (SIGKILL) at a random moment, and starts it again on the same file, so many times. It ends with status 1 and says
what is missing when an entry that the table had told of is gone, or more than one has come that it had not.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from companion.clock import Moment
from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.intents import Adjust, Make, Redo, Undo
from companion.journal import Journal, replay
from companion.journal_text import write_entry
from companion.session import Session
from companion.store import Store

RULES = {name: game.rules for name, game in GAMES.items()}
GAME = GAMES["cassa-grande"]
LONGEST_S = 0.6
PLAYING = 0.8
"""So often the plug is pulled while the table plays; otherwise it may be while it starts."""

MOST_ENTRIES = 150
"""A play that is over, or this long, is laid aside for a new one."""


def _now() -> Moment:
    return Moment(time.monotonic(), datetime.now(UTC))


def _open(store: Store, rng: random.Random) -> Session:
    saved = store.unfinished()
    if saved is not None and saved.revision < MOST_ENTRIES:
        journal, kept = store.load(saved.id)
        return Session(GAME, saved.id, journal, store, _now(), kept)
    play = f"{rng.getrandbits(64):016x}"
    journal = Journal(GAME.name, Setup(rounds=3), {0: "Ana", 1: "Łukasz"})
    store.begin(play, journal, _now().wall)
    return Session(GAME, play, journal, store, _now())


def table(path: Path, seed: int) -> None:
    """Play until killed; a line "PLAY NUMBER ENTRY" on standard output for each entry once it is shown as kept."""
    rng = random.Random(seed)
    with Store.open(path, RULES, _now().wall) as store:
        while True:
            session = _open(store, rng)
            _told(session, 0)
            while session.revision < MOST_ENTRIES and not session.view(_now()).over:
                before = session.revision
                session.handle(_intent(session, rng), _now())
                _told(session, before)


def _intent(session: Session, rng: random.Random) -> Make | Undo | Redo | Adjust:
    kind = rng.random()
    if kind < 0.1:
        return Undo(rng.randint(1, 3))
    if kind < 0.15:
        return Redo(rng.randint(1, 3))
    if kind < 0.2:
        return Adjust(rng.randrange(4), rng.randint(-9, 9), "by agreement")
    legal = GAME.rules.legal_moves(session.state)
    return Make(rng.choice([move for move, _ in zip(legal, range(20), strict=False)]))


def _told(session: Session, since: int) -> None:
    for number in range(since, session.revision):
        print(session.play, number, write_entry(GAME.rules, session.journal.entries[number]), flush=True)


def _one_start(path: Path, seed: int, rng: random.Random) -> list[str]:
    command = [sys.executable, __file__, "--table", str(path), "--seed", str(seed)]
    told = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:  # noqa: S603
        if started.stdout is None:
            raise RuntimeError("the table has no standard output")
        if rng.random() < PLAYING:
            told.append(started.stdout.readline())
        time.sleep(rng.uniform(0, LONGEST_S))
        started.send_signal(signal.SIGKILL)
        told += started.stdout
    # The last line may have been cut by the kill.
    return [line.rstrip("\n") for line in told if line.endswith("\n")]


def pull(path: Path, times: int, seed: int) -> tuple[int, list[str]]:
    """How many entries were told of in so many starts, and what was wrong: nothing, it is to be hoped."""
    rng = random.Random(seed)
    told: dict[str, dict[int, str]] = {}
    wrong = []
    for start in range(times):
        for line in _one_start(path, seed + start, rng):
            play, number, entry = line.split(" ", 2)
            was = told.setdefault(play, {}).setdefault(int(number), entry)
            if was != entry:
                wrong.append(f"start {start}: entry {number} of {play} was {was!r} and is {entry!r}")
    with Store.open(path, RULES, _now().wall) as store:
        wrong += store.notices
        for play, entries in told.items():
            journal, _ = store.load(play)
            kept = [write_entry(GAME.rules, entry) for entry in journal.entries]
            lost = [(number, entry) for number, entry in entries.items() if kept[number : number + 1] != [entry]]
            wrong += [f"entry {number} of {play} is lost: {entry}" for number, entry in lost]
            if replay(GAME.rules, journal).refused is not None:
                wrong.append(f"{play} does not replay")
    return sum(map(len, told.values())), wrong


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.table is not None:
        table(arguments.table, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        entries, wrong = pull(Path(folder) / "plays.sqlite", arguments.times, arguments.seed)
    print(*wrong, sep="\n")
    print(f"{arguments.times} times the plug, {entries} entries told of as kept, {len(wrong)} of them wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
