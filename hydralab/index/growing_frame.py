"""A table that rows are appended to at a cost that hardly grows with what is there; and the array of that kind."""

from __future__ import annotations

import polars as pl

from hydralab.core.growing_array import GrowingArray

__all__ = ["GrowingArray", "GrowingFrame"]


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
        self._whole: pl.DataFrame | None = self._parts[0]

    @property
    def frame(self) -> pl.DataFrame:
        """All rows so far."""
        whole = self._whole
        if whole is None:
            whole = self._whole = pl.concat(self._parts, rechunk=False)
        return whole

    def extend(self, frame: pl.DataFrame) -> None:
        """Append rows of the same columns."""
        if not frame.height:
            return
        self._parts.append(frame)
        while len(self._parts) > 1 and self._parts[-2].height < 2 * self._parts[-1].height:
            shorter = self._parts.pop()
            self._parts[-1] = pl.concat([self._parts[-1], shorter], rechunk=True)
        self._whole = None
