"""Tables without what is private in them: the same rows and columns, other words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import polars as pl

from hydralab.privacy.finding import REPLACEMENT, find_private, redact, resolve_kinds
from hydralab.schemas import TEXTS

__all__ = ["redact_json", "redact_table"]

JSON_COLUMNS = frozenset({"parts", "meta"})
"""Columns of text that hold JSON; it is redacted value by value, so that it stays JSON."""

LEAST_DIGITS = 7
"""Digits of a number in JSON that may be a phone's or a card's."""


def redact_table(table: str, frame: pl.DataFrame, kinds: Iterable[str] | bool | None = None) -> pl.DataFrame:
    """Return a table with what is private redacted in every column that holds words of a dialogue.

    Parameters
    ----------
    table
        Its name; `hydralab.schemas.TEXTS` says which of its columns hold text.
    frame
        The table. Ids, times and numbers stay as they are.
    kinds
        As for `redact`.

    Returns
    -------
    pl.DataFrame
        Same height, columns and types. Tokens are not counted again: they are those of the text before.

    >>> from hydralab.frames import build
    >>> notes = build("memories", [{"memory_id": "m", "text": "mail ann@example.org"}])
    >>> redact_table("memories", notes)["text"].item()
    'mail [email]'
    """
    wanted = resolve_kinds(kinds)
    if not wanted or not frame.height:
        return frame
    columns = [name for name in TEXTS.get(table, ()) if name in frame.columns]
    return frame.with_columns(_redacted(frame[name], wanted) for name in columns)


def redact_json(text: str, kinds: Iterable[str] | bool | None = None) -> str:
    """Return JSON with what is private in its strings and long numbers redacted; what is no JSON, as a text.

    The name of a field counts as the word before its value.

    >>> redact_json('{"password": "Autumn_77", "sizes": [13900006642, 12]}')
    '{"password": "[secret]", "sizes": ["[phone]", 12]}'
    """
    wanted = resolve_kinds(kinds)
    try:
        value = json.loads(text)
    except ValueError:
        return redact(text, wanted)
    clean = _clean(value, "", wanted)
    return text if clean == value else json.dumps(clean, ensure_ascii=False)


def _redacted(column: pl.Series, kinds: tuple[str, ...]) -> pl.Series:
    change: Callable[[Any, tuple[str, ...]], Any] = _change_json if column.name in JSON_COLUMNS else _change
    values = [change(value, kinds) for value in column.to_list()]
    return pl.Series(column.name, values, dtype=column.dtype)


def _change_json(value: str | None, kinds: tuple[str, ...]) -> str | None:
    return None if value is None else redact_json(value, kinds)


def _change(value: Any, kinds: tuple[str, ...]) -> Any:
    """Redact a cell: a text, a list of texts, or structs with texts in them."""
    if isinstance(value, str):
        return redact(value, kinds)
    if isinstance(value, list):
        return [_change(each, kinds) for each in value]
    if isinstance(value, dict):
        return {name: _change(each, kinds) for name, each in value.items()}
    return value


def _clean(value: Any, name: str, kinds: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return {redact(str(key), kinds): _clean(each, str(key), kinds) for key, each in value.items()}
    if isinstance(value, list):
        return [_clean(each, name, kinds) for each in value]
    if isinstance(value, str):
        return _clean_under(value, name, kinds)
    if isinstance(value, int) and len(str(value)) >= LEAST_DIGITS:
        clean = _clean_under(str(value), name, kinds)
        return value if clean == str(value) else clean
    return value


def _clean_under(value: str, name: str, kinds: tuple[str, ...]) -> str:
    named = f"{name}: " if name else ""
    spans = [span for span in find_private(named + value, kinds) if span.start >= len(named)]
    parts, last = [], len(named)
    for start, end, kind in spans:
        parts += [(named + value)[last:start], REPLACEMENT.format(kind=kind)]
        last = end
    return "".join([*parts, (named + value)[last:]])
