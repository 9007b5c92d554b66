"""Fills a small disk while a play goes on: what cannot be kept is not taken, and once there is room it all goes on.

    mkdir full && sudo mount -t tmpfs -o size=1m tmpfs full
    python tests/proofs/full_disk.py full; sudo umount full

It ends with status 1 when an entry that was shown is not there afterwards, or one that was refused is.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from companion.clock import Moment
from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.intents import Confirm, Make
from companion.journal import Journal
from companion.session import Session
from companion.store import Store
from companion.view import Tone

RULES = {name: game.rules for name, game in GAMES.items()}
GAME = GAMES["cassa-grande"]
MOST_ENTRIES = 5000
MORE = 20


def _now() -> Moment:
    return Moment(time.monotonic(), datetime.now(UTC))


def _play_on(session: Session, entries: int, rng: random.Random) -> str:
    """Play so many entries, or until one cannot be kept: the sentence about that, or nothing."""
    for _ in range(entries):
        legal = GAME.rules.legal_moves(session.state)
        move = rng.choice([move for move, _ in zip(legal, range(20), strict=False)])
        session.handle(Make(move), _now())
        message = session.view(_now()).message
        if message is not None and message.tone is Tone.FAILED:
            return message.sentence
    return ""


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder on a disk of about a megabyte")
    folder = parser.parse_args().folder
    rng, path = random.Random(1), folder / "plays.sqlite"
    ballast = folder / "ballast"
    with Store.open(path, RULES, _now().wall) as store:
        journal = Journal(GAME.name, Setup(rounds=99), {0: "Ana"})
        store.begin("p", journal, _now().wall)
        session = Session(GAME, "p", journal, store, _now())
        _play_on(session, MORE, rng)
        _fill(ballast)
        told = _play_on(session, MOST_ENTRIES, rng)
        print(f"{session.revision} entries, then: {told}")
        shown = session.revision
        session.handle(Confirm(shown), _now())
        with Store.open(path, RULES, _now().wall) as other:
            kept = other.load("p")[0].entries
        ballast.unlink()
        again = _play_on(session, MORE, rng)
    with Store.open(path, RULES, _now().wall) as store:
        reopened = store.load("p")[0].entries
    print(f"with room again: {session.revision} entries, {again or 'nothing refused'}; reopened: {len(reopened)}")
    good = told and kept == session.journal.entries[:shown] and not again and reopened == session.journal.entries
    return 0 if good else 1


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


if __name__ == "__main__":
    sys.exit(main())
