from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import pytest

from companion import journal_text
from companion.errors import JournalError
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Adjusted, Amended, Entry, Journal, Played, Undone, replay, stand

RULES = GAMES["cassa-grande"].rules
BY_NAME = {name: game.rules for name, game in GAMES.items()}

ODD_NAMES = [
    "Zoë",
    "Łukasz",
    "山田",
    'The "Ace"',
    "a: b",
    "#1",
    "tab\there",
    "two\nlines",
    "\u2028",
    "\x85",
    "\\",
    "'",
    "🂡",
    "\x1b[31m",
    "\x00",
]


def journal(*entries: Entry[Any]) -> Journal[Any, Any]:
    return Journal("cassa-grande", Setup(), {}, entries)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_and_reasons_survive(name: str) -> None:
    whole: Journal[Any, Any] = Journal("cassa-grande", Setup(), {0: name, 3: name}, (Adjusted(0, -5, name),))
    assert journal_text.read(journal_text.write(RULES, whole), BY_NAME) == whole


def test_text_form() -> None:
    whole = Journal(
        "cassa-grande",
        Setup(players=2, variants=frozenset("AC")),
        {0: "Zoë"},
        (Played(Placed(0, (0, 0), "4")), Undone(), Adjusted(2, 10, "a gift")),
    )
    assert journal_text.write(RULES, whole).splitlines() == [
        "game: cassa-grande",
        'seat A: "Zoë"',
        "players: 2",
        "variants: A C",
        "",
        "A 0,0 4",
        "undo",
        'adjust C +10 "a gift"',
    ]


def test_comments_and_blank_lines_are_for_people() -> None:
    header = "# An evening\n\n# at Zoë's\ngame: cassa-grande\n# two of us\nplayers: 2\n"
    text = f"{header}\n# begin\nA 0,0 ?\n\n  C 0,1 ?  \n#A 9,9 ?\n"
    whole = journal_text.read(text, BY_NAME)
    assert whole.entries == (Played(Placed(0, (0, 0))), Played(Placed(2, (0, 1))))
    assert [journal_text.line_of_entry(text, entry) for entry in (0, 1)] == [9, 11]
    assert whole.revision == 2


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("", 1, "does not name its game"),
        ("players: 4\n\nA 0,0 ?", 1, "does not name its game"),
        ("game: chess\n", 1, "The game 'chess' is not known: use cassa-grande or casa-grande."),
        ("# x\ngame: cassa-grande\nplayers: 3\n", 3, "for 2 or 4 players, not 3"),
        ("game: cassa-grande\ncolour: red\n", 2, "colour is not a setting"),
        ("game: cassa-grande\nplayers: 2\nplayers: 4\n", 3, "players is given twice"),
        ("game: cassa-grande\nA 0,0 ?\n", 2, "is not a header line"),
        ('game: cassa-grande\nplayers: 2\nseat B: "Zoë"\n', 3, "Seat B does not play: name one of A or C."),
        ("game: cassa-grande\nseat A: Zoë\n", 2, "is not a text in double quotes"),
        ("game: cassa-grande\nseat A: 5\n", 2, "is not a text in double quotes"),
        ('game: cassa-grande\nseat Z: "x"\n', 2, "'Z' is not a seat"),
        ("game: cassa-grande\n\nA 0,0 ?\nB 0,1 7\n", 4, "'B 0,1 7' is not a move of Cassa Grande"),
        ("game: cassa-grande\n\nadjust A 5\n", 3, "is not a move"),
        ("game: cassa-grande\n\nadjust A 5 why\n", 3, "is not a text in double quotes"),
        ('game: cassa-grande\n\nadjust Z 5 "why"\n', 3, "'Z' is not a seat"),
    ],
)
def test_what_is_no_journal_is_refused_with_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(JournalError) as caught:
        journal_text.read(text, BY_NAME)
    assert caught.value.line == line
    assert sentence in caught.value.sentence
    assert str(caught.value) == f"Line {line}: {caught.value.sentence}"


