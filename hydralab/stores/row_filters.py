"""Which rows `Store.select` may be asked for: by ids, places, roles and the like, never by words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import polars as pl

from hydralab.errors import StoreError, check_value, unknown_name
from hydralab.schemas import SCHEMAS
from hydralab.stores import row_rules
from hydralab.stores.cipher import hidden_columns

__all__ = ["MOST_VALUES", "Where", "check_select"]

Where = Mapping[str, Collection[object]]
"""Column → values, of which a row has to have one."""

MOST_VALUES = 10_000
"""Values named in one query; SQLite takes 32,766, PostgreSQL 65,535."""

PLAIN = (pl.String, pl.Int64)


def check_select(
    table: str, dialogue_id: str, where: Where | None, newest: int | None, model: str | None
) -> Where:
    """Return the conditions, or raise where something can't be asked.

    >>> check_select("turns", "a", {"position": [1, 2]}, None, None)
    {'position': [1, 2]}
    """
    row_rules.check_table(table, model)
    check_value("select: dialogue_id", dialogue_id, "str")
    check_value("select: newest", newest, "int | None", least=0)
    given = {} if where is None else where
    known = [
        name for name, kind in SCHEMAS[table].items() if kind in PLAIN and name not in hidden_columns(table)
    ]
    for column, values in given.items():
        if column not in known:
            raise unknown_name(f"column to select {table} by", column, known)
        if isinstance(values, str) or not isinstance(values, Collection) or len(values) > MOST_VALUES:
            raise StoreError(
                f"select: {column} of {table} is no list of values, expected at most {MOST_VALUES:,} of them"
            )
    return given
