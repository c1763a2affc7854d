"""How a turn feels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range
from hydralab.texts.sentiment import polarity

__all__ = ["Sentiment"]


@SIGNALS.register("sentiment")
@dataclass(frozen=True)
class Sentiment:
    """How a turn feels: −1, bad, to 1, good; 0 where it shows nothing. Causal.

    See `hydralab.texts.sentiment.polarity`; `hydralab.signals.measure_sentiment` says how often it is right.
    It takes about a millisecond a turn, so it is in no default set: a trigger that names it gets it, and
    `lab.signals(sentiment=hl.Sentiment())` shows it.

    >>> turns = pl.DataFrame({"text": ["太好了，谢谢！", "It crashed again", "周二可以吗？"]})
    >>> np.sign(Sentiment().values(turns, None, closed=True)).tolist()
    [1.0, -1.0, 0.0]
    """

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 0
    range: ClassVar[Range] = (-1.0, 1.0)
    unit: ClassVar[str] = "polarity"
    source: ClassVar[str] = "text"
    needs_vectors: ClassVar[bool] = False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the polarities: float64 (n,)."""
        del vectors, closed
        return np.asarray([polarity(text) for text in turns["text"]], dtype=np.float64)
