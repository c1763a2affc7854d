"""A store that lasts as long as the process: for a notebook, a replay, a test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Self

import polars as pl
from numpy.typing import ArrayLike

from hydralab.errors import StoreError
from hydralab.frames import empty
from hydralab.stores import row_rules
from hydralab.stores.auditing import audit_tables
from hydralab.stores.forgetting import find_target, forget_rows
from hydralab.stores.keyed_tables import (
    WHERE,
    KeyedTables,
    Name,
    append_to,
    drop,
    erase,
    exchange,
    models_of,
    rewind,
)
from hydralab.stores.parquet_export import export_store
from hydralab.stores.row_filters import Where, check_select
from hydralab.stores.tombstones import (
    Removal,
    Tombstone,
    Tombstones,
    checked_tombstones,
    late_rows,
    tombstone_table,
)
from hydralab.stores.users import UserStore
from hydralab.stores.vector_search import BLOCK, NUMBERED, Block, best_of, check_nearest, is_held, shown

__all__ = ["MemoryStore"]


class MemoryStore:
    """Tables in memory; to append costs the same however long a table is.

    >>> from hydralab.frames import build
    >>> with MemoryStore() as store:
    ...     store.append("gold", build("gold", [{"dialogue_id": "a", "position": 4}]))
    ...     store.read("gold")["position"].to_list()
    [4]
    """

    def __init__(self) -> None:
        self._held: dict[Name, KeyedTables] | None = {}
        self._lock = RLock()
        self._forgotten: dict[tuple[str, str], Tombstone] = {}
        self._tombstones = Tombstones()

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows; see `Store.append`."""
        frame = row_rules.checked_rows(table, frame, model)
        with self._writing() as held:
            append_to(held, (table, model), self._without_late(held, table, frame))

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return a table; see `Store.read`."""
        row_rules.check_table(table, model)
        return row_rules.in_order(table, self._of_dialogues(table, row_rules.names(dialogue_id), model))

    def recent(self, dialogue_id: str, count: int) -> pl.DataFrame:
        """Return the newest turns of a dialogue; see `Store.recent`."""
        row_rules.check_recent(dialogue_id, count)
        return self.read("turns", dialogue_id=dialogue_id).tail(count)

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
        given = check_select(table, dialogue_id, where, newest, model)
        chosen = [pl.col(column).is_in(list(values)) for column, values in given.items()]
        frame = self._of_dialogues(table, [dialogue_id], model).filter(True, *chosen)
        return row_rules.in_order(table, frame if newest is None else frame.tail(newest))

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
        with self._lock:
            if not is_held(WHERE, models_of(self._tables()), sought):
                return shown(pl.DataFrame(schema=NUMBERED))
        frame = self._of_dialogues("vectors", sought.dialogues, model).with_row_index("row")
        if sought.kinds is not None:
            frame = frame.filter(pl.col("item_kind").is_in(sought.kinds))
        blocks = frame.iter_slices(BLOCK) if frame.height else ()
        return shown(best_of(map(_named, blocks), sought))

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
        with self._writing() as held:
            frame = self._without_late(held, table, frame)
            if dialogues is None:
                return exchange(held, (table, model), frame)
            before = self.read(table, dialogue_id=dialogues, model=model)
            drop(held, (table, model), pl.col("dialogue_id").is_in(dialogues))
            append_to(held, (table, model), frame)
            return before

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make writes happen together or not at all; see `Store.transaction`."""
        with self._writing():
            yield

    def models(self) -> dict[str, int]:
        """Return the models whose vectors are held, and their dimensions."""
        with self._lock:
            return models_of(self._tables())

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
        with self._writing() as held:
            target = find_target(self, dialogue=dialogue, turn=turn, memory=memory, user=user)

            def take_out(table: str, removal: Removal, model: str | None) -> int:
                return erase(held, (table, model), removal)

            lines = forget_rows(self, target, take_out)
            self._bury(target.tombstones)
        return lines

    def tombstones(self, *, after: int = 0) -> pl.DataFrame:
        """Return what was forgotten; see `Store.tombstones`."""
        with self._lock:
            return tombstone_table(list(self._forgotten.values())[after:])

    def set_tombstones(self, tombstones: pl.DataFrame) -> None:
        """Take nothing of what these name from now on; see `Store.set_tombstones`."""
        checked = checked_tombstones(tombstones)
        with self._writing():
            self._bury(checked)

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text everywhere; see `Store.audit`."""
        return audit_tables(self, text)

    def for_user(self, user: str) -> UserStore:
        """Return this store as one user sees it; see `Store.for_user`."""
        return UserStore(self, user)

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._held = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "MemoryStore()"

    def _of_dialogues(self, table: str, dialogues: Sequence[str] | None, model: str | None) -> pl.DataFrame:
        """Return a table, of all dialogues or of some, in the order of appending."""
        with self._lock:
            held = self._tables()
            if model is not None:
                row_rules.stored_dim(WHERE, models_of(held), model, None)
            frame = held[table, model].frame.clone() if (table, model) in held else empty(table)
        return frame if dialogues is None else frame.filter(pl.col("dialogue_id").is_in(dialogues))

    def _tables(self) -> dict[Name, KeyedTables]:
        if self._held is None:
            raise StoreError(f"{WHERE} is closed, expected an open one")
        return self._held

    @contextmanager
    def _writing(self) -> Iterator[dict[Name, KeyedTables]]:
        with self._lock:
            held = self._tables()
            before, forgotten, tombstones = dict(held), self._forgotten, self._tombstones
            try:
                yield held
            except BaseException:
                rewind(held, before)
                self._forgotten, self._tombstones = forgotten, tombstones
                raise

    def _bury(self, tombstones: Iterable[Tombstone]) -> None:
        new = {(each.kind, each.name): each for each in tombstones}
        self._forgotten = self._forgotten | {
            name: each for name, each in new.items() if name not in self._forgotten
        }
        self._tombstones = Tombstones.of(self._forgotten.values())

    def _without_late(self, held: dict[Name, KeyedTables], table: str, frame: pl.DataFrame) -> pl.DataFrame:
        frame, events = late_rows(table, frame, self._tombstones, self)
        append_to(held, ("events", None), events)
        return frame


def _named(block: pl.DataFrame) -> Block:
    named = block.select("item_id", "item_kind", "dialogue_id", "row").rows()
    return named, block["vector"].to_numpy()
