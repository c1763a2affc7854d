"""The stored vectors nearest to one: what may be asked, and the best of rows that come block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.cosine import cosine_scores, unit_rows
from hydralab.core.topk import top_k
from hydralab.errors import StoreError, brief, check_value
from hydralab.stores import row_rules

__all__ = ["BLOCK", "SCHEMA", "VectorQuery", "best_of", "check_nearest", "is_held", "merge", "shown"]

BLOCK = 2_048
"""Vectors that are scored at once."""

DIGITS = 12
"""Scores are compared so far, so that equal vectors score equal wherever a matrix product puts them."""

ERROR = 1e-4
"""More than single precision can be off in a cosine of some thousand dimensions."""

SCHEMA = {"item_id": pl.String, "item_kind": pl.String, "dialogue_id": pl.String, "score": pl.Float64}
NUMBERED = {**SCHEMA, "seq": pl.Int64}
"""With the order of appending, by which ties are told apart."""

Block = tuple[Sequence[tuple[Any, ...]], NDArray[np.float32]]
"""(item_id, item_kind, dialogue_id, order of appending) of each row, and the rows' vectors."""


@dataclass(frozen=True)
class VectorQuery:
    """What nearest vectors are sought.

    Attributes
    ----------
    vector
        Float32 (d,), at length 1, or zeros.
    kinds, dialogues
        Those that count; all when None.
    """

    vector: NDArray[np.float32]
    count: int
    model: str
    kinds: Sequence[str] | None
    dialogues: Sequence[str] | None


def check_nearest(
    vector: object,
    count: int,
    *,
    model: str,
    kind: str | Sequence[str] | None,
    dialogue_id: str | Sequence[str] | None,
) -> VectorQuery:
    """Return what is sought, or raise where `vector` is none or something else can't be meant.

    >>> check_nearest([3.0, 4.0], 1, model="use", kind="turn", dialogue_id=None).vector.round(1).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    check_value("nearest: count", count, "int", least=0)
    check_value("nearest: model", model, "str")
    try:
        given = np.asarray(vector, dtype=np.float32)
    except (TypeError, ValueError):
        given = np.zeros((0, 0), np.float32)
    if given.ndim != 1 or not given.size:
        raise StoreError(f"nearest: vector is {brief(vector)}, expected numbers of shape (d,)")
    if not np.isfinite(given).all():
        place = int(np.isfinite(given).argmin())
        raise StoreError(f"nearest: vector has {given[place]} at {place}, expected finite numbers")
    kinds = [kind] if isinstance(kind, str) else None if kind is None else list(kind)
    return VectorQuery(
        np.asarray(unit_rows(given[None, :])[0]), count, model, kinds, row_rules.names(dialogue_id)
    )


def is_held(where: str, models: Mapping[str, int], sought: VectorQuery) -> bool:
    """Tell whether there are vectors of the model; refuse a model that is unknown, and another dimension.

    Parameters
    ----------
    where
        What the store is called.
    models
        The models it holds and their dimensions.
    """
    dim = row_rules.stored_dim(where, models, sought.model, None)
    if dim is not None and dim != sought.vector.size:
        raise StoreError(
            f"nearest: the vector has {sought.vector.size} dimensions, those of model {sought.model!r} in {where} "
            f"have {dim}; expected one that {sought.model!r} made"
        )
    return dim is not None


def best_of(blocks: Iterable[Block], sought: VectorQuery) -> pl.DataFrame:
    """Return the best rows of all blocks, of which never more than one is held.

    >>> sought = check_nearest([1.0, 0.0], 1, model="use", kind=None, dialogue_id=None)
    >>> rows = [("a:0", "turn", "a", 0), ("a:1", "turn", "a", 1)]
    >>> best_of([(rows, np.asarray([[0.0, 1.0], [1.0, 1.0]], np.float32))], sought)["item_id"].to_list()
    ['a:1']
    """
    best = pl.DataFrame(schema=NUMBERED)
    for named, vectors in blocks:
        rows = _near(vectors, sought)
        scores = cosine_scores(
            sought.vector.astype(np.float64), unit_rows(vectors[rows].astype(np.float64))
        ).round(DIGITS)
        own = [(*named[row][:3], score, named[row][3]) for row, score in zip(rows, scores, strict=True)]
        best = merge([best, pl.DataFrame(own, schema=NUMBERED, orient="row")], sought.count)
    return best.with_columns(pl.col("score").clip(-1, 1))


def _near(vectors: NDArray[np.float32], sought: VectorQuery) -> NDArray[np.int64]:
    """Return the rows that can be among the best, by cosines of single precision: all within their error of these."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    cosines = (vectors @ sought.vector) / np.where(lengths > 0, lengths, 1)
    if sought.count >= len(cosines) or not np.isfinite(cosines).all():
        return np.arange(len(cosines) if sought.count else 0)
    least = top_k(cosines, sought.count)[0]
    return np.flatnonzero(cosines >= least[-1] - ERROR) if len(least) else np.arange(0)


def merge(parts: Sequence[pl.DataFrame], count: int) -> pl.DataFrame:
    """Return the best rows of several answers; of equal scores the one that was appended first comes first."""
    return pl.concat(parts).sort("score", "seq", descending=[True, False]).head(count)


def shown(best: pl.DataFrame) -> pl.DataFrame:
    """Return rows as `Store.nearest` does."""
    return best.select(list(SCHEMA))
