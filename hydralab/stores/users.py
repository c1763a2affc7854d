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
from hydralab.stores.parquet_export import export_store
from hydralab.stores.protocol import Store
from hydralab.stores.row_filters import Where, check_select

__all__ = ["UserStore"]

OWNED = ("dialogues", "memories", "documents")
"""Tables with a column `user_id`."""

LAB_WIDE = ("settings", "documents", "vectors")
"""Tables in which a row of no dialogue says so by an empty text, and not by null."""


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
        self._place = row_rules.own_place(user)

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
        row_rules.check_table(table, model)
        with self.store.transaction():
            self.store.append(table, self._checked(table, row_rules.checked(table, frame)), model=model)

    def read(
        self, table: str, *, dialogue_id: str | Sequence[str] | None = None, model: str | None = None
    ) -> pl.DataFrame:
        """Return the user's rows of a table; see `Store.read`."""
        row_rules.check_table(table, model)
        names = row_rules.names(dialogue_id)
        own = self._own(names)
        if table in OWNED and names is None:
            return self._shown(table, self.store.read(table).filter(self._is_own(table, own)))
        frame = self.store.read(table, dialogue_id=own, model=model)
        return self._shown(table, frame.filter(self._is_own(table, own)) if table in OWNED else frame)

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
        return self._shown(table, frame.filter(self._is_own(table, own)) if table in OWNED else frame)

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
        return self._shown("vectors", best)

    def replace(
        self,
        table: str,
        frame: pl.DataFrame,
        *,
        dialogue_id: str | Sequence[str] | None = None,
        model: str | None = None,
    ) -> pl.DataFrame:
        """Put rows in the place of others of the user; see `Store.replace`."""
        row_rules.check_table(table, model)
        frame, names = row_rules.checked(table, frame), row_rules.names(dialogue_id)
        row_rules.check_replacement(table, frame, names)
        with self.store.transaction():
            frame = self._checked(table, frame)
            if names is None:
                self._check_there(table, frame, model)
                return self._shown(table, self.store.replace(table, frame, model=model))
            self._check_owned(table, names)
            own = self._own(names)
            return self._shown(table, self.store.replace(table, frame, dialogue_id=own, model=model))

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
        return self.store.tombstones().filter(self._is_own_tombstone(self._own(None))).slice(after)

    def set_tombstones(self, tombstones: pl.DataFrame) -> None:
        """Take nothing of what these name from now on; others' and what is nobody's are refused."""
        others = tombstones.filter(~self._is_own_tombstone(self._own(None)))
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
        is_place = pl.col("dialogue_id").str.starts_with(row_rules.OWN_PLACE)
        own = dialogues.filter((pl.col("user_id") == self.user) & ~is_place)["dialogue_id"].to_list()
        return [*own, *([self._place] if names is None or "" in names else [])]

    def _is_own_tombstone(self, own: Sequence[str]) -> pl.Expr:
        mine = (pl.col("kind") == "user") & (pl.col("name") == self.user)
        placed = pl.col("kind").is_in(["turn", "memory"])
        return mine | (placed & pl.col("dialogue_id").is_in(list(own)).fill_null(False))

    def _is_own(self, table: str, own: Sequence[str]) -> pl.Expr:
        mine, of_mine = pl.col("user_id") == self.user, pl.col("dialogue_id").is_in(list(own))
        is_own = mine.fill_null(False) | (pl.col("user_id").is_null() & of_mine.fill_null(False))
        if table == "documents":
            is_own |= (pl.col("dialogue_id") == "") & pl.col("user_id").is_null()
        return is_own

    def _shown(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows as they were written: those of no dialogue without the user's place."""
        nowhere = pl.lit("" if table in LAB_WIDE else None, dtype=pl.String)
        there = pl.when(pl.col("dialogue_id") == self._place).then(nowhere).otherwise("dialogue_id")
        return frame.with_columns(dialogue_id=there)

    def _checked(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows as they are kept, or refuse one that is somebody else's."""
        if table in OWNED:
            others = frame.filter(pl.col("user_id") != self.user)["user_id"]
            if others.len():
                raise StoreError(f"{table}: a row of user {others[0]!r}, expected only {self.user!r}")
            frame = frame.with_columns(user_id=pl.lit(self.user))
        if table == "dialogues":
            places = frame.filter(pl.col("dialogue_id").str.starts_with(row_rules.OWN_PLACE))["dialogue_id"]
            if places.len():
                raise StoreError(
                    f"dialogues: {places[0]!r} of user {self.user!r} begins with {row_rules.OWN_PLACE!r}, "
                    "expected another id: what a user has of no dialogue is kept under such"
                )
            known = self.store.read("dialogues", dialogue_id=frame["dialogue_id"].to_list())
            taken = known.filter(pl.col("user_id").ne_missing(pl.lit(self.user)))["dialogue_id"]
            if taken.len():
                raise StoreError(f"dialogues: {taken[0]!r} is not of user {self.user!r}, expected another id")
            return frame
        nowhere = pl.col("dialogue_id").is_null() | (pl.col("dialogue_id") == "")
        placed = frame.with_columns(
            dialogue_id=pl.when(nowhere).then(pl.lit(self._place)).otherwise("dialogue_id")
        )
        self._check_owned(table, placed["dialogue_id"].unique().to_list())
        return placed

    def _check_owned(self, table: str, names: Sequence[str]) -> None:
        own = {*self._own(names), self._place, ""}
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
