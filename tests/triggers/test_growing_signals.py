"""Values and ranks as turns come are those of all turns, bit for bit."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.core.percentile import causal_percentile
from hydralab.signals import Depth, GapSeconds, Shift
from hydralab.triggers import col
from hydralab.triggers.growing_signals import GrowingRanks, signals_grow

VALUES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5, float("inf"), float("nan")]), max_size=90)


@pytest.mark.parametrize(("expected", "least"), [(None, 0), (np.asarray([0.4, 1.0, 1.5]), 20)])
@given(VALUES, st.lists(st.integers(0, 90), max_size=5))
def test_ranks_grow_to_those_of_all_values(expected, least, values, ends):
    values, ranks = np.asarray(values), GrowingRanks(expected, least)
    ends = sorted({0, *(min(end, len(values)) for end in ends), len(values)})
    found = []
    for start, end in pairwise(ends):
        wanted = causal_percentile(values[: end + 3], expected, least=max(least, 1))
        found += ranks.extend(values[start:end]).tolist()
        np.testing.assert_array_equal(found, wanted[:end])
        np.testing.assert_array_equal(ranks.ahead(values[end : end + 3]), wanted[end:])


@pytest.mark.parametrize(
    ("signal", "grows"),
    [(GapSeconds(), True), (Shift(), True), (Depth(reach=2), True), (Depth(reach=None), False)],
)
def test_a_signal_that_may_look_back_to_the_first_turn_is_told(signal, grows):
    assert signals_grow((col.mine > 0.5) | (col.tokens > 3), {"mine": signal}) is grows
