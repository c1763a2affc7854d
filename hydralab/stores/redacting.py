"""A store that takes out what is private before it writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

import polars as pl
from numpy.typing import ArrayLike

from hydralab.privacy.finding import redact, resolve_kinds
from hydralab.privacy.tables import redact_table
from hydralab.stores.protocol import Store
from hydralab.stores.row_filters import Where
from hydralab.stores.users import UserStore

__all__ = ["RedactingStore"]


class RedactingStore:
    """A store behind which no row with something private in its words arrives.

    Every row that is appended or put in the place of another is redacted first. Vectors are numbers
    made elsewhere: `hydralab.Lab` and `hydralab.Agent` redact what they are given before anything is
    made of it; whoever appends vectors makes them from what `clean` returns.

    Parameters
    ----------
    store
        Where everything is kept; closed with this one.
    kinds
        Some of `hydralab.privacy.KINDS`; all when True.

    >>> from hydralab.frames import build
    >>> from hydralab.stores import MemoryStore
    >>> store = RedactingStore(MemoryStore())
    >>> store.append("memories", build("memories", [{"memory_id": "m", "text": "mail ann@example.org"}]))
    >>> store.read("memories")["text"].item()
    'mail [email]'
    """

    def __init__(self, store: Store, kinds: Iterable[str] | bool = True) -> None:
        self.store = store
        self.kinds = resolve_kinds(kinds)

    def clean(self, text: str) -> str:
        """Return a text as it would be kept."""
        return redact(text, self.kinds)

    @property
    def encrypted(self) -> bool:
        """Whether texts and vectors are encrypted where they are kept."""
        return bool(getattr(self.store, "encrypted", False))

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows, redacted; see `Store.append`."""
        self.store.append(table, redact_table(table, frame, self.kinds), model=model)

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return a table; see `Store.read`."""
        return self.store.read(table, dialogue_id=dialogue_id, model=model)

    def recent(self, dialogue_id: str, count: int) -> pl.DataFrame:
        """Return the newest turns of a dialogue; see `Store.recent`."""
        return self.store.recent(dialogue_id, count)

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
        return self.store.select(table, dialogue_id, where=where, newest=newest, model=model)

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
        return self.store.nearest(vector, count, model=model, kind=kind, dialogue_id=dialogue_id)

    def replace(
        self,
        table: str,
        frame: pl.DataFrame,
        *,
        dialogue_id: str | Sequence[str] | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Put rows, redacted, in the place of others; see `Store.replace`."""
        clean = redact_table(table, frame, self.kinds)
        return self.store.replace(table, clean, dialogue_id=dialogue_id, model=model)

    def transaction(self) -> AbstractContextManager[None]:
        """Make writes happen together or not at all; see `Store.transaction`."""
        return self.store.transaction()

    def models(self) -> dict[str, int]:
        """Return the models whose vectors are held, and their dimensions."""
        return self.store.models()

    def forget(
        self,
        *,
        dialogue: str | None = None,
        turn: str | None = None,
        memory: str | None = None,
        user: str | None = None,
    ) -> pl.DataFrame:
        """Make something go for good; see `Store.forget`."""
        return self.store.forget(dialogue=dialogue, turn=turn, memory=memory, user=user)

    def tombstones(self, *, after: int = 0) -> pl.DataFrame:
        """Return what was forgotten; see `Store.tombstones`."""
        return self.store.tombstones(after=after)

    def set_tombstones(self, tombstones: pl.DataFrame) -> None:
        """Take nothing of what these name from now on; see `Store.set_tombstones`."""
        self.store.set_tombstones(tombstones)

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text everywhere; see `Store.audit`."""
        return self.store.audit(text)

    def export(self, folder: str | Path) -> Path:
        """Write all tables into a new folder; see `Store.export`."""
        return self.store.export(folder)

    def for_user(self, user: str) -> UserStore:
        """Return this store as one user sees it; see `Store.for_user`."""
        return UserStore(self, user)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RedactingStore({self.store!r})"
