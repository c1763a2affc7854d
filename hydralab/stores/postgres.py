"""A store on a PostgreSQL server with pgvector: durable when a call returns, shared by machines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from hydralab.errors import StoreError, brief, check_value
from hydralab.optional import load_optional
from hydralab.stores.auditing import findings
from hydralab.stores.column_types import PgVector
from hydralab.stores.copying import let_copy
from hydralab.stores.database import ConnectionLostError, Database
from hydralab.stores.row_security import name_user, protect_tables
from hydralab.stores.schema import TABLES
from hydralab.stores.sqlstore import SqlStore
from hydralab.texts.folders import cache_folder

__all__ = ["PostgresStore"]

SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
LOCK = 0x68796472
"""What hydralab's advisory locks begin with; the second part is the schema, or 0 for the whole database."""

READING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
WRITING = f"SELECT pg_advisory_xact_lock({LOCK}, hashtext(current_schema()))"
HOLDERS = (
    "SELECT string_agg(DISTINCT format('%s', application_name), ', ') FROM pg_locks "
    f"JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND classid = {LOCK} AND granted"
)
CONNECT_SECONDS = 10

FULL = "53100"
MEANINGS = {
    FULL: "there is no room on the server's disk ({detail}); nothing of this write was kept",
    "25006": "the server takes no writes, expected one that isn't a standby",
    "42501": "the user lacks a right ({detail})",
    "40P01": "another writer stood in the way; nothing of this write was kept, try again",
    "54000": "an id is longer than an index takes ({detail})",
    "57014": "the server ended the call ({detail}); nothing of this write was kept",
}
DAMAGED = ("XX001", "XX002", "58030")
AWAY = ("57P01", "57P02", "57P03", "53300")
"""The server is shutting down, crashed, starting, or has no connection left."""

LOCK_KEPT = "55P03"


