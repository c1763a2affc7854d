"""What SQL itself says differently on SQLite and PostgreSQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["insert_new"]

INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def insert_new(connection: Connection, table: Table) -> Any:
    """Return an INSERT of the connection's engine that has `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return INSERTS[connection.dialect.name](table)
