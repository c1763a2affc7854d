"""What happened in a lab: a row a prompt of each replay, and what was retried, salvaged or failed."""

from __future__ import annotations

import polars as pl

from hydralab.frames import empty
from hydralab.replay import Run
from hydralab.stores import Store
from hydralab.stores.events import keep_events, unknown_events

__all__ = ["Journal"]


class Journal:
    """Steps and events, in the store as soon as they are noted."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self.steps = empty("steps") if store is None else store.read("steps")
        self.events = empty("events")

    def keep_run(self, run: Run) -> None:
        """Keep the rows of a replay in the place of those of the same replay before."""
        if self._store is not None:
            with self._store.transaction():
                present = self._store.read("steps", dialogue_id=run.dialogue_id)
                self._store.replace("steps", _with_run(present, run), dialogue_id=run.dialogue_id)
        self.steps = _with_run(self.steps, run)
        self.note(run.events)

    def note(self, events: pl.DataFrame) -> None:
        """Add events."""
        if self._store is not None:
            keep_events(self._store, events)
        self.events = pl.concat([self.events, unknown_events(events, self.events)])


def _with_run(steps: pl.DataFrame, run: Run) -> pl.DataFrame:
    others = steps.filter(pl.col("run_id") != run.run_id)
    return pl.concat([others, run.steps], how="vertical_relaxed")
