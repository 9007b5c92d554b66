from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.games.cassa_grande.moves import Dealt, Move, Placed, Swapped, TurnedOver, read, write


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("A 0,0 ?", Placed(0, (0, 0))),
        ("C -1,2 4", Placed(2, (-1, 2), "4")),
        ("D 5,-5 ,", Placed(3, (5, -5), ",")),
        ("A swaps B ? 3", Swapped(0, 1, "?", "3")),
        ("dealt 0012234, ? ? ?", Dealt(("0012234,", "?", "?", "?"))),
        ("turned over 11201, 4,.00.", TurnedOver(("11201,", "4,.00."))),
    ],
)
def test_notation(text: str, move: Move) -> None:
    assert read(text) == move
    assert write(move) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "A", "A 0,0", "A 0,0 5", "A 0 0 ?", "a 0,0 ?", "K 0,0 ?", "A 0,0 ??", "A +1,0 ?", "A 0,0 ? B", "A 1.5,0 ?",
        "A 0,000 ?", "A \u0661,0 ?", "A swaps ? ?", "A swaps B", "A swaps B ? 7", "dealt", "turned over", "turned",
    ],
)  # fmt: skip
def test_what_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a (move|seat).*: write .*\.$"):
        read(text)
