import numpy as np
import pytest

from hydralab.core.lagged import lagged_products, pad_rows, shifted, window_products


def products_slowly(rows, lags):
    n = len(rows)
    return [
        [float(rows[t] @ rows[t + lag]) if t + lag < n else 0.0 for t in range(n)] for lag in range(lags + 1)
    ]


@pytest.mark.parametrize("lags", [0, 1, 4, 15, 16, 17, 40])
@pytest.mark.parametrize("n", [0, 1, 5, 33])
def test_products_of_each_row_with_the_rows_after_it(to_array, n, lags):
    rows = np.random.default_rng(n).standard_normal((n, 6))
    found = np.asarray(lagged_products(to_array(rows), lags))
    np.testing.assert_allclose(found, np.reshape(products_slowly(rows, lags), (lags + 1, n)), atol=1e-12)


@pytest.mark.parametrize("lags", [3, 20])
def test_a_prefix_gives_the_same_bits(lags):
    rows = np.random.default_rng(0).standard_normal((300, 48)).astype(np.float32)
    whole = lagged_products(rows, lags)
    for n in (1, 17, 64, 250):
        part = lagged_products(rows[:n], lags)
        for lag in range(min(lags, n) + 1):
            assert (part[lag, : n - lag] == whole[lag, : n - lag]).all()


def test_windows_outside_the_array_count_as_zero_rows(to_array):
    rows = np.random.default_rng(1).standard_normal((9, 4))
    found = np.asarray(window_products(lagged_products(to_array(rows), 6), range(-3, 0), range(2)))
    padded = np.concatenate([np.zeros((3, 4)), rows, np.zeros((2, 4))])
    slowly = [padded[t : t + 3].sum(0) @ padded[t + 3 : t + 5].sum(0) for t in range(9)]
    np.testing.assert_allclose(found, slowly, atol=1e-12)


@pytest.mark.parametrize("steps", [-9, -1, 0, 2, 9])
def test_moved_values_leave_zeros_behind(to_array, steps):
    values = np.arange(1.0, 5.0)
    slowly = [values[i - steps] if 0 <= i - steps < 4 else 0.0 for i in range(4)]
    assert np.asarray(shifted(to_array(values), steps)).tolist() == slowly


def test_padding_adds_zero_rows(to_array):
    assert np.asarray(pad_rows(to_array(np.ones((2, 3))), 4)).tolist() == [[1.0] * 3] * 2 + [[0.0] * 3] * 2
