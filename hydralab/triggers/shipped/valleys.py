"""Deepest valleys: the few gaps where a dialogue turns most, seen at the dialogue's own scale."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.backend import to_backend, to_numpy
from hydralab.core.depth import valley_depth
from hydralab.core.shift import wide_shift
from hydralab.errors import check_value
from hydralab.triggers.decorating import segmenter

__all__ = ["valleys"]

DECIMALS = 9
"""Depths are rounded to these, so that noise of the last bits cuts nothing."""


@segmenter(lookahead="all")
def valleys(
    turns: pl.DataFrame, vectors: NDArray[np.float32], *, cuts: int = 4, share: float = 8.0
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Cut at the deepest valleys of similarity, in windows that grow with the dialogue.

    People divide a conversation into a handful of parts whether it has fifteen turns or six hundred, so the number
    of cuts is what is fixed, not their distance, and the windows compared are a share of the dialogue. It needs
    the whole dialogue. Label-free; nothing is fitted.

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows.
    cuts
        The most cuts; fewer where there are no more valleys.
    share
        Windows on both sides of a gap have n / share turns, at least 2, and two cuts are as far apart.

    References
    ----------
    Depth as in Hearst, "TextTiling", Computational Linguistics 23(1), 1997; the choice by rank is hydralab's own.
    """
    del turns
    check_value("trigger 'valleys': cuts", cuts, "int", least=0)
    check_value("trigger 'valleys': share", share, "float", least=1)
    width = max(2, round(len(vectors) / share))
    similarity = 1 - to_numpy(wide_shift(to_backend(vectors), width, width - 1))
    depth = np.nan_to_num(valley_depth(similarity)).round(DECIMALS)
    fires = np.zeros(len(depth), dtype=bool)
    left = depth.copy()
    for _ in range(min(cuts, len(depth))):
        deepest = int(left.argmax())
        if left[deepest] <= 0:
            break
        fires[deepest] = True
        left[max(0, deepest - width + 1) : deepest + width] = 0.0
    return fires, depth / max(depth.max(initial=0.0), 1e-12)
