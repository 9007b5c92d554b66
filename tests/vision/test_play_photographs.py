"""Growing layouts in photoreal and composed pictures: each card in turn is taken for the one just laid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.cassa_grande import rules
from companion.games.cassa_grande.moves import Placed
from companion.games.cassa_grande.setup import Setup
from companion.games.cassa_grande.sight import propose
from companion.games.cassa_grande.state import Card, State
from companion.sight import GAP, UNKNOWN, Match, Spot
from vision import frame, truth
from vision.recognisers.cassa_grande_play import PlayReader

FRAMES = Path(__file__).parent / "frames"


def without(cards: dict[Spot, str], cell: Spot) -> State:
    """A play in which all these cards lie but one, which seat A lays next, face up or down as it shows."""
    state = rules.new(Setup(variants=frozenset("" if cards[cell] == UNKNOWN else "A")))
    laid = tuple(Card(spot, 0, face) for spot, face in cards.items() if spot != cell)
    hands = tuple(replace(hand, size=8, waiting=0, pool=None) for hand in state.hands)
    return replace(state, layout=laid, hands=hands, commas_free=True)


@pytest.mark.parametrize("name", ["composed_11", "composed_12", "table_06", "table_16"])
def test_the_card_just_laid_is_proposed_and_never_another(name: str) -> None:
    wanted = truth.load(FRAMES / f"{name}.jpg")
    image = frame.load(wanted.photo).image
    rows = enumerate(wanted.rows)
    cards = {(r, c): face for r, row in rows for c, face in enumerate(row) if face != GAP}
    clear = []
    for cell, face in list(cards.items())[::4]:
        state = without(cards, cell)
        found = propose(state, PlayReader().read(image, [card.cell for card in state.layout]))
        if found.match is Match.CLEAR:
            clear.append(cell)
            assert [option.moves for option in found.options] == [(Placed(0, cell, face),)]
            assert found.options[0].confidence >= 0.9
    assert len(clear) >= len(cards) // 4 - 1
