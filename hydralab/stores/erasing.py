"""Rows deleted and tombstones set over a SQLAlchemy connection that is in a write transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable

import polars as pl
from sqlalchemy import Connection, Table, delete, func, or_, select

from hydralab.schemas import SCHEMAS
from hydralab.stores.cipher import hidden_columns
from hydralab.stores.dialects import insert_new
from hydralab.stores.schema import EDITS, FORGOTTEN, TABLES
from hydralab.stores.sql import numbered_rows
from hydralab.stores.tombstones import Removal, Tombstone

__all__ = ["erase_rows", "last_tombstone", "set_tombstones", "tombstones_of"]

MOST_VALUES = 10_000


def erase_rows(connection: Connection, table: str, removal: Removal, model: str | None) -> int:
    """Delete the rows that a removal means, and return how many there were."""
    target = TABLES[table]
    lists = {name: values for name, values in removal.items() if isinstance(SCHEMAS[table][name], pl.List)}
    encrypted = connection.get_execution_options().get("cipher") is not None
    hidden = removal.keys() & set(hidden_columns(table) if encrypted else ())
    count = 0
    for column in hidden:
        rows = numbered_rows(connection, table, model)
        meant = rows.filter(pl.col(column).is_in(list(removal[column])))["seq"]
        count += _erase_numbered(connection, target, meant.to_list())
    for column in removal.keys() - lists.keys() - hidden:
        for some in _batches(sorted(removal[column])):
            chosen = delete(target).where(target.c[column].in_(some))
            count += connection.execute(
                chosen if model is None else chosen.where(target.c.model == model)
            ).rowcount
    if lists:
        count += _erase_numbered(connection, target, _holding(connection, target, lists))
    if table == "turns":
        for some in _batches(sorted(removal.get("dialogue_id", ()))):
            connection.execute(delete(EDITS).where(EDITS.c.dialogue_id.in_(some)))
    return count


def set_tombstones(connection: Connection, tombstones: Iterable[Tombstone]) -> None:
    """Set tombstones; one that stands stays."""
    rows = [
        {"kind": each.kind, "name": each.name, "dialogue_id": each.dialogue_id, "position": each.position}
        for each in tombstones
    ]
    if rows:
        connection.execute(insert_new(connection, FORGOTTEN).on_conflict_do_nothing(), rows)


def tombstones_of(connection: Connection, after: int = 0) -> list[Tombstone]:
    """Return the tombstones in the order of setting, without the first ones."""
    columns = (FORGOTTEN.c.kind, FORGOTTEN.c.name, FORGOTTEN.c.dialogue_id, FORGOTTEN.c.position)
    query = select(*columns).order_by(FORGOTTEN.c.seq).offset(after)
    return [Tombstone(*row) for row in connection.execute(query)]


def last_tombstone(connection: Connection) -> int:
    """Return a number that rises with each tombstone, 0 where there is none."""
    return int(connection.scalar(select(func.max(FORGOTTEN.c.seq))) or 0)


def _holding(connection: Connection, target: Table, lists: Removal) -> list[int]:
    """Return the numbers of rows of which a list, kept as JSON text, holds one of the values."""
    named = list(lists)
    query = select(target.c.seq, *(target.c[name] for name in named)).where(
        or_(*(target.c[name].is_not(None) for name in named))
    )
    return [
        row[0]
        for row in connection.execute(query)
        if any(
            held and not lists[name].isdisjoint(json.loads(held))
            for name, held in zip(named, row[1:], strict=True)
        )
    ]


def _erase_numbered(connection: Connection, target: Table, numbers: list[int]) -> int:
    return sum(
        connection.execute(delete(target).where(target.c.seq.in_(some))).rowcount
        for some in _batches(numbers)
    )


def _batches(values: list) -> Iterable[list]:
    return (values[start : start + MOST_VALUES] for start in range(0, len(values), MOST_VALUES))
