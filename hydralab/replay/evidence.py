"""What was recalled for gold questions, and which of it is evidence."""

from __future__ import annotations

import polars as pl

from hydralab.replay.run import Run
from hydralab.replay.timeline import Timeline

__all__ = ["gold_items", "recalled_for"]


def gold_items(run: Run) -> pl.DataFrame:
    """Return the candidates of all gold questions of a replay, as `hl.tune_blend` takes them.

    Returns
    -------
    DataFrame
        The candidates tables below each other, with `evidence`: whether an item is, or stands for, evidence of its
        question.

    >>> import hydralab as hl
    >>> run = hl.Lab(hl.read_all(hl.example("launch_en"))).replay(budget=500)
    >>> found = gold_items(run)
    >>> found["query_id"].n_unique() == run.questions.height, bool(found["evidence"].any())
    (True, True)
    """
    return recalled_for(run.questions, run.timeline)


def recalled_for(questions: pl.DataFrame, timeline: Timeline) -> pl.DataFrame:
    """Return the candidates of questions, each asked after its turn `asked_at`, with `evidence`."""
    parts = []
    for question_id, asked_at, text, evidence in questions.select(
        "question_id", "asked_at", "text", "evidence"
    ).iter_rows():
        view = timeline.view_after(asked_at, query_id=question_id, explain=False)
        found = view.recall(text).candidates
        held = pl.col("source_turn_ids").list.set_intersection(evidence or [])
        parts.append(found.with_columns(evidence=held.list.len() > 0))
    return pl.concat(parts) if parts else pl.DataFrame()
