"""Open a store by what a user would write: "memory", a file name, a URL, or a store itself."""

from __future__ import annotations

from os.path import expanduser
from pathlib import Path

from hydralab.errors import StoreError
from hydralab.stores.memory import MemoryStore
from hydralab.stores.protocol import Store

__all__ = ["open_store"]

KNOWN = "expected 'memory', 'lab.db', 'sqlite:///lab.db' or a Store"
SUFFIXES = (".db", ".sqlite", ".sqlite3")


def open_store(store: str | Path | Store = "memory") -> Store:
    """Return the store that is meant.

    Parameters
    ----------
    store
        "memory"; a path (`~` is the home folder), which as text ends in .db, .sqlite or .sqlite3 or names a folder;
        "sqlite:///relative.db" or "sqlite:////absolute.db"; or a store, which is returned.

    Raises
    ------
    StoreError
        It is none of these, or the file can't be opened.

    >>> open_store("memory")
    MemoryStore()
    >>> open_store("redis://host")
    Traceback (most recent call last):
    ...
    hydralab.errors.StoreError: 'redis://host' is no store; expected 'memory', 'lab.db', 'sqlite:///lab.db' or a Store
    """
    if isinstance(store, Path):
        return _file(store)
    if not isinstance(store, str):
        if isinstance(store, Store):
            return store
        raise StoreError(f"a {type(store).__name__} is no store; {KNOWN}")
    if store == "memory":
        return MemoryStore()
    scheme, separator, rest = store.partition("://")
    if separator:
        if scheme != "sqlite" or not rest.startswith("/") or len(rest) < 2:
            raise StoreError(f"{store!r} is no store; {KNOWN}")
        return _file(Path(rest[1:]))
    if store.endswith(SUFFIXES) or "/" in store:
        return _file(Path(store))
    raise StoreError(f"{store!r} is no store; {KNOWN}")


def _file(path: Path) -> Store:
    from hydralab.stores.sqlite import SqliteStore

    return SqliteStore(Path(expanduser(path)))
