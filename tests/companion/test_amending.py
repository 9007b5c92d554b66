"""An earlier move is put right: everything after it is counted again."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion import intents as ask
from companion.games import GAMES
from companion.games.cassa_grande import scoring
from companion.games.cassa_grande.moves import Placed, TurnedOver
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.state import Phase
from companion.journal import Amended, replay
from companion.view import Tone

RULES = GAMES["cassa-grande"].rules


def play_rounds(play: Any, count: int, seed: int = 3) -> list[int]:
    """So many rounds, each with other grids. Returns the numbers of the entries with which they ended."""
    chance, ends = random.Random(seed), []
    for _ in range(count):
        play.wait(60).lay_all()
        ends.append(play.session.revision)
        play.handle(ask.Make(other_grid(play.session.state, chance)))
        assert play.session.revision == ends[-1] + 1, play.view.message
    return ends


def other_grid(state: Any, chance: random.Random) -> TurnedOver:
    """The same cards of every player in another order."""
    rows = [list(row) for row in next(RULES.legal_moves(state)).rows]
    top, left = (min(card.cell[axis] for card in state.layout) for axis in (0, 1))
    for seat in state.setup.seats:
        spots = [(card.cell[0] - top, card.cell[1] - left) for card in state.layout if card.seat == seat]
        faces = [rows[row][column] for row, column in spots]
        chance.shuffle(faces)
        for (row, column), face in zip(spots, faces, strict=True):
            rows[row][column] = face
    return TurnedOver(tuple(map("".join, rows)))


def standing_by_hand(grids: list[tuple[str, ...]], setup: Setup) -> dict[int, int]:
    """The tournament's points, added up from the rounds' ranks alone."""
    points = dict.fromkeys(setup.seats, 0)
    for sheet in (scoring.sheet(rows, setup.seats, lower_wins="D" in setup.variants) for rows in grids):
        for line in scoring.standing(setup, (sheet,)).lines:
            points[line.seat] += line.points
    return points


@pytest.mark.parametrize("rounds", [3, 5])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("variants", ["", "D"])
def test_round_2_is_edited_after_the_last_and_all_totals_and_ranks_are_new(
    begin: Callable[..., Any], rounds: int, seed: int, variants: str
) -> None:
    setup = Setup(rounds=rounds, variants=frozenset(variants))
    play = begin(setup)
    ends = play_rounds(play, rounds, seed)
    before, amended = play.view, play.session.journal.entries[ends[1]]
    grid = next(
        TurnedOver(rows)
        for rows in permuted(amended.move.rows, seed)
        if scoring.sheet(rows, setup.seats, lower_wins="D" in variants).ranks() != before.sheets[1].ranks()
    )
    play.handle(ask.Amend(ends[1], grid))
    view = play.view
    assert view.message is None or view.message.tone is not Tone.REFUSED, view.message
    grids = [each.rows for each in view.state.rounds]
    assert grids[1] == grid.rows
    assert [*grids[:1], *grids[2:]] == [e.rows for i, e in enumerate(before.state.rounds) if i != 1]
    for sheet, rows in zip(view.sheets, grids, strict=False):
        assert sheet.totals() == scoring.sheet(rows, setup.seats, lower_wins="D" in variants).totals()
    assert view.sheets[1].ranks() != before.sheets[1].ranks()
    assert view.sheets[-1].totals() == standing_by_hand(grids, setup) != before.sheets[-1].totals()
    saved = play.store.plays()[0]
    assert (saved.totals, saved.ranks) == (view.sheets[-1].totals(), view.sheets[-1].ranks())
    assert view.times == before.times
    assert play.session.journal.entries[-1] == Amended(ends[1], grid)
    again = replay(RULES, play.session.journal)
    assert (again.refused, again.sheets) == (None, view.sheets)
    assert play.resume().view.sheets == view.sheets
    play.handle(ask.Undo())
    assert (play.view.state, play.view.sheets, play.view.times.seat_s) == (
        before.state,
        before.sheets,
        before.times.seat_s,
    )


def permuted(rows: tuple[str, ...], seed: int) -> list[tuple[str, ...]]:
    """The same cards in other orders, on the same cells."""
    chance, orders = random.Random(seed), []
    for _ in range(200):
        faces = [face for row in rows for face in row if face != "."]
        chance.shuffle(faces)
        left = iter(faces)
        orders.append(tuple("".join("." if face == "." else next(left) for face in row) for row in rows))
    return orders


def test_whoever_began_the_next_round_has_begun_it_though_another_has_won(begin: Callable[..., Any]) -> None:
    play = begin(Setup(rounds=2))
    ends = play_rounds(play, 1)
    starter = play.view.state.starter
    play.lay((0, 0), (0, 1))
    rows = play.view.state.rounds[0].rows
    grid = next(
        TurnedOver(order) for order in permuted(rows, 1) if starter not in scoring.sheet(order, (0, 1, 2, 3)).leaders()
    )
    play.handle(ask.Amend(ends[0], grid))
    assert play.view.message is None
    assert play.view.state.starter == starter
    assert [card.seat for card in play.view.state.layout] == [starter, (starter + 1) % 4]
    line = next(line for line in play.view.history if line.number == ends[0] + 1)
    assert line.sentences[1].startswith("Played this way by agreement. Turn order: ")


def test_an_amendment_that_breaks_a_rule_later_is_offered_and_not_taken(begin: Callable[..., Any]) -> None:
    play = begin().lay((0, 0), (0, 1), (0, 2))
    amend = ask.Amend(1, Placed(2, (1, 0)))
    play.handle(amend)
    assert play.view.message.sentence.startswith("Touch rule: a card on 0,2")
    assert play.view.message.agree == ask.Amend(1, Placed(2, (1, 0)), agreed=True)
    assert play.view.revision == 3
    play.handle(play.view.message.agree)
    assert [card.cell for card in play.view.state.layout] == [(0, 0), (1, 0), (0, 2)]
    assert [len(line.sentences) for line in play.view.history] == [1, 1, 2]


def test_an_amendment_that_cannot_be_is_not_even_offered(begin: Callable[..., Any]) -> None:
    play = begin().lay((0, 0), (0, 1), (0, 2))
    play.handle(ask.Amend(1, Placed(2, (0, 0))))
    assert play.view.message.sentence.startswith("Cell 0,0 already holds a card")
    assert (play.view.message.agree, play.view.revision) == (None, 3)


def test_the_history_tells_the_other_move_and_its_line_keeps_its_number(begin: Callable[..., Any]) -> None:
    play = begin().lay((0, 0), (0, 1), (1, 0))
    numbers = [line.number for line in play.view.history]
    play.handle(ask.Amend(1, Placed(2, (1, 1))))
    assert [line.number for line in play.view.history] == numbers
    assert play.view.history[1].sentences == ("Zoë lays a card face down on 1,1.",)
    assert play.view.hands == ("Zoë takes a card back in hand: 0,1.", "Zoë lays a card face down again: 1,1.")
    play.handle(ask.Amend(1, Placed(2, (0, 1)))).handle(ask.Undo(2))
    assert play.view.history[1].sentences == ("Zoë lays a card face down on 0,1.",)
    assert play.view.undoable == 3


def test_an_amended_play_goes_on_to_its_end(begin: Callable[..., Any]) -> None:
    play = begin().lay((0, 0), (0, 1)).handle(ask.Amend(0, Placed(0, (0, 0), "1"))).lay_all()
    assert play.session.state.phase is Phase.TURN_OVER
    assert play.session.state.layout[0].face == "1"
    play.handle(ask.Make(next(RULES.legal_moves(play.session.state))))
    assert play.view.over
    assert play.resume().view.over
