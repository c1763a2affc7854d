"""The text that a turn is found by: what it says, and what its parts say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

__all__ = ["key_text", "key_texts"]

TOLD = ("name", "alt", "caption", "title", "arguments", "text")
"""What is read of a part. Ids, types and addresses say nothing that anybody would ask for."""


def key_text(text: str, parts: str | None) -> str:
    r"""Return the text by which a turn is found.

    A turn may hold nothing but a tool call or a picture. Its key is its text and then, a line a part,
    the names and texts of its attachments and of tool results, and tool calls with the names and values of
    their arguments. What the text says already is not repeated; without parts the key is the text.

    Parameters
    ----------
    text, parts
        As in the turns table; `parts` is JSON or None.

    >>> key_text("", '[{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "北京"}}]')
    'weather city 北京'
    >>> key_text("Look:", '[{"type": "image", "name": "lake.jpg", "url": "https://a.b/c", "alt": "a boat"}]')
    'Look:\nlake.jpg a boat'
    """
    if not parts:
        return text
    lines = [text] if text.strip() else []
    for part in json.loads(parts):
        words = [word for name in TOLD for word in _words(part.get(name))]
        lines.append(" ".join(word for word in words if word not in text))
    return "\n".join(line for line in lines if line) or text


def key_texts(turns: pl.DataFrame) -> list[str]:
    """Return the text by which each turn is found; what recall indexes and what vectors are made of.

    >>> from hydralab.frames import empty
    >>> key_texts(empty("turns"))
    []
    """
    texts = turns["text"].to_list()
    if turns["parts"].null_count() == turns.height:
        return texts
    return [key_text(text, parts) for text, parts in zip(texts, turns["parts"].to_list(), strict=True)]


def _words(told: Any) -> Iterator[str]:
    """Yield names and values, however deep they lie."""
    if isinstance(told, Mapping):
        for name, value in told.items():
            yield str(name)
            yield from _words(value)
    elif isinstance(told, Sequence) and not isinstance(told, str):
        for value in told:
            yield from _words(value)
    elif told is not None and str(told).strip():
        yield str(told)
