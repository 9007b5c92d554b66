"""A play of Casa Grande through the session and the store: kept, resumed, taken back, exported, remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion import exchange, journal_text
from companion.clock import Moment
from companion.errors import JournalError
from companion.games import GAMES
from companion.games.casa_grande.setup import Setup
from companion.games.casa_grande.state import Phase
from companion.intents import Adjust, Make, Redo, Rolled, Undo
from companion.journal import Journal, replay, stand
from companion.records import records
from companion.session import Session
from companion.store import Store

GAME = GAMES["casa-grande"]
RULES = {name: game.rules for name, game in GAMES.items()}
SENTENCES = {name: game.sentences for name, game in GAMES.items()}
GOLDEN = Path(__file__).parent / "golden"
START = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    stores: list[Store] = []

    def make(name: str) -> Store:
        stores.append(Store.open(tmp_path / f"{name}.sqlite", RULES, START))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


def begun(store: Store, journal: Journal[Any, Any]) -> Session[Any, Any, Any]:
    store.begin("p", journal, START)
    return Session(GAME, "p", journal, store, Moment(0.0, START))


def golden(name: str) -> Journal[Any, Any]:
    return journal_text.read((GOLDEN / f"{name}.txt").read_text(encoding="utf-8"), RULES)


def put(session: Session[Any, Any, Any], *moves: str) -> Any:
    for text in moves:
        session.handle(Make(GAME.rules.read(text)), Moment(1.0, START))
    return session.view(Moment(1.0, START))


def test_a_die_that_is_rolled_is_the_move_and_nothing_where_none_is_due(opened: Callable[[str], Store]) -> None:
    session = begun(opened("a"), Journal("casa-grande", Setup(players=2), {0: "Ana"}))
    assert session.view(Moment(0.0, START)).prompt == "Ana rolls the die."
    for pips in (4, 2):
        session.handle(Rolled(pips, "typed", logged=False), Moment(0.0, START))
    assert (session.revision, session.state.pips, session.state.phase) == (1, 4, Phase.STEP)


def test_a_refused_move_is_told_with_its_rule_and_may_be_agreed(opened: Callable[[str], Store]) -> None:
    session = begun(opened("a"), Journal("casa-grande", Setup(players=2), {0: "Ana"}))
    view = put(session, "A rolls 1", "A steps 0", "A builds 0,0")
    assert view.message.sentence.startswith("Lane rule: 0,0 is not in the lane beside Ana's piece")
    session.handle(view.message.agree, Moment(2.0, START))
    assert session.state.phase is Phase.FLOOR
    assert put(session, "A builds 0,1").message.agree is None, "nobody puts a second block"


def test_an_undo_says_what_hands_do_and_a_redo_brings_it_back(opened: Callable[[str], Store]) -> None:
    session = begun(opened("a"), Journal("casa-grande", Setup(players=2), {0: "Ana"}))
    put(session, "A rolls 1", "A steps 1", "A builds 4,0")
    state = session.state
    session.handle(Undo(2), Moment(2.0, START))
    assert session.view(Moment(2.0, START)).hands == (
        "Take Ana's block off 4,0.",
        "Move Ana's piece back from space 17 to space 15.",
        "Set Ana's bonus marker to 5.",
    )
    session.handle(Redo(2), Moment(3.0, START))
    assert session.state == state


@pytest.mark.parametrize("name", ["two_players_eighteen_blocks", "three_players_house_rules", "by_agreement"])
def test_a_play_is_kept_and_goes_out_and_in(name: str, opened: Callable[[str], Store]) -> None:
    here, there, third = opened("a"), opened("b"), opened("c")
    whole = golden(name)
    session = begun(here, replace(whole, entries=()))
    for entry in whole.entries:
        assert session._put((entry,), Moment(1.0, START)), entry
    assert here.load("p")[0] == whole
    wall = START + timedelta(days=1)
    assert exchange.take_text(there, exchange.to_text(here, "p"), wall, SENTENCES).added == whole.revision
    assert there.load("p")[0] == whole
    (taken,) = exchange.take_json(third, exchange.to_json(here), SENTENCES)
    assert (taken.play, taken.added) == ("p", whole.revision)
    assert third.load("p")[0] == whole
    assert stand(GAME.rules, third.load("p")[0])[0].state == session.state


def test_a_finished_play_is_remembered_with_its_ranks(opened: Callable[[str], Store]) -> None:
    store, whole = opened("a"), golden("two_players_eighteen_blocks")
    session = begun(store, replace(whole, entries=(), names={0: "Zoë", 1: "Ana"}))
    for entry in whole.entries:
        assert session._put((entry,), Moment(1.0, START))
    (sheet,) = replay(GAME.rules, whole).sheets
    assert session.view(Moment(1.0, START)).over
    ana, zoe = records(store)
    assert (zoe.player, zoe.game, zoe.title, zoe.plays, zoe.wins, zoe.best) == ("Zoë", "casa-grande", "Money", 1, 1, 30)
    assert (ana.wins, ana.best) == (0, 27)
    lines = exchange.results_csv(store).splitlines()
    assert [line.split(",")[6:11] for line in lines[1:]] == [["A", "Zoë", "30", "1", "1"], ["B", "Ana", "27", "2", "0"]]
    assert sheet.totals() == {0: 30, 1: 27}


def test_equal_money_is_kept_with_the_bonus_scales_order(opened: Callable[[str], Store]) -> None:
    store, whole = opened("a"), golden("two_players_eighteen_blocks")
    session = begun(store, replace(whole, entries=(), names={0: "Zoë", 1: "Ana"}))
    for entry in whole.entries:
        session._put((entry,), Moment(1.0, START))
    session.handle(Adjust(0, -3, "a note was lost"), Moment(2.0, START))
    assert [player.bonus for player in session.state.players] == [1, 5]
    ana, zoe = records(store)
    assert (ana.player, ana.best, ana.wins) == ("Ana", 27, 1)
    assert (zoe.player, zoe.best, zoe.wins) == ("Zoë", 27, 0)


def test_a_play_that_breaks_a_rule_does_not_come_in(opened: Callable[[str], Store]) -> None:
    text = (GOLDEN / "beside_the_lane.txt").read_text(encoding="utf-8")
    with pytest.raises(JournalError, match="Line 12: Lane rule: 4,4 is not in the lane beside C's piece"):
        exchange.take_text(opened("a"), text, START, SENTENCES)
