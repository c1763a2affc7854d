"""How high a value stands among the values before it."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace

__all__ = ["causal_percentile", "smaller_before"]

Array = Any


def smaller_before(values: Array) -> Array:
    """Return, for each value, how many earlier values are strictly smaller.

    Parameters
    ----------
    values
        Shape (n,), any real dtype, no NaN.

    Returns
    -------
    array
        Int64, shape (n,).

    Notes
    -----
    A wavelet tree over the ranks, one level a bit: within a group of ranks that agree in their higher
    bits, in order of time, a value whose bit is 1 is larger than the earlier ones whose bit is 0.
    The group is then split by the bit, order kept. O(n log n), without a loop over values.

    >>> import numpy as np
    >>> smaller_before(np.asarray([2.0, 1.0, 2.0, 3.0]))
    array([0, 0, 1, 3])
    """
    xp = namespace(values)
    n = values.shape[0]
    if n < 2:
        return xp.zeros(n, dtype=xp.int64, device=values.device)
    ranks = _ranks_later_first(values)
    bits = (n - 1).bit_length()
    order = xp.concat([ranks, xp.arange(n, 2**bits, dtype=xp.int64, device=values.device)])
    counts = xp.zeros_like(order)
    for bit in reversed(range(bits)):
        high = (order >> bit) & 1
        low_so_far = xp.cumulative_sum(1 - high)
        groups = order >> (bit + 1)
        counts = counts + high * (low_so_far - groups * 2**bit)
        shape = (2 ** (bits - bit - 1), 2**bit)
        lows, highs = xp.nonzero(high == 0)[0], xp.nonzero(high == 1)[0]
        split = xp.reshape(xp.concat([xp.reshape(lows, shape), xp.reshape(highs, shape)], axis=1), (-1,))
        order, counts = xp.take(order, split), xp.take(counts, split)
    return xp.take(counts, ranks)


def causal_percentile(values: Array, prior: Array | None = None, *, least: int = 20) -> Array:
    """Return the share of strictly smaller values among the earlier values and what is left of a prior.

    The i-th known value (from 0) is compared with the i known ones before it and with
    max(0, least − i) values of the prior, so the first ones are not judged by nothing.

    Parameters
    ----------
    values
        Floating point, shape (n,); NaN = unknown: neither ranked nor counted.
    prior
        Quantiles of the values to expect, evenly spaced in probability, rising, shape (q,) with q ≥ 1;
        any number of values is read off them by interpolation. Without one the earliest values are
        compared with what there is, and the very first is 0.
    least
        The number of values that every comparison is made with at least, at least 1.

    Returns
    -------
    array
        Float64, shape (n,), values in [0, 1], NaN where `values` is. Causal: an entry depends on its
        own and earlier values. O(n log n).

    >>> import numpy as np
    >>> causal_percentile(np.asarray([5.0, 1.0, 7.0]))
    array([0., 0., 1.])
    >>> causal_percentile(np.asarray([0.9, 0.1]), prior=np.asarray([0.25, 0.5, 0.75]), least=4).round(2)
    array([1., 0.])
    """
    xp = namespace(values)
    values = xp.astype(values, xp.float64)
    unknown = xp.isnan(values)
    where = xp.nonzero(~unknown)[0]
    known = xp.take(values, where)
    count = known.shape[0]
    if count == 0:
        return xp.full_like(values, float("nan"))
    earlier = xp.arange(count, dtype=xp.int64, device=values.device)
    smaller = smaller_before(known)
    if prior is None:
        among = xp.maximum(earlier, xp.ones_like(earlier))
    else:
        early = min(count, least)
        below = _prior_below(known[:early], xp.astype(prior, xp.float64), least)
        smaller = xp.concat([smaller[:early] + below, smaller[early:]])
        among = xp.maximum(earlier, xp.full_like(earlier, least))
    shares = xp.astype(smaller, xp.float64) / xp.astype(among, xp.float64)
    index = xp.clip(xp.cumulative_sum(xp.astype(~unknown, xp.int64)) - 1, 0, count - 1)
    return xp.where(unknown, xp.full_like(values, float("nan")), xp.take(shares, index))


def _ranks_later_first(values: Array) -> Array:
    """Rank values from 0; of equal values the later one ranks lower, so it does not count the earlier."""
    xp = namespace(values)
    backwards = xp.argsort(xp.flip(values), stable=True)
    order = values.shape[0] - 1 - backwards
    return xp.astype(xp.argsort(order, stable=True), xp.int64)


def _prior_below(values: Array, prior: Array, least: int) -> Array:
    """Count, for the i-th value, the smaller ones among the least − i values read off the prior."""
    xp = namespace(values, prior)
    steps = xp.arange(least, dtype=xp.float64, device=values.device)[None, :]
    missing = least - xp.arange(values.shape[0], dtype=xp.float64, device=values.device)[:, None]
    place = xp.clip((steps + 0.5) / missing * prior.shape[0] - 0.5, 0.0, prior.shape[0] - 1.0)
    floor = xp.astype(xp.floor(place), xp.int64)
    ceiling = xp.clip(floor + 1, 0, prior.shape[0] - 1)
    low, high = (_take2(prior, index) for index in (floor, ceiling))
    expected = low + (place - xp.astype(floor, xp.float64)) * (high - low)
    below = xp.astype((steps < missing) & (expected < values[:, None]), xp.int64)
    return xp.sum(below, axis=1)


def _take2(values: Array, index: Array) -> Array:
    xp = namespace(values)
    return xp.reshape(xp.take(values, xp.reshape(index, (-1,))), index.shape)
