"""How the table overrules the program, and how that is told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion import intents as ask
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Adjusted, Entry, Journal, Played, Undone, replay

RULES = GAMES["cassa-grande"].rules


def told(play: Any) -> list[str]:
    return [sentence for line in play.view.history for sentence in line.sentences]


def lines(play: Any) -> list[tuple[int, int, Any]]:
    return [(line.seat, line.points, line.facts["reason"]) for line in play.view.sheets[-1].lines]


def test_three_taps_and_next_are_one_line(begin: Callable[..., Any]) -> None:
    play = begin().handle(*[ask.Adjust(0, 1, "coins")] * 3).lay((0, 0))
    assert told(play) == ["Ana: +3 by agreement: coins", "Ana lays a card face down on 0,0."]
    assert [(line.number, line.entries) for line in play.view.history] == [(0, 3), (3, 1)]
    assert lines(play) == [(0, 3, "coins")]
    assert play.view.sheets[-1].totals() == {0: 3, 2: 0}
    assert [type(entry) for entry in play.session.journal.entries] == [Adjusted] * 3 + [Played]
    assert told(play.resume()) == ["Ana: +3 by agreement: coins", "Ana lays a card face down on 0,0."]


def test_next_closes_the_line_and_no_time_does(begin: Callable[..., Any]) -> None:
    tap = ask.Adjust(0, 1, "coins")
    play = begin().handle(tap).wait(9_999).handle(tap).lay((0, 0)).handle(tap)
    assert told(play)[::2] == ["Ana: +2 by agreement: coins", "Ana: +1 by agreement: coins"]


def test_another_seat_or_another_reason_is_another_line(begin: Callable[..., Any]) -> None:
    play = begin().handle(ask.Adjust(0, 1, "a"), ask.Adjust(2, 1, "a"), ask.Adjust(2, 2, "b"), ask.Adjust(2, -5, "b"))
    assert lines(play) == [(0, 1, "a"), (2, 1, "a"), (2, -3, "b")]
    assert told(play)[-1] == "Zoë: -3 by agreement: b"


def test_an_undo_takes_back_one_tap_and_a_redo_brings_it_again(begin: Callable[..., Any]) -> None:
    play = begin().handle(*[ask.Adjust(0, 1, "coins")] * 4).handle(ask.Undo())
    assert (told(play), play.view.undoable, play.view.redoable) == (["Ana: +3 by agreement: coins"], 3, 1)
    assert told(play.handle(ask.Redo())) == ["Ana: +4 by agreement: coins"]
    assert told(play.handle(ask.Undo(4))) == []
    assert play.view.sheets[-1].totals() == {0: 0, 2: 0}


def test_a_tap_after_an_undo_goes_on_with_the_line(begin: Callable[..., Any]) -> None:
    play = begin().handle(*[ask.Adjust(0, 1, "c")] * 2).handle(ask.Undo(), ask.Adjust(0, 5, "c"), ask.Adjust(0, 1, "c"))
    assert told(play) == ["Ana: +7 by agreement: c"]


ENTRIES = st.one_of(
    st.builds(Adjusted, st.sampled_from([0, 2]), st.integers(-3, 3), st.sampled_from(["a", "b"])), st.just(Undone())
)


@given(st.lists(ENTRIES, max_size=12))
def test_a_total_is_the_sum_of_every_tap_that_holds(entries: list[Entry[Any]]) -> None:
    holding: list[Entry[Any]] = []
    taken: list[Entry[Any]] = [Played(Placed(0, (0, 0)))]
    for entry in entries:
        if isinstance(entry, Undone):
            if not holding:
                continue
            holding.pop()
        else:
            holding.append(entry)
        taken.append(entry)
    sheet = replay(RULES, Journal("cassa-grande", Setup(players=2), {}, tuple(taken))).sheets[-1]
    for seat in (0, 2):
        assert sheet.total(seat) == sum(e.points for e in holding if isinstance(e, Adjusted) and e.seat == seat)
    told_as = [(line.seat, line.facts["reason"]) for line in sheet.lines]
    assert all(one != other for one, other in pairwise(told_as))
