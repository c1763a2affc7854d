"""A prompt that was decided on, written down as a context table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.frames import SCHEMAS
from hydralab.packing.offers import Item, Offer
from hydralab.packing.phrases import phrases_for

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
    columns: dict[str, list[Any]] = {name: [] for name in ITEM_COLUMNS}
    if draft.opening:
        _add(
            columns,
            _row("system", "system", "system", draft.opening, draft.opening_tokens, why=phrases["system"]),
        )
    for (item, offer), tokens in zip(draft.items, draft.item_tokens, strict=True):
        _add(columns, _item(item, offer, tokens, why=_why(item, offer, reasons, phrases["with"])))
    _add_turns(columns, draft.recent, draft.recent_tokens.tolist(), why=phrases["recent"], reason=None)
    _add(columns, _row("query", "query", "user", draft.query, draft.query_tokens, why=phrases["query"]))
    listed = {item.item_id for item, _ in draft.items} | set(draft.recent["turn_id"].to_list())
    for offer, reason in draft.refused:
        for item in offer.items:
            if item.item_id not in listed:
                listed.add(item.item_id)
                why = _why(item, offer, reasons, phrases["with"])
                _add(columns, _item(item, offer, item.least, why=why, reason=reason))
    _add_turns(
        columns, draft.crowded_out, draft.crowded_out["tokens"].to_list(), why=None, reason=phrases["crowded"]
    )
    height = len(columns["item_id"])
    columns |= {
        "query_id": [query_id] * height,
        "dialogue_id": [dialogue_id] * height,
        "order": list(range(height)),
    }
    names = dict.fromkeys(name for scores in columns["scores"] if scores for name in scores)
    schema = {**SCHEMAS["context"], "scores": pl.Struct(dict.fromkeys(names or ["score"], pl.Float64))}
    return pl.DataFrame({name: columns[name] for name in schema}, schema=schema)


def _reasons(draft: Draft, explain: Explain | None) -> Mapping[str, str]:
    asked = [offer.candidate for _, offer in draft.items] + [offer.candidate for offer, _ in draft.refused]
    return explain(list(dict.fromkeys(asked))) if explain is not None and asked else {}


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


def _add(columns: dict[str, list[Any]], row: Mapping[str, Any]) -> None:
    for name in ITEM_COLUMNS:
        columns[name].append(row[name])


def _add_turns(
    columns: dict[str, list[Any]],
    turns: pl.DataFrame,
    tokens: list[int],
    *,
    why: str | None,
    reason: str | None,
) -> None:
    ids, height = turns["turn_id"].to_list(), turns.height
    added = {
        "section": ["recent"] * height,
        "item_id": ids,
        "tokens": tokens,
        "kept": [reason is None] * height,
        "drop_reason": [reason] * height,
        "source_turn_ids": [[each] for each in ids],
        "scores": [None] * height,
        "why": [why] * height,
        "label": [f"turn {position}" for position in turns["position"].to_list()],
        **{name: turns[name].to_list() for name in ("role", "text", "speaker", "parts")},
    }
    for name in ITEM_COLUMNS:
        columns[name].extend(added[name])
