"""A checkpoint that a person sets while they chat."""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from hydralab.checkpoints import Span, edit_checkpoint, extract_checkpoint
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.replay import Timeline

__all__ = ["close_by_hand", "mark_asked_for"]

COMMAND = re.compile(r"\s*/checkpoint(?:\s+(?P<title>.*\S))?\s*", re.DOTALL)


def mark_asked_for(text: str) -> str | None:
    """Return the title that "/checkpoint title" names, "" when it names none; None when it is a message.

    >>> mark_asked_for("/checkpoint Budget"), mark_asked_for("/checkpoint"), mark_asked_for("a /checkpoint")
    ('Budget', '', None)
    """
    asked = COMMAND.fullmatch(text)
    return None if asked is None else asked["title"] or ""


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
