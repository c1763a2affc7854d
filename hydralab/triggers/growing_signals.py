"""The values of signals while a dialogue grows, at a cost a turn that does not grow with the dialogue."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.growing_array import GrowingArray
from hydralab.core.percentile import causal_percentile
from hydralab.signals import Shift, ShiftRaw, Signal, compute_signals, get_signal, prior
from hydralab.signals.shift import LEAST
from hydralab.triggers.compiling import rank_column
from hydralab.triggers.evaluating import is_bounded
from hydralab.triggers.tree import Comparison, Trigger
from hydralab.triggers.tree_needs import nodes, signals_read

__all__ = ["GrowingRanks", "GrowingSignals", "Vectors", "signals_grow"]

MANY = 64
"""From so many new values on, ranks are taken of all at once."""

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]


def signals_grow(trigger: Trigger, signals: Mapping[str, Signal]) -> bool:
    """Tell whether the newest turns have all that decides the newest values of the signals that a trigger reads.

    They have where a signal says how far back it looks, and of the ranks that `Shift` is.

    >>> from hydralab.signals import Depth
    >>> from hydralab.triggers import col
    >>> signals_grow((col.shift > 0.8) | (col.gap_seconds > 60), {})
    True
    >>> signals_grow(col.deep > 1, {"deep": Depth(reach=None)})
    False
    """
    named = [get_signal(name, signals) for name in signals_read(trigger)]
    return all(type(signal) is Shift or _memory(signal) is not None for signal in named)


class GrowingSignals:
    """The signals that a trigger reads of one dialogue: values that no later turn can change stay as they are.

    Parameters
    ----------
    trigger
        One whose `signals_grow`.
    signals
        Column → signal that it may name.

    >>> from hydralab.triggers import col
    >>> growing = GrowingSignals(col.tokens > 8, {})
    >>> turns = pl.DataFrame({"dialogue_id": ["a"] * 3, "position": [0, 1, 2], "tokens": [5, 9, 7]})
    >>> growing.extend(turns, np.zeros((3, 4), np.float32), 3)
    >>> [series.to_list() for series in growing.columns(1)]
    [[9.0, 7.0], [1.0, 0.5]]
    """

    def __init__(self, trigger: Trigger, signals: Mapping[str, Signal]) -> None:
        named = {name: get_signal(name, signals) for name in signals_read(trigger)}
        compared = {node.signal for node in nodes(trigger) if isinstance(node, Comparison)}
        self.ranges = {name: signal.range for name, signal in named.items()}
        """Signal → range."""
        self._columns = {name: _Column(name, signal) for name, signal in named.items()}
        self._ranks = {
            name: _Values(GrowingRanks())
            for name, span in self.ranges.items()
            if name in compared and not is_bounded(span)
        }

    def extend(self, turns: pl.DataFrame, vectors: Vectors, known: int) -> None:
        """Compute the values of new rows, given all turns and vectors so far; those up to `known` are to stay."""
        for name, column in self._columns.items():
            fresh, ahead = column.extend(turns, vectors, known)
            if name in self._ranks:
                self._ranks[name].extend(fresh, ahead)

    def columns(self, first: int, stop: int | None = None) -> list[pl.Series]:
        """Return the values of some rows, null where unknown, and the ranks that are scores of comparisons."""
        values = {name: column.values for name, column in self._columns.items()}
        values |= {rank_column(name): ranks for name, ranks in self._ranks.items()}
        return [pl.Series(name, each.rows(first, stop), nan_to_null=True) for name, each in values.items()]


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

    def ahead(self, values: Floats) -> Floats:
        """Return the ranks of values that come next, but may change yet."""
        if len(self._sorted) < self._least:
            together = np.append(self._values.rows, values)
            every = causal_percentile(together, self._expected, least=max(self._least, 1))
            return np.asarray(every)[len(self._values) :]
        ranks = np.empty(len(values))
        earlier: list[float] = []
        for place, value in enumerate(values.tolist()):
            smaller = bisect_left(self._sorted, value) + sum(each < value for each in earlier)
            ranks[place] = np.nan if np.isnan(value) else smaller / max(len(self._sorted) + len(earlier), 1)
            earlier += [] if np.isnan(value) else [value]
        return ranks

    def _rank(self, value: float) -> float:
        """Return the share of earlier values that are smaller, 0 of the first."""
        if np.isnan(value):
            return value
        share = bisect_left(self._sorted, value) / max(len(self._sorted), 1)
        insort(self._sorted, value)
        return share


class _Values:
    """Numbers of the rows so far, as they are or as ranks among the earlier ones."""

    def __init__(self, ranks: GrowingRanks | None = None) -> None:
        self._ranks = ranks
        self._final = GrowingArray((), np.float64)
        self._ahead = np.empty(0)

    def __len__(self) -> int:
        return len(self._final)

    def extend(self, fresh: Floats, ahead: Floats) -> tuple[Floats, Floats]:
        """Append numbers that stay, and put in their place what was there of rows that may change."""
        if self._ranks is not None:
            fresh = self._ranks.extend(fresh)
            ahead = self._ranks.ahead(ahead)
        self._final.extend(fresh.copy())
        self._ahead = ahead.copy()
        return fresh, ahead

    def rows(self, first: int, stop: int | None) -> Floats:
        """Return those of some rows."""
        final = self._final.rows
        if stop is not None and stop <= len(final):
            return np.asarray(final[first:stop])
        return np.append(final, self._ahead)[first:stop]


class _Column:
    """The values of a signal; those of `Shift` are ranks of its raw form."""

    def __init__(self, name: str, signal: Signal) -> None:
        self._name = name
        self._signal, ranks = signal, None
        if type(signal) is Shift:
            self._signal = ShiftRaw(signal.window, signal.lag)
            ranks = GrowingRanks(prior(signal.prior, signal.window, signal.lag), LEAST)
        self.values = _Values(ranks)

    def extend(self, turns: pl.DataFrame, vectors: Vectors, known: int) -> tuple[Floats, Floats]:
        """Compute the values of the rows that are new or may change, and return those that stay and the others."""
        done = len(self.values)
        first = max(done - int(_memory(self._signal) or 0), 0)
        own = vectors[first:] if self._signal.needs_vectors else None
        table = compute_signals(turns[first:], own, {self._name: self._signal}, closed=False)
        fresh = table[self._name].fill_null(float("nan")).to_numpy()
        return self.values.extend(fresh[done - first : known - first], fresh[known - first :])


def _memory(signal: Any) -> int | None:
    """Return how many turns before a turn have a say in its value; None where it doesn't say."""
    memory = getattr(signal, "memory", None)
    return None if memory is None else int(memory)
