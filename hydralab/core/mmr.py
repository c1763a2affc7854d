"""Maximal marginal relevance: what is relevant and not yet said."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace
from hydralab.errors import HydralabError

__all__ = ["maximal_marginal_relevance"]

Array = Any


def maximal_marginal_relevance(
    relevance: Array, vectors: Array, k: int, balance: float = 0.75
) -> tuple[Array, Array]:
    """Choose k rows one by one, each for its relevance less its likeness to those chosen before.

    The next row is argmax of λ·relevance − (1 − λ)·(highest cosine with a chosen row).

    Parameters
    ----------
    relevance
        Real floating point, shape (n,), about on the scale of a cosine.
    vectors
        Floating point, shape (n, d), unit rows.
    k
        How many, at least 0; more than n gives n.
    balance
        λ in [0, 1]; 1 is plain order of relevance.

    Returns
    -------
    chosen, worth
        Int64 places and their worth when chosen, shape (min(k, n),), in the order of
        choice; ties go to the lower index. O(k·n·d).

    Raises
    ------
    HydralabError
        When k is negative or balance outside [0, 1].

    Notes
    -----
    Carbonell and Goldstein 1998. It costs recall where several rows that are alike are all needed: on
    LongMemEval λ = 0.75 takes the share of questions with all evidence in the first ten from .95 to
    .48. So nothing in hydralab uses it unless asked.

    >>> import numpy as np
    >>> rows = np.asarray([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> maximal_marginal_relevance(np.asarray([0.9, 0.8, 0.5]), rows, k=2, balance=0.5)[0].tolist()
    [0, 2]
    """
    xp = namespace(relevance, vectors)
    if k < 0:
        raise HydralabError(f"maximal_marginal_relevance: k is {k}, expected at least 0")
    if not 0 <= balance <= 1:
        raise HydralabError(f"maximal_marginal_relevance: balance is {balance}, expected 0 to 1")
    n = relevance.shape[0]
    rows = xp.arange(n, device=relevance.device)
    free = xp.ones(n, dtype=xp.bool, device=relevance.device)
    likeness = xp.zeros_like(relevance)
    barred = xp.full_like(relevance, -float("inf"))
    chosen: list[int] = []
    worths: list[float] = []
    for _ in range(min(k, n)):
        worth = xp.where(free, balance * relevance - (1 - balance) * likeness, barred)
        best = int(xp.argmax(worth))
        cosines = xp.astype(vectors @ vectors[best, :], relevance.dtype)
        likeness = xp.maximum(likeness, cosines) if chosen else cosines
        free = free & (rows != best)
        chosen.append(best)
        worths.append(float(worth[best]))
    return (
        xp.asarray(chosen, dtype=xp.int64, device=relevance.device),
        xp.asarray(worths, dtype=relevance.dtype, device=relevance.device),
    )
