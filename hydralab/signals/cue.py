"""Whether a turn holds a word that often turns to something new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range
from hydralab.texts.cues import DISCOURSE_MARKER, any_of

__all__ = ["CueWord"]


@SIGNALS.register("cue")
@dataclass(frozen=True)
class CueWord:
    """1 where a clause opens with a discourse marker that often turns to something new. Causal.

    Chinese (另外, 对了, 接下来, 话说 …) and English (by the way, anyway, also, next …). Wider than the
    intent of changing the topic: a marker may also add to the same topic.

    >>> import polars as pl
    >>> CueWord().values(pl.DataFrame({"text": ["另外，下周呢？", "Anyway, lunch?", "好的"]}), None, closed=True)
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
        return any_of(turns["text"], *DISCOURSE_MARKER).cast(pl.Float64).to_numpy()
