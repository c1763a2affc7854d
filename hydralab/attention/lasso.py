"""A small lasso, for a linear model of a few dozen ablations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError

__all__ = ["fit_lasso"]

Floats = NDArray[np.float64]


def fit_lasso(
    x: Floats, y: Floats, *, penalty: float, rounds: int = 1_000, tolerance: float = 1e-9
) -> Floats:
    """Return the coefficients w of y ≈ x·w + b with the fewest that matter.

    Minimises ‖y − x·w − b‖² / (2·n) + penalty·‖w'‖₁ by coordinate descent, w' the coefficients of the
    columns brought to mean 0 and deviation 1. What is returned is in the units of `x` and `y`. A column
    that never changes gets 0.

    Parameters
    ----------
    x, y
        float64 (n, k) and (n,).
    penalty
        At least 0.

    Raises
    ------
    HydralabError
        The penalty is negative.

    Notes
    -----
    Friedman, Hastie and Tibshirani, "Regularization Paths for Generalized Linear Models via Coordinate
    Descent", 2010. O(rounds·n·k).

    >>> x = np.asarray([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> fit_lasso(x, 3 * x[:, 0], penalty=0.0).round(6).tolist()
    [3.0, 0.0]
    """
    if penalty < 0:
        raise HydralabError(f"fit_lasso: penalty is {penalty}, expected at least 0")
    spread = x.std(axis=0)
    moves = spread > 0
    columns = (x[:, moves] - x[:, moves].mean(axis=0)) / spread[moves]
    left = y - y.mean()
    found = np.zeros(columns.shape[1])
    for _ in range(rounds):
        largest = 0.0
        for j, column in enumerate(columns.T):
            aim = found[j] + column @ left / len(y)
            new = np.sign(aim) * max(abs(aim) - penalty, 0.0)
            left -= column * (new - found[j])
            largest, found[j] = max(largest, abs(new - found[j])), new
        if largest < tolerance:
            break
    weights = np.zeros(x.shape[1])
    weights[moves] = found / spread[moves]
    return weights
