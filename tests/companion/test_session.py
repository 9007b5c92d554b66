from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import intents as ask
from companion.asking import UNSEEN_S
from companion.clock import Moment
from companion.errors import StoreError
from companion.game import Game
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed, TurnedOver
from companion.games.cassa_grande.placing import legal_cells
from companion.games.cassa_grande.setup import Setup
from companion.intents import Control, Pressed
from companion.journal import Journal, Played, Undone, replay
from companion.kept import Kept
from companion.score import ScoreSheet
from companion.session import HANDS_S, Manners, Session
from companion.sight import Match, Option, Outcome, Proposal, Reading
from companion.view import Tone

GAME = GAMES["cassa-grande"]
NAMES = {0: "Ana", 2: "Zoë"}
NOTHING_SEEN = Reading(Outcome.ASK, (), (), ())
FIRST = Option((Placed(0, (0, 0)),), 0.97, ((0, 0),))
OTHER_FIRST = Option((Placed(0, (0, 0), "2"),), 0.5, ((0, 0),))


class Memory:
    """A store that keeps entries in a list, and refuses them while it is full."""

    def __init__(self) -> None:
        self.kept: list[Kept[Any]] = []
        self.result: ScoreSheet | None = None
        self.rolls: list[tuple[int, str]] = []
        self.full = False

    def append(self, play: str, number: int, kept: Sequence[Kept[Any]], result: ScoreSheet | None = None) -> None:
        assert play == "p"
        assert number == len(self.kept)
        if self.full:
            raise StoreError("There is no room left on the disk: delete something, then do it again.")
        self.kept += kept
        self.result = result

    def rolled(self, play: str | None, pips: int, source: str, wall: datetime) -> None:
        assert play == "p"
        assert wall.tzinfo is not None
        if self.full:
            raise StoreError("There is no room left on the disk: delete something, then do it again.")
        self.rolls.append((pips, source))


class Table:
    """A session with its store, a clock that a test turns, and a camera that a test makes see things."""

    def __init__(self, setup: Setup | None = None, manners: Manners | None = None, **changes: Any) -> None:
        self.store, self.s = Memory(), 1000.0
        self.wall = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
        self.proposal: Proposal[Any] = Proposal(Match.SETTLED)
        self.game: Game = replace(GAME, propose=lambda _state, _reading: self.proposal, **changes)
        journal: Journal[Any, Any] = Journal("cassa-grande", setup or Setup(players=2), NAMES)
        self.session = Session(self.game, "p", journal, self.store, self.now, manners=manners or Manners())

    @property
    def now(self) -> Moment:
        return Moment(self.s, self.wall)

    def wait(self, seconds: float) -> None:
        self.s += seconds
        self.wall += timedelta(seconds=seconds)

    def handle(self, *intents: Any) -> Table:
        for intent in intents:
            self.session.handle(intent, self.now)
        return self

    def lay(self, *cells: tuple[int, int]) -> Table:
        for cell in cells:
            self.handle(ask.Make(Placed(self.session.state.turn, cell)))
        return self

    def see(self, proposal: Proposal[Any], revision: int | None = None) -> Table:
        self.proposal = proposal
        self.session.see(NOTHING_SEEN, self.session.revision if revision is None else revision, self.now)
        return self

    @property
    def view(self) -> Any:
        return self.session.view(self.now)


def clear(*options: Option[Any]) -> Proposal[Any]:
    return Proposal(Match.CLEAR if len(options) == 1 else Match.AMBIGUOUS, options, ((0, 0),))


def test_an_entry_is_kept_before_it_is_shown() -> None:
    table = Table().lay((0, 0))
    assert [kept.entry for kept in table.store.kept] == [Played(Placed(0, (0, 0)))]
    assert table.view.revision == 1
    assert table.view.to_act == (2,)
    assert table.view.happened == ("Ana lays a card face down on 0,0.",)


