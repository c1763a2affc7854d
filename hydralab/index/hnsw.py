"""Approximate search by a hierarchical navigable small-world graph (hnswlib)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

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
from hydralab.index.storing import IndexFileError, read_folder, write_folder
from hydralab.optional import load_optional

__all__ = ["Hnsw"]

GRAPH = "graph.hnsw"
SMALLEST_ROOM = 1024

OVERFETCH = 4
"""How many times more than expected to need is fetched when some rows may not be found."""


class Hnsw:
    """Approximate search by cosine (Malkov and Yashunin 2018), for many rows and many queries.

    Equal vectors are indexed once, with a list of their rows: a thousand copies of "ok" would cut the
    graph's other vectors off. Where only some rows may be found they are scored exactly when they are
    few, else the graph is asked for more than is needed; no Python callback runs inside the search.
    Where the graph has come apart, as that of clusters far from each other does, and gives fewer rows than are
    asked for, all are scored exactly too. One thread and a fixed seed build it, so the same rows added in the
    same way give the same graph.

    Parameters
    ----------
    dim
        Columns of the vectors.
    links
        Links a node (M): memory and recall grow with it.
    construction
        Breadth of the search for neighbours while building (ef_construction).
    breadth
        Breadth of a search (ef); raised to k where k is larger.
    exact_rows
        Where only some rows may be found and they are at most so many, they are scored exactly: that is
        cheaper than any detour through the graph.

    Notes
    -----
    Building costs about a millisecond a row, so it pays only where many queries follow: see
    `measure_crossover`.

    >>> index = Hnsw(2)
    >>> index.add([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    >>> scores, rows = index.search([1.0, 0.1], k=2)
    >>> rows.tolist(), scores.round(2).tolist()
    ([0, 2], [1.0, 1.0])
    """

    def __init__(
        self,
        dim: int,
        links: int = 16,
        construction: int = 200,
        breadth: int = 64,
        exact_rows: int = 20_000,
    ) -> None:
        for name, value in (
            ("dim", dim),
            ("links", links),
            ("construction", construction),
            ("breadth", breadth),
        ):
            check_value(f"Hnsw: {name}", value, "int", least=1)
        check_value("Hnsw: exact_rows", exact_rows, "int", least=0)
        self.dim = dim
        self.links = links
        self.construction = construction
        self.breadth = breadth
        self.exact_rows = exact_rows
        self._graph = _new_graph(dim)
        self._graph.init_index(SMALLEST_ROOM, M=links, ef_construction=construction, random_seed=100)
        self._reset(GrowingArray((dim,), np.float32), np.empty(0, dtype=np.int64))

    def _reset(self, unique: GrowingArray, labels: NDArray[np.int64]) -> None:
        self._unique = unique
        self._label_of = GrowingArray((), np.int64)
        self._rows_of: list[list[int]] = []
        self._known = {_digest(vector): label for label, vector in enumerate(unique.rows)}
        self._number(labels)

    def __len__(self) -> int:
        return len(self._label_of)

    def __repr__(self) -> str:
        return (
            f"Hnsw(dim={self.dim}, links={self.links}, construction={self.construction}, "
            f"breadth={self.breadth}, rows={len(self)})"
        )

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
        rows = as_unit_rows(vectors, self.dim)
        labels = np.empty(len(rows), dtype=np.int64)
        fresh: list[int] = []
        for row, vector in enumerate(rows):
            labels[row] = self._known.setdefault(_digest(vector), len(self._known))
            if labels[row] == len(self._unique) + len(fresh):
                fresh.append(row)
        first = len(self._unique)
        if fresh:
            self._make_room(first + len(fresh))
            self._graph.add_items(rows[fresh], np.arange(first, first + len(fresh)), num_threads=1)
            self._unique.extend(rows[fresh])
        self._number(labels)

    def vectors(self, rows: Any = None) -> Vectors:
        """Return the unit rows of these numbers, or all, as a copy."""
        labels = self._label_of.rows if rows is None else self._label_of.rows[rows]
        return np.asarray(self._unique.rows[labels])

    def search(
        self, queries: Any, k: int, *, allowed: Allowed | None = None, upto: int | None = None
    ) -> tuple[Scores, Rows]:
        """Return about the k nearest rows of each query.

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
            Cosines (float32) and row numbers (int64), shape (k',) or (m, k'), nearest first; equal
            vectors in the order of their rows.
        """
        points, single = as_queries(queries, self.dim)
        stop = visible_rows(upto, len(self))
        rows = np.arange(stop) if allowed is None else allowed_rows(allowed, stop, len(self))
        k = min(k, rows.size)
        if k <= 0 or not len(points):
            empty = (np.empty((len(points), 0), np.float32), np.empty((len(points), 0), np.int64))
            return (empty[0][0], empty[1][0]) if single else empty
        fetch = self._fetch(k, rows)
        answer = None if fetch is None else self._by_graph(points, k, fetch, rows)
        if answer is None:
            scores, places = top_k(cosine_scores(points, self.vectors(rows)), k)
            answer = scores, rows[places]
        best, numbers = answer
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
        settings = {
            "dim": self.dim,
            "links": self.links,
            "construction": self.construction,
            "breadth": self.breadth,
            "exact_rows": self.exact_rows,
        }
        write_folder(
            path,
            "hnsw",
            settings,
            {"labels": self._label_of.rows, "vectors": self._unique.rows},
            rows=len(self),
            model=model,
            ids=ids,
            native={GRAPH: self._graph.save_index},
        )

    @classmethod
    def load(cls, path: str | Path, *, model: str | None = None, ids: Sequence[str] | None = None) -> Self:
        """Read an index from a folder; nothing native is read before checksums, sizes and dim are right.

        Raises
        ------
        IndexFileError
            When the folder is incomplete, damaged, or was made of another model or other rows than
            the ones given here.
        """
        stored = read_folder(path, "hnsw", model=model, ids=ids)
        index = cls(**stored.settings)
        labels = stored.array("labels", (stored.rows,))
        unique = GrowingArray((index.dim,), np.float32)
        unique.extend(stored.array("vectors", (int(labels.max(initial=-1)) + 1, index.dim)))
        index._graph = _new_graph(index.dim)
        index._graph.load_index(str(stored.file(GRAPH)), max_elements=max(2 * len(unique), SMALLEST_ROOM))
        if index._graph.get_current_count() != len(unique):
            raise IndexFileError(
                f"index {path}: the graph holds {index._graph.get_current_count()} vectors, "
                f"expected {len(unique)}; rebuild it"
            )
        index._reset(unique, labels)
        return index

    def _number(self, labels: NDArray[np.int64]) -> None:
        """Note the label of each new row, and the row of each label."""
        first = len(self._label_of)
        self._label_of.extend(labels)
        self._rows_of.extend([] for _ in range(len(self._unique) - len(self._rows_of)))
        for row, label in enumerate(labels.tolist(), start=first):
            self._rows_of[label].append(row)

    def _make_room(self, needed: int) -> None:
        if needed > self._graph.get_max_elements():
            self._graph.resize_index(max(needed, 2 * self._graph.get_max_elements()))

    def _fetch(self, k: int, rows: Rows) -> int | None:
        """Return for how many vectors to ask the graph so that k of these rows come; None where exact is cheaper."""
        if rows.size == len(self):
            return min(k, len(self._unique))
        fetch = int(OVERFETCH * k * len(self) / rows.size)
        return fetch if rows.size > self.exact_rows and fetch < len(self._unique) // 8 else None

    def _by_graph(self, queries: Vectors, k: int, fetch: int, rows: Rows) -> tuple[Scores, Rows] | None:
        """Ask the graph for `fetch` vectors a query and write out those of the rows; None where too few came."""
        self._graph.set_ef(max(self.breadth, fetch))
        try:
            labels, distances = self._graph.knn_query(queries, k=fetch, num_threads=1)
        except RuntimeError:  # where the graph has come apart, fewer can be reached than were asked for
            return None
        mask = None if rows.size == len(self) else _mask(rows, len(self))
        best = np.full((len(queries), k), -np.inf, dtype=np.float32)
        numbers = np.full((len(queries), k), -1, dtype=np.int64)
        for query in range(len(queries)):
            filled = 0
            for label, distance in zip(labels[query].tolist(), distances[query].tolist(), strict=True):
                same = [row for row in self._rows_of[label] if mask is None or mask[row]][: k - filled]
                numbers[query, filled : filled + len(same)] = same
                best[query, filled : filled + len(same)] = 1 - distance
                filled += len(same)
                if filled == k:
                    break
        return (best, numbers) if (numbers >= 0).all() else None


def _new_graph(dim: int) -> Any:
    # Rows have length 1, so the inner product is the cosine; hnswlib's own "cosine" would scale again.
    hnswlib = load_optional("hnswlib", extra="all", purpose="the index 'hnsw'")
    return hnswlib.Index(space="ip", dim=dim)


def _digest(vector: NDArray[np.float32]) -> bytes:
    return hashlib.blake2b(vector.tobytes(), digest_size=16).digest()


def _mask(rows: Rows, count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, dtype=np.bool_)
    mask[rows] = True
    return mask
