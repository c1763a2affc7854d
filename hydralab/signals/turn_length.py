"""Length of a turn in characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range

__all__ = ["TurnLength"]


@SIGNALS.register("turn_length")
@dataclass(frozen=True)
class TurnLength:
    """Characters (Unicode code points) of the turn. Causal.

    >>> TurnLength().unit
    'characters'
    """

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 0
    range: ClassVar[Range] = (0.0, float("inf"))
    unit: ClassVar[str] = "characters"
    source: ClassVar[str] = "text"
    needs_vectors: ClassVar[bool] = False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the lengths: float64 (n,)."""
        del vectors, closed
        return turns["text"].str.len_chars().cast(pl.Float64).to_numpy()
