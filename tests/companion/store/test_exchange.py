from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion import journal_text
from companion.errors import CompanionError, DataError, JournalError, StoreError
from companion.exchange import COLUMNS, Taken, results_csv, take_json, take_text, to_json, to_text
from companion.games import GAMES
from companion.journal import Adjusted, Journal, Played, Undone, replay
from companion.kept import Kept
from companion.store import Store

Made = Callable[..., Any]

RULES = {name: game.rules for name, game in GAMES.items()}
SENTENCES = {name: game.sentences for name, game in GAMES.items()}
GOLDEN = Path(__file__).parents[2] / "games" / "cassa_grande" / "golden"


@pytest.fixture
def store(opened: Made) -> Store:
    return opened()  # type: ignore[no-any-return]


@pytest.fixture
def elsewhere(opened: Made, tmp_path: Path) -> Store:
    return opened(tmp_path / "elsewhere.db")  # type: ignore[no-any-return]


@pytest.fixture
def evening(store: Store, start: datetime) -> Journal[Any, Any]:
    """A finished play with two names, in the store as "evening"; its entries came one by one."""
    journal = journal_text.read((GOLDEN / "two_players_three_rounds.txt").read_text(encoding="utf-8"), RULES)
    store.begin("evening", Journal(journal.game, journal.setup, journal.names), start)
    entries = [Kept(entry, start + timedelta(minutes=n), n / 4) for n, entry in enumerate(journal.entries)]
    store.append("evening", 0, entries, replay(RULES[journal.game], journal).sheets[-1])
    store.note("evening", 'at "Zoë\'s"\nwith tea')
    return journal


def contents(store: Store) -> Any:
    return store.plays(), [store.whole(play.id) for play in store.plays()]


def test_json_brings_back_all_that_is_kept_and_twice_adds_nothing(
    store: Store, elsewhere: Store, evening: Journal[Any, Any], journal: Made, kept: Made, start: datetime
) -> None:
    store.begin("open", journal("Ana"), start + timedelta(days=1))
    store.append("open", 0, [*kept(2), Kept(Undone(), start, 0.0), Kept(Adjusted(0, 3, "\n\x00"), start, 0.1)])
    store.leave("open")
    text = to_json(store)
    assert take_json(elsewhere, text, SENTENCES) == (Taken("evening", evening.revision), Taken("open", 4))
    assert contents(elsewhere) == contents(store)
    assert take_json(elsewhere, text, SENTENCES) == (Taken("evening", None), Taken("open", None))
    assert take_json(store, text, SENTENCES) == (Taken("evening", None), Taken("open", None))
    assert contents(elsewhere) == contents(store)
    assert to_json(elsewhere) == text


