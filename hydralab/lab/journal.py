"""What happened in a lab: a row a prompt of each replay, and what was retried, salvaged or failed."""

from __future__ import annotations

import polars as pl

from hydralab.frames import empty
from hydralab.lab.corpora import keep_events
from hydralab.replay import Run
from hydralab.stores import Store

__all__ = ["Journal"]


class Journal:
    """Steps and events, in the store as soon as they are noted."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self.steps = empty("steps") if store is None else store.read("steps")
        self.events = empty("events")

    def keep_run(self, run: Run) -> None:
        """Keep the rows of a replay in the place of those of the same replay before."""
        others = self.steps.filter(pl.col("run_id") != run.run_id)
        steps = pl.concat([others, run.steps], how="vertical_relaxed")
        if self._store is not None:
            own = steps.filter(pl.col("dialogue_id") == run.dialogue_id)
            self._store.replace("steps", own, dialogue_id=run.dialogue_id)
        self.steps = steps
        self.note(run.events)

    def note(self, events: pl.DataFrame) -> None:
        """Add events."""
        if self._store is not None:
            keep_events(self._store, events)
        self.events = pl.concat([self.events, events])
