"""The table of one prompt: what was considered for it, what was sent, and what each item cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from hydralab.frames import SCHEMAS, SECTIONS
from hydralab.packing.draft import Explain

__all__ = ["PromptTable"]


@dataclass(frozen=True)
class PromptTable:
    """The items of one prompt, kept and dropped.

    Attributes
    ----------
    rows
        The rows of `frame`, without the columns that are the same in all: kept ones in the order of the
        prompt, then dropped ones, the reasons of candidates left out. A replay counts on these; the table is
        made when somebody looks.
    query
        The message the prompt was hydrated for, sent as it is.
    budget, reserve
        Tokens for everything sent, and of these the tokens kept free for the reply.
    tokens
        Tokens of everything sent, counted on the messages; equal to the sum over kept items.
    at
        Only turns before this position were seen.
    decision
        What a strategy that adapts to the query decided for this prompt, and why; empty where none did.
    events
        Rows of what failed while the prompt was made.
    reasons
        Gives the reasons of candidates when somebody looks; None for no reasons.
    """

    rows: Sequence[Mapping[str, Any]] = field(repr=False)
    query: str
    query_id: str
    dialogue_id: str
    budget: int
    reserve: int
    tokens: int
    at: int
    title: str = ""
    strategy: str = ""
    decision: Mapping[str, Any] = field(default_factory=dict, repr=False)
    events: Sequence[dict[str, Any]] = field(default=(), repr=False)
    reasons: Explain | None = field(default=None, repr=False, compare=False)
    _made: dict[str, pl.DataFrame] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def frame(self) -> pl.DataFrame:
        """The context table: an item a row, kept ones in the order of the prompt, then dropped ones."""
        # No cached_property: up to Python 3.11 it holds a lock for all contexts, and reasons may wait for an agent.
        if "frame" not in self._made:
            self._made["frame"] = self._table()
        return self._made["frame"]

    def _table(self) -> pl.DataFrame:
        names = dict.fromkeys(name for row in self.rows for name in row["scores"] or ())
        schema = {**SCHEMAS["context"], "scores": pl.Struct(dict.fromkeys(names or ["score"], pl.Float64))}
        own = {"query_id": self.query_id, "dialogue_id": self.dialogue_id}
        rows = [{**own, "order": order, **row} for order, row in enumerate(self.explained_rows())]
        return pl.DataFrame({name: [row[name] for row in rows] for name in schema}, schema=schema)

    def explained_rows(self) -> list[Mapping[str, Any]]:
        """Return `rows` with the reason of every candidate."""
        candidates = [row.get("candidate") for row in self.rows]
        wanted = [each for each in dict.fromkeys(candidates) if each is not None]
        reasons = self.reasons(wanted) if self.reasons is not None and wanted else {}
        return [
            row if candidate is None else {**row, "why": reasons.get(candidate, "")}
            for row, candidate in zip(self.rows, candidates, strict=True)
        ]

    @property
    def kept_rows(self) -> list[Mapping[str, Any]]:
        """The rows that were sent, in order."""
        return [row for row in self.rows if row["kept"]]

    @property
    def kept(self) -> pl.DataFrame:
        """The items that were sent, in order."""
        return self.frame.filter("kept")

    @property
    def dropped(self) -> pl.DataFrame:
        """The items that were considered and not sent, with the reason."""
        return self.frame.filter(~pl.col("kept"))

    def sections(self) -> pl.DataFrame:
        """Return tokens and items a section, in the order of the prompt, empty sections with 0."""
        tokens, items = dict.fromkeys(SECTIONS, 0), self.items_by_section()
        for row in self.kept_rows:
            tokens[row["section"]] += row["tokens"]
        return pl.DataFrame({"section": SECTIONS, "tokens": tokens.values(), "items": items.values()})

    def items_by_section(self) -> dict[str, int]:
        """Return section → number of items that were sent, in the order of the prompt."""
        items = dict.fromkeys(SECTIONS, 0)
        for row in self.kept_rows:
            items[row["section"]] += 1
        return items