def test_a_full_disk_takes_nothing_and_keeps_the_question_open() -> None:
    table = Table()
    table.see(clear(FIRST)).wait(1)
    table.store.full = True
    before = table.view
    table.handle(ask.Confirm(0), ask.Rolled(3, "typed"))
    after = table.view
    assert after.message.tone is Tone.FAILED
    assert "no room" in after.message.sentence
    assert (after.state, after.revision, after.question) == (before.state, 0, before.question)
    table.store.full = False
    table.handle(ask.Confirm(0))
    assert table.view.revision == 1
    assert table.view.message is None


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    table = Table().lay((0, 0))
    table.handle(ask.Make(Placed(2, (0, 3))))
    assert table.view.message.tone is Tone.REFUSED
    assert table.view.message.sentence.startswith("Touch rule:")
    assert len(table.store.kept) == 1


def test_the_same_refusal_again_is_a_new_message() -> None:
    table = Table().lay((0, 0))
    numbers = []
    for _ in range(2):
        table.handle(ask.Make(Placed(2, (0, 3))))
        numbers.append(table.view.message.number)
    table.lay((0, 1)).handle(ask.Make(Placed(0, (0, 9))))
    assert [*numbers, table.view.message.number] == [1, 2, 3]


def test_undo_of_any_number_of_steps_and_redo() -> None:
    table = Table().lay((0, 0), (0, 1), (1, 0), (1, 1))
    states = [table.session.state]
    table.handle(ask.Undo(3))
    assert table.view.undoable == 1
    assert table.view.redoable == 3
    assert len(table.view.hands) > 0
    table.handle(ask.Redo(2), ask.Redo())
    assert table.session.state == states[0]
    assert table.view.redoable == 0
    assert [type(kept.entry) for kept in table.store.kept] == [Played] * 4 + [Undone] * 3 + [Played] * 3


def test_undo_to_the_start_and_once_more_is_harmless() -> None:
    table = Table()
    start = table.session.state
    table.lay((0, 0)).handle(ask.Undo(99))
    assert table.session.state == start
    table.handle(ask.Undo())
    assert table.view.message.sentence == "There is nothing left to undo."
    table.handle(ask.Redo(99))
    assert table.view.undoable == 1
    table.handle(ask.Redo())
    assert table.view.message.sentence == "There is nothing to put in again."


def test_an_undone_adjustment_can_be_put_in_again_once() -> None:
    table = Table().handle(ask.Adjust(2, 12, "found a coin"))
    assert table.view.sheets[-1].totals() == {0: 0, 2: 12}
    table.handle(ask.Undo())
    assert table.view.sheets[-1].totals() == {0: 0, 2: 0}
    table.handle(ask.Redo())
    assert table.view.sheets[-1].totals() == {0: 0, 2: 12}
    assert table.view.history[-1].sentences == ("Zoë: +12 by agreement: found a coin",)


def test_an_earlier_entry_is_amended_and_all_after_it_holds_again() -> None:
    table = Table().lay((0, 0), (0, 1), (1, 0))
    table.handle(ask.Amend(1, Placed(2, (1, 1))))
    assert [card.cell for card in table.session.state.layout] == [(0, 0), (1, 1), (1, 0)]
    assert table.view.hands
    table.handle(ask.Undo(3), ask.Redo(3))
    assert [card.cell for card in table.session.state.layout] == [(0, 0), (1, 1), (1, 0)]


def test_an_amendment_that_something_later_rules_out_changes_nothing() -> None:
    table = Table().lay((0, 0), (0, 1), (0, 2))
    table.handle(ask.Amend(1, Placed(2, (1, 0))))
    assert [card.cell for card in table.session.state.layout] == [(0, 0), (0, 1), (0, 2)]
    assert table.view.message.tone is Tone.REFUSED
    table.handle(ask.Amend(7, Placed(2, (1, 0))))
    assert table.view.message.sentence.startswith("This entry was taken back")