def test_rolls_go_out_with_their_play_and_come_in_once(
    store: Store, elsewhere: Store, evening: Journal[Any, Any], start: datetime
) -> None:
    for number, pips in enumerate((6, 6, 1, 3)):
        store.rolled("evening", pips, "led", start + timedelta(seconds=number // 2))
    store.rolled(None, 5, "typed", start)
    text = to_json(store)
    assert take_json(elsewhere, text, SENTENCES) == (Taken("evening", evening.revision),)
    assert elsewhere.rolls("evening") == store.rolls("evening")
    assert elsewhere.rolls() == store.rolls("evening"), "a roll of no play stays where it was made"
    assert take_json(elsewhere, text, SENTENCES) == (Taken("evening", None),)
    assert to_json(elsewhere) == text
    store.rolled("evening", 6, "led", start)
    assert take_json(elsewhere, to_json(store), SENTENCES) == (Taken("evening", 0),)
    assert sorted(roll.pips for roll in elsewhere.rolls()) == [1, 3, 6, 6, 6]
    assert take_json(elsewhere, text, SENTENCES) == (Taken("evening", None),)
    assert elsewhere.plays() == store.plays()


def test_a_play_from_before_rolls_went_out_comes_in(store: Store, elsewhere: Store, evening: Journal[Any, Any]) -> None:
    data = json.loads(to_json(store))
    del data["plays"][0]["rolls"]
    assert take_json(elsewhere, json.dumps(data), SENTENCES) == (Taken("evening", evening.revision),)
    assert contents(elsewhere) == contents(store)


@pytest.mark.parametrize(
    ("roll", "sentence"),
    [
        ({"pips": 7}, 'Play 1: Roll 1: "pips" must be from 1 to 6, not 7.'),
        ({"pips": True}, 'Play 1: Roll 1: "pips" must be from 1 to 6, not True.'),
        ({"pips": "6"}, "Play 1: Roll 1: \"pips\" must be a whole number, not '6'."),
        ({"wall": "noon"}, "Play 1: Roll 1: \"wall\": 'noon' is not a date"),
        ({"source": None}, 'Play 1: Roll 1: "source" must be a text, not None.'),
    ],
)
def test_a_roll_that_no_die_shows_is_refused(
    store: Store, elsewhere: Store, evening: Journal[Any, Any], start: datetime, roll: dict[str, Any], sentence: str
) -> None:
    assert evening.revision
    store.rolled("evening", 6, "led", start)
    data = json.loads(to_json(store))
    data["plays"][0]["rolls"][0] |= roll
    with pytest.raises(DataError) as caught:
        take_json(elsewhere, json.dumps(data), SENTENCES)
    assert str(caught.value).startswith(sentence)
    assert elsewhere.plays() == ()


def test_chosen_plays_go_out(store: Store, evening: Journal[Any, Any], journal: Made, start: datetime) -> None:
    store.begin("other", journal(), start)
    data = json.loads(to_json(store, ["evening"]))
    assert [play["id"] for play in data["plays"]] == ["evening"]
    (play,) = data["plays"]
    assert play["names"] == {"A": "山田", "C": 'O"Neil'}
    assert play["totals"].keys() == play["ranks"].keys() == {"A", "C"}
    assert len(play["entries"]) == evening.revision
    assert play["entries"][1] == {"entry": "A -1,1 3", "wall": "2026-11-30T20:16:00+00:00", "spent_s": 0.25}
    assert play["seconds"] == sum(n / 4 for n in range(evening.revision))


def test_a_text_journal_goes_out_and_in(store: Store, elsewhere: Store, evening: Journal[Any, Any]) -> None:
    text = to_text(store, "evening")
    assert text.startswith("# play: evening\n# started: 2026-11-30T20:15:00+00:00\n# finished: ")
    assert journal_text.read(text, RULES) == evening
    later = store.plays()[0].started + timedelta(days=9)
    assert take_text(elsewhere, text, later, SENTENCES) == Taken("evening", evening.revision)
    (here,), (there,) = store.plays(), elsewhere.plays()
    assert (there.started, there.finished, there.note) == (here.started, here.finished, here.note)
    assert (there.totals, there.ranks, there.names) == (here.totals, here.ranks, here.names)
    assert take_text(elsewhere, text, later, SENTENCES) == Taken("evening", None)
    assert take_json(elsewhere, to_json(store), SENTENCES) == (Taken("evening", None),)
    assert len(elsewhere.plays()) == 1


def test_a_text_without_an_id_is_known_by_its_journal(
    store: Store, elsewhere: Store, evening: Journal[Any, Any], start: datetime
) -> None:
    text = journal_text.write(RULES["cassa-grande"], evening)
    assert take_text(store, text, start, SENTENCES) == Taken("evening", None)
    first = take_text(elsewhere, text, start, SENTENCES)
    assert first.added == evening.revision
    assert take_text(elsewhere, f"# seen again\n{text}\n\n", start + timedelta(days=1), SENTENCES) == Taken(
        first.play, None
    )
    (play,) = elsewhere.plays()
    assert play.finished == play.started == start
    assert play.totals == store.plays()[0].totals


def test_an_unfinished_play_from_elsewhere_is_left_until_it_is_played_on(
    store: Store, elsewhere: Store, journal: Made, kept: Made, start: datetime
) -> None:
    elsewhere.begin("here", journal(), start)
    store.begin("there", journal("Ana"), start + timedelta(days=1))
    store.append("there", 0, kept(2))
    take_json(elsewhere, to_json(store), SENTENCES)
    offered = elsewhere.unfinished()
    assert offered is not None
    assert offered.id == "here"
    elsewhere.append("there", 2, kept(1, 2))
    assert [(play.id, play.left) for play in elsewhere.plays()] == [("there", False), ("here", True)]


def test_a_play_that_went_on_brings_what_is_new_and_an_older_state_of_it_nothing(
    store: Store, elsewhere: Store, journal: Made, kept: Made, start: datetime
) -> None:
    store.begin("p", journal("Ana"), start)
    store.append("p", 0, kept(2))
    older = to_json(store)
    take_json(elsewhere, older, SENTENCES)
    store.append("p", 2, kept(2, 2))
    assert take_json(elsewhere, to_json(store), SENTENCES) == (Taken("p", 2),)
    assert elsewhere.load("p") == store.load("p")
    assert take_json(elsewhere, older, SENTENCES) == (Taken("p", None),)
    assert elsewhere.load("p") == store.load("p")


def test_the_same_id_with_other_entries_is_refused(
    store: Store, elsewhere: Store, journal: Made, start: datetime
) -> None:
    for place, first in ((store, 0), (elsewhere, 1)):
        place.begin("p", journal("Ana"), start)
        place.append("p", 0, [Kept(Adjusted(0, first, "x"), start, 0.0)])
    before = contents(elsewhere)
    with pytest.raises(StoreError, match="The play 'p' is kept here with other entries, and was not changed"):
        take_json(elsewhere, to_json(store), SENTENCES)
    assert contents(elsewhere) == before


def test_what_the_rules_refuse_is_not_taken(store: Store, start: datetime) -> None:
    text = "# an evening\ngame: cassa-grande\n\nA 0,0 ?\nB 5,5 ?\n"
    with pytest.raises(JournalError, match=r"^evening\.txt, line 5: ") as caught:
        take_text(store, text, start, SENTENCES, "evening.txt")
    assert "Touch rule: a card on 5,5 touches no other" in str(caught.value)
    data = json.loads(GOOD)
    data["plays"][0]["entries"] *= 2
    with pytest.raises(DataError, match=r"^plays\.json: Play 1: Entry 2: ") as refused:
        take_json(store, json.dumps(data), SENTENCES, "plays.json")
    assert refused.value.problems[0][0] == "entries"
    assert store.plays() == ()


def test_a_forged_result_is_not_believed(store: Store, elsewhere: Store, evening: Journal[Any, Any]) -> None:
    data = json.loads(to_json(store))
    data["plays"][0]["totals"] = {"A": 999, "C": -1}
    take_json(elsewhere, json.dumps(data), SENTENCES)
    assert elsewhere.plays()[0].totals == replay(RULES["cassa-grande"], evening).sheets[-1].totals()


GOOD = json.dumps(
    {
        "format": "table-companion plays",
        "version": 1,
        "plays": [
            {
                "id": "p",
                "game": "cassa-grande",
                "setup": {"players": "4"},
                "names": {"A": "Ana"},
                "started": "2026-11-30T20:15:00+01:00",
                "finished": None,
                "note": "",
                "entries": [{"entry": "A 0,0 ?", "wall": "2026-11-30T20:16:00Z", "spent_s": 3}],
            }
        ],
    }
)


def test_other_programs_may_leave_out_totals_and_write_other_time_zones(store: Store, start: datetime) -> None:
    assert take_json(store, GOOD, SENTENCES) == (Taken("p", 1),)
    play = store.plays()[0]
    assert (play.started, play.names, play.play_s, play.left) == (start - timedelta(hours=1), {0: "Ana"}, 3.0, True)


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        ("format", "BG Stats", 'the key "format" must be'),
        ("version", 2, "was written by a newer companion: update this one"),
        ("version", "1", '"version" must be a whole number'),
        ("plays", {}, '"plays" must be a list, not a table'),
        ("plays.0", 5, 'Play 1: The key "id" is missing'),
        ("plays.0.id", "", "Play 1: '' is not the id of a play"),
        ("plays.0.id", "../../x", "is not the id of a play"),
        ("plays.0.id", 7, '"id" must be a text, not 7'),
        ("plays.0.game", "chess", "The game 'chess' is not known: use cassa-grande"),
        ("plays.0.setup", {"players": "3"}, "Play 1: Cassa Grande is for 2 or 4 players, not 3"),
        ("plays.0.setup", {"players": 4}, 'What the object "setup" holds must be texts'),
        ("plays.0.names", {"Z": "x"}, "Play 1: 'Z' is not a seat"),
        ("plays.0.names", {"E": "x"}, "Play 1: Seat E does not play: name one of A, B, C or D"),
        ("plays.0.names", {"A": None}, 'What the object "names" holds must be texts'),
        ("plays.0.started", "yesterday", "\"started\": 'yesterday' is not a date such as 2026-11-30T20:15:00+01:00"),
        ("plays.0.started", "2026-11-30T20:15:00", "is not a date such as"),
        ("plays.0.started", "0001-01-01T00:00:00+14:00", "is not a date such as"),
        ("plays.0.finished", 5, '"finished" must be a text, not 5'),
        ("plays.0.note", None, '"note" must be a text, not None'),
        ("plays.0.entries.0", "A 0,0 ?", 'Play 1: Entry 1: The key "entry" is missing'),
        ("plays.0.entries.0.entry", "B9", "Play 1: Entry 1: 'B9' is not a move"),
        ("plays.0.entries.0.spent_s", -1, '"spent_s" must be seconds, from 0'),
        ("plays.0.entries.0.spent_s", True, '"spent_s" must be seconds'),
        ("plays.0.entries.0.spent_s", float("nan"), '"spent_s" must be seconds'),
        ("plays.0.entries.0.spent_s", float("inf"), '"spent_s" must be seconds'),
        ("plays.0.entries.0.spent_s", 10**400, '"spent_s" must be seconds'),
        ("plays.0.entries.0.spent_s", 1e308, '"spent_s" must be seconds, from 0 to 31622400'),
        ("plays.0.entries.0.wall", "", "is not a date"),
    ],
)
def test_json_that_holds_something_else_is_refused_with_its_place(
    store: Store, place: str, value: object, sentence: str
) -> None:
    data = json.loads(GOOD)
    *way, last = [int(key) if key.isdigit() else key for key in place.split(".")]
    within = data
    for key in way:
        within = within[key]
    within[last] = value
    with pytest.raises(DataError) as caught:
        take_json(store, json.dumps(data), SENTENCES, "plays.json")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("plays.json: ")
    assert str(caught.value).endswith(".")
    assert store.plays() == ()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "5", "[" * 100_000, "9" * 5000, '{"format": 5}'])
