"""What the browser is told: small JSON made of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hydralab.packing import Context
from hydralab.packing.display import recent_row
from hydralab.plots.budget import budget_parts
from hydralab.texts import language
from hydralab.widgets.annotating import without_decisions

if TYPE_CHECKING:
    from hydralab.replay import Replayed

__all__ = [
    "BLOCK",
    "clipped",
    "curve_bytes",
    "messages_shown",
    "moment",
    "nothing_sent",
    "overview",
    "role_words",
    "spans",
    "transcript_block",
]

BLOCK = 40
"""Turns that the transcript fetches and draws at a time."""

LONGEST_TEXT = 6_000
LONGEST_PROMPT = 200_000
MOST_DROPPED = 40
SHOWN_SCORES = ("score", "dense", "lexical", "entity", "recency")

ROLE_WORDS = {
    "zh": {"system": "系统", "user": "用户", "assistant": "助手", "tool": "工具"},
    "en": {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"},
}


def overview(run: Replayed) -> dict[str, Any]:
    """Return what stays the same while one steps: names, spans, gold, questions, sizes of the turns."""
    turns, questions = run.turns, run.questions
    last = turns.height - 1
    asked = questions["asked_at"].fill_null(max(last, 0)).to_list()
    return {
        "dialogue": run.title or run.dialogue_id,
        "strategy": run.strategy.name,
        "budget": run.budget,
        "turns": turns.height,
        "block": BLOCK,
        "lengths": turns["text"].str.len_chars().to_list(),
        "roles": role_words(turns),
        "boundaries": run.boundaries["position"].unique().sort().to_list(),
        "gold": without_decisions(run.gold)["position"].unique().sort().to_list(),
        "spans": spans(run.checkpoints, turns.height),
        "questions": [
            {"id": name, "text": text, "at": at}
            for name, text, at in zip(questions["question_id"], questions["text"], asked, strict=True)
        ],
    }


def spans(checkpoints: pl.DataFrame, turns: int) -> list[dict[str, Any]]:
    """Return checkpoints as spans with titles, in order, and what follows the last of them as open.

    >>> from hydralab import frames
    >>> [(span["start"], span["end"], span["status"]) for span in spans(frames.empty("checkpoints"), 5)]
    [(0, 4, 'open')]
    """
    wanted = checkpoints.sort("start").select("start", "end", "title", "status", "decided_at")
    listed = wanted.with_columns(pl.col("title").fill_null("")).to_dicts()
    first = listed[-1]["end"] + 1 if listed else 0
    if first < turns:
        listed.append({"start": first, "end": turns - 1, "title": "", "status": "open", "decided_at": None})
    return listed


def curve_bytes(values: pl.Series | None) -> bytes:
    """Return a signal as little-endian float32, NaN where it is unknown.

    >>> curve_bytes(pl.Series([None, 0.5])).hex()
    '0000c07f0000003f'
    """
    if values is None:
        return b""
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype("<f4").tobytes()


def transcript_block(turns: pl.DataFrame, number: int) -> list[dict[str, Any]]:
    """Return one block of the transcript, a dict a turn; long texts are cut and say so."""
    rows = turns.slice(number * BLOCK, BLOCK)
    return [
        {"position": position, "role": role, "speaker": speaker or "", "tokens": tokens, **clipped(text)}
        for position, role, speaker, tokens, text in zip(
            rows["position"], rows["role"], rows["speaker"], rows["tokens"], rows["text"], strict=True
        )
    ]


def moment(context: Context, positions: Mapping[str, int]) -> dict[str, Any]:
    """Return a context for display: budget, items with their reasons, and which turns it holds.

    Parameters
    ----------
    context
        The prompt.
    positions
        turn_id → position, of the dialogue.
    """
    frame = context.frame
    dropped = context.dropped
    kept_rows = [_item(row, positions) for row in _folded(context)]
    dropped_rows = [_item(row, positions) for row in dropped.head(MOST_DROPPED).to_dicts()]
    rows = [*kept_rows, *dropped_rows]
    return {
        "at": context.at,
        "query": context.query[:LONGEST_TEXT],
        "tokens": context.tokens,
        "budget": context.budget,
        "parts": budget_parts(context),
        "items": rows,
        "scores": [name for name in SHOWN_SCORES if any(name in row["scores"] for row in rows)],
        "unlisted": max(dropped.height - MOST_DROPPED, 0),
        "recalled": _turns_of(frame, "recalled", positions),
        "recent": _turns_of(frame, "recent", positions),
        "condensed": _turns_of(frame, "checkpoint", positions),
    }


def nothing_sent() -> dict[str, Any]:
    """Return what stands in the place of `moment` where no prompt was made."""
    return {name: [] for name in ("items", "parts", "scores", "recalled", "recent", "condensed")}


def messages_shown(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return messages as role and text, cut where together they are too long to show.

    >>> messages_shown([{"role": "user", "content": "When?"}])
    [{'role': 'user', 'text': 'When?', 'cut': ''}]
    """
    shown, room = [], LONGEST_PROMPT
    for message in messages:
        text = str(message["content"] or "")
        shown.append(
            {"role": str(message["role"]), "text": text[:room], "cut": str(max(len(text) - room, 0) or "")}
        )
        room -= min(len(text), room)
    return shown


def _folded(context: Context) -> list[dict[str, Any]]:
    """Return the kept items, the recent turns as one."""
    recent = recent_row(context)
    others = context.kept.filter(pl.col("section") != "recent").to_dicts()
    return sorted([*others, *([recent] if recent else [])], key=lambda row: row["order"])


def _item(row: Mapping[str, Any], positions: Mapping[str, int]) -> dict[str, Any]:
    scores = {name: value for name, value in (row["scores"] or {}).items() if value is not None}
    at = sorted({positions[name] for name in row["source_turn_ids"] or () if name in positions})
    return {
        "section": row["section"],
        "label": row.get("label") or row["role"] or "",
        "kept": row["kept"],
        "tokens": row["tokens"],
        "why": (row["why"] if row["kept"] else row["drop_reason"]) or "",
        "scores": {name: round(value, 3) for name, value in scores.items() if isfinite(value)},
        "turn": at[0] if at else None,
        **clipped(row["text"]),
    }


def clipped(text: str) -> dict[str, Any]:
    """Return a text for display, and by how many characters it was cut."""
    return {"text": text[:LONGEST_TEXT], "cut": max(len(text) - LONGEST_TEXT, 0)}


def _turns_of(frame: pl.DataFrame, section: str, positions: Mapping[str, int]) -> list[int]:
    rows = frame.filter(pl.col("kept") & (pl.col("section") == section))
    ids = rows["source_turn_ids"].explode(empty_as_null=True).drop_nulls().unique().to_list()
    return np.sort([positions[name] for name in ids if name in positions]).astype(int).tolist()


def role_words(turns: pl.DataFrame) -> dict[str, str]:
    """Return how a dialogue's language calls its roles: 用户 for user, 助手 for assistant, …"""
    return ROLE_WORDS.get(language(" ".join(turns["text"].head(20).to_list())), ROLE_WORDS["en"])
