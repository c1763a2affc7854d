"""A store as one user sees it: their own dialogues, and no way to those of others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import polars as pl
from numpy.typing import ArrayLike

from hydralab.errors import StoreError, check_value
from hydralab.schemas import KEYS
from hydralab.stores import row_rules
from hydralab.stores.auditing import audit_tables
from hydralab.stores.delegation import delegate
from hydralab.stores.ownership import OWNED, Owner
from hydralab.stores.parquet_export import export_store
from hydralab.stores.protocol import Store
from hydralab.stores.row_filters import Where, check_select

__all__ = ["UserStore"]


class UserStore:
    """The rows of one user in a store.

    What is read is what the user's dialogues hold, their own facts and documents, and documents that are for
    everybody. What is written has to be of their dialogues; a dialogue that is added becomes theirs. Rows of
    no dialogue, such as settings of a lab, are each user's own. That an id is taken by somebody else's row is
    all that a user can learn of it.

    Parameters
    ----------
    store
        Where everything is kept; closed with this one.
    user
        Whose rows are seen: what the column `user_id` of their dialogues says.

    >>> from hydralab.frames import build
    >>> from hydralab.stores import MemoryStore
    >>> store = MemoryStore()
    >>> store.append("dialogues", build("dialogues", [{"dialogue_id": "a", "user_id": "lena"}]))
    >>> store.for_user("lena").read("dialogues").height, store.for_user("ben").read("dialogues").height
    (1, 0)
    """

    transaction = delegate(Store.transaction)
    close = delegate(Store.close)

    def __init__(self, store: Store, user: str) -> None:
        check_value("for_user: user", user, "str")
        if not user:
            raise StoreError("for_user: user is '', expected the name of a user")
        self.store = store
        self.user = user
        self._owner = Owner(user)

    @property
    def encrypted(self) -> bool:
        """Whether texts and vectors are encrypted where they are kept."""
        return bool(getattr(self.store, "encrypted", False))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the store takes out of texts before it writes."""
        return tuple(getattr(self.store, "kinds", ()))

    def clean(self, text: str) -> str:
        """Return a text as it would be kept: redacted, where the store redacts."""
        redacted = getattr(self.store, "clean", None)
        return text if redacted is None else str(redacted(text))

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows of the user's dialogues; see `Store.append`."""
        frame = row_rules.checked_rows(table, frame, model)
        with self.store.transaction():
            self.store.append(table, self._kept(table, frame), model=model)

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return the user's rows of a table; see `Store.read`."""
        row_rules.check_table(table, model)
        names = row_rules.names(dialogue_id)
        own = self._own(names)
        reach = None if table in OWNED and names is None else own  # what names the user may be of no dialogue
        return self._owner.seen(table, self.store.read(table, dialogue_id=reach, model=model), own)

    def recent(self, dialogue_id: str, count: int) -> pl.DataFrame:
        """Return the newest turns of a dialogue of the user; see `Store.recent`."""
        row_rules.check_recent(dialogue_id, count)
        own = self._own([dialogue_id])
        return self.store.recent(dialogue_id, count if dialogue_id in own else 0)

    def select(
        self,
        table: str,
        dialogue_id: str,
        *,
        where: Where | None = None,
        newest: int | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Return some rows of a dialogue of the user; see `Store.select`."""
        check_select(table, dialogue_id, where, newest, model)
        own = self._own([dialogue_id])
        if not own:
            return self.store.select(table, dialogue_id, newest=0, model=model)
        frame = self.store.select(table, own[0], where=where, newest=newest, model=model)
        return self._owner.seen(table, frame, own)

    def nearest(
        self,
        vector: ArrayLike,
        count: int,
        *,
        model: str,
        kind: str | Sequence[str] | None = None,
        dialogue_id: str | Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """Return those of the user's vectors that are nearest to one; see `Store.nearest`."""
        own = self._own(row_rules.names(dialogue_id))
        best = self.store.nearest(vector, count, model=model, kind=kind, dialogue_id=own)
        return self._owner.shown("vectors", best)

    def replace(
        self,
        table: str,
        frame: pl.DataFrame,
        *,
        dialogue_id: str | Sequence[str] | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Put rows in the place of others of the user; see `Store.replace`."""
        frame, names = row_rules.checked_replacement(table, frame, dialogue_id, model)
        with self.store.transaction():
            frame = self._kept(table, frame)
            if names is None:
                self._check_there(table, frame, model)
                return self._owner.shown(table, self.store.replace(table, frame, model=model))
            self._check_owned(table, names)
            own = self._own(names)
            return self._owner.shown(table, self.store.replace(table, frame, dialogue_id=own, model=model))

    def models(self) -> dict[str, int]:
        """Return the models of which the user has vectors, and their dimensions."""
        own = self._own(None)
        return {
            model: dim
            for model, dim in self.store.models().items()
            if self.store.read("vectors", dialogue_id=own, model=model).height
        }

    def forget(
        self,
        *,
        dialogue: str | None = None,
        turn: str | None = None,
        memory: str | None = None,
        user: str | None = None,
    ) -> pl.DataFrame:
        """Make something of the user go for good; see `Store.forget`."""
        there = {
            "dialogue": dialogue is None or bool(self._own([dialogue])),
            "turn": turn is None or turn in self.read("turns")["turn_id"],
            "memory": memory is None or memory in self.read("memories")["memory_id"],
            "user": user in (None, self.user),
        }
        for kind, is_own in there.items():
            if not is_own:
                raise StoreError(f"forget: user {self.user!r} has no such {kind}; nothing was changed")
        return self.store.forget(dialogue=dialogue, turn=turn, memory=memory, user=user)

    def tombstones(self, *, after: int = 0) -> pl.DataFrame:
        """Return what is known to have been the user's: turns and facts of their dialogues, and themselves.

        Whose a dialogue was is forgotten with it.
        """
        return self.store.tombstones().filter(self._owner.owns_tombstone(self._own(None))).slice(after)

    def set_tombstones(self, tombstones: pl.DataFrame) -> None:
        """Take nothing of what these name from now on; others' and what is nobody's are refused."""
        others = tombstones.filter(~self._owner.owns_tombstone(self._own(None)))
        if others.height:
            kind, name = others.select("kind", "name").row(0)
            raise StoreError(
                f"tombstones: user {self.user!r} has no {kind} {name!r}, expected the user's own"
            )
        self.store.set_tombstones(tombstones)

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text in the user's rows; files and caches hold those of others and aren't looked at."""
        return audit_tables(self, text)

    def for_user(self, user: str) -> UserStore:
        """Return this store; another user's can't be had from it."""
        if user != self.user:
            raise StoreError(f"{self!r} is of user {self.user!r}, expected that user, got {user!r}")
        return self

    def export(self, folder: str | Path) -> Path:
        """Write the user's rows into a new folder; see `Store.export`."""
        return export_store(self, folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"UserStore({self.store!r}, {self.user!r})"

    def _own(self, names: Sequence[str] | None) -> list[str]:
        """Return those of some dialogues that are the user's, all when None; with them the place of what is of none."""
        dialogues = self.store.read("dialogues", dialogue_id=names)
        own = dialogues.filter(self._owner.owns_dialogue())["dialogue_id"].to_list()
        return [*own, *([self._owner.place] if names is None or "" in names else [])]

    def _kept(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows as they are kept, or refuse one that is somebody else's."""
        if table in OWNED:
            frame = self._owner.named(table, frame)
        if table == "dialogues":
            stored = self.store.read("dialogues", dialogue_id=frame["dialogue_id"].to_list())
            self._owner.check_new_dialogues(frame, stored)
            return frame
        placed = self._owner.placed(frame)
        self._check_owned(table, placed["dialogue_id"].unique().to_list())
        return placed

    def _check_owned(self, table: str, names: Sequence[str]) -> None:
        own = {*self._own(names), self._owner.place, ""}
        for name in names:
            if name not in own:
                raise StoreError(
                    f"{table}: user {self.user!r} has no dialogue {name!r}; append it to dialogues first"
                )

    def _check_there(self, table: str, frame: pl.DataFrame, model: str | None) -> None:
        """Refuse to replace rows by keys that are not the user's."""
        key = list(KEYS[table])
        names = frame["dialogue_id"].unique().to_list()
        own = self.store.read(table, dialogue_id=names, model=model)
        unknown = frame.select(key).join(own.select(key), on=key, how="anti", nulls_equal=True)
        if unknown.height:
            raise row_rules.not_there(repr(self), table, unknown.row(0))
