import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.core.topk import top_k
from hydralab.errors import HydralabError

SCORES = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, float("nan")]), max_size=30)


def slow_top_k(scores, k):
    """Sort everything, NaN last, equal scores by place."""
    places = sorted(range(len(scores)), key=lambda i: (np.isnan(scores[i]), -np.nan_to_num(scores[i]), i))
    return places[:k]


@settings(deadline=None)
@given(scores=SCORES, k=st.integers(0, 35))
def test_the_best_come_first_and_ties_by_place(scores, k):
    values, places = top_k(np.asarray(scores, dtype=np.float64), k)
    assert places.tolist() == slow_top_k(scores, k)
    np.testing.assert_array_equal(values, np.asarray(scores, dtype=np.float64)[places])


@pytest.mark.parametrize("k", [0, 1, 3, 8, 20])
def test_every_library_gives_the_same_places(to_array, k):
    scores = [0.5, 0.1, 0.9, 0.5, float("nan"), 0.9, 0.5, -2.0]
    values, places = top_k(to_array(scores), k)
    assert np.asarray(places).tolist() == slow_top_k(scores, k)
    assert str(places.dtype).endswith("int64")
    assert values.shape == places.shape


def test_rows_are_ranked_one_by_one(to_array):
    scores = np.random.default_rng(0).integers(0, 5, (4, 9)).astype(float)
    values, places = top_k(to_array(scores), 3)
    assert np.asarray(places).tolist() == [slow_top_k(row, 3) for row in scores]
    assert np.asarray(values).shape == (4, 3)


def test_nothing_to_choose_from_is_no_error(to_array):
    assert np.asarray(top_k(to_array(np.empty((0, 4))), 2)[1]).shape == (0, 2)
    assert np.asarray(top_k(to_array(np.empty((3, 0))), 2)[1]).shape == (3, 0)


def test_a_negative_k_is_refused():
    with pytest.raises(HydralabError, match="k is -1, expected at least 0"):
        top_k(np.zeros(3), -1)
