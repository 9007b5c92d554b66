"""How quick Casa Grande's rules are: every legal platform of a full board, a turn's best plan, a whole play replayed.

`python tests/proofs/casa_grande_speed.py` measures on one thread and prints a line each. It ends with status 1 when the
platforms take more than 5 ms or the replay more than 20 ms.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion import journal_text
from companion.games.casa_grande import advice, floors, rules
from companion.games.casa_grande.board import PLOTS
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import Layer, Phase, State
from companion.journal import Journal, stand

GOLDEN = Path(__file__).parents[1] / "games" / "casa_grande" / "golden"
PLAY = "four_players_to_the_end.txt"
PLATFORMS_MS = 5.0
REPLAY_MS = 20.0


def journal() -> Journal[Any, Any]:
    """A play of four to its end: 94 blocks and 32 platforms."""
    return journal_text.read((GOLDEN / PLAY).read_text(encoding="utf-8"), {"casa-grande": rules})


def full_boards(states: Sequence[State]) -> dict[str, State]:
    """Boards on which there is most to look at."""
    end = states[-1]
    full = tuple(piece.count for piece in end.setup.pieces)
    stocked = end
    for player in end.players:
        stocked = stocked.with_player(replace(player, platforms=full))
    quarters, rows = (
        rules.new(Setup()).with_layers({plot: Layer(owner(*plot), 1) for plot in PLOTS})
        for owner in (
            lambda row, column: 2 * (row > 3) + (column > 3),
            lambda row, column: 0 if row < 3 else 1 + column % 3,
        )
    )
    return {
        "the end of a play": end,
        "the end of a play, all platforms in stock": stocked,
        "64 blocks, 16 of each": quarters,
        "64 blocks, all 24 of one colour among them": rows,
    }


def milliseconds(deed: Callable[[], object], times: int) -> tuple[float, float]:
    """How long it takes: (median, longest)."""
    deed()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        deed()
        taken.append((time.perf_counter() - started) * 1000)
    return statistics.median(taken), max(taken)


def platforms(states: Sequence[State], times: int) -> Iterable[float]:
    """Tell how long the legal platforms of each board take, for the seat that has most of them."""
    for name, state in full_boards(states).items():
        seat = max(state.setup.seats, key=lambda each: sum(1 for _ in floors.legal_moves(state, each)))
        count = sum(1 for _ in floors.legal_moves(state, seat))
        median, most = milliseconds(lambda: list(floors.legal_moves(state, seat)), times)  # noqa: B023
        print(f"legal platforms, {name}: {count} of them, median {median:.2f} ms, longest {most:.2f} ms")
        yield median


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=50)
    times = parser.parse_args().times
    whole = journal()
    standing, refused = stand(rules, whole)
    if refused is not None:
        raise SystemExit(f"the play holds no longer: {refused.refusal.rule}")
    states = [step.state for step in standing.steps]
    slowest = max(platforms(states, times))
    steps = [state for state in states if state.phase is Phase.STEP][::10]
    plans = [milliseconds(lambda: advice.best_plan(state), 3)[0] for state in steps]  # noqa: B023
    print(
        f"best plan of a turn with all its steps: median {statistics.median(plans):.1f} ms, longest {max(plans):.1f} ms"
    )
    replayed, most = milliseconds(lambda: stand(rules, whole), max(5, times // 5))
    print(f"replay of {whole.revision} entries: median {replayed:.1f} ms, longest {most:.1f} ms")
    return 1 if slowest > PLATFORMS_MS or replayed > REPLAY_MS else 0


if __name__ == "__main__":
    sys.exit(main())
