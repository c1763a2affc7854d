import numpy as np
import pytest

from hydralab.core.shift import cosine_shift, wide_shift


def shift_slowly(rows, window, lag):
    curve = [np.nan]
    for t in range(1, len(rows)):
        before, after = rows[max(0, t - window) : t].mean(0), rows[t : t + lag + 1].mean(0)
        curve.append(1 - before @ after / np.linalg.norm(before) / np.linalg.norm(after))
    return curve


@pytest.mark.parametrize(("window", "lag"), [(1, 0), (3, 1), (6, 3), (12, 8)])
def test_distance_of_the_means_on_both_sides_of_a_gap(to_array, window, lag):
    rows = np.random.default_rng(3).standard_normal((40, 7))
    found = np.asarray(cosine_shift(to_array(rows), window, lag))
    np.testing.assert_allclose(found, shift_slowly(rows, window, lag), atol=1e-10)
    wide = np.asarray(wide_shift(to_array(rows), window, lag))
    np.testing.assert_allclose(wide, shift_slowly(rows, window, lag), atol=1e-10)


def test_identical_rows_do_not_shift(to_array):
    rows = np.repeat(np.random.default_rng(0).standard_normal((1, 32)), 20, axis=0).astype(np.float32)
    assert np.nanmax(np.asarray(cosine_shift(to_array(rows)))) < 1e-6


def test_a_nan_row_spoils_only_the_windows_it_is_in(to_array):
    rows = np.random.default_rng(0).standard_normal((20, 5))
    rows[10] = np.nan
    found = np.asarray(cosine_shift(to_array(rows), window=3, lag=1))
    assert np.flatnonzero(np.isnan(found)).tolist() == [0, 9, 10, 11, 12, 13]


def test_a_window_of_zero_rows_has_no_direction(to_array):
    rows = np.concatenate([np.zeros((4, 3)), np.ones((4, 3))])
    found = np.asarray(cosine_shift(to_array(rows), window=2, lag=0))
    assert np.isnan(found[:5]).all()
    assert found[5:].tolist() == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_rows_have_no_gap(to_array, n):
    assert np.isnan(np.asarray(cosine_shift(to_array(np.ones((n, 4)))))).all()
