"""The store protocol over a SQL database, whichever it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import polars as pl
from numpy.typing import ArrayLike
from sqlalchemy import Connection

from hydralab.stores import erasing, row_rules, sql
from hydralab.stores.auditing import audit_folder, audit_tables
from hydralab.stores.cipher import opened_cipher
from hydralab.stores.database import Database
from hydralab.stores.forgetting import drop_caches, find_target, forget_rows, receipt
from hydralab.stores.migration import migrate, outdated
from hydralab.stores.parquet_export import export_store
from hydralab.stores.row_filters import Where, check_select
from hydralab.stores.sql_parts import read_parts
from hydralab.stores.sql_search import nearest_rows, select_rows
from hydralab.stores.tombstones import Tombstones, checked_tombstones, late_rows, tombstone_table
from hydralab.stores.users import UserStore
from hydralab.stores.vector_search import check_nearest

__all__ = ["SqlStore"]


class SqlStore:
    """Tables in a database; `SqliteStore` and `PostgresStore` say which.

    Parameters
    ----------
    database
        Open; brought to the schema of this version when it isn't of it.
    key
        What its texts and vectors are encrypted with; None for one in clear text.
    """

    def __init__(self, database: Database, *, key: str | None = None) -> None:
        self._database = database
        self._tombstones: tuple[int, Tombstones] = (0, Tombstones())
        try:
            with database.reading() as connection:
                grow = outdated(connection, database.where)
                cipher = None if grow else opened_cipher(connection, database.where, key)
            if grow:
                with database.writing() as connection:
                    cipher = opened_cipher(connection, database.where, key)
                    migrate(connection)
            self.encrypted = cipher is not None
            database.set_options(cipher=cipher)
            with database.reading() as connection:
                self.store_id = sql.id_of(connection)
        except BaseException:
            self.close()
            raise

    @property
    def cache_folder(self) -> Path | None:
        """Where goes what can be made again of the tables; None where nothing may."""
        return None

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows; see `Store.append`."""
        frame = row_rules.checked_rows(table, frame, model)
        with self._database.writing() as connection:
            frame = self._without_late(connection, table, frame)
            sql.append_rows(connection, self._database.where, table, frame, model)

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return a table; see `Store.read`."""
        row_rules.check_table(table, model)
        dialogues = row_rules.names(dialogue_id)
        with self._database.reading() as connection:
            frame = sql.read_rows(connection, self._database.where, table, dialogues, model)
        return row_rules.in_order(table, frame)

    def read_parts(self, table: str, *, model: str | None = None) -> Iterator[pl.DataFrame]:
        """Yield a table in parts; see `ReadsInParts`. The store is this thread's until the last one."""
        row_rules.check_table(table, model)
        with self._database.reading() as connection:
            yield from read_parts(connection, self._database.where, table, model)

    def recent(self, dialogue_id: str, count: int) -> pl.DataFrame:
        """Return the newest turns of a dialogue; see `Store.recent`."""
        row_rules.check_recent(dialogue_id, count)
        with self._database.reading() as connection:
            return sql.recent_rows(connection, dialogue_id, count)

    def stamp(self, dialogue_id: str) -> str:
        """Return a text that changes whenever turns of a dialogue are added or replaced."""
        with self._database.reading() as connection:
            return sql.stamp_of(connection, dialogue_id)

    def select(
        self,
        table: str,
        dialogue_id: str,
        *,
        where: Where | None = None,
        newest: int | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Return some rows of one dialogue; see `Store.select`."""
        given, name = check_select(table, dialogue_id, where, newest, model), self._database.where
        with self._database.reading() as connection:
            frame = select_rows(connection, name, table, dialogue_id, given, newest, model)
        return row_rules.in_order(table, frame)

    def nearest(
        self,
        vector: ArrayLike,
        count: int,
        *,
        model: str,
        kind: str | Sequence[str] | None = None,
        dialogue_id: str | Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """Return the vectors nearest to one; see `Store.nearest`."""
        sought = check_nearest(vector, count, model=model, kind=kind, dialogue_id=dialogue_id)
        with self._database.reading() as connection:
            return nearest_rows(connection, self._database.where, sought)

    def replace(
        self,
        table: str,
        frame: pl.DataFrame,
        *,
        dialogue_id: str | Sequence[str] | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Put rows in the place of others; see `Store.replace`."""
        frame, dialogues = row_rules.checked_replacement(table, frame, dialogue_id, model)
        where = self._database.where
        with self._database.writing() as connection:
            frame = self._without_late(connection, table, frame)
            if dialogues is None:
                return sql.exchange_rows(connection, where, table, frame, model)
            before = sql.replace_dialogues(connection, where, table, frame, dialogues, model)
        return row_rules.in_order(table, before)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make writes happen together or not at all; see `Store.transaction`."""
        with self._database.writing():
            yield

    def models(self) -> dict[str, int]:
        """Return the models whose vectors are held, and their dimensions."""
        with self._database.reading() as connection:
            return sql.stored_models(connection)

    def export(self, folder: str | Path) -> Path:
        """Write all tables into a new folder of Parquet files; see `hydralab.stores.export_store`."""
        return export_store(self, folder)

    def forget(
        self,
        *,
        dialogue: str | None = None,
        turn: str | None = None,
        memory: str | None = None,
        user: str | None = None,
    ) -> pl.DataFrame:
        """Make something go for good; see `Store.forget`."""
        with self._database.alone("forget"):
            pass
        with self._database.writing() as connection:
            target = find_target(self, dialogue=dialogue, turn=turn, memory=memory, user=user)

            def erase(table: str, removal: Any, model: str | None) -> int:
                return erasing.erase_rows(connection, table, removal, model)

            erasing.set_tombstones(connection, target.tombstones)
            lines = forget_rows(self, target, erase)
        return pl.concat([lines, receipt([*self._scrub(), *drop_caches(self.cache_folder)])])

    def tombstones(self, *, after: int = 0) -> pl.DataFrame:
        """Return what was forgotten; see `Store.tombstones`."""
        with self._database.reading() as connection:
            return tombstone_table(erasing.tombstones_of(connection, after))

    def set_tombstones(self, tombstones: pl.DataFrame) -> None:
        """Take nothing of what these name from now on; see `Store.set_tombstones`."""
        checked = checked_tombstones(tombstones)
        with self._database.writing() as connection:
            erasing.set_tombstones(connection, checked)

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text everywhere; see `Store.audit`."""
        return pl.concat([audit_tables(self, text), audit_folder(self.cache_folder, text)])

    def keep_living(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the rows that are of nothing forgotten; an event tells of the others. Within a transaction."""
        with self._database.writing() as connection:
            return self._without_late(connection, table, frame)

    def _without_late(self, connection: Connection, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        last = erasing.last_tombstone(connection)
        if last != self._tombstones[0]:
            self._tombstones = (last, Tombstones.of(erasing.tombstones_of(connection)))
        frame, events = late_rows(table, frame, self._tombstones[1], self)
        sql.append_rows(connection, self._database.where, "events", events, None)
        return frame

    def _scrub(self) -> list[tuple[str, str, int, str | None]]:
        """Take what was deleted out of the engine's own files, and return lines of the receipt."""
        return []

    def for_user(self, user: str) -> UserStore:
        """Return this store as one user sees it; see `Store.for_user`."""
        return UserStore(self, user)

    def close(self) -> None:
        """Close the connection; a transaction that is open is undone."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
