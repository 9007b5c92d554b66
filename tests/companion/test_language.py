"""What is told is told in the language that is used; what is kept does not depend on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion import journal_text
from companion.clock import Moment
from companion.game import Game
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.intents import Adjust, Make, Undo
from companion.journal import Journal
from companion.parts import Condition, Part
from companion.session import Session
from companion.sight import Match, Option, Outcome, Proposal, Reading
from companion.store import Store
from companion.view import View
from companion.wording import listed, sheet_title

GAME = GAMES["cassa-grande"]
RULES = {GAME.name: GAME.rules}
READING = Reading(Outcome.ASK, (), (), ())
NOW = Moment(5.0, datetime(2026, 5, 1, 20, 0, tzinfo=UTC))


def begun(folder: Path, game: Game = GAME) -> tuple[Store, Session[Any, Any, Any]]:
    folder.mkdir()
    store = Store.open(folder / "plays.sqlite", RULES, NOW.wall)
    journal: Journal[Any, Any] = Journal(GAME.name, Setup(players=2), {0: "Zoë", 2: "山田"})
    store.begin("p", journal, NOW.wall)
    return store, Session(game, "p", journal, store, NOW)


def played(folder: Path) -> tuple[str, list[Any], View[Any, Any]]:
    """A whole round, as a journal's text, as rows of the file, and as it is shown."""
    store, session = begun(folder)
    session.handle(Make(Placed(0, (4, 4))), NOW)
    session.handle(Adjust(2, 10, "a café at 10"), NOW)
    session.handle(Undo(), NOW)
    while session.view(NOW).to_act:
        session.handle(Make(next(iter(GAME.rules.legal_moves(session.state)))), NOW)
    session.handle(Make(next(move for move in GAME.rules.legal_moves(session.state))), NOW)
    view = session.view(NOW)
    assert view.over
    text = journal_text.write(GAME.rules, session.journal)
    store.close()
    with closing(sqlite3.connect(folder / "plays.sqlite")) as connection:
        rows = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in ("play", "seat", "entry")]  # noqa: S608
    return text, rows, view


def test_what_is_kept_is_the_same_in_every_language(tmp_path: Path, speak_in_capitals: Callable[[], None]) -> None:
    text, rows, view = played(tmp_path / "english")
    speak_in_capitals()
    again, same_rows, loud_view = played(tmp_path / "loud")
    assert (again, same_rows) == (text, rows)
    assert view.sheets == loud_view.sheets
    assert loud_view.prompt == view.prompt.upper()


def test_a_switch_of_the_language_says_everything_about_a_play_anew(
    tmp_path: Path, speak_in_capitals: Callable[[], None]
) -> None:
    store, session = begun(tmp_path / "play")
    for intent in (Make(Placed(0, (0, 0))), Make(Placed(2, (0, 1))), Undo(), Make(Placed(0, (9, 9)))):
        session.handle(intent, NOW)
    before = session.view(NOW)
    assert before.message is not None
    speak_in_capitals()
    session.redraw()
    after = session.view(NOW)
    assert after.prompt == before.prompt.upper() == "山田 LAYS A DIGIT FACE DOWN; THE COMMA WAITS."
    assert [line.sentences for line in after.history] == [("Zoë LAYS A CARD FACE DOWN ON 0,0.",)]
    assert after.happened == ("Zoë LAYS A CARD FACE DOWN ON 0,0.",)
    assert after.hands == ("山田 TAKES A CARD BACK IN HAND: 0,1.",)
    assert after.message is None
    store.close()


def test_a_question_is_put_anew_and_what_the_camera_remarked_waits_for_its_next_look(
    tmp_path: Path, speak_in_capitals: Callable[[], None]
) -> None:
    option = Option((Placed(2, (0, 1)),), 0.6, ((0, 1),))
    seen = Proposal(Match.AMBIGUOUS, (option,), reason="The new card is hard to see.")
    store, session = begun(tmp_path / "play", replace(GAME, propose=lambda _state, _reading: seen))
    session.handle(Make(Placed(0, (0, 0))), NOW)
    session.see(READING, session.revision, NOW)
    speak_in_capitals()
    session.redraw()
    question = session.question
    assert question is not None
    assert question.sentences == ("山田 LAYS A CARD FACE DOWN ON 0,1.",)
    assert (question.proposal.options, question.proposal.reason) == ((option,), None)
    session.see(READING, session.revision, NOW)
    assert session.question is not None
    assert session.question.proposal == seen
    store.close()


@pytest.mark.parametrize("match", [Match.UNEXPLAINED, Match.UNREADABLE])
def test_a_mere_remark_of_the_camera_is_gone_until_it_looks_again(tmp_path: Path, match: Match) -> None:
    seen: Proposal[Any] = Proposal(match, reason="Something lies there.")
    store, session = begun(tmp_path / "play", replace(GAME, propose=lambda _state, _reading: seen))
    session.see(READING, session.revision, NOW)
    before = session.view(NOW)
    assert before.sighting or before.question is not None
    session.redraw()
    after = session.view(NOW)
    assert (after.sighting, after.question) == ("", None)
    store.close()


def test_a_part_says_what_to_do_in_the_language_that_is_used_now(speak_in_capitals: Callable[[], None]) -> None:
    facts = {"part": "seat {letter} button", "letter": "a"}
    part = Part("seat a button", Condition.MISSING, "No {part} is wired.", facts)
    assert part.sentence == "No seat a button is wired."
    speak_in_capitals()
    assert part.sentence == "NO SEAT a BUTTON IS WIRED."
    assert Part("camera", Condition.BUSY, "It opens {now}.").sentence == "IT OPENS {now}."
    assert Part("camera").sentence == ""


def test_titles_and_lists_are_told_in_the_language_that_is_used(speak_in_capitals: Callable[[], None]) -> None:
    speak_in_capitals()
    assert sheet_title("Round 12") == "ROUND 12"
    assert sheet_title("Standing") == "STANDING"
    assert listed(("a", "b", "c")) == "a, b OR c"
    assert listed(("a", "b"), all_of=True) == "a AND b"
