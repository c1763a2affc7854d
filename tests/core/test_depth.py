import numpy as np
import pytest

from hydralab.core.depth import valley_depth


def depth_slowly(values, reach):
    reach = len(values) if reach is None else reach
    found = []
    for i, value in enumerate(values):
        peaks = []
        for step in (-1, 1):
            at = i
            while (
                abs(at + step - i) <= reach
                and 0 <= at + step < len(values)
                and values[at + step] >= values[at]
            ):
                at += step
            peaks.append(values[at])
        found.append(peaks[0] - value + peaks[1] - value)
    return found


@pytest.mark.parametrize("reach", [None, 1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_climbs_while_the_curve_does_not_fall(to_array, n, reach):
    values = np.random.default_rng(n).integers(0, 6, n) / 5
    found = np.asarray(valley_depth(to_array(values), reach))
    np.testing.assert_allclose(found, depth_slowly(values, reach), atol=1e-12)


def test_no_climb_crosses_an_unknown_value(to_array):
    found = np.asarray(valley_depth(to_array(np.asarray([0.9, np.nan, 0.2, 0.5]))))
    assert found[2] == pytest.approx(0.3)
    assert np.isnan(found[1])


def test_a_flat_curve_has_no_depth(to_array):
    assert not np.asarray(valley_depth(to_array(np.full(50, 0.4)))).any()
