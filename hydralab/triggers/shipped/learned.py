"""A trigger that was fitted to marked boundaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.triggers.decorating import segmenter
from hydralab.triggers.learned import kept_model

__all__ = ["learned"]


def _lookahead(settings: Mapping[str, Any]) -> int:
    return kept_model(settings["model"]).lookahead


@segmenter(lookahead=_lookahead)
def learned(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    *,
    model: str = "",
    threshold: float | None = None,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Cut where a fitted model finds a new span probable; the score is the probability.

    Causal with the look-ahead of the model's signals. Made by `hl.fit_trigger`.

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows of the encoder that it was fitted with.
    model
        The file of a saved `LearnedTrigger`, or what `LearnedTrigger.trigger` calls one of this process.
    threshold
        Probability above which it fires, 0 to 1; the fitted one when None.
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise HydralabError(f"trigger 'learned': threshold is {threshold}, expected 0 to 1, or None")
    fitted = kept_model(model)
    probabilities = fitted.probabilities(turns, vectors)
    return probabilities > (fitted.threshold if threshold is None else threshold), probabilities