def test_a_question_waits_for_a_person_and_carries_its_revision() -> None:
    table = Table().see(clear(FIRST))
    assert table.view.revision == 0
    assert table.view.question.sentences == ("Ana lays a card face down on 0,0.",)
    table.handle(ask.Confirm(5), ask.Confirm(0, option=3))
    assert table.view.revision == 0
    table.handle(ask.Confirm(0))
    assert table.view.revision == 1
    assert table.view.question is None


def test_a_late_reading_of_an_undone_state_is_dropped() -> None:
    table = Table().lay((0, 0)).handle(ask.Undo())
    table.see(clear(FIRST), revision=1)
    assert table.view.question is None
    table.wait(HANDS_S + 1)
    table.see(clear(FIRST), revision=2)
    assert table.view.question.revision == 2


def test_what_was_undone_and_still_lies_there_is_not_asked_again_at_once() -> None:
    table = Table().lay((0, 0)).handle(ask.Undo())
    table.see(clear(FIRST))
    assert table.view.question is None
    assert not table.view.put_back
    table.see(Proposal(Match.SETTLED))
    assert table.view.put_back
    table.see(clear(FIRST))
    assert table.view.question is not None


def test_what_was_undone_is_asked_again_when_it_keeps_lying_there() -> None:
    table = Table().lay((0, 0)).handle(ask.Undo())
    table.wait(HANDS_S + 1)
    assert table.see(clear(FIRST)).view.question is not None


def test_a_stale_confirm_is_dropped() -> None:
    table = Table().see(clear(FIRST)).lay((0, 0))
    table.see(clear(replace(FIRST, moves=(Placed(2, (0, 1)),))))
    table.handle(ask.Confirm(0))
    assert table.view.revision == 1
    assert table.view.question.revision == 1


def test_what_was_rejected_is_not_asked_again_until_the_table_changes() -> None:
    table = Table().see(clear(FIRST)).handle(ask.Reject(0))
    table.see(clear(FIRST))
    assert table.view.question is None
    table.see(clear(replace(FIRST, confidence=0.91)))
    assert table.view.question is None
    table.see(Proposal(Match.SETTLED)).see(clear(FIRST))
    assert table.view.question is not None


def test_a_table_that_cannot_be_seen_says_so_and_keeps_the_question() -> None:
    table = Table().see(clear(FIRST)).see(Proposal(Match.UNREADABLE, reason="Camera: take your hand away."))
    assert table.view.sighting == "Camera: take your hand away."
    assert table.view.question is not None
    table.see(clear(FIRST))
    assert table.view.sighting == ""


def test_auto_confirm_takes_only_a_clear_proposal() -> None:
    table = Table(manners=Manners(auto_confirm=True))
    table.see(clear(FIRST, OTHER_FIRST))
    assert table.view.revision == 0
    table.see(clear(FIRST))
    assert table.view.revision == 1


def press(table: Table, control: Control, seat: int | None = None) -> None:
    table.handle(Pressed(control, table.s, seat=seat))


def test_the_big_button_answers_a_clear_question_once() -> None:
    table = Table().see(clear(FIRST))
    table.wait(1)
    press(table, Control.CONFIRM)
    press(table, Control.CONFIRM)
    assert table.view.revision == 1
    assert table.view.message.sentence.startswith("There is nothing to confirm yet")


def test_a_press_from_before_the_question_came_up_is_no_answer() -> None:
    table = Table().see(clear(FIRST))
    table.handle(Pressed(Control.CONFIRM, table.s - 0.01), Pressed(Control.CONFIRM, table.s + UNSEEN_S / 2))
    assert table.view.revision == 0
    assert table.view.question is not None


@given(st.lists(st.sampled_from([Control.CONFIRM, Control.SEAT, Control.ROLL, Control.PHOTOGRAPH]), max_size=8))
def test_extra_presses_never_hide_an_unanswered_question(presses: list[Control]) -> None:
    table = Table().see(clear(FIRST, replace(FIRST, moves=(Placed(0, (0, 0), "2"),))))
    table.wait(1)
    for control in presses:
        press(table, control, 2 if control is Control.SEAT else None)
    assert table.view.question is not None
    assert table.view.revision == 0


