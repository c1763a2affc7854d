"""What a turn's tokens count: its text, and what else it carries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from hydralab.errors import FrameError
from hydralab.texts import Tokenizer, scrub
from hydralab.texts.images import image_cost

__all__ = ["count_turns", "counted_text", "image_tokens"]

COUNTED = ("name", "title", "alt", "caption", "arguments", "text")
"""What of a part stands in prompts."""


def counted_text(text: str, parts: Sequence[Mapping[str, Any]]) -> str:
    r"""Return all that a turn's tokens count: its text, and the what its parts say.

    A part that the text describes already (`inline`) says nothing more.

    >>> counted_text("", [{"type": "tool_call", "name": "weather", "arguments": {"city": "北京"}}])
    'weather\n{"city": "北京"}'
    """
    pieces = [text] if text else []
    for part in parts:
        pieces += [_written(part[name]) for name in COUNTED if part.get(name) and not part.get("inline")]
    return "\n".join(pieces)


def image_tokens(parts: Sequence[Mapping[str, Any]]) -> int:
    """Return the tokens of pictures that carry no text, by `hydralab.texts.images.image_cost`.

    >>> image_tokens([{"type": "image", "url": "a.png"}, {"type": "image", "text": "a cat"}])
    765
    >>> image_tokens([{"type": "image", "width": 2048, "height": 4096}])
    1105
    """
    pictures = (part for part in parts if part.get("type") == "image" and not part.get("text"))
    return sum(image_cost(part.get("detail"), part.get("width"), part.get("height")) for part in pictures)


def count_turns(turns: pl.DataFrame, tokenizer: Tokenizer) -> pl.DataFrame:
    """Return a turns table with `tokens` counted by another tokenizer.

    >>> from hydralab.frames import empty
    >>> from hydralab.texts import tokenizer
    >>> count_turns(empty("turns"), tokenizer()).height
    0
    """
    parts = [_parts(each, row) for row, each in enumerate(turns["parts"].to_list())]
    counted = tokenizer.counts(
        [counted_text(text, own) for text, own in zip(turns["text"], parts, strict=True)]
    )
    tokens = [count + image_tokens(own) for count, own in zip(counted, parts, strict=True)]
    return turns.with_columns(pl.Series("tokens", tokens, dtype=pl.Int64))


def _parts(text: str | None, row: int) -> list[dict[str, Any]]:
    try:
        parts = json.loads(text) if text else []
    except ValueError:
        parts = None
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise FrameError(
            f"turns: column 'parts', row {row}: {str(text)[:60]!r}, expected a JSON list of objects"
        )
    return parts


def _written(value: Any) -> str:
    return scrub(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
