"""Which card shows what, when the deck is known: every card gets a face so that each face comes as often as it must.

It begins with what the cards were taken for and changes no more than it has to: a card in want of a face takes one that
is left, or that of another card, which takes one in turn. The way that goes least against what was seen is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, permutations

from companion.games.cassa_grande.pieces import FACES
from companion.sight import Spot

MOST_STEPS = 3
"""Along so many faces a card's want is handed on at most: there are hardly better ways that are longer."""

Costs = Mapping[Spot, Mapping[str, float]]
"""How much speaks against a face on a spot: minus the natural logarithm of its probability."""


def assigned(
    pool: str, costs: Costs, taken_for: Mapping[Spot, str], fixed: Mapping[Spot, str]
) -> dict[Spot, str] | None:
    """A face of `pool` for every spot of `taken_for`; those in `fixed` keep theirs. None where that cannot be.

    What a spot is taken for may be anything.
    """
    left = Counter(pool)
    left.subtract(Counter(fixed.values()))
    if len(pool) < len(taken_for) or min(left.values(), default=0) < 0:
        return None
    answer: dict[Spot, str] = {}
    wanting: list[Spot] = []
    free = [spot for spot in taken_for if spot not in fixed]
    for spot in sorted(free, key=lambda spot: costs[spot].get(taken_for[spot], 0.0)):
        face = taken_for[spot]
        if face in FACES and left[face]:
            answer[spot] = face
            left[face] -= 1
        else:
            wanting.append(spot)
    for spot in wanting:
        left[_handed_on(spot, answer, costs, left)] -= 1
    return {**fixed, **answer}


def _handed_on(spot: Spot, answer: dict[Spot, str], costs: Costs, left: Counter[str]) -> str:
    """Give a spot a face, and others another one where that takes theirs. Returns the face that is used up."""
    giver = {
        (face, other): min(
            (costs[each][other] - costs[each][face], each) for each, has in answer.items() if has == face
        )
        for face, other in permutations(FACES, 2)
        if face in answer.values()
    }
    way = min(_ways(giver, left), key=lambda way: costs[spot][way[0]] + sum(giver[step][0] for step in pairwise(way)))
    givers = [giver[step][1] for step in pairwise(way)]
    answer[spot] = way[0]
    answer.update(zip(givers, way[1:], strict=True))
    return way[-1]


def _ways(giver: Mapping[tuple[str, str], object], left: Counter[str]) -> Iterator[tuple[str, ...]]:
    """Faces in the order in which a want is handed on; of the last one some are left."""
    for steps in range(1, MOST_STEPS + 1):
        for way in permutations(FACES, steps):
            if left[way[-1]] and all(step in giver for step in pairwise(way)):
                yield way
