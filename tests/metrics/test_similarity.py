import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st

from hydralab.metrics import boundary_similarity


def masses(gaps):
    ends = [*(np.flatnonzero(gaps) + 1).tolist(), len(gaps) + 1]
    return tuple(np.diff([0, *ends]).tolist())


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=25))
def test_it_is_the_boundary_similarity_of_segeval(pairs):
    predicted, gold = (list(side) for side in zip(*pairs, strict=True))
    expected = (
        float(segeval.boundary_similarity(masses(predicted), masses(gold))) if any(predicted + gold) else 1.0
    )
    assert boundary_similarity(predicted, gold) == pytest.approx(expected)
    assert boundary_similarity(gold, predicted) == pytest.approx(expected)


def test_a_near_miss_costs_half_of_a_miss():
    """FAULTS 39."""
    gold = [False, False, True, False, False, False]
    assert boundary_similarity(gold, gold) == 1.0
    assert boundary_similarity([False, True, False, False, False, False], gold) == 0.5
    assert boundary_similarity([True, False, False, False, False, False], gold) == 0.0


def test_hardly_any_turns():
    """FAULTS 40."""
    assert boundary_similarity([], []) == 1.0
    assert boundary_similarity([True], [False]) == 0.0
