"""Policies of PostgreSQL by which each user reaches their own rows only, whatever SQL is sent."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table

from hydralab.stores.schema import EDITS, FIELDS, FORGOTTEN, METADATA, MODELS, TABLES, VERSION

__all__ = ["name_user", "protect_tables"]

USER = "current_setting('hydralab.user', true)"
MINE = f"user_id = {USER}"
OWN_DIALOGUE = f"({MINE} AND left(dialogue_id, 5) <> 'user:')"
OWN = f"(dialogue_id = 'user:' || {USER} OR dialogue_id IN (SELECT dialogue_id FROM dialogues WHERE {OWN_DIALOGUE}))"
OWN_OR_MINE = f"({MINE} OR user_id IS NULL AND {OWN})"
SHARED = "dialogue_id = '' AND user_id IS NULL"
OWN_GRAVE = (
    f"(kind = 'user' AND name = {USER} OR kind = 'turn' AND {OWN} AND name IN (SELECT turn_id FROM turns)"
    " OR kind = 'memory' AND name IN (SELECT memory_id FROM memories)"
    f" OR kind = 'dialogue' AND (name = 'user:' || {USER} OR name IN (SELECT dialogue_id FROM dialogues WHERE {MINE})))"
)
RULES = {"dialogues": OWN_DIALOGUE, "memories": OWN_OR_MINE, "documents": OWN_OR_MINE}


def name_user(raw: Any, user: str) -> None:
    """Tell the server, over a connection of psycopg, which user's rows are asked for from now on."""
    raw.execute("SELECT set_config('hydralab.user', %s, false)", (user,))
    raw.commit()


def protect_tables(connection: Connection, role: str) -> None:
    """Put the policies on all tables, and give a role what it needs to work within them."""
    quote = connection.dialect.identifier_preparer.quote
    named = quote(role)
    schema = quote(str(connection.exec_driver_sql("SELECT current_schema()").scalar()))
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {named}")
    connection.exec_driver_sql(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {named}")
    for table in METADATA.sorted_tables:
        rights = {
            VERSION: "SELECT",
            MODELS: "SELECT, INSERT",
            FIELDS: "SELECT, INSERT",
            FORGOTTEN: "SELECT, INSERT",
        }
        granted = rights.get(table, "SELECT, INSERT, UPDATE, DELETE")
        connection.exec_driver_sql(f"GRANT {granted} ON {quote(table.name)} TO {named}")
    for table in (*TABLES.values(), EDITS):
        _guard(connection, table, {"hydralab_own": ("ALL", RULES.get(table.name, OWN))})
    _guard(connection, TABLES["documents"], {"hydralab_shared": ("SELECT", SHARED)})
    _guard(
        connection, FORGOTTEN, {"hydralab_seen": ("SELECT", "true"), "hydralab_own": ("INSERT", OWN_GRAVE)}
    )


def _guard(connection: Connection, table: Table, policies: dict[str, tuple[str, str]]) -> None:
    name = connection.dialect.identifier_preparer.quote(table.name)
    connection.exec_driver_sql(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
    connection.exec_driver_sql(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
    everything = f"coalesce({USER}, '') = ''"
    for policy, (command, condition) in {**policies, "hydralab_owner": ("ALL", everything)}.items():
        whom = "TO CURRENT_USER" if policy == "hydralab_owner" else ""
        check = "WITH CHECK" if command == "INSERT" else "USING"
        connection.exec_driver_sql(f"DROP POLICY IF EXISTS {policy} ON {name}")
        connection.exec_driver_sql(
            f"CREATE POLICY {policy} ON {name} FOR {command} {whom} {check} ({condition})"
        )
