"""A store that takes out what is private before it writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import polars as pl

from hydralab.privacy.finding import redact, resolve_kinds
from hydralab.privacy.tables import redact_table
from hydralab.stores.delegation import delegate
from hydralab.stores.protocol import Store
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

    read = delegate(Store.read)
    recent = delegate(Store.recent)
    select = delegate(Store.select)
    nearest = delegate(Store.nearest)
    transaction = delegate(Store.transaction)
    models = delegate(Store.models)
    forget = delegate(Store.forget)
    tombstones = delegate(Store.tombstones)
    set_tombstones = delegate(Store.set_tombstones)
    audit = delegate(Store.audit)
    export = delegate(Store.export)
    close = delegate(Store.close)

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

    def for_user(self, user: str) -> UserStore:
        """Return this store as one user sees it; see `Store.for_user`."""
        return UserStore(self, user)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RedactingStore({self.store!r})"
