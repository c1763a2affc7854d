import numpy as np
import pytest

from hydralab.core.windows import prefix_sums, windowed_means


@pytest.mark.parametrize("shape", [(11,), (11, 3)])
@pytest.mark.parametrize(("before", "after"), [(0, 0), (2, 0), (1, 3), (20, 20)])
def test_means_over_windows_cut_at_both_ends(to_array, shape, before, after):
    values = np.random.default_rng(0).standard_normal(shape)
    slowly = [values[max(0, t - before) : t + after + 1].mean(0) for t in range(11)]
    np.testing.assert_allclose(
        np.asarray(windowed_means(to_array(values), before, after)), slowly, atol=1e-12
    )


def test_a_difference_of_prefix_sums_is_a_sum_over_rows(to_array):
    values = np.random.default_rng(1).standard_normal((6, 2))
    sums = np.asarray(prefix_sums(to_array(values)))
    np.testing.assert_allclose(sums[5] - sums[2], values[2:5].sum(0))
    assert sums.shape == (7, 2)