def test_the_undo_button_rejects_a_question_and_otherwise_undoes() -> None:
    table = Table().lay((0, 0)).see(clear(replace(FIRST, moves=(Placed(2, (0, 1)),))))
    press(table, Control.UNDO)
    assert table.view.question is None
    assert table.view.revision == 1
    press(table, Control.UNDO)
    assert table.view.undoable == 0


def test_a_seat_button_answers_for_the_seat_at_turn_alone() -> None:
    table = Table().see(clear(FIRST))
    table.wait(1)
    press(table, Control.SEAT, 2)
    assert table.view.message.sentence == "Turn order: it is Ana's turn; press Ana's button."
    press(table, Control.SEAT, 0)
    assert table.view.revision == 1


def test_time_counts_for_the_seat_at_turn_and_pauses_do_not() -> None:
    table = Table()
    table.wait(10)
    table.handle(ask.Pause())
    table.wait(3600)
    assert table.view.times.play_s == 10
    assert table.view.times.paused
    table.handle(ask.Resume(), ask.Resume())
    table.wait(5)
    table.lay((0, 0)).wait(7)
    times = table.view.times
    assert times.seat_s == {0: 15, 2: 7}
    assert times.turn_s == 7
    assert times.play_s == 22


def test_a_move_ends_a_pause() -> None:
    table = Table().handle(ask.Pause()).lay((0, 0))
    table.wait(4)
    assert table.view.times.seat_s == {0: 0, 2: 4}


def test_an_undone_turn_gives_its_time_back_and_the_clock_goes_on() -> None:
    table = Table()
    table.wait(10)
    table.lay((0, 0)).wait(20)
    before = table.view.times.seat_s[0]
    table.lay((0, 1)).wait(30)
    table.handle(ask.Undo())
    assert table.view.times.seat_s == {0: before, 2: 0}
    assert table.view.times.play_s == 60
    table.wait(3)
    assert table.view.times.seat_s == {0: 10, 2: 3}


def test_a_jumping_clock_does_no_harm() -> None:
    table = Table()
    table.wait(10)
    table.wall = datetime(1970, 1, 1, tzinfo=UTC)
    table.lay((0, 0))
    table.wall = datetime(2099, 1, 1, tzinfo=UTC)
    table.wait(5)
    assert table.view.times.seat_s == {0: 10, 2: 5}


def test_a_roll_is_logged_whoever_brings_it_and_moves_where_the_game_wants_one() -> None:
    table = Table().handle(ask.Rolled(5, "led"), ask.Rolled(2, "typed"))
    assert table.store.rolls == [(5, "led"), (2, "typed")]
    assert table.view.revision == 0
    dicing = Table(roll=lambda state, pips: Placed(state.turn, (0, 0)) if pips == 6 else None)
    dicing.handle(ask.Rolled(5, "camera"), ask.Rolled(6, "camera"))
    assert dicing.view.revision == 1


def test_a_session_goes_on_from_what_was_kept() -> None:
    table = Table()
    table.wait(10)
    table.lay((0, 0)).wait(20)
    table.lay((0, 1))
    again = Session(table.game, "p", table.session.journal, table.store, table.now, tuple(table.store.kept))
    assert again.view(table.now) == replace(table.view, happened=table.view.happened)
    assert again.refused is None


def finished(table: Table) -> Table:
    while table.session.state.phase == "place":
        table.lay(next(iter(legal_cells(table.session.state))))
    return table


def test_a_play_that_is_over_is_kept_with_its_result_and_undo_takes_it_back() -> None:
    table = finished(Table())
    journal = table.session.journal
    legal = next(iter(GAME.rules.legal_moves(replay(GAME.rules, journal).state)))
    assert isinstance(legal, TurnedOver)
    assert not table.view.over
    table.handle(ask.Make(legal))
    assert table.view.over
    assert table.store.result == table.view.sheets[-1]
    table.handle(ask.Undo())
    assert table.store.result is None
    assert not table.view.over


