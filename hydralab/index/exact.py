"""Exact search: one matrix product over all rows, then the k best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from hydralab.core.backend import backend, to_backend, to_numpy
from hydralab.core.cosine import cosine_scores
from hydralab.core.topk import top_k
from hydralab.errors import check_value
from hydralab.index.contract import (
    Allowed,
    Rows,
    Scores,
    Vectors,
    allowed_rows,
    as_queries,
    as_unit_rows,
    visible_rows,
)
from hydralab.index.growing_frame import GrowingArray
from hydralab.index.storing import read_folder, write_folder

__all__ = ["Exact"]


class Exact:
    """Exact search by cosine over a matrix that grows.

    Adding costs amortised O(dim) a row; a search O(n·dim) a query. The product runs on the backend
    that `hydralab.use_backend` chose.

    Parameters
    ----------
    dim
        Columns of the vectors.

    >>> index = Exact(2)
    >>> index.add([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    >>> scores, rows = index.search([1.0, 0.1], k=2)
    >>> rows.tolist(), bool(scores[0] > 0.99)
    ([0, 2], True)
    """

    def __init__(self, dim: int) -> None:
        check_value("Exact: dim", dim, "int", least=1)
        self.dim = dim
        self._rows = GrowingArray((dim,), np.float32)
        self._moved: tuple[Any, Any] = (None, None)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"Exact(dim={self.dim}, rows={len(self)})"

    def add(self, vectors: Any) -> None:
        """Append rows; they are brought to length 1.

        Parameters
        ----------
        vectors
            Real numbers of shape (n, dim).

        Raises
        ------
        HydralabError
            Naming the row, for NaN, infinity, ragged rows or another dimension; nothing is added.
        """
        self._rows.extend(as_unit_rows(vectors, self.dim))

    def vectors(self, rows: Any = None) -> Vectors:
        """Return the unit rows of these numbers as a copy, or all as a view."""
        return self._rows.rows if rows is None else self._rows.rows[rows]

    def scores(self, query: Any, *, upto: int | None = None) -> Scores:
        """Return the cosine of one query with each of the first `upto` rows, shape (upto,)."""
        points, _ = as_queries(query, self.dim)
        searched = self._on_backend()[: visible_rows(upto, len(self)), :]
        return np.asarray(to_numpy(cosine_scores(to_backend(points[0]), searched)))

    def search(
        self, queries: Any, k: int, *, allowed: Allowed | None = None, upto: int | None = None
    ) -> tuple[Scores, Rows]:
        """Return the k nearest rows of each query.

        Parameters
        ----------
        queries
            Shape (dim,) or (m, dim), of any length.
        k
            How many; fewer come back when fewer rows may be found.
        allowed
            A mask over all rows, or row numbers: only these may be found.
        upto
            Only rows below this number may be found.

        Returns
        -------
        scores, rows
            Cosines (float32) and row numbers (int64), shape (k',) or (m, k'), nearest first; of equal
            scores the lower row comes first.
        """
        points, single = as_queries(queries, self.dim)
        stop = visible_rows(upto, len(self))
        if allowed is None:
            searched = self._on_backend()[:stop, :]
        else:
            rows = allowed_rows(allowed, stop, len(self))
            searched = to_backend(self._rows.rows[rows])
        best, places = map(to_numpy, top_k(cosine_scores(to_backend(points), searched), k))
        numbers = places if allowed is None else rows[places]
        return (best[0], numbers[0]) if single else (best, numbers)

    def save(self, path: str | Path, *, model: str = "", ids: Sequence[str] | None = None) -> None:
        """Write the index to the folder `path`, whole or not at all.

        Parameters
        ----------
        model
            The encoder the vectors came from; kept so that no other model's index is mistaken for it.
        ids
            What each row stands for; kept as a hash, to be compared on loading.
        """
        write_folder(
            path,
            "exact",
            {"dim": self.dim},
            {"vectors": self._rows.rows},
            rows=len(self),
            model=model,
            ids=ids,
        )

    @classmethod
    def load(cls, path: str | Path, *, model: str | None = None, ids: Sequence[str] | None = None) -> Self:
        """Read an index from a folder.

        Raises
        ------
        IndexFileError
            When the folder is incomplete, damaged, or was made of another model or other rows than
            the ones given here.
        """
        stored = read_folder(path, "exact", model=model, ids=ids)
        index = cls(stored.settings["dim"])
        index._rows.extend(stored.array("vectors", (stored.rows, index.dim)))
        return index

    def _on_backend(self) -> Any:
        """Return all rows on the chosen backend; a device keeps its copy until rows are added."""
        chosen = backend()
        if chosen.name == "numpy":
            return self._rows.rows
        key = (chosen, len(self))
        if self._moved[0] != key:
            self._moved = (key, to_backend(self._rows.rows))
        return self._moved[1]
