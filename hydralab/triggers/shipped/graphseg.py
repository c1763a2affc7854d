"""GraphSeg: turns are nodes, edges join those that are much alike, and spans are what edges hold together."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.backend import to_backend, to_numpy
from hydralab.core.lagged import lagged_products
from hydralab.errors import check_value
from hydralab.triggers.decorating import segmenter

__all__ = ["graphseg"]


@segmenter(lookahead="all")
def graphseg(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    *,
    reach: int = 3,
    tau: float = 0.5,
    shortest: int = 2,
) -> NDArray[np.bool_]:
    """Join turns into spans along a graph of similar turns.

    Two turns at most `reach` apart have an edge when their cosine is `tau` standard deviations above the mean of
    all such pairs of the dialogue. Neighbouring turns with an edge make a first span; then, from left to right, a span
    is joined to those before it when an edge of theirs leads into it or past it; last, spans that are too short
    are joined to the neighbour they are more alike to. It needs the whole dialogue.

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows. A turn whose vector holds a NaN has no edge.
    reach
        The most turns apart that an edge joins.
    tau
        Standard deviations above the mean; higher cuts more.
    shortest
        The fewest turns of a span.

    Notes
    -----
    The paper joins what shares a maximal clique. As each edge lies in one, and a clique is full of edges, asking
    for a common edge is the same for neighbours, without listing cliques. The paper joins neighbours alone; here
    an edge also leads over a turn that fits nowhere.

    References
    ----------
    Glavaš, Nanni, Ponzetto, "Unsupervised text segmentation using semantic relatedness graphs", *SEM 2016.
    """
    del turns
    for name, value in (("reach", reach), ("shortest", shortest)):
        check_value(f"trigger 'graphseg': {name}", value, "int", least=1)
    n = len(vectors)
    if n < 2:
        return np.zeros(n, dtype=bool)
    clean = np.where(np.isnan(vectors).any(axis=1, keepdims=True), np.float32(0), vectors)
    # Entry (l − 1, t) is the cosine of the turns t and t + l, rounded so that equal turns are equally alike.
    alike = to_numpy(lagged_products(to_backend(clean), min(reach, n - 1)))[1:].astype(np.float64).round(5)
    inside = np.arange(n)[None, :] + np.arange(1, len(alike) + 1)[:, None] < n
    edges = inside & (alike >= alike[inside].mean() + tau * alike[inside].std())
    starts = [0, *(np.flatnonzero(~edges[0, : n - 1]) + 1).tolist()]
    starts = _joined(starts, edges, n)
    fires = np.zeros(n, dtype=bool)
    fires[_long_enough(starts, clean, shortest)[1:]] = True
    return fires


def _joined(starts: list[int], edges: NDArray[np.bool_], n: int) -> list[int]:
    """Return the starts that are left when spans that edges lead into or over are joined, from left to right."""
    lags = np.arange(1, len(edges) + 1)[:, None]
    furthest = (np.arange(n) + (edges * lags).max(axis=0)).tolist()
    stops = [*starts[1:], n]
    kept: list[int] = []
    last = -1
    for start, stop in zip(starts, stops, strict=True):
        if last < start:
            kept.append(start)
            last = -1
        last = max(last, *furthest[start:stop])
    return kept


def _long_enough(starts: list[int], vectors: NDArray[np.float32], shortest: int) -> list[int]:
    """Return the starts that are left when short spans are joined to the neighbour they are more alike to."""
    sums = np.concatenate([np.zeros((1, vectors.shape[1])), vectors.cumsum(axis=0, dtype=np.float64)])
    bounds = [*starts, len(vectors)]
    at = 0
    while at < len(bounds) - 1 and len(bounds) > 2:
        if bounds[at + 1] - bounds[at] >= shortest:
            at += 1
            continue
        left = _alike(sums, bounds[at - 1 : at + 2]) if at else -np.inf
        right = _alike(sums, bounds[at : at + 3]) if at + 2 < len(bounds) else -np.inf
        del bounds[at if left >= right else at + 1]
        at = max(at - 1, 0)
    return bounds[:-1]


def _alike(sums: NDArray[np.float64], bounds: list[int]) -> float:
    first, middle, last = (sums[bound] for bound in bounds)
    left, right = middle - first, last - middle
    return float(left @ right / max(np.linalg.norm(left) * np.linalg.norm(right), 1e-12))
