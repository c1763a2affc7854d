"""Change points of a series that grows row by row, at a cost per row that does not grow with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hydralab.core.changepoints import segment_costs
from hydralab.core.lagged import FEW_LAGS
from hydralab.core.scatter import BLOCK, shrunken_scatter

__all__ = ["GrowingPartition", "GrowingScatter"]

Floats = NDArray[np.float64]


class GrowingScatter:
    """`running_scatter` of rows as they come: the same numbers, bit for bit.

    Parameters
    ----------
    expected, weight
        As there.

    >>> scatter = GrowingScatter(expected=0.5, weight=1.0)
    >>> scatter.extend(np.asarray([[1.0, 0.0]])), scatter.extend(np.asarray([[0.0, 1.0]]))
    (array([0.5]), array([0.75]))
    """

    def __init__(self, *, expected: float, weight: float) -> None:
        self._expected, self._weight = expected, weight
        self._seen = 0
        self._before: Floats | float = 0.0
        self._block: Floats | float = 0.0

    def extend(self, rows: NDArray[np.floating]) -> Floats:
        """Return the scatter up to each of the next rows, float64 (n,)."""
        lengths = np.empty(len(rows))
        for place, row in enumerate(rows.astype(np.float64)):
            self._block = self._block + (np.zeros_like(row) if np.isnan(row).any() else row)
            together = self._block + self._before
            lengths[place] = np.vecdot(together, together)
            self._seen += 1
            if self._seen % BLOCK == 0:
                self._before, self._block = together, 0.0
        seen = np.arange(self._seen - len(rows) + 1, self._seen + 1, dtype=np.float64)
        return np.asarray(shrunken_scatter(lengths, seen, expected=self._expected, weight=self._weight))


class GrowingPartition:
    """`optimal_partition` of rows as they come.

    Parameters
    ----------
    longest
        The most rows of a segment.

    >>> partition = GrowingPartition(longest=8)
    >>> rows = np.asarray([[1.0, 0.0]] * 4 + [[0.0, 1.0]] * 4)
    >>> [partition.extend(rows[:end], np.full(2, 1.0)).tolist() for end in (2, 4, 6, 8)]
    [[0, 0], [0, 0], [4, 4], [4, 4]]
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._rows = 0
        self._totals = [0.0]
        """The costs of the best partitions of the last so many rows, and of those before them."""

    def extend(self, vectors: NDArray[np.floating], prices: Floats) -> NDArray[np.int64]:
        """Return where the last segment of the best partition of each longer prefix starts, int64 (new,).

        Parameters
        ----------
        vectors
            All rows so far, the new ones included.
        prices
            Of the new rows.
        """
        done, longest = self._rows, self._longest
        # Products are taken of blocks; from the start of one they are the same, bit for bit.
        side = max(-(-(longest - 1) // FEW_LAGS) * FEW_LAGS, 1)
        first = max(done - longest, 0) // side * side
        costs = np.asarray(segment_costs(vectors[first:], longest))
        starts = np.empty(len(vectors) - done, dtype=np.int64)
        for place, price in enumerate(prices):
            end = done + place + 1
            begins = np.arange(max(0, end - longest), end)
            choices = np.asarray(self._totals[-len(begins) :]) + (
                costs[end - begins - 1, begins - first] + price
            )
            if begins[0] == 0:
                choices[0] -= price
            best = int(np.argmin(choices))
            starts[place] = begins[best]
            self._totals = [*self._totals[-longest:], float(choices[best])]
        self._rows = len(vectors)
        return starts
