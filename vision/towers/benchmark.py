"""How well the full check reads every top: `python -m vision.towers.benchmark DIR...`.

Each folder holds a play as JSON (play.json), the photographs that it names, and a truth file beside each of them, in
which `plots` has for each plot what lies on top: its kind (empty, block or platform), colour and level. Rows:

- tops in view: those that were told at all, of all
- kind, colour, level right: of those told; the colour and level of tops that are not the bare board
- against the play: tops that were told to be something else than the play says, which is right in these photographs
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from companion.errors import CompanionError
from companion.games.casa_grande import play_json, rules
from companion.games.casa_grande.sight import BLOCK, BOARD
from companion.textfile import read_text
from vision import frame
from vision.recognisers.casa_grande import BoardReader
from vision.towers.checking import Told

LARGEST = 2**24
CERTAIN = 0.9
KINDS = {BOARD: "empty", BLOCK: "block"}


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    counts: Counter[str] = Counter()
    seconds: list[float] = []
    try:
        for folder in parser.parse_args().folders:
            _measure(folder, counts, seconds)
    except CompanionError as error:
        print(error, file=sys.stderr)
        return 2
    _tell(counts, sorted(seconds))
    return 0


def _measure(folder: Path, counts: Counter[str], seconds: list[float]) -> None:
    play = play_json.read(read_text(folder / "play.json", LARGEST), str(folder / "play.json"))
    reader, state = BoardReader(play.sizes), rules.new(play.setup)
    reader.read(frame.load(folder / (play.setup_photo or "")).image, state)
    for turn in play.turns:
        photo = folder / (turn.photo or "")
        image = frame.load(photo).image
        state, _ = rules.apply(state, turn.moves[0])
        reader.read(image, state)
        for move in turn.moves[1:]:
            state, _ = rules.apply(state, move)
        began = time.perf_counter()
        told = reader.check(image, state)
        seconds.append(time.perf_counter() - began)
        truth = json.loads(read_text(photo.with_suffix(".json"), LARGEST))["plots"]
        counts["all"] += 64
        for each in told or ():
            _count(each, truth[each.plot[0]][each.plot[1]], play.setup.colour_names, counts)


def _count(told: Told, true: dict[str, object], colours: tuple[str, ...], counts: Counter[str]) -> None:
    kind = KINDS.get(told.top.kind, "platform")
    counts["told"] += 1
    counts["kind"] += kind == true["kind"]
    certain = told.confidence > CERTAIN
    counts["certain"] += certain
    right = kind == true["kind"]
    if true["kind"] != "empty":
        counts["towers"] += 1
        is_colour = told.top.seat is not None and colours[told.top.seat] == true["colour"]
        counts["colour"] += is_colour
        counts["level"] += told.top.level == true["level"]
        right = right and is_colour
    counts["certain and wrong"] += certain and not right
    counts["against"] += not told.fits


def _tell(counts: Counter[str], seconds: list[float]) -> None:
    def share(what: str, of: str) -> str:
        return f"{counts[what]} of {counts[of]} ({counts[what] / max(1, counts[of]):.2%})"

    print("| measured | result |\n|---|---|")
    print(f"| tops in view | {share('told', 'all')} |")
    print(f"| kind right | {share('kind', 'told')} |")
    print(f"| colour right | {share('colour', 'towers')} |")
    print(f"| level right | {share('level', 'towers')} |")
    print(f"| certain and wrong (kind or colour) | {share('certain and wrong', 'certain')} |")
    print(f"| against the play | {share('against', 'told')} |")
    print(f"| seconds | median {seconds[len(seconds) // 2]:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
