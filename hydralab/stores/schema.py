"""The tables in SQL, made from `hydralab.schemas`: one schema for every engine that SQLAlchemy speaks to.

Each table has `seq`, the order of appending. Lists and structs are JSON text, times are microseconds
since 1970 in UTC, vectors are bytes (float32, little-endian) in one table with the name of their model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import UserDefinedType

from hydralab.schemas import KEYS, SCHEMAS
from hydralab.stores.codec import FURTHER, open_column
from hydralab.stores.rules import PLACE

__all__ = ["FIELDS", "METADATA", "MODELS", "SCHEMA_VERSION", "TABLES", "VERSION"]

SCHEMA_VERSION = 1
"""Rises when a file written by this version can't be read by the one before. New columns don't raise it."""


class Float(UserDefinedType[float]):
    """A double; NaN, which SQLite turns into null, travels there as text."""

    cache_ok = True

    def get_col_spec(self, **options: Any) -> str:
        """Return the type's name in SQL."""
        return "DOUBLE PRECISION"

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        """Return what makes a value ready to be sent."""
        return _nan_to_text if dialect.name == "sqlite" else None

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Return what makes a value that was sent a float again."""
        return _to_float if dialect.name == "sqlite" else None


def _nan_to_text(value: float | None) -> float | str | None:
    return "nan" if value is not None and value != value else value


def _to_float(value: float | str | None) -> float | None:
    return None if value is None else float(value)


METADATA = MetaData()

VERSION = Table("hydralab_schema", METADATA, Column("version", Integer, primary_key=True))
MODELS = Table(
    "hydralab_models",
    METADATA,
    Column("model", Text, primary_key=True),
    Column("dim", Integer, nullable=False),
)
FIELDS = Table(
    "hydralab_fields",
    METADATA,
    Column("seq", Integer, primary_key=True),
    Column("table", Text, nullable=False),
    Column("field", Text, nullable=False),
    Column("kind", Text, nullable=False),
    UniqueConstraint("table", "field"),
)


def _sql_type(kind: Any) -> Any:
    if kind == pl.Int64 or isinstance(kind, pl.Datetime):
        return BigInteger()
    if kind == pl.Float64:
        return Float()
    if kind == pl.Boolean:
        return Boolean()
    return LargeBinary() if kind is pl.Array else Text()


def _sql_table(name: str) -> Table:
    columns: list[Any] = [Column("seq", Integer, primary_key=True)]
    key = KEYS[name]
    if name == "vectors":
        columns.append(Column("model", Text, nullable=False))
        key = ("model", *key)
    columns += [Column(column, _sql_type(kind)) for column, kind in SCHEMAS[name].items()]
    if open_column(name) == FURTHER:
        columns.append(Column(FURTHER, Text))
    table = Table(name, METADATA, *columns)
    _index(table, key)
    if name == "turns":
        Index("turns_place", *(table.c[column] for column in PLACE), unique=True)
    elif name != "dialogues" and key[:1] != ("dialogue_id",):
        Index(f"{name}_dialogue", table.c.dialogue_id)
    return table


def _index(table: Table, key: tuple[str, ...]) -> None:
    if not key:
        return
    parts: list[Any] = [table.c[column] for column in key]
    if table.name == "gold":
        # Null is an annotator like another; SQL would take each null for a different one.
        parts = [*parts[:-1], func.coalesce(parts[-1], ""), parts[-1].is_(None)]
    Index(f"{table.name}_key", *parts, unique=True)


TABLES = {name: _sql_table(name) for name in SCHEMAS}
