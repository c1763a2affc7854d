from itertools import combinations, pairwise

import numpy as np
import pytest
import ruptures
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.core.changepoints import causal_change_points, change_points, optimal_partition, segment_costs


def topics(sizes, seed=0, dim=6, noise=0.5):
    """Unit rows around one random centre a topic."""
    random = np.random.default_rng(seed)
    centres = np.repeat(random.standard_normal((len(sizes), dim)), sizes, axis=0)
    rows = centres + noise * random.standard_normal(centres.shape)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def cost_slowly(rows, start, stop):
    return float(((rows[start:stop] - rows[start:stop].mean(0)) ** 2).sum())


def best_of_all_partitions(rows, penalty):
    """Try every partition there is."""
    n = len(rows)
    costs = {(a, b): cost_slowly(rows, a, b) for a in range(n) for b in range(a + 1, n + 1)}
    best = (np.inf, ())
    for count in range(n):
        for cuts in combinations(range(1, n), count):
            ends = [0, *cuts, n]
            cost = sum(costs[pair] for pair in pairwise(ends)) + penalty * count
            best = min(best, (cost, cuts))
    return best


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 10), st.integers(0, 500), st.floats(0.05, 2.0))
def test_the_cheapest_of_all_partitions_of_up_to_ten_rows(n, seed, penalty):
    """FAULTS 41."""
    rows = topics([1] * n, seed, noise=0.8)
    cost, _ = best_of_all_partitions(rows, penalty)
    totals, _ = optimal_partition(rows, penalty)
    assert totals[n] == pytest.approx(cost, abs=1e-9)
    ends = [0, *change_points(rows, penalty).tolist(), n]
    reached = sum(cost_slowly(rows, a, b) for a, b in pairwise(ends)) + penalty * (len(ends) - 2)
    assert reached == pytest.approx(cost, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_cuts_of_ruptures(to_array, seed):
    rows = topics([5, 9, 3, 14, 6, 11], seed)
    oracle = ruptures.KernelCPD(kernel="cosine", min_size=1)
    oracle.min_size = 1
    expected = [int(cut) for cut in oracle.fit(rows).predict(pen=1.0)][:-1]
    assert np.asarray(change_points(to_array(rows), 1.0)).tolist() == expected


def test_the_cost_of_a_segment_is_its_scatter_around_its_mean(to_array):
    rows = topics([4, 4])
    costs = np.asarray(segment_costs(to_array(rows), 5))
    for size in range(1, 6):
        for start in range(8):
            expected = cost_slowly(rows, start, start + size) if start + size <= 8 else np.inf
            assert costs[size - 1, start] == pytest.approx(expected, abs=1e-9)


def test_no_segment_is_longer_than_the_longest(to_array):
    rows = topics([30])
    cuts = [0, *np.asarray(change_points(to_array(rows), 5.0, longest=8)).tolist(), 30]
    assert max(np.diff(cuts)) <= 8


def test_a_price_for_each_row_is_the_price_of_the_cut_before_its_segment(to_array):
    rows = topics([6, 6, 6], noise=0.2)
    same = np.asarray(change_points(to_array(rows), to_array(np.full(18, 1.0)))).tolist()
    assert same == np.asarray(change_points(to_array(rows), 1.0)).tolist() == [6, 12]
    dear_at_the_end = np.where(np.arange(18) < 17, 1.0, 100.0)
    assert np.asarray(change_points(to_array(rows), to_array(dear_at_the_end))).size == 0


@pytest.mark.parametrize("lookahead", [0, 1, 3])
def test_a_gap_is_taken_when_the_prefix_that_is_known_cuts_there_last(to_array, lookahead):
    rows = topics([7, 5, 8, 4], seed=5)
    found = np.asarray(causal_change_points(to_array(rows), 0.9, lookahead=lookahead))
    for row in range(1, 24):
        cuts = change_points(rows[: row + 1 + lookahead], 0.9).tolist()
        assert found[row] == (bool(cuts) and cuts[-1] == row)


def test_identical_rows_are_never_cut(to_array):
    """FAULTS 40."""
    rows = np.repeat(topics([1]), 50, axis=0).astype(np.float32)
    assert np.asarray(change_points(to_array(rows), 0.5)).size == 0
    assert not np.asarray(causal_change_points(to_array(rows), 0.5)).any()


def test_a_topic_of_one_row_can_be_cut_out(to_array):
    """FAULTS 40."""
    rows = np.concatenate([np.tile([1.0, 0, 0], (6, 1)), [[0, 1.0, 0]], np.tile([0, 0, 1.0], (6, 1))])
    assert np.asarray(change_points(to_array(rows), 0.4)).tolist() == [6, 7]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_any_rows(to_array, n):
    """FAULTS 40."""
    rows = to_array(np.eye(4)[:n])
    assert np.asarray(change_points(rows, 1.5)).size == 0
    assert np.asarray(causal_change_points(rows, 1.5)).tolist() == [False] * n


def test_a_spoilt_row_pays_for_no_cut(to_array):
    rows = topics([6, 6], noise=0.1)
    rows[3] = np.nan
    assert np.asarray(change_points(to_array(rows), 1.0)).tolist() == [6]