def test_undo_takes_back_the_last_entry_that_holds() -> None:
    first, second = Played(Placed(0, (0, 0))), Played(Placed(1, (0, 1)))
    gift = Adjusted(0, 7, "gift")
    result = replay(RULES, journal(first, second, gift, Undone(), Undone(), second, gift))
    assert result.refused is None
    assert [card.cell for card in result.state.layout] == [(0, 0), (0, 1)]
    assert result.sheets[-1].total(0) == 7
    assert [event.name for event in result.events] == ["placed_face_down", "placed_face_down"]


@pytest.mark.parametrize(
    ("entries", "number", "rule"),
    [
        ((Undone(),), 0, "nothing_to_undo"),
        ((Adjusted(0, 1, "x"), Undone(), Undone()), 2, "nothing_to_undo"),
        ((Adjusted(4, 1, "x"),), 0, "no_such_seat"),
        ((Played(Placed(0, (0, 0))), Played(Placed(1, (2, 2))), Undone()), 1, "touch"),
    ],
)
def test_a_replay_stops_before_what_is_refused(entries: tuple[Entry[Any], ...], number: int, rule: str) -> None:
    result = replay(RULES, journal(*entries))
    assert result.refused is not None
    assert (result.refused.entry, result.refused.refusal.rule) == (number, rule)
    before = replay(RULES, journal(*entries[:number]))
    assert (result.state, result.sheets, result.events) == (before.state, before.sheets, before.events)


def peak_bytes(entries: tuple[Entry[Any], ...]) -> int:
    whole = journal(*entries)
    tracemalloc.start()
    try:
        assert replay(RULES, whole).refused is None
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_journal_of_adjustments_takes_memory_by_the_line_and_not_by_its_square() -> None:
    gifts = tuple(Adjusted(0, 1, "x") for _ in range(4000))
    assert peak_bytes(gifts) < 8 * peak_bytes(gifts[:1000])
    assert peak_bytes(gifts + (Undone(),) * 4000) < 8 * peak_bytes(gifts[:1000])


def test_a_step_keeps_no_more_than_its_own_events() -> None:
    moves = [Played(Placed(number % 4, (0, number))) for number in range(6)]
    put_in = journal(*moves, Adjusted(0, 1, "x"), Adjusted(1, 1, "y"))
    standing, refused = stand(RULES, put_in)
    assert refused is None
    assert [len(step.events) for step in standing.steps] == [0, 1, 1, 1, 1, 1, 1, 0, 0]
    assert [step.number for step in standing.steps] == [-1, *range(8)]
    result = replay(RULES, put_in)
    assert len(result.events) == 6
    assert [line.facts["reason"] for line in result.sheets[-1].lines if line.rule == "adjusted"] == ["x", "y"]


def test_what_was_taken_back_can_be_put_in_again_until_the_play_takes_another_course() -> None:
    a, b, other = (Played(Placed(0, (0, 0))), Played(Placed(1, (0, 1))), Played(Placed(1, (1, 0))))
    back = stand(RULES, journal(a, b, Undone(), Undone()))[0]
    assert [taken.entry for taken in back.taken_back] == [b, a]
    again = stand(RULES, journal(a, b, Undone(), Undone(), a))[0]
    assert [taken.entry for taken in again.taken_back] == [b]
    assert stand(RULES, journal(a, b, Undone(), other))[0].taken_back == ()


def test_an_amendment_is_one_entry_and_one_undo() -> None:
    a, b, c = (Played(Placed(seat, (0, seat))) for seat in range(3))
    amended = Amended(1, Placed(1, (1, 1)))
    result = replay(RULES, journal(a, b, c, amended))
    assert [card.cell for card in result.state.layout] == [(0, 0), (1, 1), (0, 2)]
    assert replay(RULES, journal(a, b, c, amended, Undone())) == replay(RULES, journal(a, b, c))
    assert replay(RULES, journal(a, b, c, amended, Undone(), Undone())) == replay(RULES, journal(a, b))
    home = stand(RULES, journal(a, b, c, amended, *(Undone(),) * 4))[0]
    assert (home.undoable, home.revision) == (0, 8)
    again = journal(a, b, c, amended, *(Undone(),) * 4, a, b, c, amended)
    assert replay(RULES, again) == result
    assert stand(RULES, again)[0].taken_back == ()


