import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.core.logistic import fit_logistic, sigmoid
from hydralab.errors import HydralabError


def drawn(weights, constant, count=4_000, seed=0):
    random = np.random.default_rng(seed)
    columns = random.random((count, len(weights)))
    chance = 1 / (1 + np.exp(-(columns @ np.asarray(weights) + constant)))
    return columns, (random.random(count) < chance).astype(float)


def loss(columns, labels, weights, constant, ridge):
    reached = columns @ weights + constant
    return np.logaddexp(0, reached).sum() - labels @ reached + ridge / 2 * weights @ weights


def test_the_weights_that_made_the_labels_are_found():
    weights, constant = fit_logistic(*drawn([3.0, -2.0, 0.0], -0.5, count=40_000), ridge=0.01)
    np.testing.assert_allclose(weights, [3.0, -2.0, 0.0], atol=0.2)
    assert constant == pytest.approx(-0.5, abs=0.2)


@pytest.mark.parametrize("bounded", [False, True])
def test_no_step_in_any_direction_is_better(bounded):
    columns, labels = drawn([2.0, -3.0], 0.5)
    weights, constant = fit_logistic(columns, labels, ridge=1.0, bounded=bounded)
    best = loss(columns, labels, weights, constant, 1.0)
    for step in np.vstack([np.eye(3), -np.eye(3)]) * 1e-2:
        moved = weights + step[:2]
        if not bounded or (moved >= 0).all():
            assert loss(columns, labels, moved, constant + step[2], 1.0) > best - 1e-6


def test_a_weight_that_would_be_below_zero_is_held_there():
    columns, labels = drawn([2.0, -3.0], 0.0)
    weights, _ = fit_logistic(columns, labels, bounded=True)
    assert weights[0] > 1
    assert weights[1] == 0


def test_labels_that_a_column_parts_wholly_stay_finite():
    columns = np.linspace(0, 1, 50)[:, None]
    weights, constant = fit_logistic(columns, (columns[:, 0] > 0.5).astype(float), ridge=0.1)
    assert np.isfinite(weights).all()
    assert np.isfinite(constant)


def test_other_array_libraries_give_the_same(to_array):
    columns, labels = drawn([1.0, 2.0], -1.0, count=200)
    expected, constant = fit_logistic(columns, labels)
    weights, same = fit_logistic(to_array(columns), to_array(labels))
    np.testing.assert_allclose(np.asarray(weights), expected, rtol=1e-4)
    assert same == pytest.approx(constant, rel=1e-4)


@given(st.lists(st.floats(-1e4, 1e4), min_size=1))
def test_sigmoid_lies_between_zero_and_one_and_rises(values):
    chances = sigmoid(np.sort(np.asarray(values)))
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (np.diff(chances) >= 0).all()


def test_shapes_that_do_not_go_together_are_refused():
    with pytest.raises(HydralabError, match=r"columns \(2, 1\) and labels \(3,\)"):
        fit_logistic(np.zeros((2, 1)), np.zeros(3))
    with pytest.raises(HydralabError, match="ridge is 0"):
        fit_logistic(np.zeros((2, 1)), np.zeros(2), ridge=0)
