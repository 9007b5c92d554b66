"""Moves as text, and every refusal and event as a sentence."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.games.casa_grande import moves, rules
from companion.games.casa_grande.wording import EVENTS, HANDS, PROMPTS, REFUSALS

FOLDER = Path(moves.__file__).parent


@pytest.mark.parametrize(
    "text",
    [
        "A rolls 4", "D steps 0", "B builds 3,4", "C floors T5 1,2! 1,3 1,4! 2,3 3,3!", "A floors * 1,2! 1,3",
        "A floors O4 6,7 6,8 7,7! 7,8", "A done",
    ],
)  # fmt: skip
def test_a_move_is_written_as_it_was_read(text: str) -> None:
    assert rules.write(rules.read(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "A", "A rolls", "A rolls x", "A rolls -1", "A rolls 1 2", "a rolls 1", "A rolls 123", "A builds 3",
        "A builds 3,4!", "A builds 3,4 3,5", "A floors", "A floors T5",
        "A floors T5 1,2!!", "A floors T5 1,2! 1,2", "A floors 5T 1,2!",
        "A done now", "K done", "A steps \u00b2", "A builds \uff13,4", "A floors T5 1,2! x",
    ],
)  # fmt: skip
def test_what_is_no_move_is_said_so(text: str) -> None:
    with pytest.raises(NotationError):
        rules.read(text)


def test_squares_may_be_named_in_any_order() -> None:
    assert rules.read("A floors * 1,3 1,2!") == rules.read("A floors * 1,2! 1,3")


def named(kind: str) -> set[str]:
    """The first arguments of all calls of `Refusal` or `Event` in the game's modules, where they are texts."""
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if called in (kind, "_at" if kind == "Refusal" else kind):
                found |= {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    return {name for name in found if isinstance(name, str) and re.fullmatch(r"[a-z_]+", name)}


def test_every_refusal_and_event_has_a_sentence() -> None:
    assert named("Refusal") - {"_first"} <= set(REFUSALS)
    assert named("Event") - {"_block", "_floor"} <= {*EVENTS, *PROMPTS, *HANDS}
    for phase in ("roll", "step", "block", "floor"):
        assert f"{phase}_first" in REFUSALS
    for sentence in (*REFUSALS.values(), *EVENTS.values(), *PROMPTS.values(), *HANDS.values()):
        assert sentence.endswith(".")


def test_a_refusal_begins_with_its_rule() -> None:
    assert not [sentence for sentence in REFUSALS.values() if ":" not in sentence]
