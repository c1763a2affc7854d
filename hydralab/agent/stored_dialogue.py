"""One dialogue in a store: what it holds of it, and every change written at once or not at all."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from hydralab.errors import StoreError
from hydralab.schemas import KEYS
from hydralab.stores import Store
from hydralab.stores.settings import Settings

__all__ = ["StoredDialogue"]

RETOLD = ("boundaries", "checkpoints", "memories")
"""Tables in which a row may come again in other words."""


class StoredDialogue:
    """The rows of one dialogue in a store.

    Parameters
    ----------
    store
        Where they are.
    dialogue_id
        Whose they are.
    """

    def __init__(self, store: Store, dialogue_id: str) -> None:
        self.store = store
        self.dialogue_id = dialogue_id
        self._settings = Settings(store)
        self._kept = {table: self._keys(table, self.read(table)) for table in RETOLD}

    @property
    def is_there(self) -> bool:
        """Whether the store holds the dialogue."""
        return self.store.read("dialogues", dialogue_id=self.dialogue_id).height > 0

    def read(self, table: str) -> pl.DataFrame:
        """Return the rows of a table that are the dialogue's."""
        return self.store.read(table, dialogue_id=self.dialogue_id)

    def knows(self, table: str, frame: pl.DataFrame) -> None:
        """Take note of rows of other dialogues that are in the store, such as a user's earlier facts."""
        self._kept[table] |= self._keys(table, frame)

    def put(
        self,
        tables: Mapping[str, pl.DataFrame],
        *,
        settings: Mapping[str, Any] | None = None,
        model: str | None = None,
    ) -> None:
        """Write rows, those that are there already in the place of what they were; all of it or nothing.

        Parameters
        ----------
        settings
            Name → what is to be remembered, as JSON.
        model
            Whose vectors are among the tables.
        """
        added: dict[str, set[tuple[Any, ...]]] = {}
        with self.store.transaction():
            for table, frame in tables.items():
                fresh = frame
                if table in RETOLD and frame.height:
                    known = pl.Series([key in self._kept[table] for key in frame.select(KEYS[table]).rows()])
                    self.store.replace(table, frame.filter(known))
                    fresh = frame.filter(~known)
                    added[table] = self._keys(table, fresh)
                if fresh.height:
                    self.store.append(table, fresh, model=model if table == "vectors" else None)
            if settings:
                told = {name: json.dumps(value, ensure_ascii=False) for name, value in settings.items()}
                self._settings.write({(self.dialogue_id, name): value for name, value in told.items()})
        for table, keys in added.items():
            self._kept[table] |= keys

    def remove(self, table: str, item_ids: Collection[str], *, settings: Mapping[str, Any]) -> None:
        """Drop rows by the first column of their key, also those of the user's other dialogues."""
        chosen = pl.col(KEYS[table][0]).is_in(item_ids)
        with self.store.transaction():
            found = self.read(table)
            if found.filter(chosen).height < len(item_ids):
                found = self.store.read(table)
            for name in found.filter(chosen)["dialogue_id"].unique():
                left = found.filter(pl.col("dialogue_id") == name, ~chosen)
                self.store.replace(table, left, dialogue_id=name)
            self.put({}, settings=settings)
        self._kept[table] = {each for each in self._kept[table] if each[0] not in item_ids}

    def recalled(self, name: str, otherwise: Any) -> Any:
        """Return what was to be remembered by a name.

        Raises
        ------
        StoreError
            The store holds something else there than what an agent writes.
        """
        text = self._settings.get(name, self.dialogue_id)
        try:
            return otherwise if text is None else json.loads(text)
        except ValueError as error:
            raise StoreError(
                f"settings: {name!r} of {self.dialogue_id!r} in {self.store!r} is {text!r:.60}, expected JSON"
            ) from error

    def _keys(self, table: str, frame: pl.DataFrame) -> set[tuple[Any, ...]]:
        return set(frame.select(KEYS[table]).rows())
