"""The clocks of a play, over a real file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import intents as ask
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.session import Manners
from companion.sight import Match, Option, Proposal
from companion.view import Tone

LIMIT = Manners(turn_limit_s=60.0)
FIRST = Proposal(Match.CLEAR, (Option((Placed(0, (0, 0)),), 0.97, ((0, 0),)),), ((0, 0),))
UNEXPLAINED: Proposal[Any] = Proposal(Match.UNEXPLAINED, spots=((0, 1),))


def test_each_turn_starts_from_the_full_limit(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT)
    assert play.view.times.left_s == 60
    assert play.wait(25).view.times.left_s == 35
    assert play.lay((0, 0)).view.times.left_s == 60
    assert play.wait(50).view.times.left_s == 10
    assert play.lay((0, 1)).wait(1).view.times.left_s == 59


def test_without_a_limit_nothing_is_left_and_nothing_is_told(begin: Callable[..., Any]) -> None:
    play = begin().wait(10_000)
    play.session.tick(play.now)
    assert play.view.times.left_s is None
    assert play.view.message is None


def test_a_pause_freezes_what_is_left_and_goes_on_from_there(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).wait(25).handle(ask.Pause()).wait(3600)
    play.session.tick(play.now)
    assert (play.view.times.left_s, play.view.times.turn_s, play.view.times.play_s) == (35, 25, 25)
    assert play.view.times.paused
    assert play.view.message is None
    assert play.handle(ask.Resume()).wait(5).view.times.left_s == 30


def test_an_undone_turn_gives_its_limit_back(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).wait(40).lay((0, 0)).wait(50).handle(ask.Undo())
    assert play.view.times.left_s == 60
    assert play.view.times.seat_s == {0: 0, 2: 0}


def test_an_adjustment_does_not_begin_another_turn(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).wait(20).handle(ask.Adjust(2, 1, "coin")).wait(5)
    assert play.view.times.left_s == 35


def test_when_the_limit_is_reached_it_is_told_once_and_the_play_goes_on(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).wait(59.5)
    play.session.tick(play.now)
    assert play.view.message is None
    for _ in range(5):
        play.wait(1)
        play.session.tick(play.now)
    message: Any = play.view.message
    assert (message.number, message.tone, message.beeps) == (1, Tone.TOLD, True)
    assert message.sentence == "Ana, the time for this turn is up: please finish it."
    assert play.view.times.left_s == 0
    assert (play.view.revision, play.view.to_act) == (0, (0,))
    play.lay((0, 0))
    play.session.tick(play.now)
    assert play.view.message is None
    play.wait(60)
    play.session.tick(play.now)
    assert play.view.message.sentence.startswith("Zoë,")


def test_the_limit_says_nothing_while_everybody_turns_cards_over(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).lay_all().wait(600)
    play.session.tick(play.now)
    times = play.view.times
    assert (times.left_s, sum(times.seat_s.values()), times.play_s) == (None, 0, 600)
    assert play.view.message is None


def test_the_time_in_which_a_question_waits_belongs_to_no_seat(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).wait(10).see(FIRST).wait(500)
    play.session.tick(play.now)
    assert play.view.times.left_s == 50
    assert not play.view.times.paused
    assert play.view.message is None
    play.handle(ask.Confirm(0)).wait(3)
    assert play.view.times.seat_s == {0: 10, 2: 3}
    assert play.resume().view.times.seat_s == {0: 10, 2: 0}


def test_after_a_no_the_clock_goes_on_where_it_was(begin: Callable[..., Any]) -> None:
    play = begin().wait(10).see(FIRST).wait(500).handle(ask.Reject(0)).wait(7)
    assert play.view.times.seat_s == {0: 17, 2: 0}
    play.see(UNEXPLAINED).wait(5)
    assert play.view.times.seat_s == {0: 22, 2: 0}, "where no move is proposed, the player still thinks"


def test_a_no_leaves_a_pause_a_pause(begin: Callable[..., Any]) -> None:
    play = begin().wait(10).handle(ask.Pause()).see(FIRST).wait(5).handle(ask.Reject(0)).wait(5)
    assert (play.view.times.paused, play.view.times.turn_s) == (True, 10)


def test_one_press_ends_a_turn_and_begins_the_next(begin: Callable[..., Any]) -> None:
    play = begin(manners=LIMIT).wait(10).see(FIRST).wait(1)
    play.handle(ask.Pressed(ask.Control.CONFIRM, play.s)).wait(4)
    times = play.view.times
    assert (play.view.to_act, times.seat_s, times.left_s) == ((2,), {0: 10, 2: 4}, 56)


def timed(play: Any, *cells: tuple[int, int]) -> Any:
    for number, cell in enumerate(cells, start=1):
        play.wait(10.0 * number).lay(cell)
    return play


def test_an_amendment_leaves_all_clocks_as_they_were(begin: Callable[..., Any]) -> None:
    play = timed(begin(manners=LIMIT), (0, 0), (0, 1), (1, 0)).wait(7)
    before = play.view.times
    assert before.seat_s == {0: 40, 2: 27}
    play.handle(ask.Amend(1, Placed(2, (1, 1))))
    assert play.view.state.layout[1].cell == (1, 1)
    assert play.view.times == before
    play.wait(3).lay((0, 2))
    assert play.view.times.seat_s == {0: 40, 2: 30}
    assert play.view.times.play_s == 70
    assert play.resume().view.times.seat_s == {0: 40, 2: 30}


def test_what_is_put_in_again_has_its_time_again(begin: Callable[..., Any]) -> None:
    play = timed(begin(), (0, 0), (0, 1), (1, 0))
    before = play.view.times
    play.handle(ask.Undo(2))
    assert play.view.times.seat_s == {0: 10, 2: 0}
    play.handle(ask.Redo(2))
    assert play.view.times == before
    assert play.resume().view.times == before


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(waits=st.lists(st.integers(0, 90), min_size=1, max_size=6), back=st.integers(1, 6))
def test_undo_and_redo_at_once_change_no_clock(begin: Callable[..., Any], waits: list[int], back: int) -> None:
    play = begin(Setup())
    for number, wait in enumerate(waits):
        play.wait(wait).lay((0, number))
    before = play.view.times
    for _ in range(2):
        steps = min(back, play.view.undoable)
        play.handle(ask.Undo(steps), ask.Redo(steps))
    assert play.view.times == before
    assert play.resume().view.times == before


@pytest.mark.parametrize("seconds", [-50.0, 0.0])
def test_a_clock_that_stands_or_goes_back_takes_nothing_away(begin: Callable[..., Any], seconds: float) -> None:
    play = begin(manners=LIMIT).wait(10).see(FIRST)
    play.s += seconds
    assert play.handle(ask.Reject(0)).view.times.left_s == 50
