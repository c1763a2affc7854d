"""How far the turns before a gap and the turns after it are apart."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace
from hydralab.core.lagged import lagged_products, window_products

__all__ = ["cosine_shift", "wide_shift"]

Array = Any

TINY = 1e-12
"""Below this squared length a window has no direction."""


def cosine_shift(vectors: Array, window: int = 3, lag: int = 1) -> Array:
    """Return the cosine distance between the mean of the rows before each gap and of those after it.

    The gap of row t lies before it: rows t − window … t − 1 against t … t + lag. Windows are cut at
    both ends of the array.

    Parameters
    ----------
    vectors
        Floating point, shape (n, d), one row a turn.
    window
        Rows before the gap, at least 1.
    lag
        Rows after the first one behind the gap: how far the measure looks ahead.

    Returns
    -------
    array
        Shape (n,), values in [0, 2]; NaN at row 0, and where a window holds a NaN or has no direction.

    Notes
    -----
    The sums of a window stand in for its mean, as a cosine knows no scale. All three products come
    from the products of rows at most window + lag apart: O(n·(window + lag)·d).

    >>> import numpy as np
    >>> rows = np.asarray([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> cosine_shift(rows, window=2, lag=1).round(3)
    array([  nan, 0.293, 1.   , 0.293])
    """
    xp = namespace(vectors)
    products = lagged_products(vectors, window + lag)
    before, after = range(-window, 0), range(lag + 1)
    across = window_products(products, before, after)
    lengths = window_products(products, before, before) * window_products(products, after, after)
    known = lengths > TINY
    cosine = across / xp.sqrt(xp.where(known, lengths, xp.ones_like(lengths)))
    distance = xp.clip(1 - cosine, 0.0, 2.0)
    return xp.where(known, distance, xp.full_like(distance, float("nan")))


def wide_shift(vectors: Array, window: int, lag: int) -> Array:
    """Return what `cosine_shift` does, by prefix sums: O(n·d) for windows of any width.

    Parameters
    ----------
    vectors, window, lag
        As `cosine_shift`; a row with a NaN counts as a zero row.

    Returns
    -------
    array
        Float64, shape (n,), values in [0, 2]; NaN at row 0, and where a window has no direction. The sums are
        those of the whole series, so the last bits of a prefix may differ.

    >>> import numpy as np
    >>> rows = np.asarray([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> wide_shift(rows, window=2, lag=1).round(3)
    array([  nan, 0.293, 1.   , 0.293])
    """
    xp = namespace(vectors)
    n = vectors.shape[0]
    spoilt = xp.any(xp.isnan(vectors), axis=1)[:, None]
    rows = xp.astype(xp.where(spoilt, xp.zeros_like(vectors), vectors), xp.float64)
    nothing = xp.zeros((1, vectors.shape[1]), dtype=xp.float64, device=vectors.device)
    sums = xp.concat([nothing, xp.cumulative_sum(rows, axis=0)])
    places = xp.arange(n, dtype=xp.int64, device=vectors.device)
    here = sums[:n, :]
    before = here - xp.take(sums, xp.clip(places - window, 0, n), axis=0)
    after = xp.take(sums, xp.clip(places + lag + 1, 0, n), axis=0) - here
    lengths = xp.vecdot(before, before) * xp.vecdot(after, after)
    known = (lengths > TINY) & (places > 0)
    cosine = xp.vecdot(before, after) / xp.sqrt(xp.where(known, lengths, xp.ones_like(lengths)))
    distance = xp.clip(1 - cosine, 0.0, 2.0)
    return xp.where(known, distance, xp.full_like(distance, float("nan")))
