"""Which rows that work for a model came to still count by the time it is done."""

from __future__ import annotations

import polars as pl

from hydralab.agent.manual_edits import ManualEdits
from hydralab.agent.pending_work import PendingWork, Task
from hydralab.replay import Timeline
from hydralab.schemas import KEYS
from hydralab.texts import normalise

__all__ = ["current_rows"]


def current_rows(
    task: Task, table: str, frame: pl.DataFrame, timeline: Timeline, pending: PendingWork, edits: ManualEdits
) -> pl.DataFrame:
    """Return the rows that still count: not forgotten, told by no later work, as a person has written them."""
    key, known = KEYS[table][0], timeline.tables[table]
    gone = [name for name in frame[key] if pending.told_later(task, table, name)]
    gone += edits.forgotten_in(table, frame, timeline.turns)
    if table == "memories":
        gone += _told_already(frame, known)
    return edits.over(table, frame.filter(~pl.col(key).is_in(gone)), known)


def _told_already(facts: pl.DataFrame, known: pl.DataFrame) -> list[str]:
    """Return the ids of new facts that say what another one says: work on two turns at once can't see the other's."""
    current = known.filter(pl.col("superseded_by").is_null())
    names = {normalise(text): name for name, text in current.select("memory_id", "text").iter_rows()}
    new = facts.filter(pl.col("superseded_by").is_null()).select("memory_id", "text").iter_rows()
    return [name for name, text in new if names.get(normalise(text), name) != name]
