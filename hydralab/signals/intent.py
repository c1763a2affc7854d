"""What a turn means to do: change the topic, decide, report a task done, ask for a summary, refer back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import unknown_name
from hydralab.signals.base import SIGNALS, Range
from hydralab.texts.cues import INTENTS, find_intent

__all__ = ["Intent"]


@dataclass(frozen=True)
class Intent:
    """1 where a turn has the intent, else 0: rules over words, both languages in one text. Causal.

    Parameters
    ----------
    name
        One of `hydralab.texts.cues.INTENTS`.

    Notes
    -----
    Phrases that only look like the intent (negated, asked, hypothetical, quoted, other meanings) are
    blanked before the rules are tried. `hydralab.signals.measure_intents` says how often they are
    right.

    >>> import polars as pl
    >>> turns = pl.DataFrame({"text": ["我们决定用方案B", "我们还没决定", "Let's go with B"], "role": ["user"] * 3})
    >>> Intent("decision").values(turns, None, closed=True)
    array([1., 0., 1.])
    """

    name: str

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 0
    range: ClassVar[Range] = (0.0, 1.0)
    unit: ClassVar[str] = "0 or 1"
    source: ClassVar[str] = "text"
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in INTENTS:
            raise unknown_name("intent", self.name, INTENTS)

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return 1 or 0 a turn: float64 (n,)."""
        del vectors, closed
        return find_intent(self.name, turns["text"], turns["role"]).cast(pl.Float64).to_numpy()


for _name in INTENTS:
    SIGNALS.add(f"intent_{_name}", partial(Intent, _name))
