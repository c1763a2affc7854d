"""The tables of hydralab, declared: columns, types, keys, and the words a column may hold.

Names are fixed, columns may grow. `hydralab.frames` checks tables against what stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import polars as pl

__all__ = [
    "KEYS",
    "OPEN_TABLES",
    "REQUIRED",
    "ROLES",
    "SCHEMAS",
    "SECTIONS",
    "SORTED_TABLES",
    "TEXTS",
    "VALUES",
    "Schema",
]

TIME = pl.Datetime("us", "UTC")
STRINGS = pl.List(pl.String)
ENTITIES = pl.List(pl.Struct({"type": pl.String, "text": pl.String}))
SECTIONS = ("system", "memory", "checkpoint", "recalled", "recent", "query")
ITEM_COUNTS = pl.Struct(dict.fromkeys(SECTIONS, pl.Int64))
STAGE_TIMES = pl.Struct(dict.fromkeys(("observe", "recall", "pack", "total"), pl.Float64))

ROLES = ("system", "user", "assistant", "tool")

Schema = Mapping[str, Any]

SCHEMAS: Mapping[str, Schema] = MappingProxyType(
    {
        "dialogues": {
            "dialogue_id": pl.String,
            "user_id": pl.String,
            "title": pl.String,
            "language": pl.String,
            "source": pl.String,
        },
        "turns": {
            "dialogue_id": pl.String,
            "session": pl.String,
            "turn_id": pl.String,
            "position": pl.Int64,
            "round": pl.Int64,
            "role": pl.String,
            "speaker": pl.String,
            "text": pl.String,
            "time": TIME,
            "tokens": pl.Int64,
            "parts": pl.String,
            "meta": pl.String,
        },
        "signals": {"dialogue_id": pl.String, "position": pl.Int64},
        "boundaries": {
            "dialogue_id": pl.String,
            "position": pl.Int64,
            "trigger": pl.String,
            "score": pl.Float64,
            "decided_at": pl.Int64,
        },
        "checkpoints": {
            "checkpoint_id": pl.String,
            "dialogue_id": pl.String,
            "kind": pl.String,
            "start": pl.Int64,
            "end": pl.Int64,
            "start_turn_id": pl.String,
            "end_turn_id": pl.String,
            "trigger": pl.String,
            "score": pl.Float64,
            "title": pl.String,
            "summary": pl.String,
            "keywords": STRINGS,
            "entities": ENTITIES,
            "decisions": STRINGS,
            "open_tasks": STRINGS,
            "time": TIME,
            "tokens": pl.Int64,
            "decided_at": pl.Int64,
            "ready_at": pl.Int64,
            "status": pl.String,
            "source_hash": pl.String,
        },
        "memories": {
            "memory_id": pl.String,
            "user_id": pl.String,
            "dialogue_id": pl.String,
            "kind": pl.String,
            "text": pl.String,
            "source_turn_ids": STRINGS,
            "time": TIME,
            "tokens": pl.Int64,
            "superseded_by": pl.String,
        },
        "documents": {
            "passage_id": pl.String,
            "document_id": pl.String,
            "dialogue_id": pl.String,
            "user_id": pl.String,
            "passage": pl.Int64,
            "title": pl.String,
            "heading": pl.String,
            "text": pl.String,
            "tokens": pl.Int64,
            "source": pl.String,
        },
        "verdicts": {
            "verdict_id": pl.String,
            "query_id": pl.String,
            "dialogue_id": pl.String,
            "position": pl.Int64,
            "query": pl.String,
            "answer": pl.String,
            "sufficient": pl.Boolean,
            "missing": pl.String,
            "status": pl.String,
            "model": pl.String,
            "item_ids": STRINGS,
            "used_ids": STRINGS,
            "item_scores": pl.String,
            "time": TIME,
        },
        "entities": {
            "entity_id": pl.String,
            "dialogue_id": pl.String,
            "type": pl.String,
            "name": pl.String,
            "mentions": pl.Int64,
            "first_position": pl.Int64,
            "time": TIME,
            "source_turn_ids": STRINGS,
        },
        "relations": {
            "dialogue_id": pl.String,
            "source": pl.String,
            "type": pl.String,
            "target": pl.String,
            "manner": pl.String,
            "source_id": pl.String,
            "target_id": pl.String,
            "position": pl.Int64,
            "turn_id": pl.String,
            "time": TIME,
            "sentence": pl.String,
        },
        "vectors": {
            "item_id": pl.String,
            "item_kind": pl.String,
            "dialogue_id": pl.String,
            "source_hash": pl.String,
            "vector": pl.Array,
        },
        "questions": {
            "question_id": pl.String,
            "dialogue_id": pl.String,
            "asked_at": pl.Int64,
            "text": pl.String,
            "answer": pl.String,
            "evidence": STRINGS,
            "evidence_sessions": STRINGS,
            "category": pl.String,
        },
        "gold": {"dialogue_id": pl.String, "position": pl.Int64, "annotator": pl.String},
        "candidates": {
            "query_id": pl.String,
            "dialogue_id": pl.String,
            "item_id": pl.String,
            "kind": pl.String,
            "score": pl.Float64,
            "rank": pl.Int64,
            "tokens": pl.Int64,
            "source_turn_ids": STRINGS,
        },
        "context": {
            "query_id": pl.String,
            "dialogue_id": pl.String,
            "section": pl.String,
            "item_id": pl.String,
            "role": pl.String,
            "text": pl.String,
            "tokens": pl.Int64,
            "order": pl.Int64,
            "kept": pl.Boolean,
            "drop_reason": pl.String,
            "source_turn_ids": STRINGS,
            "scores": pl.Struct,
            "why": pl.String,
            "label": pl.String,
            "speaker": pl.String,
            "parts": pl.String,
        },
        "steps": {
            "run_id": pl.String,
            "strategy": pl.String,
            "dialogue_id": pl.String,
            "position": pl.Int64,
            "query_id": pl.String,
            "tokens": pl.Int64,
            "items": ITEM_COUNTS,
            "stable_prefix_tokens": pl.Int64,
            "evidence_verbatim": pl.Float64,
            "evidence_answer": pl.Float64,
            "decision": pl.String,
            "llm_calls": pl.Int64,
            "cost": pl.Float64,
            "milliseconds": STAGE_TIMES,
        },
        "events": {
            "time": TIME,
            "stage": pl.String,
            "dialogue_id": pl.String,
            "item_id": pl.String,
            "status": pl.String,
            "detail": pl.String,
            "milliseconds": pl.Float64,
        },
        "settings": {"dialogue_id": pl.String, "name": pl.String, "value": pl.String},
    }
)
"""Table name → column name → Polars type. The order of the columns is the order of display."""

KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "dialogues": ("dialogue_id",),
        "turns": ("turn_id",),
        "signals": ("dialogue_id", "position"),
        "boundaries": ("dialogue_id", "position", "trigger"),
        "checkpoints": ("checkpoint_id",),
        "memories": ("memory_id",),
        "documents": ("passage_id",),
        "verdicts": ("verdict_id",),
        "entities": ("entity_id",),
        "relations": ("turn_id", "source_id", "type", "target_id"),
        "vectors": ("item_id",),
        "questions": ("question_id",),
        "gold": ("dialogue_id", "position", "annotator"),
        "candidates": ("query_id", "item_id"),
        "context": ("query_id", "order"),
        "steps": ("run_id", "dialogue_id", "query_id"),
        "events": (),
        "settings": ("dialogue_id", "name"),
    }
)
"""Table name → the columns that together identify a row."""

OPEN_TABLES = frozenset({"signals", "candidates"})
"""Tables that take a further Float64 column a signal or a score."""

SORTED_TABLES = frozenset({"turns", "signals", "boundaries", "gold"})
"""Tables whose positions rise within each dialogue."""

REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "turns": ("dialogue_id", "position", "round", "role", "text", "tokens"),
        "checkpoints": ("dialogue_id", "start", "end", "status"),
        "questions": ("dialogue_id", "text"),
        "memories": ("text",),
        "documents": ("document_id", "dialogue_id", "passage", "text", "tokens"),
        "verdicts": ("query_id", "dialogue_id", "query", "status"),
        "context": ("section", "text", "tokens", "kept"),
        "events": ("stage", "status"),
        "settings": ("value",),
    }
)
"""Columns that are never null, beyond the key."""

TEXTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "dialogues": ("title", "source"),
        "turns": ("speaker", "text", "parts", "meta"),
        "checkpoints": ("title", "summary", "keywords", "entities", "decisions", "open_tasks"),
        "memories": ("text",),
        "documents": ("title", "heading", "text", "source"),
        "verdicts": ("query", "answer", "missing"),
        "entities": ("name",),
        "relations": ("source", "target", "manner", "sentence"),
        "questions": ("text", "answer"),
        "context": ("text", "why", "label", "speaker", "parts"),
        "steps": ("decision",),
        "events": ("detail",),
    }
)
"""Columns that hold words of a dialogue, or of what was made of it."""

VALUES: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("turns", "role"): ROLES,
        ("checkpoints", "status"): ("open", "pending", "ready", "failed", "stale"),
        ("context", "section"): SECTIONS,
        ("verdicts", "status"): ("ok", "salvaged", "failed"),
        ("events", "status"): ("ok", "retried", "salvaged", "failed"),
    }
)
"""Columns that hold one of a few words."""
