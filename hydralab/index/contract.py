"""What an index of vectors is, and what it refuses to take in."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hydralab.core.cosine import unit_rows
from hydralab.errors import HydralabError

__all__ = [
    "Allowed",
    "Index",
    "Rows",
    "Scores",
    "Vectors",
    "allowed_rows",
    "as_queries",
    "as_unit_rows",
    "visible_rows",
]

Vectors = NDArray[np.float32]
Scores = NDArray[np.float32]
Rows = NDArray[np.int64]
Allowed = NDArray[np.bool_] | NDArray[np.integer[Any]] | Sequence[int]
"""A mask over all rows, or row numbers."""


@runtime_checkable
class Index(Protocol):
    """Vectors by row number, searched by cosine. Rows are numbered in the order of adding, from 0."""

    @property
    def dim(self) -> int:
        """Columns of its vectors."""
        ...

    def __len__(self) -> int:
        """Rows added so far."""
        ...

    def add(self, vectors: Any) -> None:
        """Append rows of shape (n, dim)."""
        ...

    def search(
        self, queries: Any, k: int, *, allowed: Allowed | None = None, upto: int | None = None
    ) -> tuple[Scores, Rows]:
        """Return cosines and row numbers of the k nearest rows of each query, nearest first."""
        ...

    def vectors(self, rows: Any = None) -> Vectors:
        """Return the unit rows of these numbers, or all."""
        ...

    def save(self, path: str | Path, *, model: str = "", ids: Sequence[str] | None = None) -> None:
        """Write the index to a folder."""
        ...

    @classmethod
    def load(cls, path: str | Path, *, model: str | None = None, ids: Sequence[str] | None = None) -> Self:
        """Read an index from a folder, once it is known to be whole and the right one."""
        ...


def as_unit_rows(vectors: Any, dim: int, what: str = "vectors") -> Vectors:
    """Return `vectors` as float32 rows of length 1, or name the first row that can't be one.

    Parameters
    ----------
    vectors
        Anything numpy reads as real numbers of shape (n, dim). A row of zeros stays.

    Raises
    ------
    HydralabError
        For NaN, infinity, values beyond float32, ragged rows, another dimension, no numbers.

    >>> as_unit_rows([[3.0, 4.0]], 2).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929]]
    >>> as_unit_rows([[1.0, 0.0], [float("nan"), 0.0]], 2)
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: vectors: row 1 holds nan, expected finite float32 numbers
    """
    matrix = _as_matrix(vectors, dim, what)
    finite = np.isfinite(matrix)
    if not finite.all():
        row, column = (int(place[0]) for place in np.nonzero(~finite))
        raise HydralabError(
            f"{what}: row {row} holds {_given(vectors, row, column)}, expected finite float32 numbers"
        )
    return np.asarray(unit_rows(matrix))


def as_queries(queries: Any, dim: int) -> tuple[Vectors, bool]:
    """Return queries as unit rows (m, dim), and whether a single vector was given."""
    single = not _is_ragged(queries) and np.ndim(queries) == 1
    return as_unit_rows([queries] if single else queries, dim, "queries"), single


def visible_rows(upto: int | None, size: int) -> int:
    """Return how many of `size` rows lie below `upto`.

    Raises
    ------
    HydralabError
        When `upto` is below 0.

    >>> visible_rows(None, 3), visible_rows(5, 3), visible_rows(2, 3)
    (3, 3, 2)
    """
    if upto is None:
        return size
    if not isinstance(upto, Integral) or upto < 0:
        raise HydralabError(f"search: upto is {upto!r}, expected at least 0, in whole rows")
    return min(int(upto), size)


def allowed_rows(allowed: Allowed, stop: int, size: int) -> Rows:
    """Return the row numbers below `stop` that may be found, rising.

    Raises
    ------
    HydralabError
        For a mask of another length, or a row number that is not in the index.

    >>> allowed_rows([2, 0], stop=2, size=3).tolist()
    [0]
    """
    given = np.asarray(allowed)
    if given.dtype == np.bool_:
        if given.shape != (size,):
            raise HydralabError(f"search: the allowed mask has shape {given.shape}, expected ({size},)")
        rows = np.flatnonzero(given[:stop])
    else:
        rows = np.unique(given.astype(np.int64, copy=False))
        if rows.size and (rows[0] < 0 or rows[-1] >= size):
            outside = int(rows[0] if rows[0] < 0 else rows[-1])
            raise HydralabError(f"search: allowed names row {outside}, expected rows 0 to {size - 1}")
        rows = rows[rows < stop]
    return rows


def _as_matrix(vectors: Any, dim: int, what: str) -> Vectors:
    if _is_ragged(vectors):
        lengths = [np.size(row) for row in vectors]
        row = next((i for i, length in enumerate(lengths) if length != dim), 0)
        raise HydralabError(f"{what}: row {row} has {lengths[row]} numbers, expected {dim}")
    given = np.asarray(vectors)
    if given.size == 0 and given.ndim < 2:
        return np.empty((0, dim), dtype=np.float32)
    if given.dtype.kind not in "fiub":
        raise HydralabError(f"{what}: dtype is {given.dtype}, expected real numbers")
    if given.ndim != 2 or given.shape[1] != dim:
        raise HydralabError(f"{what}: shape is {given.shape}, expected (n, {dim})")
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(given, dtype=np.float32)


def _is_ragged(vectors: Any) -> bool:
    if isinstance(vectors, np.ndarray):
        return False
    try:
        np.asarray(vectors)
    except ValueError:
        return True
    return False


def _given(vectors: Any, row: int, column: int) -> Any:
    value = np.asarray(vectors)[row, column]
    return value.item() if isinstance(value, np.generic) else value
