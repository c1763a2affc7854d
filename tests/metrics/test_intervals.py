"""Bootstrap intervals of means and of paired differences."""

import math

import numpy as np
import pytest

from hydralab.errors import HydralabError
from hydralab.metrics import mean_interval, paired_interval


def test_an_interval_is_that_of_theory_for_many_values():
    values = np.random.default_rng(1).normal(0.6, 0.2, 2_000)
    found = mean_interval(values)
    error = 1.96 * values.std() / math.sqrt(len(values))
    assert found.mean == pytest.approx(values.mean())
    assert (found.mean - found.lo, found.hi - found.mean) == pytest.approx((error, error), rel=0.1)


def test_a_constant_lead_is_certain_though_the_values_vary_much():
    scores = np.random.default_rng(2).random(50)
    assert paired_interval(scores + 0.1, scores) == pytest.approx((0.1, 0.1, 0.1))
    assert mean_interval(scores).hi - mean_interval(scores).lo > 0.1


def test_what_is_unknown_is_left_out_and_nothing_is_nothing():
    assert mean_interval([np.nan, 1.0]) == (1.0, 1.0, 1.0)
    assert all(math.isnan(each) for each in mean_interval([]))
    assert paired_interval([1.0, np.nan], [0.0, 1.0]).mean == 1.0


def test_a_seed_gives_the_same_again():
    values = np.arange(30.0)
    assert mean_interval(values, seed=3) == mean_interval(values, seed=3)


@pytest.mark.parametrize("given", [{"level": 1.0}, {"level": 0.0}, {"repeats": 0}])
def test_what_cant_be_meant_is_refused(given):
    with pytest.raises(HydralabError, match="expected 0 < level < 1"):
        mean_interval([1.0], **given)


def test_pairs_are_pairs():
    with pytest.raises(HydralabError, match="expected pairs"):
        paired_interval([1.0], [1.0, 2.0])
