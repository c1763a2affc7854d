"""Each measure on arrays small enough to count by hand."""

import numpy as np
import pytest

from hydralab.attention import measures
from hydralab.core.segments import one_hot
from hydralab.errors import HydralabError

RNG = np.random.default_rng(2)


def test_mass_and_sink_free_mass_and_what_was_dropped_sum_to_one():
    weights = RNG.dirichlet(np.ones(5), size=(2, 3, 4))
    sink = weights * np.asarray([0.5, 0, 0, 0.1, 0])
    kept, dropped = measures.sink_free_mass(weights, sink)
    assert kept.sum() + dropped == pytest.approx(1)
    np.testing.assert_allclose(measures.mass(weights), weights.reshape(-1, 5).mean(axis=0))
    np.testing.assert_allclose(kept, (weights - sink).reshape(-1, 5).mean(axis=0))


def test_lift_is_zero_where_attention_follows_length_and_one_where_it_is_double():
    lengths = np.asarray([10, 20, 70])
    np.testing.assert_allclose(measures.lift(lengths / 100, lengths), 0, atol=1e-12)
    doubled = measures.lift(np.asarray([0.2, 0.2, 0.6]), lengths)
    assert doubled[0] == pytest.approx(1)


def test_lift_of_no_mass_is_minus_infinity_and_of_no_tokens_is_not_a_number():
    found = measures.lift(np.asarray([0.0, 0.5, 0.0]), np.asarray([5, 5, 0]))
    assert found[0] == -np.inf
    assert np.isnan(found[2])


def test_recency_alone_leaves_no_adjusted_lift():
    near = np.asarray([0.1, 0.2, 0.7])  # by place, whoever stands there
    shares = np.asarray([np.roll(near, turn) for turn in range(3)])
    lengths = np.asarray([9, 9, 9])
    assert np.ptp(measures.lift(shares[0], lengths)) > 1
    np.testing.assert_allclose(measures.distance_adjusted_lift(shares, lengths), 0, atol=1e-12)


def test_a_head_that_copies_counts_and_one_that_looks_at_the_answer_does_not():
    top = np.asarray([[[0, 2], [1, 3]]])
    copying = measures.retrieval_heads(top, np.asarray([5, 6, 5]), np.asarray([5, 5]))
    assert copying.tolist() == [[[True, True], [False, False]]]
    weights = np.asarray([[[[0.9, 0.1], [0.5, 0.5]], [[0.0, 1.0], [0.0, 1.0]]]])
    np.testing.assert_allclose(measures.retrieval_mass(weights, copying), [0.7, 0.3])
    assert np.isnan(measures.retrieval_mass(weights, np.zeros_like(copying))).all()


def test_rollout_of_no_attention_but_to_itself_keeps_every_token_where_it_was():
    membership = one_hot(np.asarray([0, 1, 1]), 2, np.float64)
    np.testing.assert_allclose(measures.rollout(np.eye(3)[None], membership), membership)
    with pytest.raises(HydralabError, match=r"expected \(layers, 3, 3\)"):
        measures.rollout(np.eye(2)[None], membership)


def test_agreement_is_spearman_s_with_ties_and_needs_three():
    a, b = np.asarray([1.0, 2.0, 2.0, 4.0, np.nan]), np.asarray([1.0, 3.0, 2.0, 9.0, 0.0])
    ranks = np.corrcoef([1, 2.5, 2.5, 4], [1, 3, 2, 4])[0, 1]
    assert measures.agreement(a, b) == pytest.approx(ranks)
    assert np.isnan(measures.agreement(a[:2], b[:2]))
    assert np.isnan(measures.agreement(np.ones(4), b[:4]))
