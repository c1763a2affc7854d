"""Looking checkpoints up by kind, entity, words or time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, brief, unknown_name
from hydralab.texts import ENTITY_TYPES, normalise

__all__ = ["KINDS", "check_known_kind", "find_checkpoints"]

KINDS = ("topic", "decision", "task", "manual")

_LISTED = ("keywords", "decisions", "open_tasks")


def check_known_kind(kind: Any) -> None:
    """Refuse what is no kind of checkpoint."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise unknown_name("kind of checkpoint", kind, KINDS)


def find_checkpoints(
    checkpoints: pl.DataFrame,
    *,
    kind: str | None = None,
    entity: str | None = None,
    text: str | None = None,
    since: datetime | date | str | int | None = None,
) -> pl.DataFrame:
    """Return the checkpoints that meet every condition given, in their order.

    Parameters
    ----------
    checkpoints
        A checkpoints table.
    kind
        "topic", "decision", "task" or "manual".
    entity
        A type of entity ("money"), or the name of one, or a part of it; letter case and width don't
        matter.
    text
        Words that must all stand in title, summary, keywords, decisions or open tasks; the same.
    since
        The earliest time (a datetime, a date or ISO text; without a zone UTC is meant), which leaves
        out rows whose time is unknown; or the earliest position, as an int, that a span may reach.

    Raises
    ------
    HydralabError
        An unknown kind, or a time that is none.

    >>> from hydralab.frames import build
    >>> row = {"dialogue_id": "a", "start": 0, "end": 3, "status": "ready", "kind": "topic", "title": "Launch: budget"}
    >>> table = build("checkpoints", [{"checkpoint_id": "a#0-3", **row}])
    >>> find_checkpoints(table, text="BUDGET").height, find_checkpoints(table, kind="task").height
    (1, 0)
    """
    conditions: list[pl.Expr] = []
    if kind is not None:
        check_known_kind(kind)
        conditions.append(pl.col("kind") == kind)
    for name, given in (("entity", entity), ("text", text)):
        if given is not None and not isinstance(given, str):
            raise HydralabError(f"find: {name} is {given!r}, expected a text")
    if entity is not None:
        conditions.append(_has_entity(normalise(entity)))
    if text is not None:
        conditions.append(_has_words(normalise(text).split()))
    if since is not None:
        conditions.append(_reaches(since))
    return checkpoints.filter(conditions) if conditions else checkpoints


def _has_entity(wanted: str) -> pl.Expr:
    if wanted in ENTITY_TYPES:
        return (
            pl.col("entities")
            .list.eval(pl.element().struct.field("type") == wanted)
            .list.any()
            .fill_null(False)
        )
    return _each("entities", lambda entities: any(wanted in normalise(entity["text"]) for entity in entities))


def _has_words(words: list[str]) -> pl.Expr:
    lists = [pl.col(name).list.join("\n", ignore_nulls=True) for name in _LISTED]
    whole = pl.concat_str("title", "summary", *lists, separator="\n", ignore_nulls=True)
    return whole.map_elements(lambda said: _holds(said, words), return_dtype=pl.Boolean, skip_nulls=False)


def _holds(said: str | None, words: list[str]) -> bool:
    normal = normalise(said or "")
    return all(word in normal for word in words)


def _each(column: str, test: Callable[[list[dict[str, str]]], bool]) -> pl.Expr:
    return pl.col(column).map_elements(
        lambda value: value is not None and test(value), return_dtype=pl.Boolean, skip_nulls=False
    )


def _reaches(since: datetime | date | str | int) -> pl.Expr:
    if isinstance(since, int):
        return pl.col("end") >= since
    if isinstance(since, str):
        try:
            since = datetime.fromisoformat(since)
        except ValueError as error:
            raise HydralabError(
                f"since {since!r}: expected a time such as '2026-03-02' or '2026-03-02T09:30', or a position"
            ) from error
    if not isinstance(since, date):
        raise HydralabError(f"since {brief(since)}: expected a time, a date, ISO text or a position")
    if not isinstance(since, datetime):
        since = datetime(since.year, since.month, since.day)
    zoned = since if since.tzinfo else since.replace(tzinfo=UTC)
    return (pl.col("time") >= zoned).fill_null(False)
