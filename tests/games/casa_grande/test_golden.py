"""Journals of whole plays and what came out of them, and how many moves there are from fixed positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import journal_text
from companion.games import GAMES
from companion.games.casa_grande import floors
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import State
from companion.journal import replay, stand
from companion.rules import write_seat

GOLDEN = Path(__file__).parent / "golden"
JOURNALS = sorted(GOLDEN.glob("*.txt"))
RULES = GAMES["casa-grande"].rules
BY_TURN = ("four_play_25_turns", "four_play_on_felt")
"""Plays whose points and money after each turn are known from the table."""


def outcome(text: str) -> dict[str, Any]:
    result = replay(RULES, journal_text.read(text, {"casa-grande": RULES}))
    refused, (sheet,) = result.refused, result.sheets
    return {
        "totals": {write_seat(seat): total for seat, total in sheet.totals().items()},
        "ranks": {write_seat(seat): rank for seat, rank in sheet.ranks().items()},
        "bonus": [player.bonus for player in result.state.players],
        "blocks": [player.blocks for player in result.state.players],
        "floors": [[floor.piece, floor.level] for floor in result.state.floors],
        "bank": list(result.state.bank),
        "last_event": result.events[-1].name,
        "refused": [journal_text.line_of_entry(text, refused.entry), refused.refusal.rule] if refused else None,
    }


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_ends_as_it_did(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert outcome(path.read_text(encoding="utf-8")) == expected


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_is_written_as_it_was_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    assert journal_text.write(RULES, journal_text.read(text, {"casa-grande": RULES})) == "\n".join(lines)


def states(name: str) -> Iterator[State]:
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    standing, refused = stand(RULES, journal_text.read(text, {"casa-grande": RULES}))
    assert refused is None
    return (step.state for step in standing.steps)


@pytest.mark.parametrize("name", BY_TURN)
def test_points_and_money_after_each_turn_are_the_tables(name: str) -> None:
    expected = json.loads((GOLDEN / f"{name}.turns.json").read_text(encoding="utf-8"))["turns"]
    assert len(expected) == 25
    ended = {state.turns: state for state in reversed(list(states(name)))}
    for number, after in enumerate(expected, start=1):
        players = ended[number].players
        assert [player.bonus for player in players] == after["bonus"], number
        assert [player.lire for player in players] == after["money"], number


def leaves(state: State, depth: int) -> int:
    """How many ways there are to make so many moves."""
    if not depth:
        return 1
    return sum(leaves(RULES.apply(state, move)[0], depth - 1) for move in RULES.legal_moves(state))


@pytest.mark.parametrize(("depth", "count"), [(1, 6), (2, 36), (3, 506), (4, 716)])
def test_moves_from_the_start(depth: int, count: int) -> None:
    assert leaves(RULES.new(Setup()), depth) == count


@pytest.mark.parametrize("name", BY_TURN)
def test_moves_from_the_end_of_a_play(name: str) -> None:
    expected = json.loads((GOLDEN / f"{name}.turns.json").read_text(encoding="utf-8"))
    *_, last = states(name)
    assert [leaves(last, depth) for depth in (1, 2, 3, 4)] == expected["leaves"]
    assert [sum(1 for _ in floors.legal_moves(last, seat)) for seat in range(4)] == expected["platforms"]


def test_all_the_golden_plays_are_here() -> None:
    assert [path.stem for path in JOURNALS] == [
        "beside_the_lane", "by_agreement", "four_play_25_turns", "four_play_on_felt", "four_players_to_the_end",
        "three_players_house_rules", "two_players_eighteen_blocks",
    ]  # fmt: skip