@pytest.mark.parametrize("position", [-1, 2, 3, 10**9])
def test_only_a_move_that_holds_can_be_amended(position: int) -> None:
    a, b = Played(Placed(0, (0, 0))), Played(Placed(1, (0, 1)))
    refused = replay(RULES, journal(a, b, Adjusted(0, 1, "x"), Amended(position, Placed(1, (1, 1))))).refused
    assert refused is not None
    assert (refused.entry, refused.refusal.rule) == (3, "nothing_to_amend")


def test_an_old_journal_reads_as_ever_and_new_entries_have_a_line_of_their_own() -> None:
    lines = ["A 0,0 ?", "undo", "agreed C 0,3 ?", "amend 1 A 0,0 4", "amend 12 agreed A 0,9 ?"]
    whole = journal_text.read("game: cassa-grande\n\n" + "\n".join(lines), BY_NAME)
    assert whole.entries == (
        Played(Placed(0, (0, 0))),
        Undone(),
        Played(Placed(2, (0, 3)), agreed=True),
        Amended(0, Placed(0, (0, 0), "4")),
        Amended(11, Placed(0, (0, 9)), agreed=True),
    )
    assert [journal_text.write_entry(RULES, entry) for entry in whole.entries] == lines


@pytest.mark.parametrize(
    "line", ["amend 0 A 0,0 4", "amend A 0,0 4", "amend 1 undo", "agreed agreed A 0,0 4", "agreed"]
)
def test_an_amendment_that_makes_no_sense_is_no_move(line: str) -> None:
    with pytest.raises(JournalError, match="is not a move of Cassa Grande"):
        journal_text.read(f"game: cassa-grande\n\n{line}", BY_NAME)


def test_a_standing_goes_on_where_it_was() -> None:
    put_in = journal(*(Played(Placed(number % 4, (0, number))) for number in range(6)))
    half = replace(put_in, entries=put_in.entries[:3])
    assert stand(RULES, put_in, stand(RULES, half)[0]) == stand(RULES, put_in)


@pytest.mark.parametrize("value", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "-" + "9" * 100_000])
@pytest.mark.parametrize("line", ["seat A: {}", "\nadjust A 5 {}"])
def test_a_value_that_is_no_text_is_refused_however_deep_or_long(line: str, value: str) -> None:
    with pytest.raises(JournalError, match="is not a text in double quotes") as caught:
        journal_text.read("game: cassa-grande\n" + line.format(value), BY_NAME)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "game: " + "x" * 100_000,
        "game: cassa-grande\n" + "x" * 100_000 + ": 4",
        "game: cassa-grande\n" + 2 * ("x" * 100_000 + ": 4\n"),
        "game: cassa-grande\nplayers: " + "9" * 100_000,
        "game: cassa-grande\nvariants: " + "X" * 100_000,
        "game: cassa-grande\ndeck: " + "8" * 100_000,
        "game: cassa-grande\nseat " + "A" * 100_000 + ': "x"',
        "game: cassa-grande\n\n" + "x" * 100_000,
        "game: cassa-grande\n\n" + "\x1b" * 100_000,
    ],
)
def test_a_long_line_is_not_repeated_in_full(text: str) -> None:
    with pytest.raises(JournalError, match=r"\.$") as caught:
        journal_text.read(text, BY_NAME)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_the_files_name_is_named_when_it_is_known() -> None:
    with pytest.raises(JournalError) as caught:
        journal_text.read("game: cassa-grande\nplayers: 3\n", BY_NAME, "an\nevening.txt")
    assert (caught.value.source, caught.value.line) == ("an\nevening.txt", 2)
    assert str(caught.value) == f"an evening.txt, line 2: {caught.value.sentence}"
