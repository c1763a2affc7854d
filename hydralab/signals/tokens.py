"""Length of a turn in tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range

__all__ = ["Tokens"]


@SIGNALS.register("tokens")
@dataclass(frozen=True)
class Tokens:
    """Tokens of the turn, as the turns table counts them. Causal.

    >>> Tokens().unit
    'tokens'
    """

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 0
    range: ClassVar[Range] = (0.0, float("inf"))
    unit: ClassVar[str] = "tokens"
    source: ClassVar[str] = "tokens"
    needs_vectors: ClassVar[bool] = False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the counts: float64 (n,)."""
        del vectors, closed
        return turns["tokens"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
