"""Where tables are kept: in memory, in a file that survives a crash, or on servers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hydralab.stores.contract import check_store
from hydralab.stores.memory import MemoryStore
from hydralab.stores.opening import open_store
from hydralab.stores.parquet_export import export_store
from hydralab.stores.parquet_import import import_store
from hydralab.stores.protocol import Store
from hydralab.stores.redacting import RedactingStore
from hydralab.stores.users import UserStore

if TYPE_CHECKING:
    from hydralab.stores.postgres import PostgresStore
    from hydralab.stores.redis_window import RedisWindow
    from hydralab.stores.sqlite import SqliteStore
    from hydralab.stores.tiered import TieredStore

__all__ = [
    "MemoryStore",
    "PostgresStore",
    "RedactingStore",
    "RedisWindow",
    "SqliteStore",
    "Store",
    "TieredStore",
    "UserStore",
    "check_store",
    "export_store",
    "import_store",
    "open_store",
]

# SQLAlchemy and drivers load when a database is first opened.
LATER = {
    "PostgresStore": "hydralab.stores.postgres",
    "RedisWindow": "hydralab.stores.redis_window",
    "SqliteStore": "hydralab.stores.sqlite",
    "TieredStore": "hydralab.stores.tiered",
}


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
