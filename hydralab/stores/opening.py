"""Open a store by what a user would write: "memory", a file name, a URL, or a store itself."""

from __future__ import annotations

from os.path import expanduser
from pathlib import Path

from hydralab.errors import StoreError
from hydralab.stores.memory import MemoryStore
from hydralab.stores.protocol import Store

__all__ = ["open_store"]

KNOWN = (
    "expected 'memory', 'lab.db', 'sqlite:///lab.db', 'postgresql://…', 'redis://…+postgresql://…' or a Store"
)
SUFFIXES = (".db", ".sqlite", ".sqlite3")
POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
REDIS = ("redis", "rediss", "unix")
SCHEMES = ("sqlite", *POSTGRES)


def open_store(store: str | Path | Store = "memory") -> Store:
    """Return the store that is meant.

    Parameters
    ----------
    store
        - "memory";
        - a path (`~` is the home folder), which as text ends in .db, .sqlite or .sqlite3 or names a folder;
        - "sqlite:///relative.db" or "sqlite:////absolute.db";
        - "postgresql://user@host/database" (`PostgresStore`);
        - "redis://host/0?expiry=3600+postgresql://…" (`TieredStore`): the newest turns of each dialogue in Redis,
          for `expiry` seconds, everything in the store whose URL follows the plus;
        - a store, which is returned.

    Raises
    ------
    StoreError
        It is none of these, or can't be opened.

    >>> open_store("memory")
    MemoryStore()
    >>> open_store("mongodb://host")
    Traceback (most recent call last):
    ...
    hydralab.errors.StoreError: 'mongodb://host' is no store; expected 'memory', 'lab.db', 'sqlite:///lab.db', \
'postgresql://…', 'redis://…+postgresql://…' or a Store
    """
    if isinstance(store, Path):
        return _file(store)
    if not isinstance(store, str):
        if isinstance(store, Store):
            return store
        raise StoreError(f"a {type(store).__name__} is no store; {KNOWN}")
    if store == "memory":
        return MemoryStore()
    scheme, separator, _ = store.partition("://")
    if separator:
        return _by_url(store, scheme)
    if store.endswith(SUFFIXES) or "/" in store:
        return _file(Path(store))
    raise StoreError(f"{store!r} is no store; {KNOWN}")


def _by_url(url: str, scheme: str) -> Store:
    if scheme in REDIS:
        return _tiered(url)
    if scheme in POSTGRES:
        from hydralab.stores.postgres import PostgresStore

        return PostgresStore(url)
    rest = url.partition("://")[2]
    if scheme != "sqlite" or not rest.startswith("/") or len(rest) < 2:
        raise StoreError(f"{url!r} is no store; {KNOWN}")
    return _file(Path(rest[1:]))


def _tiered(url: str) -> Store:
    from hydralab.stores.tiered import TieredStore
    from hydralab.stores.window import RedisWindow

    for scheme in SCHEMES:
        short, plus, _ = url.partition(f"+{scheme}://")
        if plus:
            return TieredStore(short=RedisWindow(short), long=_by_url(url[len(short) + 1 :], scheme))
    raise StoreError(
        f"{url!r} keeps only a short window; {KNOWN}: what Redis forgets must stand in a store behind it"
    )


def _file(path: Path) -> Store:
    from hydralab.stores.sqlite import SqliteStore

    return SqliteStore(Path(expanduser(path)))
