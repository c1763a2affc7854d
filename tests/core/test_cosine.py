import numpy as np
import pytest

from hydralab.core.cosine import cosine_scores, unit_rows, windowed_cosines


def random_rows(n, d=5, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def test_scores_are_cosines_whatever_the_length_of_the_query(to_array):
    rows, queries = unit_rows(random_rows(7)), 40 * random_rows(3, seed=1)
    slowly = [[row @ query / np.linalg.norm(query) for row in rows] for query in queries]
    scores = np.asarray(cosine_scores(to_array(queries), to_array(rows)))
    np.testing.assert_allclose(scores, slowly, atol=1e-12)
    np.testing.assert_allclose(
        np.asarray(cosine_scores(to_array(queries[0]), to_array(rows))), slowly[0], atol=1e-12
    )


def test_a_query_of_zeros_resembles_nothing(to_array):
    assert not np.asarray(cosine_scores(to_array(np.zeros(5)), to_array(unit_rows(random_rows(4))))).any()


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_rows_of_any_size_come_to_length_one_and_zeros_stay(to_array, scale):
    rows = np.vstack([random_rows(3), np.zeros((1, 5))]).astype(np.float32) * np.float32(scale)
    lengths = np.linalg.norm(np.asarray(unit_rows(to_array(rows))), axis=1)
    np.testing.assert_allclose(lengths, [1, 1, 1, 0], atol=1e-6)


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (1, 1), (2, 1), (9, 9)])
def test_a_window_scores_as_the_sum_of_its_rows(to_array, before, after):
    rows = unit_rows(random_rows(6))
    query = unit_rows(random_rows(1, seed=2))[0]
    sums = np.stack([rows[max(0, t - before) : t + after + 1].sum(axis=0) for t in range(6)])
    lengths = np.linalg.norm(sums, axis=1)
    scores = windowed_cosines(to_array(rows @ query), to_array(lengths), before, after)
    np.testing.assert_allclose(np.asarray(scores), sums @ query / lengths, atol=1e-12)


@pytest.mark.parametrize(("before", "after"), [(1, 0), (1, 1), (3, 2)])
def test_a_window_stays_inside_its_group(to_array, before, after):
    groups = np.array([0, 0, 0, 1, 2, 2])
    cosines = np.random.default_rng(4).random(6)
    slowly = [
        sum(cosines[j] for j in range(max(0, t - before), min(6, t + after + 1)) if groups[j] == groups[t])
        for t in range(6)
    ]
    found = windowed_cosines(to_array(cosines), to_array(np.ones(6)), before, after, to_array(groups))
    np.testing.assert_allclose(np.asarray(found), slowly, atol=1e-12)


def test_a_window_without_direction_scores_zero(to_array):
    scores = windowed_cosines(to_array([1.0, -1.0]), to_array([1.0, 0.0]), before=1, after=0)
    assert np.asarray(scores).tolist() == [1.0, 0.0]


def test_no_rows_give_no_scores(to_array):
    assert np.asarray(unit_rows(to_array(np.empty((0, 5))))).shape == (0, 5)
    assert np.asarray(cosine_scores(to_array(np.ones((2, 5))), to_array(np.empty((0, 5))))).shape == (2, 0)
    assert np.asarray(windowed_cosines(to_array(np.empty(0)), to_array(np.empty(0)), 1, 1)).shape == (0,)
