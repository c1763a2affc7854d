"""A database brought to the schema of this version: created, grown step by step, or refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from uuid import uuid4

from sqlalchemy import Connection, func, insert, inspect, select, update
from sqlalchemy.schema import CreateColumn

from hydralab.errors import StoreError
from hydralab.stores.schema import METADATA, SCHEMA_VERSION, TABLES, VERSION

__all__ = ["MIGRATIONS", "check_owner", "migrate", "outdated"]


def check_owner(where: str, present: Collection[str], version: int | None) -> None:
    """Raise where a database isn't ours to write: another program's, or a newer version's.

    Parameters
    ----------
    where
        What errors call it.
    present
        The names of its tables.
    version
        That of its schema, where it says one.

    Raises
    ------
    StoreError
        Says which, and what to do.
    """
    if not present:
        return
    if VERSION.name not in present:
        raise StoreError(
            f"{where} is a database of something else (it has {', '.join(sorted(present)[:3])}), "
            "expected a hydralab store or a new one"
        )
    if version is None or version > SCHEMA_VERSION:
        raise StoreError(
            f"{where} has schema {version}, written by a newer hydralab; this one reads schemas up to "
            f"{SCHEMA_VERSION}. Nothing was changed: upgrade hydralab to open it"
        )


def outdated(connection: Connection, where: str) -> bool:
    """Return whether the schema isn't that of this version, or refuse a database that isn't ours."""
    present = set(inspect(connection).get_table_names())
    version = _version(connection) if VERSION.name in present else None
    # A schema of PostgreSQL may hold tables of others, but none by our names.
    check_owner(where, present & set(METADATA.tables), version)
    return (
        version != SCHEMA_VERSION
        or not present.issuperset(METADATA.tables)
        or any(_missing_columns(connection).values())
    )


def migrate(connection: Connection) -> None:
    """Create what is missing and take the steps from the stored version to this one; runs in a transaction."""
    METADATA.create_all(connection)
    quote = connection.dialect.identifier_preparer.quote
    for table, names in _missing_columns(connection).items():
        for name in names:
            column = CreateColumn(METADATA.tables[table].c[name]).compile(dialect=connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {quote(table)} ADD COLUMN {column}")
    version = _version(connection)
    if version is None:
        connection.execute(insert(VERSION).values(version=SCHEMA_VERSION, store_id=uuid4().hex))
        return
    for earlier in range(version, SCHEMA_VERSION):
        MIGRATIONS[earlier](connection)
    connection.execute(update(VERSION).values(version=SCHEMA_VERSION))


def _to_second(connection: Connection) -> None:
    """Give the store an id, and the order of a dialogue's turns an index, so that short windows can be checked."""
    connection.execute(update(VERSION).values(store_id=uuid4().hex))
    for index in TABLES["turns"].indexes:
        index.create(connection, checkfirst=True)


MIGRATIONS: Mapping[int, Callable[[Connection], None]] = MappingProxyType({1: _to_second})
"""Version → what makes a database of it one of the next; tables and columns that came later are there by then."""


def _version(connection: Connection) -> int | None:
    return connection.scalar(select(func.max(VERSION.c.version)))


def _missing_columns(connection: Connection) -> dict[str, list[str]]:
    there = inspect(connection).get_multi_columns(filter_names=list(METADATA.tables))
    missing = {}
    for (_, name), columns in there.items():
        known = {column["name"] for column in columns}
        missing[name] = [column.name for column in METADATA.tables[name].c if column.name not in known]
    return missing
