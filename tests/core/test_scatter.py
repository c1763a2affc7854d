import numpy as np
import pytest

from hydralab.core import scatter
from hydralab.core.scatter import running_scatter


def scatter_slowly(rows, expected, weight):
    found = []
    for t in range(1, len(rows) + 1):
        pairs = [1 - rows[i] @ rows[j] for i in range(t) for j in range(t) if i != j]
        own = np.mean(pairs) if pairs else 0.0
        found.append(((t - 1) * own + weight * expected) / (t - 1 + weight))
    return found


@pytest.mark.parametrize("block", [4, 4096])
def test_mean_distance_of_two_rows_so_far(to_array, monkeypatch, block):
    monkeypatch.setattr(scatter, "BLOCK", block)
    rows = np.random.default_rng(0).standard_normal((13, 4))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = np.asarray(running_scatter(to_array(rows), expected=0.7, weight=5.0))
    np.testing.assert_allclose(found, scatter_slowly(rows, 0.7, 5.0), atol=1e-12)


def test_before_anything_is_seen_the_expectation_stands(to_array):
    assert np.asarray(running_scatter(to_array(np.eye(2)[:1]), expected=0.7, weight=5.0)).tolist() == [0.7]
    assert np.asarray(running_scatter(to_array(np.zeros((0, 3))), expected=0.7, weight=5.0)).size == 0
