"""Which rows of a store are one user's, and how they are kept: what `UserStore` sees by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from hydralab.errors import StoreError
from hydralab.stores.row_rules import OWN_PLACE, own_place

__all__ = ["OWNED", "Owner"]

OWNED = ("dialogues", "memories", "documents")
"""Tables with a column `user_id`."""

LAB_WIDE = ("settings", "documents", "vectors")
"""Tables in which a row of no dialogue says so by an empty text, and not by null."""


@dataclass(frozen=True)
class Owner:
    """A user, and what makes a row theirs."""

    user: str

    @property
    def place(self) -> str:
        """The dialogue id under which their rows of no dialogue are kept."""
        return own_place(self.user)

    def owns_dialogue(self) -> pl.Expr:
        """Return what is true of the rows of "dialogues" that are theirs."""
        return (pl.col("user_id") == self.user) & ~pl.col("dialogue_id").str.starts_with(OWN_PLACE)

    def seen(self, table: str, frame: pl.DataFrame, dialogues: Sequence[str]) -> pl.DataFrame:
        """Return those of some rows that the user may read, as they were written, given the user's dialogues."""
        return self.shown(table, frame.filter(self._may_read(table, dialogues)) if table in OWNED else frame)

    def owns_tombstone(self, dialogues: Sequence[str]) -> pl.Expr:
        """Return what is true of the tombstones that are known to be theirs, given their dialogues."""
        mine = (pl.col("kind") == "user") & (pl.col("name") == self.user)
        placed = pl.col("kind").is_in(["turn", "memory"])
        return mine | (placed & pl.col("dialogue_id").is_in(list(dialogues)).fill_null(False))

    def shown(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows as they were written: those of no dialogue without the user's place."""
        nowhere = pl.lit("" if table in LAB_WIDE else None, dtype=pl.String)
        there = pl.when(pl.col("dialogue_id") == self.place).then(nowhere).otherwise("dialogue_id")
        return frame.with_columns(dialogue_id=there)

    def placed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows as they are kept: those of no dialogue at the user's place."""
        nowhere = pl.col("dialogue_id").is_null() | (pl.col("dialogue_id") == "")
        return frame.with_columns(
            dialogue_id=pl.when(nowhere).then(pl.lit(self.place)).otherwise("dialogue_id")
        )

    def named(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows of a table in `OWNED` as the user's, or refuse one that is named as another's."""
        others = frame.filter(pl.col("user_id") != self.user)["user_id"]
        if others.len():
            raise StoreError(f"{table}: a row of user {others[0]!r}, expected only {self.user!r}")
        return frame.with_columns(user_id=pl.lit(self.user))

    def check_new_dialogues(self, frame: pl.DataFrame, stored: pl.DataFrame) -> None:
        """Refuse dialogues that are stored as another's, or whose id is kept for rows of none."""
        places = frame.filter(pl.col("dialogue_id").str.starts_with(OWN_PLACE))["dialogue_id"]
        if places.len():
            raise StoreError(
                f"dialogues: {places[0]!r} of user {self.user!r} begins with {OWN_PLACE!r}, expected another id: "
                "what a user has of no dialogue is kept under such"
            )
        taken = stored.filter(pl.col("user_id").ne_missing(pl.lit(self.user)))["dialogue_id"]
        if taken.len():
            raise StoreError(f"dialogues: {taken[0]!r} is not of user {self.user!r}, expected another id")

    def _may_read(self, table: str, dialogues: Sequence[str]) -> pl.Expr:
        mine, of_mine = pl.col("user_id") == self.user, pl.col("dialogue_id").is_in(list(dialogues))
        may_read = mine.fill_null(False) | (pl.col("user_id").is_null() & of_mine.fill_null(False))
        if table == "documents":
            may_read |= (pl.col("dialogue_id") == "") & pl.col("user_id").is_null()
        return may_read
