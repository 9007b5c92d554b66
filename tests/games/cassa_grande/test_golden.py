"""Journals of whole plays, and what came out of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import journal_text
from companion.games import GAMES
from companion.journal import replay
from companion.rules import write_seat

GOLDEN = Path(__file__).parent / "golden"
JOURNALS = sorted(GOLDEN.glob("*.txt"))
RULES = GAMES["cassa-grande"].rules


def outcome(text: str) -> dict[str, Any]:
    result = replay(RULES, journal_text.read(text, {"cassa-grande": RULES}))
    refused = result.refused
    return {
        "sheets": [
            {
                "title": sheet.title,
                "totals": {write_seat(seat): total for seat, total in sheet.totals().items()},
                "ranks": {write_seat(seat): rank for seat, rank in sheet.ranks().items()},
            }
            for sheet in result.sheets
        ],
        "grids": [list(finished.rows) for finished in result.state.rounds],
        "starters": [write_seat(finished.starter) for finished in result.state.rounds],
        "last_event": result.events[-1].name,
        "refused": [journal_text.line_of_entry(text, refused.entry), refused.refusal.rule] if refused else None,
    }


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_ends_as_it_did(path: Path) -> None:
    assert outcome(path.read_text(encoding="utf-8")) == json.loads(
        path.with_suffix(".json").read_text(encoding="utf-8")
    )


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_is_written_as_it_was_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    assert journal_text.write(RULES, journal_text.read(text, {"cassa-grande": RULES})) == "\n".join(lines)


def test_the_worked_example_has_the_digests_totals() -> None:
    found = json.loads((GOLDEN / "worked_example.json").read_text(encoding="utf-8"))
    assert found["sheets"][0]["totals"] == {"A": 35344, "B": 15448, "C": 401567, "D": 230626}


def test_all_the_golden_plays_are_here() -> None:
    assert [path.stem for path in JOURNALS] == [
        "every_variant", "house_rules", "past_the_frame", "two_players_three_rounds", "worked_example",
    ]  # fmt: skip
