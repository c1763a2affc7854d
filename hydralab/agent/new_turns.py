"""The turns that a live dialogue grows by."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, brief
from hydralab.frames import build
from hydralab.privacy.tables import redact_table
from hydralab.readers import count_turns
from hydralab.texts import Tokenizer, sendable

__all__ = ["next_turn"]


def next_turn(
    dialogue_id: str,
    before: pl.DataFrame,
    role: str,
    text: str,
    *,
    tokenizer: Tokenizer,
    taken: Collection[str] = (),
    parts: Sequence[Mapping[str, Any]] | None = None,
    meta: Mapping[str, Any] | None = None,
    redact: Sequence[str] = (),
) -> pl.DataFrame:
    """Return the turn that follows a dialogue, one row; a user's opens a round.

    Parameters
    ----------
    before
        The last turns: at least the last one, and one of the user's where there is any.
    taken
        Turn ids that are taken.
    parts
        Attachments, as in the turns table: a mapping each, with "type".
    meta
        What else is to be kept of it.
    redact
        Kinds of what is private that are taken out of it.

    >>> from hydralab.frames import empty
    >>> from hydralab.texts import tokenizer
    >>> next_turn("a", empty("turns"), "user", "Hello", tokenizer=tokenizer())["turn_id"].item()
    'a:0'
    """
    if parts is not None and not (
        isinstance(parts, list | tuple)
        and all(isinstance(part, Mapping) and "type" in part for part in parts)
    ):
        raise HydralabError(
            f"parts: got {brief(parts)}, expected a list such as [{{'type': 'image', 'name': …}}]"
        )
    position = before["position"][-1] + 1 if before.height else 0
    opened = bool((before["role"] == "user").any())
    round_ = before["round"][-1] if before.height else 0
    turn_id = f"{dialogue_id}:{position}"
    while turn_id in taken:  # a dialogue that was read has names of its own
        turn_id += "+"
    row = {
        "dialogue_id": dialogue_id,
        "turn_id": turn_id,
        "position": position,
        "round": round_ + (role == "user" and opened),
        "role": role,
        "text": sendable(text),
        "time": datetime.now(UTC),
        "tokens": 0,
        "parts": json.dumps(list(parts), ensure_ascii=False) if parts else None,
        "meta": json.dumps(meta, ensure_ascii=False) if meta else None,
    }
    return count_turns(redact_table("turns", build("turns", [row]), redact), tokenizer)
