"""At which stage a piece of evidence was lost on its way into the prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from hydralab.metrics import evidence_met
from hydralab.packing import Context

__all__ = ["find_misses"]

SCHEMA = {
    "question_id": pl.String,
    "turn_id": pl.String,
    "stage": pl.String,
    "rank": pl.Int64,
    "detail": pl.String,
}


def find_misses(
    questions: pl.DataFrame,
    turns: pl.DataFrame,
    *,
    failed: Mapping[str, str],
    ask: Callable[[str], Context],
    recall: Callable[[str], pl.DataFrame] | None,
) -> pl.DataFrame:
    """Return a row an evidence turn; see `Run.misses`.

    Parameters
    ----------
    questions, turns
        Gold questions and turns of one dialogue.
    failed
        Id of each question that got no prompt → why.
    ask
        Question id → its prompt.
    recall
        Question id → candidates for it; None where nothing is recalled.
    """
    rows: list[dict[str, Any]] = []
    for question in questions.filter(pl.col("evidence").list.len() > 0).to_dicts():
        question_id = question["question_id"]
        if question_id in failed:
            rows += [
                _row(question, turn_id, "not packed", None, failed[question_id])
                for turn_id in question["evidence"]
            ]
            continue
        context = ask(question_id)
        one = questions.filter(pl.col("question_id") == question_id)
        met = evidence_met(context.frame, one, turns).turns.select("turn_id", "verbatim").rows()
        ranks = {} if recall is None else _ranks(recall(question_id))
        rows += [
            _row(
                question,
                turn_id,
                *_stage(turn_id, verbatim, ranks.get(turn_id), context, recalls=recall is not None),
            )
            for turn_id, verbatim in met
        ]
    return pl.DataFrame(rows, schema=SCHEMA)


def _ranks(candidates: pl.DataFrame) -> dict[str, int]:
    """Return turn id → the best rank of a turn or round candidate that brings it in whole."""
    wanted = candidates.filter(pl.col("kind").is_in(("turn", "round"))).select("rank", "source_turn_ids")
    exploded = wanted.explode("source_turn_ids", empty_as_null=True).drop_nulls()
    return dict(exploded.group_by("source_turn_ids").agg(pl.col("rank").min()).iter_rows())


def _stage(
    turn_id: str, verbatim: bool, rank: int | None, context: Context, *, recalls: bool
) -> tuple[str, int | None, str]:
    listing = context.kept.filter(pl.col("source_turn_ids").list.contains(turn_id))["section"].to_list()
    if verbatim:
        return "met", rank, listing[0]
    reasons = context.dropped.filter(pl.col("item_id") == turn_id)["drop_reason"].drop_nulls().to_list()
    if rank is None:
        stage = "not recalled" if recalls else "outside the window"
        return stage, None, reasons[0] if reasons else "no candidate holds the turn"
    if listing:
        return "not packed", rank, f"only by way of a {listing[0]}"
    return "not packed", rank, reasons[0] if reasons else "other candidates were better"


def _row(question: dict[str, Any], turn_id: str, stage: str, rank: int | None, detail: str) -> dict[str, Any]:
    return {
        "question_id": question["question_id"],
        "turn_id": turn_id,
        "stage": stage,
        "rank": rank,
        "detail": detail,
    }
