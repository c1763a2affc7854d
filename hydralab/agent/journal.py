"""Steps, events and verdicts of a dialogue: those that its store holds, and each new one."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hydralab.index.growing_frame import GrowingFrame
from hydralab.stores import Store

__all__ = ["Journal"]

TOLD = ("steps", "events", "verdicts")


class Journal:
    """Tables of one dialogue that only grow."""

    def __init__(self, store: Store, dialogue_id: str) -> None:
        self._tables = {table: GrowingFrame(store.read(table, dialogue_id=dialogue_id)) for table in TOLD}

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
