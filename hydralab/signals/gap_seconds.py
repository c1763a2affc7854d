"""Time since the turn before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range

__all__ = ["GapSeconds"]


@SIGNALS.register("gap_seconds")
@dataclass(frozen=True)
class GapSeconds:
    """Seconds between a turn and the one before it; unknown where either time is. Causal.

    >>> GapSeconds().unit
    'seconds'
    """

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 1
    range: ClassVar[Range] = None
    unit: ClassVar[str] = "seconds"
    source: ClassVar[str] = "time"
    needs_vectors: ClassVar[bool] = False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the seconds: float64 (n,), NaN at turn 0; negative where the clock ran back."""
        del vectors, closed
        seconds = pl.col("time").diff().dt.total_microseconds() / 1e6
        return turns.select(seconds.cast(pl.Float64).fill_null(float("nan"))).to_series().to_numpy()
