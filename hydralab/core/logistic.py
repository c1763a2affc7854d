"""Logistic regression: from columns to the probability of a label, with weights that may be held at 0 or above."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace
from hydralab.errors import HydralabError

__all__ = ["fit_logistic", "sigmoid"]

Array = Any

MOST_STEPS = 200
SMALLEST_STEP = 2.0**-30
STILL = 1e-9
"""The fit is done when a step gains less than this a row."""


def sigmoid(values: Array) -> Array:
    """Return 1 / (1 + e^−x), without overflow at either end.

    >>> import numpy as np
    >>> sigmoid(np.asarray([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    xp = namespace(values)
    shrunk = xp.exp(-xp.abs(values))
    return xp.where(values >= 0, 1 / (1 + shrunk), shrunk / (1 + shrunk))


def fit_logistic(
    columns: Array,
    labels: Array,
    *,
    counts: Array | None = None,
    ridge: float = 1.0,
    bounded: bool = False,
    intercept: bool = True,
) -> tuple[Array, float]:
    """Fit the weights of a logistic regression by Newton's method.

    Parameters
    ----------
    columns
        Float64, shape (n, d).
    labels
        Float64, shape (n,), 0 or 1.
    counts
        Float64, shape (n,): how often each row counts; once when None.
    ridge
        Weight of the penalty ridge/2 · |w|², which the intercept is free of.
    bounded
        Hold the weights at 0 or above: projected Newton (Bertsekas 1982).
    intercept
        Fit a constant, too.

    Returns
    -------
    weights, constant
        Float64 (d,), and a float; 0 without an intercept.

    Raises
    ------
    HydralabError
        Shapes that don't go together, or a ridge that isn't above 0.

    >>> import numpy as np
    >>> columns = np.asarray([[0.0], [0.2], [0.8], [1.0]])
    >>> weights, constant = fit_logistic(columns, np.asarray([0.0, 0.0, 1.0, 1.0]), ridge=0.1)
    >>> (sigmoid(columns @ weights + constant) > 0.5).tolist()
    [False, False, True, True]
    """
    if columns.ndim != 2 or labels.shape != columns.shape[:1]:
        raise HydralabError(
            f"fit_logistic: columns {tuple(columns.shape)} and labels {tuple(labels.shape)}, "
            "expected (n, d) and (n,)"
        )
    if not ridge > 0:
        raise HydralabError(f"fit_logistic: ridge is {ridge}, expected a number above 0")
    xp = namespace(columns)
    count, width = columns.shape
    often = xp.ones_like(labels) if counts is None else counts
    design = xp.concat([columns, xp.ones((count, 1), dtype=columns.dtype)], axis=1)
    penalty = xp.full((width + 1,), float(ridge), dtype=columns.dtype)
    penalty[width] = 0.0 if intercept else 1e12
    floor = xp.zeros_like(penalty) if bounded else xp.full_like(penalty, -float("inf"))
    floor[width] = -float("inf")
    weights = xp.zeros_like(penalty)
    loss = _loss(design, labels, often, weights, penalty)
    for _ in range(MOST_STEPS):
        step = _newton_step(design, labels, often, weights, penalty, floor)
        size = 1.0
        while size > SMALLEST_STEP:
            tried = xp.maximum(weights - size * step, floor)
            gained = loss - _loss(design, labels, often, tried, penalty)
            if gained > 0:
                break
            size /= 2
        if size <= SMALLEST_STEP or not gained > 0:
            break
        weights, loss = tried, loss - gained
        if gained < STILL * max(count, 1):
            break
    return weights[:width], float(weights[width]) if intercept else 0.0


def _loss(design: Array, labels: Array, often: Array, weights: Array, penalty: Array) -> float:
    xp = namespace(design)
    reached = design @ weights
    # log(1 + e^x) − y·x, with x taken out of the exponential where it is large.
    losses = xp.where(reached > 0, reached, xp.zeros_like(reached)) + xp.log1p(xp.exp(-xp.abs(reached)))
    return float(xp.sum(often * (losses - labels * reached)) + xp.sum(penalty * weights**2) / 2)


def _newton_step(
    design: Array, labels: Array, often: Array, weights: Array, penalty: Array, floor: Array
) -> Array:
    """Return the step, with weights that a bound holds and that would go below it left out of the curvature."""
    xp = namespace(design)
    chance = sigmoid(design @ weights)
    slope = design.T @ (often * (chance - labels)) + penalty * weights
    held = xp.astype((weights <= floor) & (slope > 0), design.dtype)
    free = 1 - held
    spread = often * chance * (1 - chance)
    curvature = design.T @ (design * spread[:, None])
    identity = xp.eye(weights.shape[0], dtype=design.dtype)
    curvature = curvature * free[:, None] * free[None, :] + identity * (penalty * free + held + 1e-9)
    return xp.linalg.solve(curvature, (slope * free)[:, None])[:, 0]
