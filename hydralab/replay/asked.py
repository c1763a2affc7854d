"""Which turn or gold question a prompt answers."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, known_names

__all__ = ["question_asked", "turn_asked"]


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
