"""Arrays and tables that rows are appended to at a cost that hardly grows with what is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["GrowingArray", "GrowingFrame"]

SMALLEST = 64


class GrowingArray:
    """Rows of one shape and dtype in one contiguous array; room doubles when it runs out.

    Parameters
    ----------
    row_shape
        Shape of one row; () for numbers.
    dtype
        Of the array.

    >>> lengths = GrowingArray((), np.int64)
    >>> lengths.extend([3, 5]); lengths.extend([1])
    >>> lengths.rows.tolist()
    [3, 5, 1]
    """

    def __init__(self, row_shape: tuple[int, ...], dtype: Any) -> None:
        self._room: NDArray[Any] = np.empty((0, *row_shape), dtype=dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def extend(self, rows: Any) -> None:
        """Append rows. The first ones are taken over as they are: hand in an array that nobody else changes."""
        fresh = np.asarray(rows, dtype=self._room.dtype).reshape(-1, *self._room.shape[1:])
        if not len(fresh):
            return
        if not len(self._room):
            self._room = fresh
            self._size = len(fresh)
            return
        needed = self._size + len(fresh)
        if needed > len(self._room):
            room = np.empty(
                (max(needed, 2 * len(self._room), SMALLEST), *self._room.shape[1:]), self._room.dtype
            )
            room[: self._size] = self.rows
            self._room = room
        self._room[self._size : needed] = fresh
        self._size = needed

    @property
    def rows(self) -> NDArray[Any]:
        """What was appended so far, as a view."""
        return self._room[: self._size]


class GrowingFrame:
    """Rows of a table in a few pieces, each at least twice as long as the next.

    So a row is copied at most log2(n) times, however many appends there are, and a read goes through at most
    log2(n) pieces.

    Parameters
    ----------
    frame
        The first rows.

    >>> rows = GrowingFrame(pl.DataFrame({"position": [0, 1]}))
    >>> for position in range(2, 9):
    ...     rows.extend(pl.DataFrame({"position": [position]}))
    >>> rows.frame["position"].to_list(), rows.frame.n_chunks()
    ([0, 1, 2, 3, 4, 5, 6, 7, 8], 2)
    """

    def __init__(self, frame: pl.DataFrame) -> None:
        self._parts = [frame.rechunk()]
        self.frame = self._parts[0]
        """All rows so far."""

    def extend(self, frame: pl.DataFrame) -> None:
        """Append rows of the same columns."""
        if not frame.height:
            return
        self._parts.append(frame)
        while len(self._parts) > 1 and self._parts[-2].height < 2 * self._parts[-1].height:
            shorter = self._parts.pop()
            self._parts[-1] = pl.concat([self._parts[-1], shorter], rechunk=True)
        self.frame = pl.concat(self._parts, rechunk=False)
