"""An SQLite file opened so that what is acknowledged is kept, and every refusal named."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from hydralab.errors import StoreError
from hydralab.stores.lock_owners import lock_holders
from hydralab.stores.migration import check_owner
from hydralab.stores.parquet_folder import MANIFEST
from hydralab.stores.schema import VERSION

__all__ = ["begin_write", "connect", "explain"]

WAL_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
CHECKED_BYTES = 512 * 2**20
"""Files up to this size, which takes about a second, are checked page by page when they are opened."""

LOCK_TRIES = 0.001
"""Seconds between two tries to get a lock."""


def connect(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """Open or create a file; nothing is written to one that is damaged or not ours.

    The connection is in autocommit mode, logs ahead, and a commit returns when it is on disk.

    Parameters
    ----------
    path
        The file. Its folder must exist.
    busy_timeout
        Seconds to wait for a lock that another process holds.

    Raises
    ------
    StoreError
        No such folder, no permission, a damaged file, one of another program or a newer version, a
        lock that isn't given up.
    """
    _check_path(path)
    connection = None
    try:
        connection = sqlite3.connect(
            path, timeout=busy_timeout, isolation_level=None, check_same_thread=False
        )
        if 0 < path.stat().st_size <= CHECKED_BYTES:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise _damaged(path, found)
        _check_owner(connection, path)
        _log_ahead(connection, path, busy_timeout)
        connection.execute("PRAGMA synchronous = FULL")
        # What is deleted or changed leaves nothing of itself in free pages.
        connection.execute("PRAGMA secure_delete = ON")
    except sqlite3.Error as error:
        _close(connection)
        raise explain(path, error, busy_timeout) from error
    except StoreError:
        _close(connection)
        raise
    return connection


def begin_write(connection: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    """Begin a transaction that writes, or raise a StoreError that names who holds the lock.

    SQLite asks for a lock ever more rarely, so a process that writes without a pause keeps others
    out. Asking at a steady pace gets every writer its turn.
    """
    deadline = time.monotonic() + busy_timeout
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise explain(path, error, busy_timeout) from error
            time.sleep(LOCK_TRIES)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * busy_timeout)}")


def explain(path: Path, error: BaseException, busy_timeout: float) -> StoreError:
    """Return an error of SQLite as one that says what is wrong with which file."""
    code = str(getattr(error, "sqlite_errorname", ""))
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        holder = lock_holders(path, *_companions(path))
        return StoreError(f"{path} is locked by {holder}, which did not give it up within {busy_timeout:g} s")
    if code.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return _damaged(path, str(error))
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return StoreError(
            f"{path} can't be written ({error}); expected a file and folder with write permission"
        )
    if code.startswith(("SQLITE_FULL", "SQLITE_IOERR_WRITE")):
        return StoreError(f"{path}: there is no room to write ({error}); nothing of this write was kept")
    return StoreError(f"{path}: {error}")


def _check_path(path: Path) -> None:
    if not path.parent.is_dir():
        raise StoreError(f"{path}: there is no folder {path.parent}, expected one that exists")
    if (path / MANIFEST).is_file():
        raise StoreError(
            f"{path} is an exported folder, expected a file: hl.import_store({str(path)!r}, 'lab.db') makes one of it"
        )
    if path.is_dir():
        raise StoreError(f"{path} is a folder, expected a file or a new name")
    log = _companions(path)[0]
    head = _head(log)
    if head and head not in WAL_MAGIC:
        raise _damaged(path, f"{log.name} is no write-ahead log")
    # SQLite takes an empty file for a new database and deletes the log beside it.
    if head and not (path.exists() and path.stat().st_size):
        raise _damaged(path, f"it holds nothing while {log.name} does")


def _check_owner(connection: sqlite3.Connection, path: Path) -> None:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    present = {name for (name,) in tables}
    version = None
    if VERSION.name in present:
        version = connection.execute(f"SELECT max(version) FROM {VERSION.name}").fetchone()[0]
    check_owner(str(path), present, version)


def _head(log: Path) -> bytes:
    try:
        with log.open("rb") as stream:
            return stream.read(4)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(
            f"{log} can't be read ({error.strerror}); expected a file with read permission"
        ) from error


def _log_ahead(connection: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    # Two processes that create a file together meet here, where SQLite itself doesn't wait.
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(LOCK_TRIES)
            continue
        if mode != "wal":
            raise StoreError(
                f"{path}: its file system has no shared memory for a write-ahead log, expected a local disk"
            )
        return


def _damaged(path: Path, detail: str) -> StoreError:
    return StoreError(
        f"{path} is damaged ({detail}); it is left as it is: put a copy in its place, or move it away to start anew"
    )


def _companions(path: Path) -> tuple[Path, Path]:
    return Path(f"{path}-wal"), Path(f"{path}-shm")


def _close(connection: sqlite3.Connection | None) -> None:
    if connection is not None:
        connection.close()
