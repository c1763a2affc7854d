"""TextTiling: cut at valleys of similarity that are deep for their dialogue."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals import Depth
from hydralab.triggers.decorating import segmenter

__all__ = ["texttiling"]


@segmenter(lookahead="all")
def texttiling(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    *,
    window: int = 3,
    lag: int = 1,
    alpha: float = 0.5,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Cut where the depth exceeds its mean by `alpha` standard deviations.

    The threshold is the whole dialogue's, so it can't decide while a dialogue runs; the causal form is
    a comparison of the signal, such as ``hl.col.depth > 0.3``. It always finds some valley deep: it
    never says that a dialogue has one topic, unless all its turns are alike.

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows.
    window, lag
        Turns before the gap, and turns after the first one behind it.
    alpha
        Standard deviations above the mean; higher cuts less.

    References
    ----------
    Hearst, "TextTiling", Computational Linguistics 23(1), 1997.
    """
    depth = Depth(window=window, lag=lag, reach=None).values(turns, vectors, closed=True)
    known = ~np.isnan(depth)
    if not known.any():
        return np.zeros(depth.size, dtype=bool), np.zeros(depth.size)
    depth = np.where(known, depth, 0.0)
    limit = depth[known].mean() + alpha * depth[known].std()
    return known & (depth > limit), depth / max(depth.max(), 1e-12)
