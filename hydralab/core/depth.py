"""Depth of the valleys of a similarity curve (TextTiling)."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace

__all__ = ["valley_depth"]

Array = Any


def valley_depth(similarity: Array, reach: int | None = None) -> Array:
    """Return how far the curve climbs on both sides of each point, added up.

    From each point one climbs left, and right, while the curve does not decrease; the depth is
    (left peak − value) + (right peak − value).

    Parameters
    ----------
    similarity
        Floating point, shape (n,); NaN = unknown, and no climb crosses it.
    reach
        The most steps a climb takes; without a limit when None. With a limit an entry depends on
        `reach` later values at most, which makes the measure causal with that look-ahead.

    Returns
    -------
    array
        Shape (n,), at least 0, NaN where `similarity` is. O(n).

    References
    ----------
    Hearst, "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages", Computational
    Linguistics 23(1), 1997.

    >>> import numpy as np
    >>> valley_depth(np.asarray([0.9, 0.2, 0.5, 0.7, 0.6])).round(2)
    array([0. , 1.2, 0.2, 0. , 0.1])
    """
    xp = namespace(similarity)
    if similarity.shape[0] == 0:
        return similarity
    left = _peak_before(similarity, reach)
    right = xp.flip(_peak_before(xp.flip(similarity), reach))
    return left + right - 2 * similarity


def _peak_before(values: Array, reach: int | None) -> Array:
    """Return where each climb to the left ends: the first value of its run, or the one `reach` away."""
    xp = namespace(values)
    rows = xp.arange(values.shape[0], dtype=xp.int64, device=values.device)
    falls = ~(values[:-1] >= values[1:])
    first = xp.ones(1, dtype=falls.dtype, device=values.device)
    starts_run = xp.concat([first, falls])
    run = xp.cumulative_sum(xp.astype(starts_run, xp.int64)) - 1
    start = xp.take(xp.nonzero(starts_run)[0], run)
    if reach is not None:
        start = xp.maximum(start, rows - reach)
    return xp.take(values, start)
