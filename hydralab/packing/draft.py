"""A prompt that was decided on, written down as a context table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.frames import SCHEMAS
from hydralab.packing.phrases import phrases_for
from hydralab.packing.recalled import Item, Offer

__all__ = ["Draft", "Explain", "context_frame"]

Explain = Callable[[Sequence[str]], Mapping[str, str]]
"""From ids of candidates to a sentence each that says why it was recalled."""

ITEM_COLUMNS = (
    "section",
    "item_id",
    "role",
    "text",
    "tokens",
    "kept",
    "drop_reason",
    "source_turn_ids",
    "scores",
    "why",
    "label",
    "speaker",
    "parts",
)


@dataclass(frozen=True)
class Draft:
    """What a prompt holds, with the tokens charged to each part, before it is a table."""

    opening: str
    opening_tokens: int
    items: Sequence[tuple[Item, Offer]]
    item_tokens: Sequence[int]
    recent: pl.DataFrame
    recent_tokens: NDArray[np.int64]
    query: str
    query_tokens: int
    refused: Sequence[tuple[Offer, str]]
    crowded_out: pl.DataFrame

    @property
    def tokens(self) -> int:
        """Tokens of everything sent."""
        return self.opening_tokens + sum(self.item_tokens) + int(self.recent_tokens.sum()) + self.query_tokens


def context_frame(draft: Draft, explain: Explain | None, *, query_id: str, dialogue_id: str) -> pl.DataFrame:
    """Return the context table of a draft: kept items in the order of the prompt, then dropped ones."""
    phrases = phrases_for(draft.query)
    reasons = _reasons(draft, explain)
    before = [_opening(draft, phrases["system"])] if draft.opening else []
    before += [
        _item(item, offer, tokens, why=_why(item, offer, reasons, phrases["with"]))
        for (item, offer), tokens in zip(draft.items, draft.item_tokens, strict=True)
    ]
    query = _row("query", "query", "user", draft.query, draft.query_tokens, why=phrases["query"])
    written = {item.item_id for item, _ in draft.items} | set(draft.recent["turn_id"].to_list())
    refused = [
        _item(item, offer, 0, why=_why(item, offer, reasons, phrases["with"]), reason=reason)
        for offer, reason in draft.refused
        for item in offer.items
        if item.item_id not in written
    ]
    score_names = sorted(
        {name for _, offer in draft.items for name in offer.scores}
        | {name for offer, _ in draft.refused for name in offer.scores}
    )
    struct = pl.Struct({"score": pl.Float64, **dict.fromkeys(score_names, pl.Float64)})
    parts = [
        _rows(before, struct),
        _turn_rows(draft.recent, draft.recent_tokens, struct, why=phrases["recent"], reason=None),
        _rows([query], struct),
        _rows(refused, struct).unique("item_id", keep="first", maintain_order=True),
        _turn_rows(
            draft.crowded_out,
            draft.crowded_out["tokens"].to_numpy(),
            struct,
            why=None,
            reason=phrases["crowded"],
        ),
    ]
    frame = pl.concat(parts).with_columns(
        pl.lit(query_id).alias("query_id"),
        pl.lit(dialogue_id).alias("dialogue_id"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("order"),
    )
    return frame.select(*SCHEMAS["context"])


def _reasons(draft: Draft, explain: Explain | None) -> Mapping[str, str]:
    asked = [offer.candidate for _, offer in draft.items] + [offer.candidate for offer, _ in draft.refused]
    return explain(list(dict.fromkeys(asked))) if explain is not None and asked else {}


def _opening(draft: Draft, why: str) -> dict[str, Any]:
    return _row("system", "system", "system", draft.opening, draft.opening_tokens, why=why)


def _why(item: Item, offer: Offer, reasons: Mapping[str, str], paired: str) -> str:
    if item.item_id != offer.candidate and offer.kind == "turn":
        return paired
    return reasons.get(offer.candidate, "")


def _item(item: Item, offer: Offer, tokens: int, *, why: str, reason: str | None = None) -> dict[str, Any]:
    return {
        **_row(item.section, item.item_id, item.role, item.text, tokens, why=why),
        "label": item.label,
        "speaker": item.speaker,
        "parts": item.parts,
        "source_turn_ids": list(item.source_turn_ids),
        "scores": dict(offer.scores),
        "kept": reason is None,
        "drop_reason": reason,
    }


def _row(section: str, item_id: str, role: str | None, text: str, tokens: int, *, why: str) -> dict[str, Any]:
    return {
        "section": section,
        "item_id": item_id,
        "role": role,
        "text": text,
        "tokens": tokens,
        "kept": True,
        "drop_reason": None,
        "source_turn_ids": [],
        "scores": None,
        "why": why,
        "label": None,
        "speaker": None,
        "parts": None,
    }


def _rows(rows: list[dict[str, Any]], scores: pl.Struct) -> pl.DataFrame:
    schema = {**{name: SCHEMAS["context"][name] for name in ITEM_COLUMNS}, "scores": scores}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _turn_rows(
    turns: pl.DataFrame, tokens: NDArray[np.int64], scores: pl.Struct, *, why: str | None, reason: str | None
) -> pl.DataFrame:
    text = pl.String
    return turns.select(
        pl.lit("recent").alias("section"),
        pl.col("turn_id").alias("item_id"),
        "role",
        "text",
        pl.Series("tokens", tokens, dtype=pl.Int64),
        pl.lit(reason is None).alias("kept"),
        pl.lit(reason, dtype=text).alias("drop_reason"),
        pl.concat_list("turn_id").alias("source_turn_ids"),
        pl.lit(None, dtype=scores).alias("scores"),
        pl.lit(why, dtype=text).alias("why"),
        pl.format("turn {}", "position").alias("label"),
        "speaker",
        "parts",
    ).select(*ITEM_COLUMNS)
