"""Blends: one score made of the score columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from math import isfinite
from operator import add
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, check_kind, check_value, unknown_name
from hydralab.registry import Registry
from hydralab.triggers import written_out

__all__ = ["BLENDS", "SCORE_COLUMNS", "Blend", "blend_expression", "weighted", "with_added"]

Floats = NDArray[np.float32]

SCORE_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "dense": "cosine of query and item; lowest of the dialogue 0, highest 1",
        "dense_around": "the same with the turn before and the turn after as part of the item",
        "lexical": "BM25 of query and item, as a share of the most that the query could score",
        "lexical_around": "the same with the two turns before and the one after as part of the item",
        "entity": "names, numbers, dates and codes of the query that the item holds, rare ones counting more",
        "neighbour": "how well the turns around it match, near ones counting more; lowest 0, highest 1",
        "feedback": "likeness to the best matches so far; lowest of those compared 0, highest 1",
        "checkpoint": "score of the checkpoint that the item is under; lowest of all items 0, highest 1",
        "statement": "1, but 0 for a turn that ends by asking",
        "speaker": "1 where the query names who speaks",
        "time": "1 where the turn's day, in UTC, is one that the query names",
        "graph": "what a walk over entities and relations reaches from those the query names; 0 where no blend asks",
        "recency": "1 at the newest turn, 1/2 halfway back to the start, 1/3 at the start",
        "parts": "1 at the top for a part of the query, 1/2 at the fourth place; 0 where it has none, or none is asked",
        "rerank": "score of a second model, lowest of those it scored 0, highest 1; null for those it didn't score",
    }
)
"""Score column of the candidates table → what it says.

All are in [0, 1], higher is better. None but "rerank" is ever null, which a blend reads as 0.
"""


def weighted(weights: Mapping[str, float]) -> pl.Expr:
    """Return the weighted mean of score columns as an expression.

    Raises
    ------
    HydralabError
        The weights are no mapping of names to finite numbers, or none of them differs from 0.

    >>> pl.DataFrame({"dense": [1.0], "recency": [0.5]}).select(weighted({"dense": 3, "recency": 1})).item()
    0.875
    """
    check_kind("weighted: weights", weights, Mapping, "a weight a score column, such as {'dense': 2.0}")
    for name, weight in weights.items():
        check_value("weighted: a name of weights", name, "str")
        check_value(f"weighted: weights[{name!r}]", weight, "float")
    total = sum(abs(weight) for weight in weights.values())
    if not isfinite(total) or total == 0:
        raise HydralabError(f"weighted: weights {dict(weights)}, expected finite numbers, one at least not 0")
    return reduce(add, (pl.col(name) * (weight / total) for name, weight in weights.items()))


ARITHMETIC = frozenset({"Plus", "Minus", "Multiply", "Divide", "TrueDivide"})
"""What weighted sums are made with, as Polars' JSON calls it."""

BLENDS: Registry[pl.Expr] = Registry("blend")
"""Name → expression over `SCORE_COLUMNS`."""

BLENDS.add("dense", pl.col("dense"))
BLENDS.add("lexical", pl.col("lexical"))
BLENDS.add("recency", pl.col("recency"))
# The lexical scores are shares of a ceiling that hardly any turn comes near: a third of it is a lot.
_DEFAULT = {
    "dense_around": 1.0,
    "lexical": 2.25,
    "lexical_around": 2.25,
    "neighbour": 0.5,
    "feedback": 0.25,
    "checkpoint": 0.25,
    "entity": 0.25,
    "statement": 0.3,
    "speaker": 0.25,
    "time": 0.5,
}
BLENDS.add("default", weighted(_DEFAULT))
BLENDS.add("graph", weighted({**_DEFAULT, "graph": 0.5}))


def blend_expression(blend: str | pl.Expr) -> pl.Expr:
    """Return the expression of a blend given by name or as it is.

    Raises
    ------
    HydralabError
        For an unknown name, a column that is no score, an expression that carries a function, or
        something else than a name or an expression.

    >>> blend_expression("dense").meta.root_names()
    ['dense']
    """
    if not isinstance(blend, str | pl.Expr):
        raise HydralabError(f"blend is {type(blend).__name__}, expected a name or a polars expression")
    expression = BLENDS[blend] if isinstance(blend, str) else blend
    written_out("blend", expression)
    for column in expression.meta.root_names():
        if column not in SCORE_COLUMNS:
            raise unknown_name("score column", column, SCORE_COLUMNS)
    return expression


