import numpy as np
import pytest

from hydralab.errors import HydralabError
from hydralab.signals import Depth, ShiftRaw


def test_depth_is_what_both_climbs_gain(rows):
    vectors = rows(30)
    curve = 1 - ShiftRaw().values(None, vectors, closed=True)
    found = Depth(reach=None).values(None, vectors, closed=True)
    for t in range(1, 30):
        left = right = t
        while left > 1 and curve[left - 1] >= curve[left]:
            left -= 1
        while right < 29 and curve[right + 1] >= curve[right]:
            right += 1
        assert found[t] == pytest.approx(curve[left] + curve[right] - 2 * curve[t])


def test_with_a_reach_it_looks_ahead_so_far_and_no_further(rows):
    signal, vectors = Depth(lag=1, reach=2), rows(40)
    whole = signal.values(None, vectors, closed=True)
    for n in range(1, 40):
        prefix = signal.values(None, vectors[:n], closed=False)
        known = max(0, n - 3)
        np.testing.assert_array_equal(prefix[:known], whole[:known])
        assert np.isnan(prefix[known:]).all()


def test_without_a_reach_nothing_is_known_while_the_dialogue_runs(rows):
    assert Depth(reach=None).lookahead == "all"
    assert np.isnan(Depth(reach=None).values(None, rows(9), closed=False)).all()


def test_a_reach_of_no_gap_is_refused():
    with pytest.raises(HydralabError, match="reach is 0, expected a whole number of at least 1, or None"):
        Depth(reach=0)
