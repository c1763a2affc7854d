"""What recall found, in plain columns; the candidates table is made of them when somebody looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from hydralab.frames import SCHEMAS
from hydralab.recall.blending import SCORE_COLUMNS

__all__ = ["SCHEMA", "RecallResult"]

SCHEMA = {**SCHEMAS["candidates"], **dict.fromkeys(SCORE_COLUMNS, pl.Float64)}
"""Column → type of the candidates table."""


@dataclass(frozen=True)
class RecallResult:
    """Candidates, best first, an entry each in every column.

    Attributes
    ----------
    item_ids, kinds, tokens, sources
        Which items: id, kind, tokens (None when unknown), ids of the turns it stands for.
    scores
        "score" and each score column → a number each.

    >>> RecallResult("q", "d", ["d:0"], ["turn"], [3], [["d:0"]], {"score": [1.0]}).frame["rank"].to_list()
    [1]
    """

    query_id: str = "query"
    dialogue_id: str = ""
    item_ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    tokens: Sequence[int | None] = ()
    sources: Sequence[Sequence[str]] = ()
    scores: Mapping[str, Sequence[float | None]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.item_ids)

    @classmethod
    def of(cls, candidates: pl.DataFrame) -> RecallResult:
        """Return the rows of a candidates table, best first."""
        ordered = candidates.sort("score", descending=True, maintain_order=True)
        scores = [name for name, kind in ordered.schema.items() if kind == pl.Float64]
        return cls(
            query_id=str(ordered["query_id"].first() or "query"),
            dialogue_id=str(ordered["dialogue_id"].first() or ""),
            item_ids=ordered["item_id"].to_list(),
            kinds=ordered["kind"].to_list(),
            tokens=ordered["tokens"].to_list(),
            sources=[held or () for held in ordered["source_turn_ids"].to_list()],
            scores={name: ordered[name].to_list() for name in scores},
        )

    def within(self, condition: pl.Expr) -> RecallResult:
        """Return the candidates that meet a condition on the columns of the table."""
        return RecallResult.of(self.frame.filter(condition))

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The candidates table."""
        if not len(self):
            return pl.DataFrame(schema=SCHEMA)
        named = {
            "query_id": [self.query_id] * len(self),
            "dialogue_id": [self.dialogue_id] * len(self),
            "item_id": self.item_ids,
            "kind": self.kinds,
            "rank": range(1, len(self) + 1),
            "tokens": self.tokens,
            "source_turn_ids": self.sources,
            **self.scores,
        }
        schema = {name: kind for name, kind in SCHEMA.items() if name in named}
        return pl.DataFrame({name: named[name] for name in schema}, schema=schema)
