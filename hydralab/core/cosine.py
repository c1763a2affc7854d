"""Cosine scores of queries against rows of length 1."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace

__all__ = ["cosine_scores", "unit_rows", "windowed_cosines"]

Array = Any


def unit_rows(rows: Array) -> Array:
    """Return rows at length 1; a row of zeros stays.

    Parameters
    ----------
    rows
        Floating point, finite, shape (n, d).

    Returns
    -------
    array
        Shape (n, d), the dtype of `rows`. Each row is divided by its largest entry first, so that the
        squares of very small and very large ones stay in range.

    >>> import numpy as np
    >>> unit_rows(np.asarray([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    xp = namespace(rows)
    if rows.shape[0] == 0 or rows.shape[1] == 0:
        return rows
    largest = xp.max(xp.abs(rows), axis=1, keepdims=True)
    scaled = rows / xp.where(largest > 0, largest, xp.ones_like(largest))
    length = xp.linalg.vector_norm(scaled, axis=1, keepdims=True)
    return scaled / xp.where(length > 0, length, xp.ones_like(length))


def cosine_scores(queries: Array, rows: Array) -> Array:
    """Return the cosine of each query with each row.

    Parameters
    ----------
    queries
        Floating point, shape (d,) or (m, d), of any length; a query of zeros scores 0 everywhere.
    rows
        Floating point, shape (n, d), each row of length 1 (or all zeros).

    Returns
    -------
    array
        Shape (n,) or (m, n), values in [−1, 1] up to rounding. O(m·n·d), one matrix product.

    >>> import numpy as np
    >>> cosine_scores(np.asarray([3.0, 4.0]), np.asarray([[1.0, 0.0], [0.6, 0.8]])).round(6)
    array([0.6, 1. ])
    """
    xp = namespace(queries, rows)
    length = xp.linalg.vector_norm(queries, axis=-1, keepdims=True)
    directions = queries / xp.where(length > 0, length, xp.ones_like(length))
    if queries.ndim == 1:
        return rows @ directions
    return directions @ rows.T


def windowed_cosines(
    cosines: Array, lengths: Array, before: int, after: int, groups: Array | None = None
) -> Array:
    """Return the cosine of a query with the sum of the rows around each row.

    With q and the rows e of length 1, q·(e₁ + e₂ + …) is the sum of the cosines, so the key "a turn
    with its neighbours" costs no second matrix product.

    Parameters
    ----------
    cosines
        Floating point, shape (n,): the cosines of one query with single rows.
    lengths
        Shape (n,): the length of the sum of the rows of each window; where it is 0 the cosine is 0.
    before, after
        Rows taken in on either side, at least 0; windows are cut at both ends.
    groups
        Shape (n,), equal for the rows of a group: a window takes in rows of its own group alone.

    Returns
    -------
    array
        Shape (n,), the dtype of `cosines`. O(n·(before + after)).

    >>> import numpy as np
    >>> rows = np.asarray([[1.0, 0.0], [0.0, 1.0]])
    >>> lengths = np.asarray([1.0, 2.0**0.5])
    >>> windowed_cosines(rows @ np.asarray([1.0, 0.0]), lengths, before=1, after=0).round(3)
    array([1.   , 0.707])
    """
    xp = namespace(cosines, lengths)
    total = cosines
    for step in range(1, min(max(before, after), cosines.shape[0] - 1) + 1):
        earlier, later = cosines[:-step], cosines[step:]
        if groups is not None:
            together = groups[:-step] == groups[step:]
            earlier, later = (xp.where(together, each, xp.zeros_like(each)) for each in (earlier, later))
        blank = xp.zeros_like(cosines[:step])
        if step <= before:
            total = total + xp.concat([blank, earlier])
        if step <= after:
            total = total + xp.concat([later, blank])
    known = lengths > 0
    return xp.where(known, total / xp.where(known, lengths, xp.ones_like(lengths)), xp.zeros_like(total))
