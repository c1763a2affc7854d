"""Boundaries that somebody set by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.triggers.decorating import segmenter

__all__ = ["marks"]


@segmenter(lookahead=0, vectors=False)
def marks(turns: pl.DataFrame, vectors: None, *, positions: Sequence[int] = ()) -> NDArray[np.bool_]:
    """Start a new span at each marked turn.

    A mark is known when its turn is there, look-ahead 0; whether whoever set it had read on is not
    known to it. Marks beyond the last turn wait for theirs.

    Parameters
    ----------
    turns
        One dialogue.
    vectors
        Not used.
    positions
        Of the first turns of new spans.
    """
    del vectors
    whole = [isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in positions]
    if not all(whole):
        wrong = positions[whole.index(False)]
        raise HydralabError(f"trigger 'marks': positions has {wrong!r}, expected positions of turns")
    return turns["position"].is_in(list(positions)).to_numpy()
