"""How recall is set: index, blend of scores, and how much comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from types import MappingProxyType
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, unknown_name
from hydralab.index import INDEXES, Index
from hydralab.registry import Registry

__all__ = ["BLENDS", "SCORE_COLUMNS", "Recall", "blend_expression", "weighted"]

SCORE_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "dense": "cosine of query and item; lowest of the dialogue 0, highest 1",
        "dense_around": "the same with the turn before and the turn after as part of the item",
        "lexical": "BM25 of query and item, as a share of the most that the query could score",
        "lexical_around": "the same with the two turns before and the one after as part of the item",
        "entity": "names, numbers, dates and codes of the query that the item holds, rare ones counting more",
        "neighbour": "how well the turns around it match, near ones counting more; lowest 0, highest 1",
        "feedback": "likeness to the best matches so far; lowest of those compared 0, highest 1",
        "checkpoint": "how well the checkpoint matches that the turn is under; lowest 0, highest 1",
        "statement": "1, but 0 for a turn that ends by asking",
        "speaker": "1 where the query names who speaks",
        "time": "1 where the turn's time is one that the query names",
        "recency": "0.5 halfway back to the start, 1 at the newest turn",
    }
)
"""Score column of the candidates table → what it says. All are in [0, 1], higher is better, never null."""


def weighted(weights: Mapping[str, float]) -> pl.Expr:
    """Return the weighted mean of score columns as an expression.

    >>> pl.DataFrame({"dense": [1.0], "recency": [0.5]}).select(weighted({"dense": 3, "recency": 1})).item()
    0.875
    """
    total = sum(abs(weight) for weight in weights.values())
    return reduce(add, (pl.col(name) * (weight / total) for name, weight in weights.items()))


BLENDS: Registry[pl.Expr] = Registry("blend")
"""Name → expression over `SCORE_COLUMNS`."""

BLENDS.add("dense", pl.col("dense"))
BLENDS.add("lexical", pl.col("lexical"))
BLENDS.add("recency", pl.col("recency"))
BLENDS.add(
    "default",
    # The lexical scores are shares of a ceiling that hardly any turn comes near; a third of it is a lot.
    weighted(
        {
            "dense_around": 1.0,
            "lexical": 2.25,
            "lexical_around": 2.25,
            "neighbour": 0.5,
            "feedback": 0.25,
            "checkpoint": 0.25,
            "entity": 0.25,
            "statement": 0.3,
            "speaker": 0.25,
            "time": 0.25,
        }
    ),
)


@dataclass(frozen=True)
class Recall:
    """How recall is set. Any setting gives the same columns; the blend makes the score of them.

    Attributes
    ----------
    index
        "auto" (by size), "exact", "hnsw", another registered name, or what makes an index of a dimension.
    blend
        A name of `BLENDS`, or a Polars expression over `SCORE_COLUMNS`; the higher the better.
    turns, rounds, checkpoints, memories
        The most candidates of each kind. Rounds are 0 by default: a round holds its turns again.
    pool
        How many turns are looked at closely (feedback, neighbours, checkpoint) after a first pass over
        all of them.
    feedback
        The mean of so many best matches is compared with the others (pseudo-relevance feedback);
        0 for none.
    mmr
        None, or λ in [0, 1]: turns that resemble better ones are put back by maximal marginal
        relevance. It halves the recall of questions that need several turns.

    Raises
    ------
    HydralabError
        For unknown names, columns that are no scores, negative numbers.

    >>> Recall(blend="lexical").turns
    100
    >>> Recall(blend=pl.col("dense") + pl.col("recncy"))
    Traceback (most recent call last):
    ...
    hydralab.errors.UnknownNameError: unknown score column 'recncy'; known: 'recency', 'dense', ...
    """

    index: str | Callable[[int], Index] = "auto"
    blend: str | pl.Expr = "default"
    turns: int = 100
    rounds: int = 0
    checkpoints: int = 10
    memories: int = 10
    pool: int = 256
    feedback: int = 3
    mmr: float | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        if isinstance(self.index, str) and self.index != "auto" and self.index not in INDEXES:
            raise unknown_name("index", self.index, ["auto", *INDEXES])
        for column in blend_expression(self.blend).meta.root_names():
            if column not in SCORE_COLUMNS:
                raise unknown_name("score column", column, SCORE_COLUMNS)
        for name in ("turns", "rounds", "checkpoints", "memories", "pool", "feedback"):
            if getattr(self, name) < 0:
                raise HydralabError(f"Recall: {name} is {getattr(self, name)}, expected at least 0")
        if self.mmr is not None and not 0 <= self.mmr <= 1:
            raise HydralabError(f"Recall: mmr is {self.mmr}, expected None or 0 to 1")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recall):
            return NotImplemented
        return _key(self) == _key(other)

    def __hash__(self) -> int:
        return hash(_key(self))


def blend_expression(blend: str | pl.Expr) -> pl.Expr:
    """Return the expression of a blend given by name or as it is.

    >>> blend_expression("dense").meta.root_names()
    ['dense']
    """
    if isinstance(blend, pl.Expr):
        return blend
    if isinstance(blend, str):
        return BLENDS[blend]
    raise HydralabError(f"blend is {type(blend).__name__}, expected a name or a polars expression")


def _key(config: Recall) -> tuple[Any, ...]:
    blend = config.blend if isinstance(config.blend, str) else str(config.blend)
    return (
        config.index,
        blend,
        config.turns,
        config.rounds,
        config.checkpoints,
        config.memories,
        config.pool,
        config.feedback,
        config.mmr,
    )
