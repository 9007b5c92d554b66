from __future__ import annotations

import pytest

from companion.games.cassa_grande.wording import SENTENCES
from companion.rules import Event, Refusal
from companion.score import ScoreLine
from companion.wording import event_sentence, line_sentence, listed, refusal_sentence, seat_name


def test_a_seat_goes_by_its_players_name_or_its_letter() -> None:
    assert seat_name(0) == "A"
    assert seat_name(2, {0: "Zoë"}) == "C"
    assert seat_name(0, {0: "Zoë"}) == "Zoë"


def test_sentences_name_the_players() -> None:
    refusal = Refusal("swap_empty_hand", {"seat": 0, "other": 2})
    assert refusal_sentence(SENTENCES, refusal, {0: "{Zoë}"}) == (
        "Variant B: C has no card in hand; {Zoë} chooses another opponent."
    )
    event = Event("comma_back", {"seat": 3})
    assert event_sentence(SENTENCES, event, {3: "山田"}) == "山田 has only the comma left and takes it back."


def test_an_adjustment_says_that_it_was_agreed() -> None:
    line = ScoreLine(0, -10, "adjusted", {"reason": "looked at a card"})
    assert line_sentence(SENTENCES, line) == "-10 by agreement: looked at a card"


def test_listed() -> None:
    assert [listed(words) for words in ((), ("A",), ("A", "B"), ("A", "B", "C"))] == ["", "A", "A or B", "A, B or C"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two\nlines", "two lines"),
        ("tab\there\u2028and\x85there", "tab here and there"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("Zoë 山田 🂡", "Zoë 山田 🂡"),
        ("\u0645\u06cc\u200c\u0646\u0627", "\u0645\u06cc\u200c\u0646\u0627"),
        ("\n", "A"),
    ],
)
def test_names_are_shown_on_one_line_and_cannot_command_a_terminal(name: str, shown: str) -> None:
    assert seat_name(0, {0: name}) == shown
    assert event_sentence(SENTENCES, Event("comma_back", {"seat": 0}), {0: name}).startswith(f"{shown} has only")


def test_reasons_are_shown_on_one_line_and_cannot_command_a_terminal() -> None:
    line = ScoreLine(0, 5, "adjusted", {"reason": "x\ny\x1b[31m"})
    assert line_sentence(SENTENCES, line) == "+5 by agreement: x y\\x1b[31m"


def test_a_hand_that_holds_control_characters_is_refused_in_a_harmless_sentence() -> None:
    refusal = Refusal("deal_deck", {"face": "\x1b", "count": 1, "deck": "4x0"})
    assert refusal_sentence(SENTENCES, refusal).isprintable()
