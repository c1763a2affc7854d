"""Which turn or gold question a prompt answers, and which got none."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, known_names

__all__ = ["failed_prompts", "question_asked", "turn_asked"]


def turn_asked(turns: pl.DataFrame, dialogue_id: str, position: int) -> dict[str, Any]:
    """Return the last user turn that says something at or before a position.

    Raises
    ------
    HydralabError
        No such position, or no such turn.
    """
    if not isinstance(position, Integral) or not 0 <= position < turns.height:
        raise HydralabError(f"no turn {position!r} in {dialogue_id!r}; expected 0 to {turns.height - 1}")
    said = (pl.col("role") == "user") & (pl.col("text").str.strip_chars() != "")
    asked = turns.head(int(position) + 1).filter(said)
    if not asked.height:
        raise HydralabError(
            f"no user turn at or before turn {position} of {dialogue_id!r}, so no prompt was made"
        )
    return asked.row(-1, named=True)


def question_asked(questions: pl.DataFrame, dialogue_id: str, question_id: str) -> dict[str, Any]:
    """Return the row of a gold question.

    Raises
    ------
    HydralabError
        There is none of that id.
    """
    rows = questions.filter(pl.col("question_id") == str(question_id))
    if not rows.height:
        nearest = ", ".join(repr(name) for name in known_names(question_id, questions["question_id"])[:5])
        raise HydralabError(f"no question {question_id!r} in {dialogue_id!r}; nearest: {nearest or 'none'}")
    return rows.row(0, named=True)


def failed_prompts(events: pl.DataFrame) -> dict[str, str]:
    """Return the id of each turn and question that a replay could make no prompt for, and why.

    >>> from hydralab.frames import build, event
    >>> failed_prompts(build("events", [event("replay", "failed", detail="it is too long", item_id="a:3")]))
    {'a:3': 'it is too long'}
    """
    failed = events.filter((pl.col("stage") == "replay") & (pl.col("status") == "failed"))
    return dict(failed.select("item_id", "detail").iter_rows())
