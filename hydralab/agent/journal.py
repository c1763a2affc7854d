"""Steps, events and verdicts of a dialogue: those that its store holds, and each new one."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hydralab.errors import HydralabError
from hydralab.index.growing_frame import GrowingFrame
from hydralab.stores import Store

__all__ = ["Journal"]

TOLD = ("steps", "events", "verdicts")


class Journal:
    """Tables of one dialogue that only grow."""

    def __init__(self, store: Store, dialogue_id: str) -> None:
        self._store = store
        self._dialogue_id = dialogue_id
        self._tables = {table: GrowingFrame(store.read(table, dialogue_id=dialogue_id)) for table in TOLD}

    def note(self, events: pl.DataFrame) -> None:
        """Add events, and store them where the dialogue is still in the store."""
        self.take({"events": events})
        try:
            if self._store.read("dialogues", dialogue_id=self._dialogue_id).height:
                self._store.append("events", events)
        except HydralabError:  # the store is closed or broken: there is nowhere left to tell it
            return

    def take(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Add those rows that belong here."""
        for name in tables.keys() & self._tables.keys():
            self._tables[name].extend(tables[name])

    @property
    def steps(self) -> pl.DataFrame:
        """A row a prompt."""
        return self._tables["steps"].frame

    @property
    def events(self) -> pl.DataFrame:
        """A row for each thing that happened."""
        return self._tables["events"].frame

    @property
    def verdicts(self) -> pl.DataFrame:
        """A row for each context that the model judged."""
        return self._tables["verdicts"].frame
