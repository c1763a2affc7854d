"""A store in one SQLite file: durable when a call returns, shared by processes and threads."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Self

import polars as pl
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import StaticPool

from hydralab.errors import StoreError, brief
from hydralab.stores import rules, sql
from hydralab.stores.files import begin_write, connect, explain
from hydralab.stores.migration import migrate, outdated

__all__ = ["SqliteStore"]


class SqliteStore:
    """Tables in one SQLite file.

    Parameters
    ----------
    path
        The file; created when it isn't there, in a folder that is.
    busy_timeout
        Seconds a call waits for another process to finish its write before it gives up.

    Raises
    ------
    StoreError
        The file is damaged, another program's, a newer version's, locked, or can't be written. It is
        left as it is.

    Notes
    -----
    Write-ahead log with synchronous=FULL: a write is on disk when the call returns, readers never wait
    for writers, writers wait for each other. Threads that share a store take turns. A file of up to
    512 MB is checked page by page when it is opened, a larger one as its pages are read.

    >>> import tempfile
    >>> from hydralab.frames import build
    >>> folder = tempfile.TemporaryDirectory()
    >>> with SqliteStore(f"{folder.name}/lab.db") as store:
    ...     store.append("gold", build("gold", [{"dialogue_id": "a", "position": 4}]))
    >>> with SqliteStore(f"{folder.name}/lab.db") as store:
    ...     store.read("gold")["position"].to_list()
    [4]
    >>> folder.cleanup()
    """

    def __init__(self, path: str | Path, *, busy_timeout: float = 10.0) -> None:
        if not isinstance(path, str | Path):
            raise StoreError(f"SqliteStore: path is {brief(path)}, expected that of a file")
        self.path = Path(path)
        self.busy_timeout = busy_timeout
        self._lock = RLock()
        self._to_write = False
        self._engine = self._make_engine()
        self._connection: Connection | None = self._engine.connect()
        try:
            with self._reading() as connection:
                grow = outdated(connection)
            if grow:
                with self._writing() as connection:
                    migrate(connection)
        except BaseException:
            self.close()
            raise

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows; see `Store.append`."""
        rules.check_table(table, model)
        frame = rules.checked(table, frame)
        with self._writing() as connection:
            sql.append_rows(connection, str(self.path), table, frame, model)

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return a table; see `Store.read`."""
        rules.check_table(table, model)
        with self._reading() as connection:
            frame = sql.read_rows(connection, str(self.path), table, rules.names(dialogue_id), model)
        return rules.in_order(table, frame)

    def replace(
        self,
        table: str,
        frame: pl.DataFrame,
        *,
        dialogue_id: str | Sequence[str] | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Put rows in the place of others; see `Store.replace`."""
        rules.check_table(table, model)
        frame, dialogues = rules.checked(table, frame), rules.names(dialogue_id)
        rules.check_replacement(table, frame, dialogues)
        where = str(self.path)
        with self._writing() as connection:
            if dialogues is None:
                return sql.exchange_rows(connection, where, table, frame, model)
            before = sql.replace_dialogues(connection, where, table, frame, dialogues, model)
        return rules.in_order(table, before)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make writes happen together or not at all; see `Store.transaction`."""
        with self._writing():
            yield

    def models(self) -> dict[str, int]:
        """Return the models whose vectors are held, and their dimensions."""
        with self._reading() as connection:
            return sql.stored_models(connection)

    def close(self) -> None:
        """Close the file; a transaction that is open is undone."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SqliteStore({str(self.path)!r})"

    def _make_engine(self) -> Engine:
        engine = create_engine(
            "sqlite://", creator=lambda: connect(self.path, self.busy_timeout), poolclass=StaticPool
        )

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            raw = connection.connection.driver_connection
            if isinstance(raw, sqlite3.Connection) and self._to_write:
                begin_write(raw, self.path, self.busy_timeout)
            else:
                connection.exec_driver_sql("BEGIN")

        @event.listens_for(engine, "handle_error")
        def name(context: ExceptionContext) -> None:
            raise explain(
                self.path, context.original_exception, self.busy_timeout
            ) from context.original_exception

        return engine

    def _connected(self) -> Connection:
        if self._connection is None:
            raise StoreError(f"{self.path} is closed, expected an open store")
        return self._connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._lock:
            connection = self._connected()
            if connection.in_transaction():
                yield connection
                return
            self._to_write = False
            with connection.begin():
                yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._lock:
            connection = self._connected()
            self._to_write = True
            with connection.begin_nested() if connection.in_transaction() else connection.begin():
                yield connection
