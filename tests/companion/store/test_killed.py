"""The plug is pulled: a companion that is killed at any moment leaves every entry whose append had returned."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.journal import Adjusted
from companion.kept import Kept
from companion.store import Store

START = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)

# For each line of its input it forks a companion that opens, plays on and closes for ever, and waits for its end.
NURSERY = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from companion.games import GAMES
from companion.games.cassa_grande.setup import Setup
from companion.journal import Adjusted, Journal
from companion.kept import Kept
from companion.store import Store

wall = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
rules = {name: game.rules for name, game in GAMES.items()}

def play_on():
    os.write(1, b"pid %d\\n" % os.getpid())
    while True:
        with Store.open(Path(sys.argv[1]), rules, wall) as store:
            if store.unfinished() is None:
                store.begin("p", Journal("cassa-grande", Setup(), {0: "Ana"}), wall)
            start = len(store.load("p")[1])
            for number in range(start, start + 10):
                store.append("p", number, [Kept(Adjusted(0, number, "x" * (number % 700)), wall, 1.0)])
                os.write(1, b"%d\\n" % number)

for _ in sys.stdin:
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        os.write(1, b"ended by signal %d\\n" % os.WTERMSIG(status))
    else:
        play_on()
"""


@pytest.fixture
def appended_before_a_kill(path: Path) -> Iterator[Callable[[int, float], int]]:
    """Lets a companion play on, and kills it some seconds after some of its appends have returned.

    Returns how many entries are known to be kept, or 0.
    """
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", NURSERY, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as nursery:
        told, ask = nursery.stdout, nursery.stdin
        assert told is not None
        assert ask is not None

        def run(appends: int, seconds: float) -> int:
            ask.write(b"\n")
            companion = int(told.readline().split()[1])
            last = b"-1"
            for _ in range(appends):
                last = told.readline()
            time.sleep(seconds)
            os.kill(companion, signal.SIGKILL)
            while not (line := told.readline()).startswith(b"ended"):
                last = line
            assert line == b"ended by signal 9\n"
            return int(last) + 1

        yield run


def test_every_entry_whose_append_returned_is_there(
    appended_before_a_kill: Callable[[int, float], int], opened: Callable[..., Store]
) -> None:
    draw, seen = random.Random(), 0
    for _ in range(25):
        returned = max(seen, appended_before_a_kill(draw.choice((0, 0, 3, 8, 12)), draw.uniform(0.0, 0.03)))
        with opened() as store:
            assert store.notices == ()
            if store.unfinished() is None:
                assert returned == 0
                continue
            kept = store.load("p")[1]
        # The very last entry may be on the disk although its append had no time to say so.
        assert returned <= len(kept) <= returned + 1
        assert list(kept) == [Kept(Adjusted(0, n, "x" * (n % 700)), START, 1.0) for n in range(len(kept))]
        seen = len(kept)
    assert seen > 3
