"""Pulls the plug on the app, over and over: the next start must offer the play, with every entry that was shown.

`python tests/proofs/app_plug.py --times 100` starts the app (drawn on nothing), has it played by taps, kills it
(SIGKILL) at a random moment, and starts it again on the same file, so many times. It ends with status 1 and says what
is missing when an entry that the screen had shown is gone, or when the first page does not offer the play of before.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from companion.journal import replay
from companion.journal_text import write_entry
from companion.store import Store
from ui.desk import RULES, now

CHILD = Path(__file__).parents[1] / "ui/children/plugged.py"
LONGEST_S = 1.5
PLAYING = 0.8
"""So often the plug is pulled while the app is played; otherwise it may be while it starts."""

Told = dict[str, dict[int, str]]
"""The entries that were shown: by play, then by number."""


def one_start(settings: Path, seed: int, rng: random.Random) -> list[str]:
    """Start the app, kill it, and return what it has said."""
    command = [sys.executable, str(CHILD), str(seed), "--config", str(settings)]
    environment = {**os.environ, "SDL_VIDEODRIVER": "offscreen"}
    said: list[str] = []
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as app:  # noqa: S603
        if app.stdout is None:
            raise RuntimeError("the app has no standard output")
        if rng.random() < PLAYING:
            said += [app.stdout.readline(), app.stdout.readline()]
        time.sleep(rng.uniform(0, LONGEST_S))
        app.send_signal(signal.SIGKILL)
        said += app.stdout
    # The last line may have been cut by the kill.
    return [line.rstrip("\n") for line in said if line.endswith("\n")]


def pull(folder: Path, times: int, seed: int) -> tuple[int, list[str]]:
    """How many entries were shown in so many starts, and what was wrong: nothing, it is to be hoped."""
    settings = folder / "companion.toml"
    settings.write_text('[data]\nfolder = "data"\n[camera]\nkind = "none"\n[screen]\nsize = [480, 320]\n', "utf-8")
    rng = random.Random(seed)
    told: Told = {}
    last = "nothing"
    wrong: list[str] = []
    for start in range(times):
        for line in one_start(settings, seed + start, rng):
            word, play, *rest = line.split(" ", 3)
            if word == "offered":
                # A play of which nothing was shown yet may be there or not.
                if play != last and (play == "nothing" or play in told):
                    wrong.append(f"start {start}: {play} is offered, and {last} was played last")
            else:
                last, number, entry = play, int(rest[0]), rest[1]
                was = told.setdefault(play, {}).setdefault(number, entry)
                if was != entry:
                    wrong.append(f"start {start}: entry {number} of {play} was {was!r} and is {entry!r}")
    return sum(map(len, told.values())), wrong + missing(folder / "data/plays.sqlite", told)


def missing(file: Path, told: Told) -> list[str]:
    """What was shown and is not in the file."""
    with Store.open(file, RULES, now().wall) as store:
        wrong = list(store.notices)
        for play, entries in told.items():
            journal, _ = store.load(play)
            rules = RULES[journal.game]
            kept = [write_entry(rules, entry) for entry in journal.entries]
            lost = [(number, entry) for number, entry in entries.items() if kept[number : number + 1] != [entry]]
            wrong += [f"entry {number} of {play} is lost: {entry}" for number, entry in lost]
            if replay(rules, journal).refused is not None:
                wrong.append(f"{play} does not replay")
    return wrong


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        entries, wrong = pull(Path(folder), arguments.times, arguments.seed)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{arguments.times} times the plug, {entries} entries shown as made, {len(wrong)} faults")
    return 1 if wrong or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
