"""Bayesian online change points: cut where a new run of alike turns most probably began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.backend import to_backend, to_numpy
from hydralab.core.run_lengths import change_probability
from hydralab.errors import HydralabError, check_value
from hydralab.triggers.decorating import segmenter

__all__ = ["bocpd"]


def _lookahead(settings: Mapping[str, Any]) -> int:
    return int(settings["lookahead"])


@segmenter(lookahead=_lookahead)
def bocpd(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    *,
    hazard: float = 0.2,
    concentration: float = 8.0,
    threshold: float = 0.5,
    lookahead: int = 1,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Cut where the probability of a new run exceeds a threshold; the score is that probability.

    Causal with the look-ahead given. Made for vectors in slow topics (`hl.SlowTopics`); raw ones scatter more and
    want a `concentration` of about 16.

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows. A turn whose vector holds a NaN tells nothing.
    hazard
        The prior probability that a topic ends at any turn, above 0 and below 1.
    concentration
        How closely the turns of a topic stand around their mean, above 0.
    threshold
        0 to 1.
    lookahead
        Turns known after the one that is judged; 1 is best, for later turns often begin runs of their own.

    References
    ----------
    Adams, MacKay, "Bayesian online changepoint detection", arXiv:0710.3742, 2007.
    """
    del turns
    check_value("trigger 'bocpd': lookahead", lookahead, "int", least=0)
    if not (0 < hazard < 1 and concentration > 0 and 0 <= threshold <= 1):
        raise HydralabError(
            f"trigger 'bocpd': hazard {hazard}, concentration {concentration}, threshold {threshold}; "
            "expected a hazard above 0 and below 1, a concentration above 0 and a threshold from 0 to 1"
        )
    rows = to_backend(vectors)
    found = change_probability(rows, hazard=hazard, concentration=concentration, lookahead=lookahead)
    probability = to_numpy(found).copy()
    probability[:1] = 0.0
    return probability > threshold, probability