def test_what_is_not_our_json_is_refused(store: Store, text: str) -> None:
    with pytest.raises(DataError, match="table-companion plays"):
        take_json(store, text, SENTENCES)


def test_half_a_character_from_elsewhere_is_refused(store: Store) -> None:
    with pytest.raises(CompanionError, match="cannot be kept"):
        take_json(store, GOOD.replace("Ana", "\\ud800"), SENTENCES)
    assert store.plays() == ()


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("# play: a b", "'a b' is not the id of a play"),
        ("# started: soon", "'soon' is not a date such as"),
        ("# note: tea", "'tea' is not a text in double quotes"),
    ],
)
def test_a_comment_of_ours_that_was_spoilt_is_named(store: Store, start: datetime, comment: str, sentence: str) -> None:
    with pytest.raises(JournalError, match=r"^x\.txt, line 2: ") as caught:
        take_text(store, f"# hello\n{comment}\ngame: cassa-grande\n", start, SENTENCES, "x.txt")
    assert sentence in str(caught.value)


def test_comments_below_the_header_are_for_people(store: Store, start: datetime) -> None:
    text = "game: cassa-grande\n# play: a b\n\n# started: soon\nA 0,0 ?\n"
    assert take_text(store, text, start, SENTENCES).added == 1


def test_results_have_the_same_columns_whatever_was_played(
    store: Store, evening: Journal[Any, Any], journal: Made, kept: Made, sheet: Made, start: datetime
) -> None:
    assert evening.revision > 0
    store.begin("big", journal("Ana", "", 'The, "Ace"\n'), start + timedelta(days=1))
    store.append("big", 0, kept(2), sheet(40, 40, 30, 20))
    store.begin("open", journal("Ana"), start + timedelta(days=2))
    header, *lines = csv.reader(io.StringIO(results_csv(store), newline=""))
    assert tuple(header) == COLUMNS
    assert {len(line) for line in lines} == {len(COLUMNS)}
    found = [dict(zip(header, line, strict=True)) for line in lines]
    assert [(line["play"], line["seat"]) for line in found] == [
        ("evening", "A"), ("evening", "C"), ("big", "A"), ("big", "B"), ("big", "C"), ("big", "D"),
    ]  # fmt: skip
    assert [(line["total"], line["rank"], line["won"]) for line in found[2:]] == [
        ("40", "1", "1"), ("40", "1", "1"), ("30", "3", "0"), ("20", "4", "0"),
    ]  # fmt: skip
    assert found[4]["player"] == 'The, "Ace"\n'
    assert found[0]["note"] == 'at "Zoë\'s"\nwith tea'
    assert (found[2]["started"], found[2]["finished"]) == ("2026-12-01T20:15:00+00:00", "2026-11-30T20:16:00+00:00")
    assert (found[2]["seconds"], found[2]["sheet"], found[0]["sheet"]) == ("20", "Round 1", "Standing")


