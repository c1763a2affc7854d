"""Candidates for display: what each is called, its text, its scores, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from hydralab.packing import Context
from hydralab.recall import SCORE_COLUMNS
from hydralab.widgets.payloads import clipped

__all__ = ["CandidateRows"]


class CandidateRows:
    """Names and texts of what can be recalled from a dialogue.

    Parameters
    ----------
    turns, checkpoints
        Of the dialogue.
    documents
        Passages that it may recall from.
    """

    def __init__(self, turns: pl.DataFrame, checkpoints: pl.DataFrame, documents: pl.DataFrame) -> None:
        self._positions = dict(turns.select("turn_id", "position").iter_rows())
        self._texts = dict(turns.select("turn_id", "text").iter_rows())
        named = checkpoints.select("checkpoint_id", "title", "summary", "start", "end")
        passages = documents.select("passage_id", "title", "heading", "text").to_dicts()
        self._passages = {row["passage_id"]: row for row in passages}
        self._spans = {row["checkpoint_id"]: row for row in named.to_dicts()}

    def rows(
        self,
        candidates: pl.DataFrame,
        context: Context | None,
        evidence: Mapping[str, Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return a dict a candidate.

        Parameters
        ----------
        context
            The prompt that they were offered to; None where none was made.
        evidence
            turn_id → what became of an evidence turn of the gold question that is asked.
        """
        fates = {} if context is None else _fates(context)
        return [
            {
                "id": row["item_id"],
                "rank": row["rank"],
                "kind": row["kind"],
                "turn": self._positions.get((row["source_turn_ids"] or [""])[0]),
                "label": self._label(row),
                **clipped(self._text(row)),
                "tokens": row["tokens"],
                "score": round(row["score"], 3),
                "scores": {name: round(row[name] or 0.0, 3) for name in SCORE_COLUMNS},
                "fate": fates.get(row["item_id"], ""),
                "kept": fates.get(row["item_id"]) == "in the prompt",
                "gold": [
                    evidence[name]["stage"] for name in row["source_turn_ids"] or () if name in evidence
                ],
            }
            for row in candidates.to_dicts()
        ]

    def _label(self, row: Mapping[str, Any]) -> str:
        span = self._spans.get(row["item_id"])
        if span is not None:
            return f"{span['title'] or 'checkpoint'} ({span['start']}–{span['end']})"
        passage = self._passages.get(row["item_id"])
        if passage is not None:
            return " › ".join(filter(None, (passage["title"], passage["heading"])))
        at = [self._positions[name] for name in row["source_turn_ids"] or () if name in self._positions]
        return f"turn {at[0]}" if len(at) == 1 else f"turns {min(at)}–{max(at)}" if at else row["kind"]

    def _text(self, row: Mapping[str, Any]) -> str:
        if row["item_id"] in self._spans:
            return self._spans[row["item_id"]]["summary"] or ""
        if row["item_id"] in self._passages:
            return self._passages[row["item_id"]]["text"]
        return "\n\n".join(self._texts[name] for name in row["source_turn_ids"] or () if name in self._texts)


def _fates(context: Context) -> dict[str, str]:
    """Return item_id → "in the prompt", or why it is not."""
    rows = context.frame.select("item_id", "kept", "drop_reason").iter_rows()
    return {name: "in the prompt" if kept else reason or "dropped" for name, kept, reason in rows}
