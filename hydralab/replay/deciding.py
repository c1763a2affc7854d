"""What triggers decide while a dialogue runs: computed as turns come, shown from the moment of each decision on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import read_ahead
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.index.growing_frame import GrowingArray, GrowingFrame
from hydralab.signals import Signal, get_signal
from hydralab.triggers import Trigger, find_boundaries
from hydralab.triggers.growing_boundaries import GrowingBoundaries, can_grow
from hydralab.triggers.growing_signals import signals_grow
from hydralab.triggers.recomputed_boundaries import RecomputedBoundaries
from hydralab.triggers.tree_needs import lookahead_of, signals_read

__all__ = ["Deciding"]


class Deciding:
    """Boundaries of one dialogue by trigger, with the values that a running dialogue has.

    Parameters
    ----------
    turns, vectors
        One dialogue and its unit rows.
    signals
        Column → signal that triggers may name.
    encoder
        Name of the encoder.
    """

    def __init__(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32], signals: Mapping[str, Signal], encoder: str
    ) -> None:
        self._turns = GrowingFrame(turns)
        self._vectors = GrowingArray(vectors.shape[1:], np.float32)
        self._vectors.extend(vectors)
        self._signals = signals
        self._encoder = encoder
        self._found: dict[Trigger, pl.DataFrame] = {}
        self._growing: dict[Trigger, GrowingBoundaries] = {}
        self._recomputed: dict[Trigger, RecomputedBoundaries] = {}
        self._seen: dict[Trigger, int] = {}
        self._held = empty("boundaries")

    def hold(self, boundaries: pl.DataFrame) -> None:
        """Let boundaries stand, by hand or from before; what triggers find counts behind the last of them only."""
        self._held = boundaries

    def extend(self, turns: pl.DataFrame, vectors: NDArray[np.float32]) -> None:
        """Append the next turns."""
        self._turns.extend(turns)
        self._vectors.extend(vectors)

    def by(self, trigger: Trigger, moment: int) -> pl.DataFrame:
        """Return the boundaries that a trigger has decided on by a moment.

        Raises
        ------
        HydralabError
            The trigger names an unknown signal, or looks ahead over the whole dialogue.
        """
        found = self._up_to_date(trigger)
        if not self._held.height:
            return _decided(found, moment)
        behind = found.filter(pl.col("position") > self._held["position"].max())
        return pl.concat([_decided(self._held, moment), _decided(behind, moment)])

    def _up_to_date(self, trigger: Trigger) -> pl.DataFrame:
        """Return all that a trigger has decided on by the last turn there is."""
        turns = self._turns.frame
        if not turns.height:
            return empty("boundaries")
        if trigger not in self._seen:
            self._check(trigger)
            if can_grow(trigger, self._signals):
                self._growing[trigger] = GrowingBoundaries(trigger, self._signals)
            elif signals_grow(trigger, self._signals):
                self._recomputed[trigger] = RecomputedBoundaries(trigger, self._signals)
        if self._seen.get(trigger) != turns.height:
            if trigger in self._growing:
                fresh = self._growing[trigger].extend(turns, self._vectors.rows)
                known = self._found.get(trigger)
                found = fresh if known is None else pl.concat([known, fresh]) if fresh.height else known
            else:
                found = self._find(trigger, turns)
            if found.height and trigger not in self._seen:
                read_ahead(turns[self._held["position"].max() or 0 :])  # what is closed is not read again
            self._seen[trigger], self._found[trigger] = turns.height, found
        return self._found[trigger]

    def _check(self, trigger: Trigger) -> None:
        for name in signals_read(trigger):
            get_signal(name, self._signals)
        if lookahead_of(trigger, self._signals) == "all":
            raise HydralabError(
                f"trigger {trigger!r} looks ahead over the whole dialogue, so it can't decide while one runs; "
                "expected a causal form, such as hl.get_trigger('change_points', lookahead=1), or "
                "hl.expr(…, lookahead=0) where an expression reads no later turns"
            )

    def _find(self, trigger: Trigger, turns: pl.DataFrame) -> pl.DataFrame:
        if trigger in self._recomputed:
            return self._recomputed[trigger].find(turns, self._vectors.rows)
        return find_boundaries(
            trigger, turns, self._vectors.rows, signals=self._signals, closed=False, encoder=self._encoder
        )


def _decided(boundaries: pl.DataFrame, moment: int) -> pl.DataFrame:
    decided = boundaries["decided_at"].to_numpy() <= moment
    first = int(decided.sum())
    # They mostly stand in the order they were decided in: then it is a slice, and nothing is copied.
    return boundaries.head(first) if decided[:first].all() else boundaries.filter(decided)
