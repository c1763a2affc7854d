"""The values of signals while a dialogue grows, at a cost a turn that does not grow with the dialogue."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.growing_array import GrowingArray
from hydralab.core.percentile import causal_percentile
from hydralab.signals import Shift, ShiftRaw, Signal, compute_signals, prior
from hydralab.signals.shift import LEAST
from hydralab.triggers.compiling import rank_column

__all__ = ["GrowingRanks", "GrowingSignals", "Vectors", "can_grow_signal"]

MANY = 64
"""From so many new values on, ranks are taken of all at once."""

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]


def can_grow_signal(signal: Signal) -> bool:
    """Tell whether the newest turns have all that decides a signal's newest values, or their ranks.

    >>> from hydralab.signals import Depth, GapSeconds
    >>> can_grow_signal(GapSeconds()), can_grow_signal(Shift()), can_grow_signal(Depth(reach=None))
    (True, True, False)
    """
    return type(signal) is Shift or _memory(signal) is not None


class GrowingSignals:
    """The values of signals of one dialogue, of the turns whose values no later turn can change.

    Parameters
    ----------
    signals
        Column → signal, each one that `can_grow_signal`.
    ranked
        Columns whose ranks among their earlier values are wanted too.

    >>> from hydralab.signals import Tokens
    >>> growing = GrowingSignals({"tokens": Tokens()}, ["tokens"])
    >>> turns = pl.DataFrame({"dialogue_id": ["a"] * 3, "position": [0, 1, 2], "tokens": [5, 9, 7]})
    >>> growing.extend(turns, np.zeros((3, 4), np.float32), 3)
    >>> [series.to_list() for series in growing.columns(1, 3)]
    [[9.0, 7.0], [1.0, 0.5]]
    """

    def __init__(self, signals: Mapping[str, Signal], ranked: Collection[str]) -> None:
        self._columns = {name: _Column(name, signal) for name, signal in signals.items()}
        self._ranks = {name: (GrowingRanks(), GrowingArray((), np.float64)) for name in ranked}

    def extend(self, turns: pl.DataFrame, vectors: Vectors, known: int) -> None:
        """Compute the values of the rows up to `known`, given all turns and vectors so far."""
        for name, column in self._columns.items():
            fresh = column.extend(turns, vectors, known)
            if name in self._ranks:
                ranks, values = self._ranks[name]
                values.extend(ranks.extend(fresh))

    def columns(self, first: int, stop: int) -> list[pl.Series]:
        """Return the values of some rows, null where unknown, and the ranks that are wanted."""
        values = {name: column.values for name, column in self._columns.items()}
        values |= {rank_column(name): ranks for name, (_, ranks) in self._ranks.items()}
        return [pl.Series(name, array.rows[first:stop], nan_to_null=True) for name, array in values.items()]


class GrowingRanks:
    """`causal_percentile` of values as they come.

    Parameters
    ----------
    expected
        The prior of the first values.
    least
        Values that every comparison is made with at least, where there is a prior.

    >>> ranks = GrowingRanks()
    >>> ranks.extend(np.asarray([5.0, 1.0])), ranks.extend(np.asarray([np.nan, 7.0]))
    (array([0., 0.]), array([nan,  1.]))
    """

    def __init__(self, expected: Floats | None = None, least: int = 0) -> None:
        self._expected, self._least = expected, least
        self._values = GrowingArray((), np.float64)
        self._sorted: list[float] = []

    def extend(self, fresh: Floats) -> Floats:
        """Return the ranks of the next values."""
        done = len(self._values)
        self._values.extend(fresh.copy())
        if len(fresh) < MANY and len(self._sorted) >= self._least:
            return np.asarray([self._rank(value) for value in fresh.tolist()], dtype=np.float64)
        every = causal_percentile(self._values.rows, self._expected, least=max(self._least, 1))
        self._sorted = sorted(self._values.rows[~np.isnan(self._values.rows)].tolist())
        return np.asarray(every)[done:].copy()

    def _rank(self, value: float) -> float:
        """Return the share of earlier values that are smaller, 0 of the first."""
        if np.isnan(value):
            return value
        share = bisect_left(self._sorted, value) / max(len(self._sorted), 1)
        insort(self._sorted, value)
        return share


class _Column:
    """The values of a signal; those of `Shift` are ranks of its raw form."""

    def __init__(self, name: str, signal: Signal) -> None:
        self._name = name
        self._signal = signal
        self._ranks: GrowingRanks | None = None
        if type(signal) is Shift:
            self._signal = ShiftRaw(signal.window, signal.lag)
            self._ranks = GrowingRanks(prior(signal.prior, signal.window, signal.lag), LEAST)
        self.values = GrowingArray((), np.float64)

    def extend(self, turns: pl.DataFrame, vectors: Vectors, known: int) -> Floats:
        """Compute the values of the rows up to `known`, and return them."""
        done = len(self.values)
        first = max(done - int(_memory(self._signal) or 0), 0)
        own = vectors[first:] if self._signal.needs_vectors else None
        table = compute_signals(turns[first:], own, {self._name: self._signal}, closed=False)
        fresh = table[self._name].fill_null(float("nan")).to_numpy()[done - first : known - first]
        values = fresh.copy() if self._ranks is None else self._ranks.extend(fresh)
        self.values.extend(values.copy())
        return values


def _memory(signal: Any) -> int | None:
    """Return how many turns before a turn have a say in its value; None where it doesn't say."""
    memory = getattr(signal, "memory", None)
    return None if memory is None else int(memory)
