"""What a user's earlier dialogues told: the facts that a strategy noted there, as they stood at a moment."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from hydralab.frames import empty
from hydralab.lab.resources import LabResources
from hydralab.replay import GrowingTable
from hydralab.strategies import Strategy

__all__ = ["facts_before", "user_of"]

Noted = Callable[[str], GrowingTable]
"""Dialogue → its memories table under the strategy, at any moment."""


def user_of(resources: LabResources, name: str) -> str | None:
    """Return whose dialogue it is; None when it isn't known."""
    dialogues = resources.corpus.dialogues
    found = dialogues.filter(pl.col("dialogue_id") == name)["user_id"].first()
    return None if found is None else str(found)


def facts_before(resources: LabResources, name: str, strategy: Strategy, noted: Noted) -> pl.DataFrame:
    """Return the facts of a dialogue's user that were known when it began.

    Earlier are the user's dialogues that began before, and of these counts what was said before; where the
    user has a dialogue without times, those that are listed before, and all of them.

    Parameters
    ----------
    strategy
        None are known to one without a true attribute `across_dialogues`.
    noted
        What the strategy noted in each of the earlier dialogues.
    """
    user = user_of(resources, name)
    if user is None or not getattr(strategy, "across_dialogues", False):
        return empty("memories")
    owned = resources.corpus.dialogues.filter(pl.col("user_id") == user)["dialogue_id"].to_list()
    said = resources.corpus.turns.filter(pl.col("dialogue_id").is_in(owned))
    timed = said["time"].null_count() == 0 and set(owned) == set(said["dialogue_id"])
    # Without times a dialogue's place in the list stands for all of them.
    moments = said["time"] if timed else said["dialogue_id"].replace_strict(owned, range(len(owned)))
    said = said.select("dialogue_id", "position", moment=moments)
    begins = said.filter(pl.col("dialogue_id") == name)["moment"].min()
    last_before = (
        said.group_by("dialogue_id")
        .agg(
            begins=pl.col("moment").min(),
            last=pl.col("position").filter(pl.col("moment") >= begins).min().fill_null(pl.len()) - 1,
        )
        .filter(pl.col("begins") < begins)
        .sort("begins", "dialogue_id")
    )
    told = [empty("memories")]
    for other, last in last_before.select("dialogue_id", "last").iter_rows():
        known = noted(other).known_by(last)
        # What it took over from dialogues before it is told by those, but for what it replaced itself.
        told.append(known.filter((pl.col("dialogue_id") == other) | pl.col("superseded_by").is_not_null()))
    return pl.concat(told).unique("memory_id", keep="last", maintain_order=True)
