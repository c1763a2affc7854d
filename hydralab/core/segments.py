"""Attention summed to segments of the keys, and carried through the layers by rollout."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace
from hydralab.errors import HydralabError

__all__ = ["find_sinks", "one_hot", "rollout_step", "segment_sums", "sink_votes"]

Array = Any

LEAST_ROWS = 8
"""So many rows must see a key from afar before it can be called a sink."""


def one_hot(segments: Array, count: int, dtype: Any) -> Array:
    """Return the membership matrix of keys in segments.

    Parameters
    ----------
    segments
        Integer, shape (n,): the segment of each key, from 0.
    count
        How many segments there are, S.
    dtype
        Of the result, as the array library names it.

    Returns
    -------
    array
        Shape (n, S), 1 where the key is in the segment, else 0.

    Raises
    ------
    HydralabError
        A segment is below 0 or not below `count`.

    >>> import numpy as np
    >>> one_hot(np.asarray([1, 0]), 2, np.float64).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    xp = namespace(segments)
    if segments.shape[0] and not 0 <= int(xp.min(segments)) <= int(xp.max(segments)) < count:
        raise HydralabError(
            f"one_hot: segments from {int(xp.min(segments))} to {int(xp.max(segments))}, "
            f"expected 0 to {count - 1}"
        )
    numbers = xp.arange(count, dtype=segments.dtype, device=segments.device)
    return xp.astype(segments[:, None] == numbers[None, :], dtype)


def segment_sums(weights: Array, membership: Array) -> Array:
    """Sum attention over the keys of each segment.

    Parameters
    ----------
    weights
        Floating point, shape (…, n): attention of some rows to n keys.
    membership
        Shape (n, S), of the same type, from `one_hot`.

    Returns
    -------
    array
        Shape (…, S). Where every key has a segment, rows sum to what the rows of `weights` sum to.
        O(n·S) a row.

    >>> import numpy as np
    >>> segment_sums(np.asarray([[0.25, 0.5, 0.25]]), one_hot(np.asarray([0, 1, 0]), 2, np.float64))
    array([[0.5, 0.5]])
    """
    return weights @ membership


def sink_votes(
    weights: Array, allowed: Array, distance: Array, *, times: float, near: int
) -> tuple[Array, Array]:
    """Count the rows that give a key far more than its share, and the rows that could.

    A row votes for a key when it sees it from at least `near` tokens away and gives it more than `times`
    the uniform weight, which for a row is 1 / (keys that it sees). Near rows don't count, since every key
    is looked at by its neighbours. Votes of several parts of the rows add up.

    Parameters
    ----------
    weights
        Floating point, shape (h, p, n): attention of p rows, taken evenly from the text, to n keys.
    allowed
        Bool, shape (p, n): which keys a row sees.
    distance
        Integer, shape (p, n): tokens between a row and a key.
    times
        How often the uniform weight, such as 20.
    near
        Rows closer than so many tokens don't vote.

    Returns
    -------
    votes, seen
        Int64, shape (h, n) and (n,).

    >>> import numpy as np
    >>> weights = np.asarray([[[0.9, 0.05, 0.05]]])
    >>> votes, seen = sink_votes(weights, weights[0] > 0, np.asarray([[40, 41, 2]]), times=2.0, near=32)
    >>> votes.tolist(), seen.tolist()
    ([[1, 0, 0]], [1, 1, 0])
    """
    xp = namespace(weights, allowed)
    uniform = 1 / xp.sum(xp.astype(allowed, weights.dtype), axis=1)
    counted = allowed & (distance >= near)
    over = (weights > times * uniform[None, :, None]) & counted[None, :, :]
    votes = xp.sum(xp.astype(over, xp.int8), axis=1, dtype=xp.int64)
    return votes, xp.sum(xp.astype(counted, xp.int8), axis=0, dtype=xp.int64)


def find_sinks(votes: Array, seen: Array) -> Array:
    """Return the keys that draw attention whatever is asked: attention sinks.

    A key is a sink of a head when more than half of the rows that see it from afar vote for it
    (`sink_votes`). It takes a majority of rows from all over the text, so that a key which a few rows look
    for, as a retrieved fact, is none. A key that fewer than eight rows see from afar is never called one.

    Parameters
    ----------
    votes, seen
        Shape (h, n) and (n,), of `sink_votes`, summed over all rows.

    Returns
    -------
    array
        Bool, shape (h, n).

    Notes
    -----
    Sinks: Xiao et al., "Efficient Streaming Language Models with Attention Sinks", 2023.

    >>> import numpy as np
    >>> find_sinks(np.asarray([[9, 5, 3]]), np.asarray([10, 10, 4])).tolist()
    [[True, False, False]]
    """
    return (2 * votes > seen[None, :]) & (seen >= LEAST_ROWS)[None, :]


def rollout_step(weights: Array, before: Array, own: Array, residual: float = 0.5) -> Array:
    """Carry where tokens' content comes from through one more layer, the residual stream included.

    R' = (1 − ρ)·A·R + ρ·R, with A the layer's attention, mean over heads. When R starts as the membership
    matrix of `one_hot`, the end is the rolled-out attention of all tokens, summed to segments.

    Parameters
    ----------
    weights
        Shape (r, n): A for r of the rows.
    before
        Shape (n, S): R, one layer below.
    own
        Shape (r, S): the r rows of `before` that belong to the rows of `weights`.
    residual
        ρ in [0, 1], the share that the residual stream keeps.

    Returns
    -------
    array
        Shape (r, S).

    Notes
    -----
    Abnar and Zuidema, "Quantifying Attention Flow in Transformers", 2020.

    >>> import numpy as np
    >>> rollout_step(np.asarray([[0.5, 0.5]]), np.eye(2), np.eye(2)[1:])
    array([[0.25, 0.75]])
    """
    return (1 - residual) * (weights @ before) + residual * own
