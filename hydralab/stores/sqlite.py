"""A store in one SQLite file: durable when a call returns, shared by processes and threads."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import polars as pl
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import StaticPool

from hydralab.errors import StoreError, brief
from hydralab.stores.auditing import audit_files
from hydralab.stores.cipher import key_given
from hydralab.stores.database import Database
from hydralab.stores.files import begin_write, connect, explain
from hydralab.stores.sqlstore import SqlStore

__all__ = ["SqliteStore"]


class SqliteStore(SqlStore):
    """Tables in one SQLite file.

    Parameters
    ----------
    path
        The file; created when it isn't there, in a folder that is.
    busy_timeout
        Seconds a call waits for another process to finish its write before it gives up.
    key
        Encrypt texts and vectors with it; the environment variable HYDRALAB_KEY when None. A file is encrypted
        from the beginning or not at all.

    Raises
    ------
    StoreError
        The file is damaged, another program's, a newer version's, locked, or can't be written. It is
        left as it is. On a full disk a write raises, nothing of it is kept, and reading goes on.

    Notes
    -----
    Write-ahead log with synchronous=FULL: a write is on disk when the call returns, readers never wait
    for writers, writers wait for each other. Threads that share a store take turns. A file of up to
    512 MB is checked page by page when it is opened, a larger one as its pages are read.

    Encrypted are words, vectors, scores and settings, cell by cell with AES-256-GCM under a key made of the
    given one by scrypt, each bound to its table, column and row. Ids, positions, times, roles, counts and the
    lengths of texts stay clear. A lab or agent on such a store keeps no vectors or indexes on disk beside it;
    `export` writes clear text. A file whose key is lost can't be read by anybody; it is never changed or
    deleted for that.

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

    def __init__(self, path: str | Path, *, busy_timeout: float = 30.0, key: str | None = None) -> None:
        if not isinstance(path, str | Path):
            raise StoreError(f"SqliteStore: path is {brief(path)}, expected that of a file")
        self.path = Path(path)
        self.busy_timeout = busy_timeout
        super().__init__(Database(self._engine(), str(self.path), self._begin), key=key_given(key))

    @property
    def cache_folder(self) -> Path | None:
        """Where goes what can be made again of the tables, such as indexes; None where that would be in clear text."""
        return None if self.encrypted else Path(f"{self.path}.cache")

    def __repr__(self) -> str:
        return f"SqliteStore({str(self.path)!r})"

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text in all tables and in the bytes of the file and its logs; see `Store.audit`."""
        beside = [Path(f"{self.path}{ending}") for ending in ("", "-wal", "-shm", "-journal")]
        return pl.concat([super().audit(text), audit_files(beside, text)])

    def _scrub(self) -> list[tuple[str, str, int, str | None]]:
        """Write the file anew without the pages that were freed, and empty its log."""
        with self._database.alone("forget") as raw:
            size = self.path.stat().st_size
            try:
                raw.execute("VACUUM")
                busy = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except sqlite3.OperationalError as error:
                return [
                    (
                        self.path.name,
                        "log",
                        0,
                        f"not cleaned ({error}): forget again once no other process reads",
                    )
                ]
        cleaned = "still read by another process: forget again once it doesn't" if busy else "emptied"
        saved = size - self.path.stat().st_size
        change = f"{abs(saved):,} bytes {'less' if saved >= 0 else 'more'}"
        return [
            (self.path.name, "file", 0, f"written anew, {change}"),
            (f"{self.path.name}-wal", "log", 0, cleaned),
        ]

    def _engine(self) -> Engine:
        engine = create_engine(
            "sqlite://", creator=lambda: connect(self.path, self.busy_timeout), poolclass=StaticPool
        )

        @event.listens_for(engine, "handle_error")
        def name(context: ExceptionContext) -> None:
            raise explain(
                self.path, context.original_exception, self.busy_timeout
            ) from context.original_exception

        return engine

    def _begin(self, connection: Connection, to_write: bool) -> None:
        raw = connection.connection.driver_connection
        if to_write and isinstance(raw, sqlite3.Connection):
            begin_write(raw, self.path, self.busy_timeout)
        else:
            connection.exec_driver_sql("BEGIN")
