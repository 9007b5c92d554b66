from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision import deck

COUNTS = [8, 4, 8, 4, 4, 4, 4]
KINDS = np.repeat(np.arange(7), COUNTS)


def sure(strength: float = 0.99) -> NDArray[np.float64]:
    beliefs = np.full((36, 7), (1 - strength) / 6)
    beliefs[np.arange(36), KINDS] = strength
    return beliefs


def test_sure_beliefs_stand_and_lead_clearly() -> None:
    answer = deck.assign(sure(), COUNTS)
    assert np.array_equal(answer.kinds, KINDS)
    assert answer.leads.min() > 8


def test_a_weak_belief_is_settled_by_the_others() -> None:
    beliefs = sure()
    beliefs[0] = 1 / 7
    answer = deck.assign(beliefs, COUNTS)
    assert np.array_equal(answer.kinds, KINDS)
    assert answer.leads[0] > 4


def test_one_confident_misreading_cannot_stand() -> None:
    beliefs = sure()
    beliefs[0] = beliefs[10]
    answer = deck.assign(beliefs, COUNTS)
    assert (np.bincount(answer.kinds) == COUNTS).all()
    assert answer.cost > deck.assign(sure(), COUNTS).cost + 4


def test_two_that_could_be_exchanged_do_not_lead() -> None:
    beliefs = sure()
    for node in (0, 10):
        beliefs[node] = 0.001
        beliefs[node, [0, 1]] = 0.4975
    answer = deck.assign(beliefs, COUNTS)
    assert answer.leads[0] < 0.1
    assert answer.leads[10] < 0.1


def test_counts_must_fill_the_nodes() -> None:
    with pytest.raises(ValueError, match="36 nodes"):
        deck.assign(sure(), [8, 4, 8, 4, 4, 4, 3])


@pytest.mark.parametrize("seed", range(40))
def test_no_other_order_is_likelier(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = [2, 2, 1, 1]
    beliefs = rng.dirichlet([rng.choice([0.1, 1.0])] * 4, 6)
    costs = -np.log(np.maximum(beliefs, deck.FLOOR))
    orders = np.array(sorted(set(permutations(np.repeat(np.arange(4), counts).tolist()))))
    totals = costs[np.arange(6), orders].sum(axis=1)
    answer = deck.assign(beliefs, counts)
    assert answer.cost == pytest.approx(totals.min())
    for node in range(6):
        others = totals[orders[:, node] != answer.kinds[node]]
        assert answer.leads[node] == pytest.approx(others.min() - answer.cost)
