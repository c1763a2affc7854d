"""How far apart the rows seen so far are."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace

__all__ = ["BLOCK", "running_scatter", "shrunken_scatter"]

Array = Any

BLOCK = 4096
"""Rows summed at a time, which bounds the memory."""


def running_scatter(vectors: Array, *, expected: float, weight: float) -> Array:
    """Return the mean cosine distance between two of the rows up to each one, pulled towards an expectation.

    Parameters
    ----------
    vectors
        Floating point unit rows, shape (n, d). A row with a NaN counts as a zero row.
    expected
        The distance to expect before anything is seen.
    weight
        How many rows' worth of belief the expectation has, above 0.

    Returns
    -------
    array
        Float64, shape (n,). Causal: an entry depends on its own and earlier rows. O(n·d) time.

    Notes
    -----
    With S the sum of the first t rows, the mean product of two different ones is (‖S‖² − t) / (t(t − 1)).

    >>> import numpy as np
    >>> running_scatter(np.asarray([[1.0, 0.0], [0.0, 1.0]]), expected=0.5, weight=1.0)
    array([0.5 , 0.75])
    """
    xp = namespace(vectors)
    total = xp.zeros(vectors.shape[1], dtype=xp.float64, device=vectors.device)
    parts = [xp.zeros(0, dtype=xp.float64, device=vectors.device)]
    n = vectors.shape[0]
    for start in range(0, n, BLOCK):
        rows = xp.astype(vectors[start : min(start + BLOCK, n), :], xp.float64)
        rows = xp.where(xp.any(xp.isnan(rows), axis=1)[:, None], xp.zeros_like(rows), rows)
        sums = xp.cumulative_sum(rows, axis=0) + total
        total = sums[-1, :]
        parts.append(xp.vecdot(sums, sums))
    seen = xp.arange(1, n + 1, dtype=xp.float64, device=vectors.device)
    return shrunken_scatter(xp.concat(parts), seen, expected=expected, weight=weight)


def shrunken_scatter(squares: Array, seen: Array, *, expected: float, weight: float) -> Array:
    """Return the mean cosine distance of unit rows by the squared length of their sum, as `running_scatter` does.

    Parameters
    ----------
    squares
        Squared lengths of sums of rows, float64 (n,).
    seen
        Of how many rows each, float64 (n,), at least 1.
    expected, weight
        As there.

    >>> import numpy as np
    >>> shrunken_scatter(np.asarray([2.0]), np.asarray([2.0]), expected=0.5, weight=1.0)
    array([0.75])
    """
    xp = namespace(squares)
    pairs = xp.where(seen > 1, seen * (seen - 1), xp.ones_like(seen))
    distance = xp.where(seen > 1, 1 - (squares - seen) / pairs, xp.zeros_like(seen))
    return ((seen - 1) * distance + weight * expected) / (seen - 1 + weight)
