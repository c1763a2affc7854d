"""GreedySeg: from each cut on, the next one is the least similar gap within reach."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import check_value
from hydralab.triggers.decorating import segmenter

__all__ = ["greedyseg"]

TINY = 1e-12


@segmenter(lookahead="all")
def greedyseg(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    *,
    reach: int = 8,
    window: int = 2,
    alpha: float = 0.5,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Cut greedily: compare the open span with the turns behind each gap in reach, and take the least similar.

    A gap is taken when its similarity is `alpha` standard deviations below the mean of all gaps between the
    neighbouring turns of the dialogue; otherwise the span goes on to the end of the reach. The threshold is the
    dialogue's own, so it needs the whole of it.

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows. A turn whose vector holds a NaN is like nothing.
    reach
        The gaps that are compared after a cut.
    window
        Turns behind a gap that stand for what comes.
    alpha
        Standard deviations below the mean; higher cuts less.

    References
    ----------
    Xu, Zhao, Zhang, "Topic-aware multi-turn dialogue modeling", AAAI 2021 (there with a fixed threshold).
    """
    del turns
    for name, value in (("reach", reach), ("window", window)):
        check_value(f"trigger 'greedyseg': {name}", value, "int", least=1)
    n = len(vectors)
    rows = np.where(np.isnan(vectors).any(axis=1, keepdims=True), 0.0, vectors).astype(np.float64)
    sums = np.concatenate([np.zeros((1, rows.shape[1])), rows.cumsum(axis=0)])
    gaps = np.arange(1, n)
    similar = _cosines(sums[gaps] - sums[np.maximum(gaps - window, 0)], _behind(sums, gaps, window))
    fires, scores = np.zeros(n, dtype=bool), np.zeros(n)
    scores[1:] = (1 - similar) / 2
    limit = similar.mean() - alpha * max(similar.std(), TINY) if n > 1 else 0.0
    start, first = 0, 1
    while first < n:
        reached = np.arange(first, min(first + reach, n))
        costs = _cosines(sums[reached] - sums[start], _behind(sums, reached, window))
        least = int(costs.argmin())
        if costs[least] < limit:
            start = int(reached[least])
            fires[start], first = True, start + 1
        else:
            first = int(reached[-1]) + 1
    return fires, scores


def _behind(sums: NDArray[np.float64], gaps: NDArray[np.int64], window: int) -> NDArray[np.float64]:
    behind: NDArray[np.float64] = sums[np.minimum(gaps + window, len(sums) - 1)] - sums[gaps]
    return behind


def _cosines(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    # Rounded, so that noise of the last bits isn't taken for a difference between equal turns.
    cosines: NDArray[np.float64] = (np.vecdot(left, right) / np.maximum(lengths, TINY)).round(9)
    return cosines
