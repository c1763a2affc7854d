"""Whether a turn asks something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range
from hydralab.texts.cues import QUESTION, any_of

__all__ = ["Question"]


@SIGNALS.register("question")
@dataclass(frozen=True)
class Question:
    """1 where a turn holds a question, else 0. Causal.

    A question mark (?, ？), a Chinese question particle at the end of a clause (吗, 呢, 么), or a
    sentence that opens with a question word or an inverted auxiliary; marks inside web addresses
    don't count.

    >>> import polars as pl
    >>> Question().values(pl.DataFrame({"text": ["预算够吗", "ok"]}), None, closed=True)
    array([1., 0.])
    """

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 0
    range: ClassVar[Range] = (0.0, 1.0)
    unit: ClassVar[str] = "0 or 1"
    source: ClassVar[str] = "text"
    needs_vectors: ClassVar[bool] = False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return 1 or 0 a turn: float64 (n,)."""
        del vectors, closed
        return any_of(turns["text"], *QUESTION).cast(pl.Float64).to_numpy()