class PostgresStore(SqlStore):
    """Tables in one schema of a PostgreSQL database, vectors as the `vector` of pgvector.

    Parameters
    ----------
    url
        ``postgresql://user:password@host/database``; what follows ``?`` goes to libpq, such as
        ``options=-csearch_path%3Dlab`` for another schema than "public". What it leaves out, libpq
        takes from PGHOST, PGUSER, PGPASSWORD and the like.
    busy_timeout
        Seconds a call waits for another writer before it gives up.
    user
        Told to the server, whose policies then show rows of this user only; see `protect`.

    Raises
    ------
    StoreError
        The server can't be reached or has no pgvector, the schema is a newer version's or has tables of others
        by the same names, another writer doesn't give way, the server's disk is full or a right is missing.

    Notes
    -----
    A write is on the server's disk when the call returns (`synchronous_commit` is put on where it is off).
    Readers never wait and see one state; one writer at a time writes to a schema, the others wait. Threads that
    share a store take turns.

    A call while the server is away raises `ConnectionLostError`; the first one after it is back connects
    again by itself. A write that was cut off may or may not be there: appended again it is there once.

    The server needs the extension `vector`; it is created on the first opening, if the user may.
    """

    def __init__(self, url: str, *, busy_timeout: float = 30.0, user: str | None = None) -> None:
        check_value("PostgresStore: user", user, "str | None")
        self.user = user
        self.url = _checked_url(url)
        self.busy_timeout = busy_timeout
        self._where = self.url.render_as_string(hide_password=True)
        super().__init__(Database(self._engine(), self._where, self._begin))

    @property
    def cache_folder(self) -> Path:
        """Where this machine keeps what can be made again of the tables, such as indexes."""
        return cache_folder("stores") / self.store_id

    def __repr__(self) -> str:
        return f"PostgresStore({self._where!r})"

    def protect(self, role: str) -> None:
        """Have the server itself keep users apart, and let a role without other rights work with the store.

        Row-level security is put on for every table, for the owner of the tables too. Whoever connects as
        `role` and names a user (``open_store(url, user="lena")``) reaches rows of this user only, by raw SQL
        too; without a user, none. The owner sees all rows as long as no user is named. To be called by the
        owner, once, and again after an upgrade that added tables.

        A client that sends SQL of its own can name another user; give each a role, and database, of their
        own where clients are not to be trusted.

        Raises
        ------
        StoreError
            No such role, or the right to do this is missing.
        """
        with self._database.writing() as connection:
            protect_tables(connection, role)

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text in all tables; see `Store.audit`."""
        beyond = "not looked at: what the server keeps beside its tables, its log and copies of it"
        return pl.concat([super().audit(text), findings([(self._where, "server", 0, beyond)])])

    def _scrub(self) -> list[tuple[str, str, int, str | None]]:
        """Have the server reuse and overwrite the room of deleted rows."""
        names = ", ".join(f'"{name}"' for name in TABLES)
        with self._database.alone("forget") as raw:
            told: list[str] = []
            raw.rollback()
            raw.autocommit = True
            raw.add_notice_handler(note := lambda notice: told.append(str(notice.message_primary)))
            try:
                raw.execute(f"VACUUM {names}")
            finally:
                raw.remove_notice_handler(note)
                raw.autocommit = False
        skipped = [each for each in told if "skipping" in each]
        detail = (
            f"not done: {skipped[0]}"
            if skipped
            else "done; the server's log and copies of it are out of reach"
        )
        return [("VACUUM", "log", 0, detail)]

    def _engine(self) -> Engine:
        load_optional("psycopg", extra="stores", purpose="PostgresStore")
        load_optional("pgvector.psycopg", extra="stores", purpose="PostgresStore")
        named = {"application_name": f"hydralab, process {os.getpid()}", "connect_timeout": CONNECT_SECONDS}
        given = {name: value for name, value in named.items() if name not in self.url.query}
        engine = create_engine(
            self.url.set(drivername="postgresql+psycopg"), connect_args=given, poolclass=NullPool
        )
        let_copy(engine)
        dialect: Any = engine.dialect
        dialect.ischema_names = {**dialect.ischema_names, "vector": PgVector}

        @event.listens_for(engine, "connect")
        def prepare(raw: Any, record: object) -> None:
            _prepare(raw, self.busy_timeout)
            if self.user is not None:
                name_user(raw, self.user)

        @event.listens_for(engine, "handle_error")
        def name(context: ExceptionContext) -> None:
            raise _explain(self._where, context) from context.original_exception

        return engine

    def _begin(self, connection: Connection, to_write: bool) -> None:
        if not to_write:
            connection.exec_driver_sql(READING)
            return
        try:
            connection.exec_driver_sql(WRITING)
        except StoreError as error:
            if _state(error.__cause__) != LOCK_KEPT:
                raise
            raise StoreError(
                f"{self._where} is locked by {_holders(connection)}, "
                f"which did not give it up within {self.busy_timeout:g} s"
            ) from error.__cause__


def _holders(connection: Connection) -> str:
    raw: Any = connection.connection.driver_connection
    raw.rollback()
    return str(raw.execute(HOLDERS).fetchone()[0] or "another writer")


def _checked_url(url: object) -> URL:
    try:
        parsed = make_url(url) if isinstance(url, str) else None
    except ArgumentError:
        parsed = None
    if parsed is None or parsed.drivername not in SCHEMES:
        raise StoreError(f"PostgresStore: url is {brief(url)}, expected 'postgresql://user@host/database'")
    return parsed


def _prepare(raw: Any, busy_timeout: float) -> None:
    """Make a new connection durable, patient and able to send vectors."""
    from pgvector.psycopg import register_vector

    if not raw.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
        raw.execute(f"SELECT pg_advisory_xact_lock({LOCK}, 0)")
        raw.execute("CREATE EXTENSION IF NOT EXISTS vector")
    raw.execute(f"SET lock_timeout = {max(int(1000 * busy_timeout), 1)}")
    raw.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    raw.commit()
    register_vector(raw)
    raw.commit()


def _explain(where: str, context: ExceptionContext) -> StoreError:
    """Return an error of the driver as one that says what is wrong with which database."""
    error = context.original_exception
    if isinstance(error, StoreError):
        return error  # explained where it arose, while connecting
    detail, state = " ".join(str(error).split()), _state(error)
    if context.is_disconnect or not state or state in AWAY:
        return ConnectionLostError(
            f"{where} can't be reached ({detail}); a write that was cut off may be there or not, append it again"
        )
    if "File too large" in detail:
        state = FULL
    if state in DAMAGED:
        return StoreError(f"{where} is damaged ({detail}); it is left as it is: restore it from a copy")
    if "vector" in detail and state in ("0A000", "58P01", "42501"):
        return StoreError(f"{where} has no extension 'vector' ({detail}); install pgvector on the server")
    return StoreError(f"{where}: {MEANINGS.get(state, '{detail}').format(detail=detail)}")


def _state(error: BaseException | None) -> str:
    """Return the five characters by which SQL tells errors apart; empty for what the server didn't say."""
    return str(getattr(error, "sqlstate", None) or "")
