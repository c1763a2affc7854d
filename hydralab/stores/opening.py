"""Open a store by what a user would write: "memory", a file name, a URL, or a store itself."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import expanduser, isdir
from pathlib import Path

from hydralab.errors import StoreError
from hydralab.stores.memory import MemoryStore
from hydralab.stores.protocol import Store
from hydralab.stores.redacting import RedactingStore

__all__ = ["named_file", "open_store"]

KNOWN = (
    "expected 'memory', 'lab.db', 'sqlite:///lab.db', 'postgresql://…', 'redis://…+postgresql://…' or a Store"
)
SUFFIXES = (".db", ".sqlite", ".sqlite3")
POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
REDIS = ("redis", "rediss", "unix")
SCHEMES = ("sqlite", *POSTGRES)


def open_store(
    store: str | Path | Store = "memory",
    *,
    user: str | None = None,
    redact: bool | Iterable[str] = False,
    key: str | None = None,
) -> Store:
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
    user
        Whose rows are to be seen, and none of others; everybody's when None.
    redact
        Take out what is private before anything is written: all kinds, or some of
        `hydralab.privacy.KINDS`.
    key
        Encrypt texts and vectors of an SQLite file; see `SqliteStore`.

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
    opened = _opened(store, user, key)
    if redact is not False:
        opened = RedactingStore(opened, redact)
    return opened if user is None else opened.for_user(user)


def named_file(store: str | Path | Store) -> Path | None:
    """Return the SQLite file that is meant, there or not; None where it is another store, or none.

    >>> named_file("sqlite:///lab.db"), named_file("memory")
    (PosixPath('lab.db'), None)
    """
    if isinstance(store, Path):
        return Path(expanduser(store))
    if not isinstance(store, str) or store in ("", "memory"):
        return None
    scheme, separator, rest = store.partition("://")
    if separator:
        is_file = scheme == "sqlite" and rest.startswith("/") and len(rest) > 1
        return Path(expanduser(rest[1:])) if is_file else None
    is_file = store.endswith(SUFFIXES) or "/" in store or isdir(store)
    return Path(expanduser(store)) if is_file else None


def _opened(store: str | Path | Store, user: str | None, key: str | None) -> Store:
    file = named_file(store)
    if file is not None:
        from hydralab.stores.sqlite import SqliteStore

        return SqliteStore(file, key=key)
    if key is not None:
        raise StoreError(
            f"key given for {store!r}, expected an SQLite file: no other store is encrypted by hydralab"
        )
    if store == "memory":
        return MemoryStore()
    if isinstance(store, str):
        return _by_url(store, user)
    if isinstance(store, Store):
        return store
    raise StoreError(f"a {type(store).__name__} is no store; {KNOWN}")


def _by_url(url: str, user: str | None) -> Store:
    scheme, separator, _ = url.partition("://")
    if separator and scheme in REDIS:
        return _tiered(url, user)
    if separator and scheme in POSTGRES:
        from hydralab.stores.postgres import PostgresStore

        return PostgresStore(url, user=user)
    raise StoreError(f"{url!r} is no store; {KNOWN}")


def _tiered(url: str, user: str | None) -> Store:
    from hydralab.stores.redis_window import RedisWindow
    from hydralab.stores.tiered import TieredStore

    for scheme in SCHEMES:
        short, plus, _ = url.partition(f"+{scheme}://")
        if plus:
            return TieredStore(short=RedisWindow(short), long=_opened(url[len(short) + 1 :], user, None))
    raise StoreError(
        f"{url!r} keeps only a short window; {KNOWN}: what Redis forgets must stand in a store behind it"
    )
