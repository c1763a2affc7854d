"""A database brought to the schema of this version: created, grown, or refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, func, insert, inspect, select
from sqlalchemy.schema import CreateColumn

from hydralab.errors import StoreError
from hydralab.stores.schema import METADATA, SCHEMA_VERSION, VERSION

__all__ = ["check_owner", "migrate", "outdated"]


def check_owner(connection: sqlite3.Connection, path: Path) -> None:
    """Raise where a file isn't ours to write: another program's, or a newer version's.

    Raises
    ------
    StoreError
        Says which, and what to do.
    """
    present = sorted(
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    )
    if not present:
        return
    if VERSION.name not in present:
        raise StoreError(
            f"{path} is a database of something else (it has {', '.join(present[:3])}), "
            "expected a hydralab store or a new file"
        )
    version = connection.execute(f"SELECT max(version) FROM {VERSION.name}").fetchone()[0]
    if version is None or version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} has schema {version}, written by a newer hydralab; this one reads schemas up to "
            f"{SCHEMA_VERSION}. The file is unchanged: upgrade hydralab to open it"
        )


def outdated(connection: Connection) -> bool:
    """Return whether tables or columns of this version are missing."""
    present = inspect(connection).get_table_names()
    return not set(METADATA.tables).issubset(present) or any(_missing_columns(connection).values())


def migrate(connection: Connection) -> None:
    """Create the tables that are missing and add the columns that came later; runs in a transaction."""
    METADATA.create_all(connection)
    if connection.scalar(select(func.count()).select_from(VERSION)) == 0:
        connection.execute(insert(VERSION).values(version=SCHEMA_VERSION))
    quote = connection.dialect.identifier_preparer.quote
    for table, names in _missing_columns(connection).items():
        for name in names:
            column = CreateColumn(METADATA.tables[table].c[name]).compile(dialect=connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {quote(table)} ADD COLUMN {column}")


def _missing_columns(connection: Connection) -> dict[str, list[str]]:
    inspector = inspect(connection)
    missing = {}
    for name in inspector.get_table_names():
        if name in METADATA.tables:
            there = {column["name"] for column in inspector.get_columns(name)}
            missing[name] = [column.name for column in METADATA.tables[name].c if column.name not in there]
    return missing