def test_without_plays_the_results_are_a_header(store: Store) -> None:
    assert results_csv(store) == ",".join(COLUMNS) + "\r\n"
    assert take_json(store, to_json(store), SENTENCES) == ()


@pytest.mark.usefixtures("evening")
def test_a_play_that_is_over_is_finished_without_a_date(store: Store, elsewhere: Store) -> None:
    data = json.loads(to_json(store))
    last = data["plays"][0]["entries"][-1]["wall"]
    data["plays"][0]["finished"] = None
    take_json(elsewhere, json.dumps(data), SENTENCES)
    finished = elsewhere.plays()[0].finished
    assert finished is not None
    assert finished.isoformat() == last


def test_a_play_that_the_table_ended_early_stays_finished(
    store: Store, elsewhere: Store, journal: Made, kept: Made, sheet: Made, start: datetime
) -> None:
    store.begin("p", journal("Ana"), start)
    store.append("p", 0, kept(1))
    store.finish("p", start + timedelta(hours=1), sheet(0, 0, 0, 0))
    take_json(elsewhere, to_json(store), SENTENCES)
    play = elsewhere.plays()[0]
    assert (play.finished, play.ranks) == (start + timedelta(hours=1), {0: 1, 1: 1, 2: 1, 3: 1})
    assert isinstance(elsewhere.load("p")[0].entries[0], Played)


