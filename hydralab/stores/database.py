"""One connection to a database, which threads take in turns, and its transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from sqlalchemy import Connection, Engine, RootTransaction
from sqlalchemy.exc import InvalidRequestError

from hydralab.errors import StoreError

__all__ = ["ConnectionLostError", "Database"]

Begin = Callable[[Connection, bool], None]
"""(connection, whether it will write) → nothing; the first thing that is done in a transaction."""


class ConnectionLostError(StoreError):
    """The server went away, or was never there."""


class Database:
    """A connection that is opened by the first transaction and again after the server was away.

    Parameters
    ----------
    engine
        Connects, and explains errors: what it raises is a StoreError.
    where
        What errors call the database.
    begin
        What its engine needs at the start of a transaction that reads or writes, such as a lock.
    """

    def __init__(self, engine: Engine, where: str, begin: Begin) -> None:
        self.where = where
        self._engine = engine
        self._begin = begin
        self._lock = RLock()
        self._connection: Connection | None = engine.connect()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one state, or use the one that is open."""
        with self._lock, self._told():
            connection = self._connected()
            if connection.in_transaction():
                yield connection
            else:
                with self._begun(connection, to_write=False):
                    yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that alone writes; inside another one, a part of it that is undone by itself."""
        with self._lock, self._told():
            connection = self._connected()
            part = connection.in_transaction()
            with _part(connection) if part else self._begun(connection, to_write=True):
                yield connection

    def set_options(self, **options: Any) -> None:
        """Set execution options of the connection, which whoever is handed it can ask for."""
        with self._lock:
            self._connected().execution_options(**options)

    @contextmanager
    def alone(self, purpose: str) -> Iterator[Any]:
        """Yield the driver's own connection, outside of transactions; refused where one is open."""
        with self._lock:
            connection = self._connected()
            if connection.in_transaction():
                raise StoreError(
                    f"{self.where}: {purpose} within a transaction, expected to be called outside"
                )
            yield connection.connection.driver_connection
            connection.rollback()

    def close(self) -> None:
        """Close the connection; a transaction that is open is undone."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                self._engine.dispose()

    def _connected(self) -> Connection:
        if self._connection is None:
            raise StoreError(f"{self.where} is closed, expected an open store")
        return self._connection

    def _begun(self, connection: Connection, *, to_write: bool) -> RootTransaction:
        """Begin; where the connection was lost since the last call, once more over a new one."""
        try:
            return self._first(connection, to_write)
        except ConnectionLostError:
            return self._first(connection, to_write)

    def _first(self, connection: Connection, to_write: bool) -> RootTransaction:
        transaction = connection.begin()
        try:
            self._begin(connection, to_write)
        except BaseException:
            transaction.rollback()
            raise
        return transaction

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except InvalidRequestError as error:
            raise ConnectionLostError(
                f"{self.where}: the connection was lost within this transaction; nothing of it was kept"
            ) from error


@contextmanager
def _part(connection: Connection) -> Iterator[None]:
    """Make a part of the transaction that is open, undone by itself where it raises."""
    part = connection.begin_nested()
    try:
        yield
    except BaseException as error:
        try:
            part.rollback()
        except StoreError:
            # A full disk makes SQLite undo all, not the part alone: nothing more must be written as if it were open.
            connection.invalidate()
            raise error from None
        raise
    part.commit()