def test_a_notice_from_beneath_is_told() -> None:
    assert Table().handle(ask.Notice("Roll and undo 4 ms apart: roll counts.")).view.message.tone is Tone.TOLD


@settings(max_examples=40)
@given(st.data())
def test_whatever_is_done_and_undone_the_view_is_that_of_the_journal(data: st.DataObject) -> None:
    table = Table()
    for _ in range(data.draw(st.integers(1, 25))):
        legal = list(table.game.rules.legal_moves(table.session.state))[:40]
        choices: list[Any] = [ask.Undo(2), ask.Undo(), ask.Redo(), ask.Redo(2), ask.Adjust(0, 3, "x")]
        table.handle(data.draw(st.sampled_from(choices + [ask.Make(move) for move in legal] * 3)))
    result = replay(GAME.rules, table.session.journal)
    assert result.refused is None
    assert result.state == table.session.state
    assert result.sheets == table.view.sheets
    assert [kept.entry for kept in table.store.kept] == list(table.session.journal.entries)


@pytest.mark.parametrize("steps", [0, -3])
def test_an_odd_number_of_steps_is_one(steps: int) -> None:
    assert Table().lay((0, 0), (0, 1)).handle(ask.Undo(steps)).view.undoable == 1


@pytest.mark.parametrize(
    ("seat", "points", "sentence"),
    [
        (2, 10**12, "No result changes by more than 999999999999 points: give a smaller number."),
        (2, -(10**12), "No result changes by more than 999999999999 points: give a smaller number."),
        (27, 1, "Seat 27 does not play: name one of A or C."),
        (-1, 1, "Seat -1 does not play: name one of A or C."),
    ],
)
def test_an_adjustment_beyond_all_bounds_is_refused(seat: int, points: int, sentence: str) -> None:
    table = Table().handle(ask.Adjust(seat, points, "x"))
    assert table.view.message.sentence == sentence
    assert table.view.revision == 0


@pytest.mark.parametrize("pips", [0, 7, -1, 10**30])
def test_a_number_that_no_die_shows_is_refused(pips: int) -> None:
    table = Table().handle(ask.Rolled(pips, "typed"))
    assert table.view.message.sentence == "A die shows 1 to 6: give the number again."
    assert table.store.rolls == []


def test_what_the_rules_refuse_is_not_asked() -> None:
    of_the_other = replace(FIRST, moves=(Placed(2, (0, 0)),))
    table = Table(manners=Manners(auto_confirm=True)).see(clear(of_the_other))
    assert table.view.question.proposal.match is Match.UNEXPLAINED
    table.see(clear(of_the_other, FIRST))
    assert table.view.question.proposal.options == (FIRST,)
    assert table.view.revision == 0


def test_what_was_undone_is_asked_and_not_taken_by_itself() -> None:
    table = Table(manners=Manners(auto_confirm=True)).see(clear(FIRST)).handle(ask.Undo())
    table.wait(HANDS_S + 1)
    table.see(clear(FIRST))
    assert table.view.revision == 2
    table.handle(ask.Confirm(2))
    assert table.view.revision == 3


@pytest.mark.parametrize(
    ("proposal", "start"),
    [
        (clear(FIRST, OTHER_FIRST), "More than one move fits"),
        (Proposal(Match.AMBIGUOUS, (FIRST,)), "It is not sure"),
        (Proposal(Match.UNEXPLAINED, spots=((0, 1),)), "No move explains"),
    ],
)
def test_a_button_that_cannot_answer_says_why(proposal: Proposal[Any], start: str) -> None:
    table = Table().see(proposal)
    table.wait(1)
    press(table, Control.CONFIRM)
    assert table.view.message.sentence.startswith(start)
    assert table.view.question is not None
