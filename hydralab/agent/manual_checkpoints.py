"""A checkpoint that a person sets while they chat."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hydralab.checkpoints import Span, edit_checkpoint, extract_checkpoint
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.replay import Timeline

__all__ = ["close_by_hand"]


def close_by_hand(timeline: Timeline, title: str) -> Mapping[str, pl.DataFrame]:
    """Return the checkpoint of all turns behind the last one, and the boundary where the next turn will stand.

    Raises
    ------
    HydralabError
        There is no such turn.
    """
    made = timeline.tables["checkpoints"]
    start, last = max(made["end"].to_list(), default=-1) + 1, timeline.turns.height - 1
    if start > last:
        raise HydralabError("/checkpoint: there is no turn behind the last checkpoint, expected one at least")
    span = Span(start, last, "manual", 1.0, last)
    row = extract_checkpoint(timeline.turns, span, tokenizer=timeline.tokenizer)
    if title:
        row = edit_checkpoint(row, row["checkpoint_id"].item(), tokenizer=timeline.tokenizer, title=title)
    boundary = {
        "dialogue_id": timeline.dialogue_id,
        "position": last + 1,
        "trigger": "manual",
        "score": 1.0,
        "decided_at": last,
    }
    return {"boundaries": build("boundaries", [boundary]), "checkpoints": row}
