"""F1 exact and tolerant, density, and Score on arrays of gaps."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.metrics import (
    boundary_f1,
    boundary_ratio,
    pk,
    segmentation_score,
    tolerance_f1,
    window_diff,
)

pairs_of_gaps = st.integers(1, 14).flatmap(
    lambda gaps: st.tuples(*[st.lists(st.booleans(), min_size=gaps, max_size=gaps).map(np.array)] * 2)
)


def most_pairs(found, wanted, tolerance):
    """Try every pairing."""

    @cache
    def best(i, taken):
        if i == len(found):
            return 0
        near = (
            j for j in range(len(wanted)) if not taken >> j & 1 and abs(found[i] - wanted[j]) <= tolerance
        )
        return max([best(i + 1, taken), *(1 + best(i + 1, taken | 1 << j) for j in near)])

    return best(0, 0)


def test_a_perfect_prediction_shifted_by_one_scores_near_zero():
    """FAULTS 39."""
    gold = np.zeros(60, dtype=bool)
    gold[4::6] = True
    assert boundary_f1(gold, gold) == 1
    assert boundary_f1(np.roll(gold, 1), gold) == 0
    assert boundary_f1(np.roll(gold, -1), gold) == 0
    assert tolerance_f1(np.roll(gold, 1), gold) == 1


def test_f1_rewards_cutting_everywhere_and_the_others_show_it():
    """FAULTS 30."""
    gold = np.arange(30) % 3 == 0
    every = np.ones(30, dtype=bool)
    assert boundary_f1(every, gold) == 0.5
    assert boundary_ratio(every, gold) == 3
    assert window_diff(every, gold) > 0.9
    assert tolerance_f1(every, gold) == 0.5


@given(pairs_of_gaps, st.integers(0, 3))
def test_tolerance_f1_takes_the_pairing_with_most_pairs(pair, tolerance):
    predicted, gold = pair
    found, wanted = np.flatnonzero(predicted).tolist(), np.flatnonzero(gold).tolist()
    total = len(found) + len(wanted)
    expected = 2 * most_pairs(found, wanted, tolerance) / total if total else 0
    assert tolerance_f1(predicted, gold, tolerance=tolerance) == pytest.approx(expected)


@given(pairs_of_gaps)
def test_zero_tolerance_is_exact_f1_and_more_never_hurts(pair):
    scores = [tolerance_f1(*pair, tolerance=tolerance) for tolerance in range(5)]
    assert scores[0] == boundary_f1(*pair)
    assert scores == sorted(scores)


@given(pairs_of_gaps)
def test_score_joins_three_measures(pair):
    expected = (2 * boundary_f1(*pair) + (1 - pk(*pair)) + (1 - window_diff(*pair))) / 4
    assert segmentation_score(*pair) == pytest.approx(expected)


def test_a_rightly_uncut_dialogue_scores_as_asked():
    uncut = [False] * 5
    assert boundary_f1(uncut, uncut) == 0
    assert boundary_f1(uncut, uncut, zero_division=1) == 1
    assert segmentation_score(uncut, uncut, zero_division=1) == 1
    assert np.isnan(boundary_ratio([True] * 5, uncut))


@pytest.mark.parametrize("gaps", [[], [True], [False]])
def test_one_and_two_turns_are_defined(gaps):
    """FAULTS 40."""
    assert segmentation_score(gaps, gaps, zero_division=1) == 1
    assert tolerance_f1(gaps, gaps) == boundary_f1(gaps, gaps)


def test_a_negative_tolerance_is_refused():
    with pytest.raises(HydralabError, match="tolerance is -1, expected a whole number of at least 0"):
        tolerance_f1([True], [True], tolerance=-1)
