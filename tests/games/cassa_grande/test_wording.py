"""Every rule that can refuse, and every event and score rule, has its sentence; and no sentence is left over."""

from __future__ import annotations

import re
from pathlib import Path

import companion.games.cassa_grande as package
from companion.games.cassa_grande.state import Phase
from companion.games.cassa_grande.wording import SENTENCES

SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(package.__path__[0]).glob("*.py")))


def test_refusals() -> None:
    named = set(re.findall(r'Refusal\(\s*"(\w+)"', SOURCE)) | {f"{phase}_first" for phase in Phase}
    named |= set(re.findall(r'Refusal\("(\w+)" if .* else "\w+"', SOURCE))
    named |= set(re.findall(r'Refusal\("\w+" if .* else "(\w+)"', SOURCE))
    assert named - {"over_first"} == set(SENTENCES.refusals)


def test_events() -> None:
    named = set(re.findall(r'Event\("(\w+)"', SOURCE)) | {"placed_face_down", "round_won", "round_tied"}
    assert named == set(SENTENCES.events)


def test_refusals_name_their_rule_and_end_with_a_full_stop() -> None:
    for rule, sentence in SENTENCES.refusals.items():
        assert re.match(r"[A-Z{][^.]{3,}(: | first)", sentence), rule
        assert len(sentence) < 125, rule
        if rule != "grid_rows":
            assert sentence.endswith("."), rule
