"""How recall is set: index, blend of scores, and how much comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, check_settings, unknown_name
from hydralab.index import INDEXES, Index
from hydralab.llms import LLMSpec
from hydralab.recall.blending import blend_expression, with_added
from hydralab.recall.reranking import Reranker

__all__ = ["Recall"]


@dataclass(frozen=True)
class Recall:
    """How recall is set. Any setting gives the same columns; the blend makes the score of them.

    Attributes
    ----------
    index
        "auto" (by size), "exact", "hnsw", another registered name, or what makes an index of a dimension.
    blend
        A name of `BLENDS`, or a Polars expression over `SCORE_COLUMNS` without functions of Python (they
        can't be compared, so what is kept by settings would be mixed up); the higher the better.
    turns, rounds, checkpoints, memories, documents
        The most candidates of each kind. Rounds are 0 by default: a round holds its turns again, and
        takes room from them. Evidence word for word on the bundled long dialogues with 0, 1, 2 rounds:
        Chinese 54, 55, 60 % at 500 tokens, 78, 78, 79 % at 1,000; English 61, 58, 56 % at 500, 83 % at 1,000.
    pool
        How many turns are looked at closely (feedback, neighbours, checkpoint) after a first pass over
        all of them.
    feedback
        The mean of so many best matches is compared with the others (pseudo-relevance feedback);
        0 for none.
    rerank
        None, or a second model that scores the best candidates once more: "e5", or what else
        `hydralab.recall.reranking.get_reranker` takes. Its score is the column "rerank".
    rerank_top
        How many of each kind it reads: a turn together with the one before it, and who speaks. It reads a text
        once; vectors of an encoder are kept on disk.
    rerank_weight
        What its score counts beside the blend, which counts 1. A blend that reads "rerank" is taken as it is.
    decompose
        None; "rules" to score a query that asks several things also part by part, cut by rules for English and
        Chinese; or what `hydralab.llms.get_llm` takes, for a chat model that cuts it. What an item scores for the
        part that it matches best is the column "parts".
    decompose_weight
        What that score counts beside the blend, which counts 1. A blend that reads "parts" is taken as it is.
    mmr
        None, or λ in [0, 1]: turns that resemble better ones are put back by maximal marginal
        relevance. It halves the recall of questions that need several turns.

    Raises
    ------
    HydralabError
        For unknown names, columns that are no scores, functions in the blend, negative numbers.

    >>> Recall(blend="lexical").turns
    100
    >>> Recall(blend=pl.col("dense") + pl.col("recncy"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    hydralab.errors.UnknownNameError: unknown score column 'recncy'; known: 'recency', ...
    """

    index: str | Callable[[int], Index] = "auto"
    blend: str | pl.Expr = "default"
    turns: int = 100
    rounds: int = 0
    checkpoints: int = 10
    memories: int = 10
    documents: int = 10
    pool: int = 128
    feedback: int = 3
    rerank: Reranker | None = None
    rerank_top: int = 50
    rerank_weight: float = 0.15
    decompose: LLMSpec | None = None
    decompose_weight: float = 0.1
    mmr: float | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        if isinstance(self.index, str) and self.index != "auto" and self.index not in INDEXES:
            raise unknown_name("index", self.index, ["auto", *INDEXES])
        blend_expression(self.blend)
        check_settings(self, rerank_weight=0.0, decompose_weight=0.0)
        if self.mmr is not None and not 0 <= self.mmr <= 1:
            raise HydralabError(f"Recall: mmr is {self.mmr}, expected None or 0 to 1")

    def scored_by(self, *, in_parts: bool) -> pl.Expr:
        """Return the blend with what the second stage, and the parts of a query that has some, add to it."""
        added = {
            "rerank": self.rerank_weight if self.rerank is not None else 0.0,
            "parts": self.decompose_weight if in_parts and self.decompose is not None else 0.0,
        }
        return with_added(blend_expression(self.blend), added)

    def __repr__(self) -> str:
        # An expression's own repr carries its address, by which no two runs of it would have one name; its
        # str leaves settings out (`rank(descending=True)`), by which two would share one.
        shown = {each.name: repr(getattr(self, each.name)) for each in fields(self)}
        if isinstance(self.blend, pl.Expr):
            digest = sha256(self.blend.meta.serialize()).hexdigest()[:8]
            shown["blend"] = f"<{self.blend} {digest}>"
        return f"Recall({', '.join(f'{name}={value}' for name, value in shown.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recall):
            return NotImplemented
        return _key(self) == _key(other)

    def __hash__(self) -> int:
        return hash(_key(self))


def _key(config: Recall) -> tuple[Any, ...]:
    blend = config.blend if isinstance(config.blend, str) else config.blend.meta.serialize()
    return (blend, *(getattr(config, each.name) for each in fields(config) if each.name != "blend"))
