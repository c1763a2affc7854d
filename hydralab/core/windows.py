"""Means over windows of rows."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace

__all__ = ["prefix_sums", "windowed_means"]

Array = Any


def prefix_sums(values: Array) -> Array:
    """Return the sums of the first 0, 1, … n rows, so that a sum over rows is one difference.

    Parameters
    ----------
    values
        Shape (n,) or (n, d).

    Returns
    -------
    array
        Float64, shape (n + 1,) or (n + 1, d).

    >>> import numpy as np
    >>> prefix_sums(np.asarray([1.0, 2.0, 3.0]))
    array([0., 1., 3., 6.])
    """
    xp = namespace(values)
    return xp.cumulative_sum(xp.astype(values, xp.float64), axis=0, include_initial=True)


def windowed_means(values: Array, before: int, after: int = 0) -> Array:
    """Return, for each row t, the mean of the rows t − before … t + after, cut at both ends.

    Parameters
    ----------
    values
        Floating point, shape (n,) or (n, d).
    before, after
        Rows taken in on either side, at least 0.

    Returns
    -------
    array
        Float64, the shape of `values`. O(n·d) by prefix sums; a NaN spoils every mean from its row on.

    >>> import numpy as np
    >>> windowed_means(np.asarray([1.0, 2.0, 3.0, 10.0]), before=1)
    array([1. , 1.5, 2.5, 6.5])
    """
    xp = namespace(values)
    n = values.shape[0]
    rows = xp.arange(n, device=values.device)
    first = xp.clip(rows - before, 0, n)
    stop = xp.clip(rows + after + 1, 0, n)
    sums = prefix_sums(values)
    counts = xp.astype(stop - first, xp.float64)
    if values.ndim > 1:
        counts = counts[:, None]
    return (xp.take(sums, stop, axis=0) - xp.take(sums, first, axis=0)) / counts
