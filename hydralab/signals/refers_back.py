"""Whether a turn names something said before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range
from hydralab.texts.cues import BACK_REFERENCE, any_of

__all__ = ["RefersBack"]


@SIGNALS.register("refers_back")
@dataclass(frozen=True)
class RefersBack:
    """1 where a turn has the words of a reference to the past, else 0. Causal.

    之前提到, 刚才说的, 上次; earlier, as I said, remind me. Wording alone, whoever speaks and whatever
    for; `intent_refers_back` is stricter: what was said in this conversation is meant.

    >>> import polars as pl
    >>> RefersBack().values(pl.DataFrame({"text": ["之前提到的预算", "Remind me", "预算"]}), None, closed=True)
    array([1., 1., 0.])
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
        return any_of(turns["text"], *BACK_REFERENCE).cast(pl.Float64).to_numpy()
