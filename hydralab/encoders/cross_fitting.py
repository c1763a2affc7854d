"""Vectors along slow directions for benches: no dialogue has a part in the directions that it is seen along."""

from __future__ import annotations

import numpy as np
import polars as pl

from hydralab.encoders.contract import Vectors
from hydralab.encoders.slow_topics import LEAST_TURNS, SlowTopics, dialogue_lengths
from hydralab.errors import HydralabError

__all__ = ["cross_fitted"]


def cross_fitted(
    turns: pl.DataFrame,
    vectors: Vectors,
    *,
    folds: int = 10,
    rank: int = 32,
    lags: int = 4,
    ridge: float = 4.0,
) -> Vectors:
    """Return vectors along slow directions that were fitted on other dialogues than their own.

    For benches: no dialogue has a part in the directions that it is seen along.

    Parameters
    ----------
    turns
        Turns of several dialogues, each in one piece.
    vectors
        Float32 (n, d), row by row with the turns.
    folds
        Dialogue i belongs to fold i mod folds; at most as many as there are dialogues.

    Returns
    -------
    ndarray
        Float32 (n, rank); `vectors` themselves where the others of a fold are fewer than 200 turns.

    Raises
    ------
    HydralabError
        Less than two folds or dialogues.
    """
    lengths = dialogue_lengths(turns)
    folds = min(folds, len(lengths))
    if folds < 2:
        raise HydralabError(f"cross_fitted: {folds} folds of {len(lengths)} dialogues, expected at least 2")
    fold = np.repeat(np.arange(len(lengths)) % folds, lengths)
    if turns.height - np.bincount(fold).max() < LEAST_TURNS:
        return vectors
    moved = np.empty((turns.height, min(rank, vectors.shape[1])), dtype=np.float32)
    for each in range(folds):
        own = fold == each
        fitted = SlowTopics.fit(turns.filter(~own), vectors[~own], rank=rank, lags=lags, ridge=ridge)
        moved[own] = fitted.transform(vectors[own])
    return moved
