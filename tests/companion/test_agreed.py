"""'We play it this way': the table overrules a rule, in a session over a real file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion import exchange
from companion import intents as ask
from companion.games import GAMES
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.journal import Played, replay
from companion.store import Store
from companion.view import Tone

SENTENCES = {name: game.sentences for name, game in GAMES.items()}
RULES = {name: game.rules for name, game in GAMES.items()}


def test_what_was_refused_may_be_agreed_is_logged_and_undone(begin: Callable[..., Any]) -> None:
    play = begin().lay((0, 0)).handle(ask.Make(Placed(2, (0, 3))))
    message = play.view.message
    assert (message.tone, message.agree) == (Tone.REFUSED, ask.Make(Placed(2, (0, 3)), agreed=True))
    assert message.sentence.startswith("Touch rule:")
    assert play.view.revision == 1
    play.handle(message.agree)
    assert play.view.message is None
    assert [card.cell for card in play.view.state.layout] == [(0, 0), (0, 3)]
    assert play.view.history[-1].sentences == (
        "Zoë lays a card face down on 0,3.",
        "Played this way by agreement. Touch rule: a card on 0,3 touches no other; lay it against a side or a corner.",
    )
    assert play.view.happened == play.view.history[-1].sentences
    assert play.session.journal.entries[-1] == Played(Placed(2, (0, 3)), agreed=True)
    before = play.view
    play.handle(ask.Undo())
    assert [card.cell for card in play.view.state.layout] == [(0, 0)]
    assert play.view.hands == ("Zoë takes a card back in hand: 0,3.",)
    play.handle(ask.Redo())
    assert (play.view.state, play.view.history[-1].sentences) == (before.state, before.history[-1].sentences)
    assert play.resume().view.state == before.state
    assert play.view.history[-1].sentences == before.history[-1].sentences


@pytest.mark.parametrize(
    ("move", "start"),
    [
        (Placed(2, (0, 0)), "Cell 0,0 already holds a card"),
        (Placed(2, (0, 9)), "Touch rule"),
        (Placed(2, (0, 1), "9"), "Hand: Zoë has no 9 left"),
        (Placed(1, (0, 1)), "Turn order"),
    ],
)
def test_what_the_program_could_not_add_up_is_not_offered(begin: Callable[..., Any], move: Placed, start: str) -> None:
    play = begin().lay((0, 0)).handle(ask.Make(move))
    assert play.view.message.sentence.startswith(start)
    assert play.view.message.agree is None
    play.handle(ask.Make(move, agreed=True))
    assert play.view.revision == 1
    assert play.view.message.tone is Tone.REFUSED
    assert play.view.message.agree is None


def test_an_offer_is_as_good_as_the_state_it_was_made_in(begin: Callable[..., Any]) -> None:
    play = begin().lay((0, 0)).handle(ask.Make(Placed(2, (0, 3))))
    offer = play.view.message.agree
    play.handle(offer, offer)
    assert play.view.message.sentence.startswith("Cell 0,3 already holds a card")
    assert play.view.revision == 2


def test_an_agreement_about_nothing_is_an_ordinary_move(begin: Callable[..., Any]) -> None:
    play = begin().handle(ask.Make(Placed(0, (0, 0)), agreed=True))
    assert play.view.history[-1].sentences == ("Ana lays a card face down on 0,0.",)


def test_a_round_with_agreements_is_finished_added_up_and_goes_out_and_in(
    begin: Callable[..., Any], tmp_path: Any
) -> None:
    play = begin(Setup()).lay((0, 0)).handle(
        ask.Make(Placed(2, (0, 1)), agreed=True),
        ask.Make(Placed(3, (2, 3)), agreed=True),
        ask.Make(Placed(0, (1, 1), ","), agreed=True),
    )  # fmt: skip
    assert [len(line.sentences) for line in play.view.history] == [1, 2, 2, 2]
    play.lay_all()
    play.handle(ask.Make(next(play.game.rules.legal_moves(play.session.state))))
    assert play.view.over
    sheet = play.view.sheets[-1]
    assert all(sheet.total(seat) == sum(line.points for line in sheet.lines_of(seat)) for seat in sheet.seats)
    assert play.store.plays()[0].totals == sheet.totals()
    assert replay(play.game.rules, play.session.journal).sheets == play.view.sheets
    for number, taken_in in enumerate((False, True)):
        with Store.open(tmp_path / f"other{number}.sqlite", RULES, play.wall) as other:
            if taken_in:
                exchange.take_json(other, exchange.to_json(play.store), SENTENCES)
            else:
                exchange.take_text(other, exchange.to_text(play.store, "p"), play.wall, SENTENCES)
            assert other.load("p")[0] == play.session.journal
            assert other.plays()[0].totals == sheet.totals()
