from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase, State
from companion.rules import Event

Play = Callable[..., State]

WORKED_EXAMPLE = ("11201,", "4,X00X", "022104", "2003X2", "32,243", "X402,3")


@pytest.fixture
def worked_example() -> tuple[str, ...]:
    """The digest's finished layout for four players, as A sees it."""
    return WORKED_EXAMPLE


@pytest.fixture
def play() -> Play:
    """Plays the moves given as text, from a setup or a state, and returns the state."""

    def run(start: Setup | State, *moves: str) -> State:
        state = rules.new(start) if isinstance(start, Setup) else start
        for text in moves:
            state, _ = rules.apply(state, rules.read(text))
        return state

    return run


@pytest.fixture
def refused() -> Callable[[State, str], str | None]:
    """The name of the rule that refuses a move given as text."""

    def ask(state: State, text: str) -> str | None:
        refusal = rules.refusal(state, rules.read(text))
        return refusal.rule if refusal else None

    return ask


@pytest.fixture
def events() -> Callable[[State, str], list[str]]:
    """The names of the events that a move given as text brings about."""

    def ask(state: State, text: str) -> list[str]:
        found: Sequence[Event] = rules.apply(state, rules.read(text))[1]
        return [event.name for event in found]

    return ask


@pytest.fixture
def lay_out() -> Callable[[State, Sequence[str]], State]:
    """Lays cards face down (or as the state asks) until each cell of the rows holds one, then turns them over.

    Swaps are made with unknown faces where a swap is due.
    """

    def run(state: State, rows: Sequence[str]) -> State:
        height, width = len(rows), len(rows[0])
        wanted = [(row, column) for row in range(height) for column in range(width) if rows[row][column] != "X"]
        first = wanted[0]
        for row, column in growing(wanted):
            text = f"{'ABCD'[state.turn]} {row - first[0]},{column - first[1]} ?"
            state, _ = rules.apply(state, rules.read(text))
            if state.phase == Phase.SWAP:
                state, _ = rules.apply(state, next(rules.legal_moves(state)))
        state, _ = rules.apply(state, rules.read(f"turned over {' '.join(rows)}"))
        return state

    return run


def growing(wanted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The cells in an order in which each touches an earlier one."""
    order, rest = [wanted[0]], list(wanted[1:])
    while rest:
        found = next(cell for cell in rest if any(max(abs(cell[0] - r), abs(cell[1] - c)) == 1 for r, c in order))
        rest.remove(found)
        order.append(found)
    return order
