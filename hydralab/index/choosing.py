"""Indexes by name, the choice by size, and opening one that is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, brief, check_kind, check_value
from hydralab.frames import build, event
from hydralab.index.contract import Index
from hydralab.index.crossover import CROSSOVER
from hydralab.index.exact import Exact
from hydralab.index.hnsw import Hnsw
from hydralab.index.storing import IndexFileError, stored_rows
from hydralab.registry import Registry

__all__ = ["INDEXES", "choose_index", "get_index", "open_index"]

INDEXES: Registry[Callable[[int], Index]] = Registry("index", group="hydralab.indexes")
"""Name → class (or function) that makes an empty index of a dimension."""

INDEXES.add("exact", Exact)
INDEXES.add("hnsw", Hnsw)


def get_index(
    name: str | Callable[[int], Index] = "auto", dim: int = 512, *, size: int | None = None
) -> Index:
    """Return an empty index.

    Parameters
    ----------
    name
        A name of `INDEXES`, "auto", or anything that makes an index when called with `dim`.
    dim
        Columns of its vectors, at least 1.
    size
        How many rows to expect, for "auto": "exact" up to `CROSSOVER`, above it "hnsw"; "exact" when
        None.

    Raises
    ------
    UnknownNameError
        For a name that is not registered.

    >>> get_index("auto", 4, size=1000), get_index("exact", 4)
    (Exact(dim=4, rows=0), Exact(dim=4, rows=0))
    """
    check_value("get_index: dim", dim, "int", least=1)
    check_value("get_index: size", size, "int | None", least=0)
    return _maker(name, size)(dim)


def choose_index(name: str, size: int | None) -> str:
    """Return the name of an index, for "auto" by the number of rows to expect.

    >>> choose_index("auto", 1_000), choose_index("auto", 1_000_000)
    ('exact', 'hnsw')
    """
    if isinstance(name, str) and name == "auto":
        return "hnsw" if size is not None and size > CROSSOVER else "exact"
    return name


def open_index(
    path: str | Path,
    vectors: Any,
    ids: Sequence[str],
    *,
    model: str,
    name: str = "auto",
) -> tuple[Index, pl.DataFrame]:
    """Return the index stored at `path` if it is whole and of these rows, else one built from `vectors`.

    The table of vectors is the truth; the index is only a faster way to it. One that holds the first of
    these rows gets the others added. One that is missing, damaged, of another model, dimension, kind or other
    rows is rebuilt. Either is written anew, and an events row says of a rebuilt one why. Where it can't be
    written, it serves this time, and an events row says so.

    Parameters
    ----------
    vectors
        Shape (n, dim), the rows the index must hold.
    ids
        What each row stands for; another vector for the same thing needs another id.
    model
        The encoder the vectors came from.
    name
        As in `get_index`.

    Returns
    -------
    index, events
        Events table: empty when the stored index was taken, or grown.
    """
    check_kind("open_index: path", path, (str, Path), "a path")
    check_kind("open_index: ids", ids, Sequence, "a text a row")
    check_value("open_index: model", model, "str")
    if len(getattr(vectors, "shape", ())) != 2:
        raise HydralabError(f"open_index: vectors is {brief(vectors)}, expected an array of rows and columns")
    maker = _maker(name, len(ids))
    dim = int(vectors.shape[1])
    if len(vectors) != len(ids):
        raise HydralabError(f"open_index: {len(vectors)} vectors for {len(ids)} ids, expected one each")
    events = []
    try:
        first = ids[: stored_rows(path)]  # a dialogue goes on: what was stored is the beginning of it
        index: Index = maker.load(path, model=model, ids=first)  # type: ignore[attr-defined]
        if index.dim != dim:
            raise IndexFileError(f"index {path} has dimension {index.dim}, expected {dim}; rebuild it")
    except IndexFileError as error:
        index = maker(dim)
        events.append(event("index", "salvaged", detail=f"rebuilt: {error}"))
    if len(index) < len(ids) or events:
        index.add(vectors[len(index) :])
        try:
            index.save(path, model=model, ids=ids)
        except OSError as error:
            events.append(
                event("index", "failed", detail=f"index {path} can't be written ({error}); it is not kept")
            )
    return index, build("events", events)


def _maker(name: str | Callable[[int], Index], size: int | None) -> Callable[[int], Index]:
    if callable(name):
        return name
    return INDEXES[choose_index(name, size)]
