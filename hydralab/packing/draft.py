"""A prompt that was decided on, written down as the rows of a context table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.packing.offers import Offer
from hydralab.packing.phrases import phrases_for
from hydralab.packing.transcript import Item, Row

__all__ = ["Draft", "Explain", "context_rows"]

Explain = Callable[[Sequence[str]], Mapping[str, str]]
"""From ids of candidates to a sentence each that says why it was recalled."""


@dataclass(frozen=True)
class Draft:
    """What a prompt holds, with the tokens charged to each part, before it is a table.

    The first `early` of the items stand in the system message, the others in front of the query. `crowded_out` are
    the newest turns that recent had no room for, `unlisted` is the number of those before.
    """

    opening: str
    opening_tokens: int
    items: Sequence[tuple[Item, Offer]]
    item_tokens: Sequence[int]
    recent: Sequence[Row]
    recent_tokens: NDArray[np.int64]
    query: str
    query_tokens: int
    refused: Sequence[tuple[Offer, str]]
    crowded_out: Sequence[Row]
    unlisted: int = 0
    early: int | None = None

    @property
    def tokens(self) -> int:
        """Tokens of everything sent."""
        return self.opening_tokens + sum(self.item_tokens) + int(self.recent_tokens.sum()) + self.query_tokens


def context_rows(draft: Draft) -> list[dict[str, Any]]:
    """Return the rows of a draft's context table: kept items in the order of the prompt, then dropped ones.

    Each names its candidate where the reason of that is its own, as the reasons are made only when somebody looks.
    """
    phrases = phrases_for(draft.query)
    rows = []
    if draft.opening:
        rows.append(
            _row("system", "system", "system", draft.opening, draft.opening_tokens, why=phrases["system"])
        )
    items = [
        _item(item, offer, tokens, paired=phrases["with"])
        for (item, offer), tokens in zip(draft.items, draft.item_tokens, strict=True)
    ]
    rows += items[: draft.early]
    for turn, tokens in zip(draft.recent, draft.recent_tokens.tolist(), strict=True):
        rows.append(_turn(turn, tokens, why=phrases["recent"]))
    rows += items[len(items) if draft.early is None else draft.early :]
    rows.append(_row("query", "query", "user", draft.query, draft.query_tokens, why=phrases["query"]))
    listed = {item.item_id for item, _ in draft.items} | {turn["turn_id"] for turn in draft.recent}
    for offer, reason in draft.refused:
        for item in offer.items:
            if item.item_id not in listed:
                listed.add(item.item_id)
                rows.append(_item(item, offer, item.least, paired=phrases["with"], reason=reason))
    crowded = phrases["crowded"] + (
        phrases["unlisted"].format(count=draft.unlisted) if draft.unlisted else ""
    )
    return [*rows, *(_turn(turn, turn["tokens"], why=None, reason=crowded) for turn in draft.crowded_out)]


def _item(item: Item, offer: Offer, tokens: int, *, paired: str, reason: str | None = None) -> dict[str, Any]:
    is_paired = item.item_id != offer.candidate and offer.kind == "turn"
    why = paired if is_paired else None
    return {
        **_row(item.section, item.item_id, item.role, item.text, tokens, why=why, reason=reason),
        "candidate": None if is_paired else offer.candidate,
        "label": item.label,
        "speaker": item.speaker,
        "parts": item.parts,
        "source_turn_ids": list(item.source_turn_ids),
        "scores": offer.scores,
    }


def _turn(turn: Row, tokens: int, *, why: str | None, reason: str | None = None) -> dict[str, Any]:
    return {
        **_row("recent", turn["turn_id"], turn["role"], turn["text"], tokens, why=why, reason=reason),
        "label": f"turn {turn['position']}",
        "speaker": turn["speaker"],
        "parts": turn["parts"],
        "source_turn_ids": [turn["turn_id"]],
    }


def _row(
    section: str,
    item_id: str,
    role: str | None,
    text: str,
    tokens: int,
    *,
    why: str | None,
    reason: str | None = None,
) -> dict[str, Any]:
    return {
        "section": section,
        "item_id": item_id,
        "role": role,
        "text": text,
        "tokens": tokens,
        "kept": reason is None,
        "drop_reason": reason,
        "source_turn_ids": [],
        "scores": None,
        "why": why,
        "candidate": None,
        "label": None,
        "speaker": None,
        "parts": None,
    }
