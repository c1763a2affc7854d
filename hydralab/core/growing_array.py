"""An array that rows are appended to at amortised constant cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["GrowingArray"]

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
