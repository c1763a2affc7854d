"""What a trigger that may look back to the first turn decides while a dialogue grows."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hydralab.signals import Signal
from hydralab.triggers.evaluating import Dialogue
from hydralab.triggers.finding import dialogue_boundaries
from hydralab.triggers.growing_signals import GrowingSignals, Vectors
from hydralab.triggers.thresholds import check_thresholds
from hydralab.triggers.tree import Trigger
from hydralab.triggers.tree_needs import lookahead_of

__all__ = ["RecomputedBoundaries"]


class RecomputedBoundaries:
    """The boundaries of one dialogue by one trigger: those of `find_boundaries` with ``closed=False``.

    The trigger runs over all turns each time; the signals that it reads go on from where they were.

    Parameters
    ----------
    trigger
        One whose `signals_grow`, and that doesn't look ahead over the whole dialogue.
    signals
        Column → signal that it may name.

    >>> import numpy as np
    >>> from hydralab.triggers import expr
    >>> from hydralab.frames import build
    >>> turns = build("turns", [{"dialogue_id": "a", "turn_id": f"a:{i}", "position": i, "round": i, "role": "user",
    ...          "text": "?", "tokens": 2} for i in range(4)])
    >>> growing = RecomputedBoundaries(expr(pl.col("tokens").cum_sum() == 6, lookahead=0), {})
    >>> [growing.find(turns.head(end), np.zeros((end, 4), np.float32))["position"].to_list() for end in (2, 4)]
    [[], [2]]
    """

    def __init__(self, trigger: Trigger, signals: Mapping[str, Signal]) -> None:
        check_thresholds(trigger, signals)
        self._trigger = trigger
        self._delay = int(lookahead_of(trigger, signals))
        self._signals = GrowingSignals(trigger, signals)

    def find(self, turns: pl.DataFrame, vectors: Vectors) -> pl.DataFrame:
        """Return all boundaries that are decided, given all turns and vectors so far."""
        self._signals.extend(turns, vectors, max(turns.height - self._delay, 0))
        dialogue = Dialogue(turns.with_columns(self._signals.columns(0)), vectors, self._signals.ranges)
        return dialogue_boundaries(self._trigger, dialogue, self._delay, closed=False)
