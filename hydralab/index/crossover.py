"""From how many rows on the graph is faster than the matrix product, measured on vectors of real turns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.index.contract import Index, Vectors
from hydralab.index.exact import Exact
from hydralab.index.hnsw import Hnsw

__all__ = ["CROSSOVER", "measure_crossover"]

CROSSOVER = 100_000
"""Rows above which `get_index("auto")` takes "hnsw".

On 42,000 real turns (512 dimensions, one thread) a single query is faster by the graph from about 2,000
rows on, a batch from about 3,000, and with half of the rows allowed at no size; the graph finds .996 to .999
of the ten nearest. But building it costs as much as some 1,500 to 5,000 exact queries, whatever the size.
So "auto" takes it only where an exact query takes long enough to be felt, more than 20 ms.
"""


def measure_crossover(
    vectors: Vectors,
    queries: Vectors,
    sizes: Sequence[int] = (1_000, 2_000, 5_000, 10_000, 20_000, 40_000),
    *,
    k: int = 10,
    repeats: int = 5,
) -> pl.DataFrame:
    """Time both indexes on the first rows of `vectors`, interleaved, one query at a time.

    Parameters
    ----------
    vectors
        Real turns, shape (n, dim): on Gaussian noise the graph finds far less than on text.
    queries
        Shape (m, dim), not among the vectors.
    sizes
        How many rows; sizes over n are left out.
    repeats
        Passes over the queries; the median of a query's time is taken.

    Returns
    -------
    DataFrame
        A row a size: rows, exact_ms, hnsw_ms, exact_batch_ms and hnsw_batch_ms (a query of a batch of
        all), exact_half_ms and hnsw_half_ms (every second row allowed), build_ms (of the graph), recall
        (share of the exact k best that the graph finds), pays_after (queries until building is paid
        for; null when a query is not faster).

    >>> rows = np.random.default_rng(0).standard_normal((300, 8)).astype(np.float32)
    >>> measure_crossover(rows[20:], rows[:20], [100, 200], repeats=1)["rows"].to_list()
    [100, 200]
    """
    if not len(queries):
        raise HydralabError("measure_crossover: no queries, expected at least one")
    measured = [
        _measure(vectors[:size], queries, k, repeats) for size in sorted(sizes) if size <= len(vectors)
    ]
    return pl.DataFrame(measured).with_columns(
        pl.when(pl.col("exact_ms") > pl.col("hnsw_ms"))
        .then(pl.col("build_ms") / (pl.col("exact_ms") - pl.col("hnsw_ms")))
        .ceil()
        .alias("pays_after")
    )


def _measure(vectors: Vectors, queries: Vectors, k: int, repeats: int) -> dict[str, Any]:
    dim = vectors.shape[1]
    exact, hnsw = Exact(dim), Hnsw(dim)
    exact.add(vectors)
    started = perf_counter()
    hnsw.add(vectors)
    build = 1e3 * (perf_counter() - started)
    half = np.arange(len(vectors)) % 2 == 0
    searches = {
        f"{name}{way}": partial(search, index, queries, k, half)
        for name, index in (("exact", exact), ("hnsw", hnsw))
        for way, search in (("_ms", _one_by_one), ("_batch_ms", _in_a_batch), ("_half_ms", _among_half))
    }
    times: dict[str, list[float]] = {name: [] for name in searches}
    for _ in range(repeats):
        for name, search in searches.items():
            started = perf_counter()
            search()
            times[name].append(1e3 * (perf_counter() - started) / len(queries))
    truth, found = exact.search(queries, k)[1], hnsw.search(queries, k)[1]
    hits = [len(set(a) & set(b)) for a, b in zip(truth.tolist(), found.tolist(), strict=True)]
    return {
        "rows": len(vectors),
        **{name: median(spent) for name, spent in times.items()},
        "build_ms": build,
        "recall": sum(hits) / truth.size,
    }


def _one_by_one(index: Index, queries: Vectors, k: int, _half: NDArray[np.bool_]) -> None:
    for query in queries:
        index.search(query, k)


def _in_a_batch(index: Index, queries: Vectors, k: int, _half: NDArray[np.bool_]) -> None:
    index.search(queries, k)


def _among_half(index: Index, queries: Vectors, k: int, half: NDArray[np.bool_]) -> None:
    for query in queries:
        index.search(query, k, allowed=half)
