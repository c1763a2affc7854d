"""A new span every so many turns: the floor that other triggers must beat."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.triggers.decorating import segmenter

__all__ = ["every"]


@segmenter(lookahead=0, vectors=False)
def every(turns: pl.DataFrame, vectors: None, *, n: int = 10) -> NDArray[np.bool_]:
    """Start a new span at every n-th turn of a dialogue. Causal, look-ahead 0.

    Parameters
    ----------
    turns
        One dialogue.
    vectors
        Not used.
    n
        Turns a span, at least 1.
    """
    del vectors
    if n < 1:
        raise HydralabError(f"trigger 'every': n is {n}, expected at least 1")
    return np.arange(turns.height) % n == 0
