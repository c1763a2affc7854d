import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hydralab.core.percentile import causal_percentile, smaller_before

STEPS = arrays(np.float64, st.integers(0, 70), elements=st.integers(0, 9).map(lambda i: i / 10))


def percentile_slowly(values, prior, least):
    """Compare each known value with all before it and with what is left of the prior."""
    shares, earlier = [], []
    for value in values:
        if np.isnan(value):
            shares.append(np.nan)
            continue
        missing = max(0, least - len(earlier))
        places = (np.arange(missing) + 0.5) / max(missing, 1) * len(prior) - 0.5
        expected = np.interp(places, np.arange(len(prior)), prior)
        among = [*earlier, *expected]
        shares.append(sum(other < value for other in among) / len(among))
        earlier.append(value)
    return shares


@settings(deadline=None, max_examples=60)
@given(STEPS)
def test_counts_the_earlier_values_that_are_strictly_smaller(values):
    slowly = [int((values[:i] < values[i]).sum()) for i in range(values.size)]
    assert smaller_before(values).tolist() == slowly


@settings(deadline=None, max_examples=60)
@given(STEPS, st.integers(1, 25))
def test_share_among_earlier_values_and_the_prior(values, least):
    prior = np.sort(np.random.default_rng(0).random(7))
    found = causal_percentile(values, prior, least=least)
    np.testing.assert_allclose(found, percentile_slowly(values, prior, least), atol=1e-12)


def test_every_library_counts_alike(to_array):
    values = np.random.default_rng(2).random(100).round(2)
    values[[0, 9, 50]] = np.nan
    prior = np.linspace(0.1, 0.9, 20)
    found = np.asarray(causal_percentile(to_array(values), to_array(prior)))
    np.testing.assert_allclose(found, percentile_slowly(values, prior, 20), atol=1e-12)


def test_a_longer_series_changes_no_earlier_share():
    values = np.random.default_rng(3).random(200)
    assert (causal_percentile(values)[:120] == causal_percentile(values[:120])).all()


def test_without_a_prior_the_first_value_stands_above_nothing(to_array):
    assert np.asarray(causal_percentile(to_array(np.asarray([0.7, 0.9])))).tolist() == [0.0, 1.0]


def test_nothing_known_gives_nothing(to_array):
    assert np.isnan(np.asarray(causal_percentile(to_array(np.full(3, np.nan))))).all()
    assert np.asarray(causal_percentile(to_array(np.zeros(0)))).size == 0
