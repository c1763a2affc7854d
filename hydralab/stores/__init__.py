"""Where tables are kept: in memory, or in a file that survives a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hydralab.stores.checks import check_store
from hydralab.stores.memory import MemoryStore
from hydralab.stores.opening import open_store
from hydralab.stores.protocol import Store

if TYPE_CHECKING:
    from hydralab.stores.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore", "Store", "check_store", "open_store"]


def __getattr__(name: str) -> Any:
    # SQLAlchemy loads when a file is first opened.
    if name == "SqliteStore":
        from hydralab.stores.sqlite import SqliteStore

        return SqliteStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
