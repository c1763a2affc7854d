"""What every store does: keep tables, tell a repetition from a contradiction, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

import polars as pl
from numpy.typing import ArrayLike

from hydralab.stores.row_filters import Where

__all__ = ["ReadsInParts", "Store"]


@runtime_checkable
class Store(Protocol):
    """Tables by name, as `hydralab.frames` declares them, for one process or many.

    Every method may be called from any thread. Bad tables raise FrameError; what a store holds or
    can't do raises StoreError. A write that raises has changed nothing.

    Vectors are kept apart by the model that made them, so the table "vectors" takes `model=`, its
    name; the other tables don't.
    """

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows; they are durable when the call returns.

        A row whose key is there with the same content is passed over. One with other content is an
        error that names `replace`. Rows of "events" have no key and are always added.
        """

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return a table, of all dialogues or of those named.

        Rows come in the order of appending; in tables with positions the rows of a dialogue are
        together and their positions rise. A table that was never written is empty.
        """

    def recent(self, dialogue_id: str, count: int) -> pl.DataFrame:
        """Return the newest `count` turns of a dialogue, in order, without reading the others."""

    def select(
        self,
        table: str,
        dialogue_id: str,
        *,
        where: Where | None = None,
        newest: int | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Return some rows of one dialogue, in the order of `read`, without reading the others.

        Parameters
        ----------
        where
            Column → values, of which a row has to have one: ids, positions, roles, triggers and the like, no words.
        newest
            So many at most: those that were appended last.
        """

    def nearest(
        self,
        vector: ArrayLike,
        count: int,
        *,
        model: str,
        kind: str | Sequence[str] | None = None,
        dialogue_id: str | Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """Return the `count` stored vectors whose cosine with one is highest, best first.

        Exact in every store: PostgreSQL compares in pgvector, the others read the vectors asked for block by
        block. There is no approximate index, for one that is filtered by dialogue and user afterwards can come
        back with fewer than there are. Of equal scores the vector that was appended first comes first, so that
        turns come in order of position; the cosine with a vector of zeros is 0.

        Parameters
        ----------
        vector
            Float32 (d,), finite, of any length.
        model
            Whose vectors are compared.
        kind
            Those of `item_kind` "turn", "checkpoint", "document" and so on; of any kind when None.
        dialogue_id
            Of these dialogues; of all when None, which for a user's view are the user's.

        Returns
        -------
        DataFrame
            item_id, item_kind, dialogue_id, score (Float64, −1 to 1; pgvector's has the precision of float32).

        Raises
        ------
        StoreError
            Another dimension than the model's, no finite numbers, or a model of which there are none among others.
        """

    def replace(
        self,
        table: str,
        frame: pl.DataFrame,
        *,
        dialogue_id: str | Sequence[str] | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Put rows in the place of those with their keys, and return what they replaced.

        With `dialogue_id` they take the place of everything that the table holds of these dialogues.
        Turns are replaced by key alone and keep their place: none is thrown away. Where a turn
        changes, checkpoints that cover it get the status "stale", and its vectors, those of these
        checkpoints and of the dialogue's rounds are dropped.
        """

    def transaction(self) -> AbstractContextManager[None]:
        """Make the writes inside a `with` block happen together or, if it raises, not at all."""

    def models(self) -> dict[str, int]:
        """Return the models whose vectors are held, and their dimensions."""

    def export(self, folder: str | Path) -> Path:
        """Write all tables into a new folder of Parquet files, for `hydralab.stores.import_store`, and return it."""

    def forget(
        self,
        *,
        dialogue: str | None = None,
        turn: str | None = None,
        memory: str | None = None,
        user: str | None = None,
    ) -> pl.DataFrame:
        """Make a dialogue, a turn, a fact or a user go for good, with all that was made of it.

        `hydralab.stores.forgetting` says what goes with what. It gets a tombstone: rows of it that are
        written later, by a job that was late or on purpose, are dropped with an event. Other dialogues
        stay as they are. What isn't there gets one, too. Not within a transaction.

        Returns the receipt: place, kind (table, index, cache, file, log, tombstone), rows, detail.
        """

    def tombstones(self, *, after: int = 0) -> pl.DataFrame:
        """Return what was forgotten, in this order, without the first `after`.

        Columns: kind (dialogue, turn, memory, user), name; of a turn and a memory dialogue_id, of a turn position.
        """

    def set_tombstones(self, tombstones: pl.DataFrame) -> None:
        """Take nothing of what these name from now on, as if it had been forgotten here.

        What the store holds of it stays: `hydralab.stores.import_store`, which calls this, refuses that before.
        """

    def audit(self, text: str) -> pl.DataFrame:
        """Return where a text is found: place, kind, found (rows, or pieces of it in a file), detail.

        Every place that was looked at has a row; it is nowhere when `found` sums up to 0.
        """

    def for_user(self, user: str) -> Store:
        """Return this store as one user sees it: nothing of others can be read, written or forgotten through it."""

    def close(self) -> None:
        """Release what the store holds open; afterwards every other call is an error."""

    def __enter__(self) -> Self:
        """Return the store; leaving the block closes it."""

    def __exit__(self, *error: object) -> None:
        """Close the store."""


@runtime_checkable
class ReadsInParts(Protocol):
    """A store that can hand out a table without holding all of it, which is no duty of a store."""

    def read_parts(self, table: str, *, model: str | None = None) -> Iterator[pl.DataFrame]:
        """Yield a table in parts, each with the same columns, that together are what `Store.read` returns."""
