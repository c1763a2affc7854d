"""From how many turns on the graph index is faster than scoring every row, on real turns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.encoders import embed
from hydralab.errors import HydralabError
from hydralab.index import CROSSOVER, measure_crossover
from hydralab.readers import read_all

__all__ = ["measure_index"]

QUERIES = 200
SEED = 11


def measure_index(
    sets: Mapping[str, Path] | None = None, *, encoder: str = "use", progress: bool = False
) -> pl.DataFrame:
    """Time the exact and the graph index on the turns of public sets; see `measure_crossover`.

    Parameters
    ----------
    sets
        Name → file or folder; the turns of all are put together, each text once. 200 of them, drawn by a
        fixed seed, are the queries.

    Raises
    ------
    HydralabError
        No sets, or fewer than 2,000 different turns.
    """
    if not sets:
        raise HydralabError(
            "bench index: no sets, expected NAME=PATH of dialogues with at least 2,000 different turns"
        )
    texts = pl.concat([read_all(path).turns["text"] for path in sets.values()]).unique(maintain_order=True)
    if len(texts) < 2_000:
        raise HydralabError(f"bench index: {len(texts)} different turns, expected at least 2,000")
    vectors = embed(texts.to_list(), encoder, progress=progress).vectors
    vectors = vectors[np.random.default_rng(SEED).permutation(len(vectors))]
    return measure_crossover(vectors[QUERIES:], vectors[:QUERIES])


BENCHES.add(
    "index",
    Bench(
        measure_index,
        lambda: {"crossover": CROSSOVER},
        "exact against HNSW by number of turns; takes NAME=PATH",
    ),
)
