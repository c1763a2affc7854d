"""Many rows into PostgreSQL at once: by COPY into a temporary table, and from there those whose key is new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl
from sqlalchemy import BigInteger, Boolean, Column, Connection, Engine, Table, event

from hydralab.stores.column_types import AnyText, Float

__all__ = ["LEAST_COPIED", "can_copy", "copy_new_rows", "let_copy"]

LEAST_COPIED = 1_000
"""Rows below which a temporary table costs more than it saves."""

INCOMING = "hydralab_incoming"
MAY_MAKE_TABLES = "SELECT has_database_privilege(current_database(), 'TEMP')"
SERVER_TYPES = ((BigInteger, "int8"), (Boolean, "bool"), (AnyText, "text"), (Float, "float8"))


class Copied(NamedTuple):
    """Rows that are to follow a COPY, and the names of their types."""

    rows: Iterator[tuple[Any, ...]]
    types: list[str]


def can_copy(connection: Connection, rows: int) -> bool:
    """Say whether so many rows are better copied, and the server lets this user do it."""
    return (
        connection.dialect.name == "postgresql"
        and rows >= LEAST_COPIED
        and bool(connection.exec_driver_sql(MAY_MAKE_TABLES).scalar())
    )


def copy_new_rows(connection: Connection, table: Table, plain: pl.DataFrame) -> int:
    """Insert the rows whose key is new, in their order, and return how many there were.

    They arrive in a table that this session alone sees. From there they are inserted by SQL like any others, so
    that keys, policies and what another writer waits for are the same.

    Parameters
    ----------
    connection
        In a write transaction, of an engine that was given to `let_copy`.
    table
        Where they go.
    plain
        Encoded rows, with all its columns but `seq`.
    """
    quote = connection.dialect.identifier_preparer.quote
    columns = [column for column in table.columns if column.name != "seq"]
    names, target = ", ".join(quote(column.name) for column in columns), quote(table.name)
    connection.exec_driver_sql(
        f"CREATE TEMP TABLE {INCOMING} ON COMMIT DROP AS SELECT 0::int8 AS seq, {names} FROM {target} WITH NO DATA"
    )
    values = [_sent(connection, column, plain[column.name]) for column in columns]
    copied = Copied(
        zip(range(plain.height), *values, strict=True),
        ["int8", *(_server_type(column) for column in columns)],
    )
    connection.exec_driver_sql(
        f"COPY {INCOMING} FROM STDIN (FORMAT BINARY)", execution_options={"copied": copied}
    )
    inserted = connection.exec_driver_sql(
        f"INSERT INTO {target} ({names}) SELECT {names} FROM {INCOMING} ORDER BY seq ON CONFLICT DO NOTHING"
    )
    connection.exec_driver_sql(f"DROP TABLE {INCOMING}")
    return inserted.rowcount


def let_copy(engine: Engine) -> None:
    """Have an engine of psycopg send the rows of a COPY, so that its errors are told like those of other statements."""

    @event.listens_for(engine, "do_execute")
    def send(cursor: Any, statement: str, parameters: Any, context: Any) -> bool:
        copied: Copied | None = context.execution_options.get("copied")
        if copied is None:
            return False
        with cursor.copy(statement) as copy:
            copy.set_types(copied.types)
            for row in copied.rows:
                copy.write_row(row)
        return True


def _sent(connection: Connection, column: Column[Any], series: pl.Series) -> list[Any]:
    values = series.to_list()
    process = column.type.dialect_impl(connection.dialect).bind_processor(connection.dialect)
    return values if process is None else [process(value) for value in values]


def _server_type(column: Column[Any]) -> str:
    return next((name for kind, name in SERVER_TYPES if isinstance(column.type, kind)), "vector")
