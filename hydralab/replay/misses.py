"""At which stage a piece of evidence was lost on its way into the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from hydralab.metrics import evidence_met

if TYPE_CHECKING:
    from hydralab.packing import Context
    from hydralab.replay.run import Run

__all__ = ["find_misses"]

SCHEMA = {
    "question_id": pl.String,
    "turn_id": pl.String,
    "stage": pl.String,
    "rank": pl.Int64,
    "detail": pl.String,
}


def find_misses(run: Run) -> pl.DataFrame:
    """Return a row an evidence turn; see `Run.misses`."""
    failed = set(run.events["item_id"].drop_nulls().to_list())
    rows: list[dict[str, Any]] = []
    for question in run.questions.filter(pl.col("evidence").list.len() > 0).to_dicts():
        if question["question_id"] in failed:
            rows += [
                _row(question, turn_id, "not packed", None, "no prompt fits the budget")
                for turn_id in question["evidence"]
            ]
            continue
        rows += _of_question(run, question)
    return pl.DataFrame(rows, schema=SCHEMA)


def _of_question(run: Run, question: dict[str, Any]) -> list[dict[str, Any]]:
    question_id = question["question_id"]
    context = run.ask(question_id)
    one = run.questions.filter(pl.col("question_id") == question_id)
    met = dict(evidence_met(context.frame, one, run.turns).turns.select("turn_id", "verbatim").rows())
    view = run.timeline.view_after(question["asked_at"], query_id=question_id)
    ranks = _ranks(view.recall(question["text"]).candidates)
    recalls = run.strategy.recall_config is not None
    return [
        _row(question, turn_id, *_stage(turn_id, verbatim, ranks.get(turn_id), context, recalls=recalls))
        for turn_id, verbatim in met.items()
    ]


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
