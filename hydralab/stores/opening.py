"""Open a store by what a user would write: "memory", a file name, a URL, or a store itself."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import expanduser
from pathlib import Path

from hydralab.errors import StoreError
from hydralab.stores.memory import MemoryStore
from hydralab.stores.protocol import Store
from hydralab.stores.redacting import RedactingStore

__all__ = ["open_store"]

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


def _opened(store: str | Path | Store, user: str | None, key: str | None) -> Store:
    if (
        key is not None
        and not isinstance(store, Path)
        and (not isinstance(store, str) or not _is_file(store))
    ):
        raise StoreError(
            f"key given for {store!r}, expected an SQLite file: no other store is encrypted by hydralab"
        )
    if isinstance(store, Path):
        return _file(store, key)
    if not isinstance(store, str):
        if isinstance(store, Store):
            return store
        raise StoreError(f"a {type(store).__name__} is no store; {KNOWN}")
    if store == "memory":
        return MemoryStore()
    scheme, separator, _ = store.partition("://")
    if separator:
        return _by_url(store, scheme, user, key)
    if store.endswith(SUFFIXES) or "/" in store:
        return _file(Path(store), key)
    if store and Path(store).is_dir():
        return _file(Path(store), key)  # which says what it is
    raise StoreError(f"{store!r} is no store; {KNOWN}")


def _is_file(store: str) -> bool:
    return store.startswith("sqlite://") or (
        "://" not in store and (store.endswith(SUFFIXES) or "/" in store)
    )


def _by_url(url: str, scheme: str, user: str | None, key: str | None) -> Store:
    if scheme in REDIS:
        return _tiered(url, user, key)
    if scheme in POSTGRES:
        from hydralab.stores.postgres import PostgresStore

        return PostgresStore(url, user=user)
    rest = url.partition("://")[2]
    if scheme != "sqlite" or not rest.startswith("/") or len(rest) < 2:
        raise StoreError(f"{url!r} is no store; {KNOWN}")
    return _file(Path(rest[1:]), key)


def _tiered(url: str, user: str | None, key: str | None) -> Store:
    from hydralab.stores.redis_window import RedisWindow
    from hydralab.stores.tiered import TieredStore

    for scheme in SCHEMES:
        short, plus, _ = url.partition(f"+{scheme}://")
        if plus:
            return TieredStore(
                short=RedisWindow(short), long=_by_url(url[len(short) + 1 :], scheme, user, key)
            )
    raise StoreError(
        f"{url!r} keeps only a short window; {KNOWN}: what Redis forgets must stand in a store behind it"
    )


def _file(path: Path, key: str | None) -> Store:
    from hydralab.stores.sqlite import SqliteStore

    return SqliteStore(Path(expanduser(path)), key=key)