def with_added(blend: pl.Expr, weights: Mapping[str, float]) -> pl.Expr:
    """Return the weighted mean of a blend, weighing 1, and of the score columns that it doesn't read yet.

    >>> both = with_added(pl.col("dense"), {"rerank": 0.25, "dense": 9.0})
    >>> pl.DataFrame({"dense": [1.0], "rerank": [0.5]}).select(both).item()
    0.9
    """
    read = blend.meta.root_names()
    added = {name: weight for name, weight in weights.items() if weight and name not in read}
    if not added:
        return blend
    total = 1 + sum(added.values())
    return reduce(add, (pl.col(name) * (weight / total) for name, weight in added.items()), blend / total)


class Blend:
    """A blend ready to be taken of many items again and again.

    Most blends are weighted sums. Those are told by the parts of the expression, and their weights by trying it on
    unit columns; they are then run as sums of arrays. Any other runs in Polars.

    >>> columns = {name: np.zeros(2, np.float32) for name in SCORE_COLUMNS}
    >>> Blend("dense")({**columns, "dense": np.array([0.5, 1.0], np.float32)}).tolist()
    [0.5, 1.0]
    """

    def __init__(self, blend: str | pl.Expr) -> None:
        self._expression = blend_expression(blend)
        self.weights = _linear_weights(self._expression)
        """Score column → its weight; None where the blend is no weighted sum."""
        self.reads = frozenset(self._expression.meta.root_names() if self.weights is None else self.weights)
        """The score columns that decide."""

    def __call__(self, columns: Mapping[str, Floats]) -> Floats:
        """Return the score of each item, float32; null and NaN become 0."""
        if self.weights is None:
            return _evaluate(self._expression, columns)
        score = _summed(columns, self.weights)
        if np.isnan(score).any():
            score = _summed({name: np.nan_to_num(columns[name]) for name in columns}, self.weights)
        return score


def _summed(columns: Mapping[str, Floats], weights: Mapping[str, np.float32]) -> Floats:
    score = np.zeros_like(columns["dense"])
    for name, weight in weights.items():
        score += weight * columns[name]
    return score


def _evaluate(expression: pl.Expr, columns: Mapping[str, Floats]) -> Floats:
    frame = pl.DataFrame({name: columns[name] for name in SCORE_COLUMNS})
    score = frame.with_columns(expression.cast(pl.Float32).fill_nan(0).fill_null(0).alias("score"))["score"]
    return score.to_numpy(writable=True)


def _is_arithmetic(part: Any) -> bool:
    """Say whether Polars' JSON of an expression holds nothing but columns, numbers and arithmetic of these."""
    if not isinstance(part, dict) or len(part) != 1:
        return False
    ((kind, inner),) = part.items()
    if kind == "BinaryExpr":
        return inner["op"] in ARITHMETIC and _is_arithmetic(inner["left"]) and _is_arithmetic(inner["right"])
    return kind in ("Column", "Literal")


def _linear_weights(expression: pl.Expr) -> dict[str, np.float32] | None:
    """Return the weight of each column, or None where the expression is no weighted sum.

    What is made of sums, differences, products and quotients alone is one if it behaves like one at some places.
    """
    if not _is_arithmetic(json.loads(written_out("blend", expression))):
        return None
    count = len(SCORE_COLUMNS)
    trials = np.random.default_rng(0).random((8, count))
    probes = np.vstack([np.eye(count), np.zeros((1, count)), trials, 1e-3 * trials, 2 * trials[::-1]]).astype(
        np.float32
    )
    scores = _evaluate(expression, dict(zip(SCORE_COLUMNS, probes.T.copy(), strict=True)))
    weights = scores[:count]
    if not np.allclose(probes @ weights, scores, rtol=1e-5, atol=1e-7):
        return None
    return {name: weight for name, weight in zip(SCORE_COLUMNS, weights, strict=True) if weight}
