"""The tables in SQL, made from `hydralab.schemas`: one schema for every engine that SQLAlchemy speaks to.

Each table has `seq`, the order of appending. Lists and structs are JSON text, times are microseconds
since 1970 in UTC, vectors are float32 in one table with the name of their model.
"""

from __future__ import annotations

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
    UniqueConstraint,
    func,
)

from hydralab.schemas import KEYS, SCHEMAS
from hydralab.stores.codec import FURTHER, open_column
from hydralab.stores.column_types import COUNTER, VECTOR, AnyText, Float
from hydralab.stores.row_rules import PLACE

__all__ = [
    "CIPHER",
    "EDITS",
    "FIELDS",
    "FORGOTTEN",
    "METADATA",
    "MODELS",
    "SCHEMA_VERSION",
    "TABLES",
    "VERSION",
]

SCHEMA_VERSION = 2
"""Rises when a database written by this version can't be left to the one before. New columns don't raise it."""

METADATA = MetaData()

VERSION = Table(
    "hydralab_schema",
    METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("store_id", AnyText),
)
MODELS = Table(
    "hydralab_models",
    METADATA,
    Column("model", AnyText, primary_key=True),
    Column("dim", Integer, nullable=False),
)
FIELDS = Table(
    "hydralab_fields",
    METADATA,
    Column("seq", COUNTER, primary_key=True),
    Column("table", AnyText, nullable=False),
    Column("field", AnyText, nullable=False),
    Column("kind", AnyText, nullable=False),
    UniqueConstraint("table", "field"),
)
EDITS = Table(
    "hydralab_edits",
    METADATA,
    Column("dialogue_id", AnyText, primary_key=True),
    Column("edits", BigInteger, nullable=False),
)

FORGOTTEN = Table(
    "hydralab_forgotten",
    METADATA,
    Column("seq", COUNTER, primary_key=True),
    Column("kind", AnyText, nullable=False),
    Column("name", AnyText, nullable=False),
    Column("dialogue_id", AnyText),
    Column("position", BigInteger),
    UniqueConstraint("kind", "name"),
)

CIPHER = Table("hydralab_cipher", MetaData(), Column("salt", LargeBinary), Column("proof", LargeBinary))
"""Only in an encrypted database: what its key is made with, and what tells a wrong one."""


def _sql_type(kind: Any) -> Any:
    if kind == pl.Int64 or isinstance(kind, pl.Datetime):
        return BigInteger()
    if kind == pl.Float64:
        return Float()
    if kind == pl.Boolean:
        return Boolean()
    return VECTOR if kind is pl.Array else AnyText()


def _sql_table(name: str) -> Table:
    columns: list[Any] = [Column("seq", COUNTER, primary_key=True)]
    key = KEYS[name]
    if name == "vectors":
        columns.append(Column("model", AnyText, nullable=False))
        key = ("model", *key)
    columns += [Column(column, _sql_type(kind)) for column, kind in SCHEMAS[name].items()]
    if open_column(name) == FURTHER:
        columns.append(Column(FURTHER, AnyText))
    table = Table(name, METADATA, *columns)
    _index(table, key)
    if name == "turns":
        Index("turns_place", *(table.c[column] for column in PLACE), unique=True)
        Index("turns_order", table.c.dialogue_id, table.c.seq)
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
