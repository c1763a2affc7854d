import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.core.blend import min_max, rank_scale, weighted_blend, z_scale
from hydralab.errors import HydralabError

FINITE = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20)


def test_lowest_and_highest_become_zero_and_one(to_array):
    scores = to_array([[2.0, 4.0, 3.0], [7.0, 7.0, 7.0]])
    assert np.asarray(min_max(scores)).tolist() == [[0.0, 1.0, 0.5], [0.0, 0.0, 0.0]]


def test_an_unknown_score_stays_unknown_and_moves_no_other(to_array):
    scaled = np.asarray(min_max(to_array([1.0, float("nan"), 3.0])))
    np.testing.assert_array_equal(scaled, [0.0, np.nan, 1.0])


@pytest.mark.filterwarnings("error")
def test_an_infinite_score_is_at_the_end_and_moves_no_other(to_array):
    inf, nan = float("inf"), float("nan")
    rows = [[1.0, inf, 0.0, -inf], [inf, nan, 7.0, 7.0], [nan, inf, -inf, inf]]
    wanted = [[1.0, 1.0, 0.0, 0.0], [1.0, nan, 0.0, 0.0], [nan, 1.0, 0.0, 1.0]]
    np.testing.assert_array_equal(np.asarray(min_max(to_array(rows))), wanted)


@given(FINITE)
def test_scaling_keeps_the_order(scores):
    given_scores = np.asarray(scores)
    order = np.argsort(given_scores, kind="stable")
    for scale in (min_max, rank_scale, z_scale):
        assert (np.diff(scale(given_scores)[order]) >= 0).all()


@given(FINITE)
def test_scaled_scores_lie_between_zero_and_one(scores):
    for scale in (min_max, rank_scale):
        scaled = scale(np.asarray(scores))
        assert scaled.min() >= 0
        assert scaled.max() <= 1


def test_ranks_are_shares_of_lower_scores(to_array):
    scores = [10.0, 30.0, 20.0, 20.0, 5.0]
    slowly = [sum(other < score for other in scores) / 4 for score in scores]
    np.testing.assert_allclose(np.asarray(rank_scale(to_array(scores))), slowly)
    assert np.asarray(rank_scale(to_array([3.0]))).tolist() == [0.0]


def test_deviations_have_mean_zero_and_spread_one(to_array):
    scaled = np.asarray(z_scale(to_array([[1.0, 2.0, 6.0], [4.0, 4.0, 4.0]])))
    np.testing.assert_allclose(scaled.mean(axis=1), [0, 0], atol=1e-12)
    np.testing.assert_allclose(scaled.std(axis=1), [1, 0], atol=1e-12)


def test_a_blend_is_the_weighted_mean_and_the_unknown_counts_as_nothing(to_array):
    columns = to_array([[1.0, 0.0, float("nan")], [0.5, 1.0, 1.0]])
    np.testing.assert_allclose(np.asarray(weighted_blend(columns, [3, 1])), [0.875, 0.25, 0.25])


@pytest.mark.parametrize(
    ("weights", "message"), [([1.0], "1 weights for 2"), ([0.0, 0.0], "all weights are 0")]
)
def test_weights_that_fit_nothing_are_refused(weights, message):
    with pytest.raises(HydralabError, match=message):
        weighted_blend(np.ones((2, 3)), weights)


@pytest.mark.parametrize("scale", [min_max, rank_scale, z_scale])
def test_no_scores_stay_no_scores(to_array, scale):
    assert np.asarray(scale(to_array(np.empty(0)))).shape == (0,)
