"""What a timeline refuses: turns that aren't a whole dialogue, and facts of another user."""

from __future__ import annotations

import numpy as np
import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import empty, validate

__all__ = ["check_positions", "owned_facts"]


def owned_facts(memories: pl.DataFrame | None, user_id: str | None) -> pl.DataFrame:
    """Return facts that are given along; those of another user are refused, as they must never be shown."""
    if memories is None or not memories.height:
        return empty("memories")
    facts = validate("memories", memories)
    others = facts.filter(pl.col("user_id").ne_missing(pl.lit(user_id, dtype=pl.String)))["user_id"]
    if len(others):
        raise HydralabError(
            f"memories: facts of user {others[0]!r} for a dialogue of user {user_id!r}, expected that user's alone"
        )
    return facts


def check_positions(turns: pl.DataFrame, first: int = 0, dialogue_id: str | None = None) -> None:
    """Refuse turns that leave a gap or aren't one's own: a position is a row number to all that looks back in time."""
    owners = {*turns["dialogue_id"].to_list(), *([] if dialogue_id is None else [dialogue_id])}
    if len(owners) > 1:
        raise HydralabError(f"turns of {len(owners)} dialogues, expected those of one")
    wrong = np.flatnonzero(turns["position"].to_numpy() != np.arange(first, first + turns.height)).tolist()
    if len(wrong):
        raise HydralabError(
            f"turns: row {wrong[0]} of {turns['dialogue_id'][0]!r} has position {turns['position'][wrong[0]]}, "
            f"expected {first + wrong[0]}: a whole dialogue from position 0 on, without gaps"
        )
