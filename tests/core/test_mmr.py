import numpy as np
import pytest

from hydralab.core.cosine import unit_rows
from hydralab.core.mmr import maximal_marginal_relevance
from hydralab.errors import HydralabError


def slow_choice(relevance, vectors, k, balance):
    chosen = []
    while len(chosen) < min(k, len(relevance)):
        worth = [
            -np.inf
            if i in chosen
            else balance * relevance[i]
            - (1 - balance) * max((vectors[i] @ vectors[j] for j in chosen), default=0)
            for i in range(len(relevance))
        ]
        chosen.append(int(np.argmax(worth)))
    return chosen


@pytest.mark.parametrize("balance", [0.0, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("k", [0, 1, 5, 40])
def test_each_choice_weighs_relevance_against_what_was_chosen(to_array, balance, k):
    random = np.random.default_rng(3)
    relevance, vectors = random.random(12), unit_rows(random.standard_normal((12, 4)))
    chosen, worth = maximal_marginal_relevance(to_array(relevance), to_array(vectors), k, balance)
    assert np.asarray(chosen).tolist() == slow_choice(relevance, vectors, k, balance)
    assert worth.shape == chosen.shape


def test_a_balance_of_one_is_plain_relevance(to_array):
    relevance = [0.2, 0.9, 0.5]
    chosen, worth = maximal_marginal_relevance(to_array(relevance), to_array(np.eye(3)), 3, 1.0)
    assert np.asarray(chosen).tolist() == [1, 2, 0]
    np.testing.assert_allclose(np.asarray(worth), [0.9, 0.5, 0.2])


def test_the_cost_is_shown_two_needed_rows_that_are_alike_are_torn_apart():
    """FAULTS 31: maximal marginal relevance loses evidence that comes in several similar turns."""
    vectors = unit_rows(np.asarray([[1.0, 0.0], [1.0, 0.05], [0.0, 1.0]]))
    relevance = np.asarray([0.9, 0.88, 0.5])
    plain, diverse = (
        maximal_marginal_relevance(relevance, vectors, 2, balance)[0].tolist() for balance in (1.0, 0.5)
    )
    assert (plain, diverse) == ([0, 1], [0, 2])


@pytest.mark.parametrize(("k", "balance"), [(-1, 0.5), (1, 1.5), (1, -0.1)])
def test_settings_outside_their_range_are_refused(k, balance):
    with pytest.raises(HydralabError, match="expected"):
        maximal_marginal_relevance(np.ones(2), np.eye(2), k, balance)
