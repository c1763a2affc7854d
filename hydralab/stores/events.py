"""Events in a store: they have no key, so what is said already is not said again."""

from __future__ import annotations

import polars as pl

from hydralab.stores.protocol import Store

__all__ = ["keep_events", "unknown_events"]


def keep_events(store: Store, events: pl.DataFrame) -> None:
    """Append the events that the store doesn't hold: events have no key, and a cell is run again."""
    if events.height:
        with store.transaction():
            store.append("events", unknown_events(events, store.read("events")))


def unknown_events(events: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Return the events that say something which none of the known ones says."""
    what = ("stage", "dialogue_id", "item_id", "status", "detail")
    return events.join(known, on=what, how="anti", nulls_equal=True)