def test_a_key_that_is_given_twice_is_refused(store: Store) -> None:
    with pytest.raises(DataError, match="The key 'note' is given twice"):
        take_json(store, GOOD.replace('"note"', '"note": "", "note"', 1), SENTENCES)
    assert store.plays() == ()


def test_texts_may_begin_with_a_byte_order_mark(store: Store, elsewhere: Store, evening: Journal[Any, Any]) -> None:
    assert take_json(elsewhere, "\ufeff" + to_json(store), SENTENCES) == (Taken("evening", evening.revision),)
    assert take_text(elsewhere, "\ufeff" + to_text(store, "evening"), evening_start(store), SENTENCES).added is None


def evening_start(store: Store) -> datetime:
    return store.whole("evening").started


def test_a_negative_zero_is_no_damage(store: Store, elsewhere: Store) -> None:
    data = json.loads(GOOD)
    data["plays"][0]["entries"][0]["spent_s"] = -0.0
    (taken,) = take_json(store, json.dumps(data), SENTENCES)
    assert take_json(elsewhere, to_json(store), SENTENCES) == (taken,)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_spreadsheet_takes_no_text_for_a_formula(
    store: Store, journal: Made, start: datetime, sheet: Made, name: str
) -> None:
    store.begin("-p", journal(name), start)
    store.finish("-p", start, sheet(-3, 2, 1, 0))
    store.note("-p", name)
    row = next(csv.DictReader(io.StringIO(results_csv(store), newline="")))
    assert (row["play"], row["player"], row["note"], row["total"]) == ("'-p", f"'{name}", f"'{name}", "-3")
