"""A table read over a SQLAlchemy connection in parts, for one that is larger than the memory it may take."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
from sqlalchemy import Connection

from hydralab.schemas import SORTED_TABLES
from hydralab.stores import row_rules
from hydralab.stores.codec import decode, plain_schema
from hydralab.stores.schema import TABLES
from hydralab.stores.sql import fetch, known_fields, query_of, stored_models

__all__ = ["read_parts"]

PART = 2_500
"""Rows in memory at once, several times over: as the driver's objects, as plain columns and as the table."""


def read_parts(connection: Connection, where: str, table: str, model: str | None) -> Iterator[pl.DataFrame]:
    """Yield a table, in the order in which it is read, `PART` rows at a time; nothing where it is empty."""
    dim = None
    if model is not None:
        dim = row_rules.stored_dim(where, stored_models(connection), model, None)
    fields, query = known_fields(connection, table), query_of(table, model)
    for numbers in _numbers(connection, table, model).to_frame().iter_slices(PART):
        chosen = query.where(TABLES[table].c.seq.in_(numbers["seq"].to_list()))
        plain = fetch(connection, table, chosen, seq=True, model=model)
        ordered = numbers.join(plain, on="seq", maintain_order="left").drop("seq")
        yield decode(table, ordered, fields, dim=dim)


def _numbers(connection: Connection, table: str, model: str | None) -> pl.Series:
    """Return the `seq` of a table's rows in the order in which they are read."""
    target, columns = TABLES[table], ["seq", *(row_rules.PLACE if table in SORTED_TABLES else ())]
    kinds = {"seq": pl.Int64, **plain_schema(table)}
    schema = {name: kinds[name] for name in columns}
    query = query_of(table, model).with_only_columns(*(target.c[name] for name in columns))
    parts = connection.execute(query).partitions(PART)
    frames = (pl.DataFrame([tuple(row) for row in part], schema, orient="row") for part in parts)
    return row_rules.in_order(table, pl.concat([pl.DataFrame(schema=schema), *frames]))["seq"]
