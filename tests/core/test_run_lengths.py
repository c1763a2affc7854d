import numpy as np
import pytest

from hydralab.core.run_lengths import change_probability


def rows_of(sizes, seed=0, dim=6, noise=0.3):
    random = np.random.default_rng(seed)
    centres = np.repeat(random.standard_normal((len(sizes), dim)), sizes, axis=0)
    rows = centres + noise * random.standard_normal(centres.shape)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def probability_slowly(rows, hazard, concentration, lookahead):
    """Sum over all 2^(n−1) ways to cut what is known, each weighed by prior and likelihood."""
    n = len(rows)
    result = []
    for judged in range(n):
        known = min(n, judged + lookahead + 1)
        total = here = 0.0
        for cuts in range(2 ** (known - 1)):
            starts = [True, *(bool(cuts >> i & 1) for i in range(known - 1))]
            weight, first = 1.0, 0
            for t in range(known):
                if t:
                    weight *= hazard if starts[t] else 1 - hazard
                first = t if starts[t] else first
                mean = rows[first:t].sum(0) / (t - first + 1)
                weight *= np.exp(concentration * (rows[t] @ mean - mean @ mean / 2))
            total += weight
            # The newest run must start at the row that is judged.
            here += weight * (starts[judged] and not any(starts[judged + 1 :]))
        result.append(here / total)
    return np.asarray(result)


@pytest.mark.parametrize("lookahead", [0, 1, 2])
def test_the_probability_is_the_sum_over_all_ways_to_cut(to_array, lookahead):
    rows = rows_of([3, 2, 3])
    found = change_probability(to_array(rows), hazard=0.2, concentration=5.0, lookahead=lookahead)
    assert np.asarray(found) == pytest.approx(probability_slowly(rows, 0.2, 5.0, lookahead), abs=1e-9)


def test_new_topics_are_found_where_they_start(to_array):
    found = np.asarray(change_probability(to_array(rows_of([8, 5, 9]))))
    assert np.flatnonzero(found > 0.5).tolist() == [0, 8, 13]


def test_nothing_later_than_the_look_ahead_counts(to_array):
    rows = rows_of([7, 6, 7], seed=3)
    whole = np.asarray(change_probability(to_array(rows), lookahead=2))
    for known in range(3, 20):
        prefix = np.asarray(change_probability(to_array(rows[:known]), lookahead=2))
        assert prefix[: known - 2] == pytest.approx(whole[: known - 2])


def test_run_lengths_beyond_the_longest_are_one(to_array):
    rows = rows_of([60, 10])
    short = np.asarray(change_probability(to_array(rows), longest=20))
    assert np.flatnonzero(short > 0.5).tolist() == [0, 60]


def test_identical_rows_and_hardly_any(to_array):
    """FAULTS 40."""
    same = np.repeat(rows_of([1]), 50, axis=0)
    assert np.flatnonzero(np.asarray(change_probability(to_array(same))) > 0.5).tolist() == [0]
    for n in (0, 1, 2):
        assert np.asarray(change_probability(to_array(same[:n]), lookahead=3)).shape == (n,)


def test_a_run_of_one_row(to_array):
    """FAULTS 40."""
    rows = np.eye(3)[[0] * 6 + [1] + [2] * 6]
    found = np.asarray(change_probability(to_array(rows), hazard=0.2, concentration=12.0))
    assert {6, 7} <= set(np.flatnonzero(found > 0.3).tolist())
