"""Scores of different kinds on one scale, and their weighted sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hydralab.core.backend import namespace
from hydralab.errors import HydralabError

__all__ = ["min_max", "rank_scale", "weighted_blend", "z_scale"]

Array = Any


def min_max(scores: Array) -> Array:
    """Map scores onto [0, 1]: the lowest known score to 0, the highest to 1.

    Parameters
    ----------
    scores
        Real floating point, shape (…, n), scaled along the last axis. NaN = unknown, stays NaN.
        Infinity, as of a ratio to 0, is 1 and minus infinity 0; the others are scaled among themselves.

    Returns
    -------
    array
        The shape and dtype of `scores`; where all finite scores are equal they are 0: a score that
        tells nothing apart adds nothing to a blend.

    >>> import numpy as np
    >>> min_max(np.asarray([2.0, 4.0, 3.0])).tolist(), min_max(np.asarray([5.0, 5.0])).tolist()
    ([0.0, 1.0, 0.5], [0.0, 0.0])
    """
    xp = namespace(scores)
    if scores.shape[-1] == 0:
        return scores
    finite = xp.isfinite(scores)
    if not bool(xp.all(finite)):
        return _min_max_of_finite(scores, finite)
    low = xp.min(scores, axis=-1, keepdims=True)
    high = xp.max(scores, axis=-1, keepdims=True)
    # Where nothing varies the scores less their lowest are zeros already.
    return (scores - low) / xp.where(high > low, high - low, xp.ones_like(low))


def _min_max_of_finite(scores: Array, finite: Array) -> Array:
    """Scale the finite scores; infinite ones go to the ends, and unknown ones stay."""
    xp = namespace(scores)
    infinite = xp.full_like(scores, float("inf"))
    low = xp.min(xp.where(finite, scores, infinite), axis=-1, keepdims=True)
    high = xp.max(xp.where(finite, scores, -infinite), axis=-1, keepdims=True)
    varies = high > low
    floor = xp.where(varies, low, xp.zeros_like(low))
    spread = xp.where(varies, high - low, xp.ones_like(low))
    known = xp.where(finite, scores, floor)
    scaled = xp.where(varies, known - floor, xp.zeros_like(scores)) / spread
    ends = xp.where(scores > 0, xp.ones_like(scores), xp.zeros_like(scores))
    return xp.where(xp.isnan(scores), scores, xp.where(finite, scaled, ends))


def rank_scale(scores: Array) -> Array:
    """Map scores onto [0, 1] by rank: the share of the other scores that are strictly lower.

    Parameters
    ----------
    scores
        Real floating point, shape (n,), no NaN.

    Returns
    -------
    array
        Shape (n,), the dtype of `scores`; equal scores stay equal. O(n log n).

    >>> import numpy as np
    >>> rank_scale(np.asarray([10.0, 30.0, 20.0, 20.0])).round(2).tolist()
    [0.0, 1.0, 0.33, 0.33]
    """
    xp = namespace(scores)
    n = scores.shape[0]
    if n < 2:
        return xp.zeros_like(scores)
    lower = xp.searchsorted(xp.sort(scores), scores, side="left")
    return xp.astype(lower, scores.dtype) / (n - 1)


def z_scale(scores: Array) -> Array:
    """Map scores to standard deviations above their mean.

    Parameters
    ----------
    scores
        Real floating point, shape (…, n), scaled along the last axis, no NaN.

    Returns
    -------
    array
        The shape and dtype of `scores`; zeros where all are equal.

    >>> import numpy as np
    >>> z_scale(np.asarray([1.0, 3.0])).tolist(), z_scale(np.asarray([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    xp = namespace(scores)
    if scores.shape[-1] == 0:
        return scores
    varies = xp.max(scores, axis=-1, keepdims=True) > xp.min(scores, axis=-1, keepdims=True)
    spread = xp.where(varies, xp.std(scores, axis=-1, keepdims=True), xp.ones_like(scores[..., :1]))
    centred = scores - xp.mean(scores, axis=-1, keepdims=True)
    return xp.where(varies, centred / spread, xp.zeros_like(scores))


def weighted_blend(columns: Array, weights: Sequence[float]) -> Array:
    """Return the weighted mean of score columns.

    Parameters
    ----------
    columns
        Real floating point, shape (c, n), each row one kind of score, comparable (see `min_max`).
        NaN = unknown: counts as 0, so an item is never lifted by what is not known of it.
    weights
        One a row; they need not sum to 1, but not to 0.

    Returns
    -------
    array
        Shape (n,): Σ wᵢ·columnᵢ / Σ |wᵢ|.

    Raises
    ------
    HydralabError
        When the number of weights is wrong or all are 0.

    >>> import numpy as np
    >>> weighted_blend(np.asarray([[1.0, 0.0], [0.5, 1.0]]), [3, 1]).tolist()
    [0.875, 0.25]
    """
    xp = namespace(columns)
    if len(weights) != columns.shape[0]:
        raise HydralabError(
            f"weighted_blend: {len(weights)} weights for {columns.shape[0]} columns, expected one each"
        )
    total = sum(abs(weight) for weight in weights)
    if total == 0:
        raise HydralabError("weighted_blend: all weights are 0, expected at least one that is not")
    shares = xp.asarray([weight / total for weight in weights], dtype=columns.dtype, device=columns.device)
    return shares @ xp.where(xp.isnan(columns), xp.zeros_like(columns), columns)
