"""Whether the evidence of a question is in its prompt: word for word, and by the answer.

*Verbatim*: a kept, uncut item lists the evidence turn among its source turns, and its text before
escaping contains the turn's text; a blank turn has no words to contain. *Answer*: the gold answer is in a
kept item that has an evidence turn among its sources. Listing a turn without its words never counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from hydralab.errors import FrameError, check_kind, known_names
from hydralab.frames import SCHEMAS, validate
from hydralab.metrics.answers import answer_excluded, contains_answer

__all__ = ["EvidenceScores", "evidence_met"]


@dataclass(frozen=True)
class EvidenceScores:
    """What `evidence_met` found.

    Attributes
    ----------
    turns
        A row an evidence turn: question_id, turn_id, verbatim (met or not).
    questions
        A row a question: question_id, category, evidence (turns that exist), unknown (evidence ids that
        no turn has), verbatim (share of the turns met), verbatim_all, answer (null where it can't be
        told), excluded (why it can't).
    summary
        A row for "verbatim" and one for "answer": pooled (share of evidence turns met; a question met by
        answer counts with all of its turns), all_met (share of questions with all their evidence met),
        and the numbers behind: evidence_turns, unknown, questions, excluded. Excluded are questions
        without evidence that exists and, for "answer", those whose answer is empty, one character, or
        yes or no.
    """

    turns: pl.DataFrame
    questions: pl.DataFrame
    summary: pl.DataFrame


def evidence_met(
    context: pl.DataFrame,
    questions: pl.DataFrame,
    turns: pl.DataFrame,
    *,
    text: str | Callable[[str], str] = "text",
) -> EvidenceScores:
    """Tell which evidence of each question is in the context that was packed for it.

    Parameters
    ----------
    context
        Context table; the items of a question are those whose query_id is its question_id. A kept item
        with a drop_reason is one that was cut.
    questions
        Questions table, one row or many.
    turns
        Turns table with the text of the evidence turns.
    text
        The column with the items' text before escaping, or a function that undoes the escaping of the
        column `text`.

    Raises
    ------
    FrameError
        A question has no context, or the text column is missing.

    >>> from hydralab.frames import build
    >>> turn = dict(dialogue_id="a", turn_id="a:3", position=3, round=1, role="user", tokens=9)
    >>> turns = build("turns", [dict(turn, text="The budget is 40,000 euros.")])
    >>> asked = build("questions", [dict(
    ...     question_id="q", dialogue_id="a", text="How much?", answer="40,000 euros", evidence=["a:3"])])
    >>> item = dict(query_id="q", section="checkpoint", order=0, tokens=6, kept=True, source_turn_ids=["a:3"])
    >>> met = evidence_met(build("context", [dict(item, text="Budget: 40,000 euros")]), asked, turns)
    >>> met.summary.select("measure", "pooled", "all_met").rows()
    [('verbatim', 0.0, 0.0), ('answer', 1.0, 1.0)]
    """
    items = _items(context, text)
    validate("questions", questions)
    wanted = _evidence(questions, validate("turns", turns))
    evidence = wanted.drop_nulls("turn_text")
    _check_contexts(context, questions)
    sourced = items.explode("source_turn_ids", empty_as_null=True).join(
        evidence, left_on=["query_id", "source_turn_ids"], right_on=["question_id", "turn_id"]
    )
    has_text = pl.col("turn_text").str.strip_chars() != ""
    holds_turn = pl.col("text").str.contains(pl.col("turn_text"), literal=True)
    verbatim = (
        sourced.filter("uncut", has_text, holds_turn)
        .select(question_id="query_id", turn_id="source_turn_ids")
        .unique()
        .with_columns(verbatim=True)
    )
    by_turn = (
        evidence.select("question_id", "turn_id")
        .join(verbatim, on=["question_id", "turn_id"], how="left", maintain_order="left")
        .with_columns(pl.col("verbatim").fill_null(False))
    )
    by_question = _by_question(questions, by_turn, sourced, wanted)
    return EvidenceScores(by_turn, by_question, _summary(by_question))


def _items(context: pl.DataFrame, text: str | Callable[[str], str]) -> pl.DataFrame:
    check_kind("evidence_met: context", context, pl.DataFrame, "a context table, such as ctx.frame")
    check_kind("evidence_met: text", text, (str, Callable), "the name of a column or a function of texts")  # type: ignore[arg-type]
    if isinstance(text, str) and text not in context.columns:
        raise FrameError(f"context: no column {text!r}; nearest: {known_names(text, context.columns)[0]!r}")
    validate("context", context.select(name for name in context.columns if name in SCHEMAS["context"]))
    shown = (
        pl.col(text) if isinstance(text, str) else pl.col("text").map_elements(text, return_dtype=pl.String)
    )
    uncut = pl.col("drop_reason").fill_null("") == ""
    return context.filter("kept").select("query_id", "source_turn_ids", text=shown, uncut=uncut)


def _evidence(questions: pl.DataFrame, turns: pl.DataFrame) -> pl.DataFrame:
    wanted = questions.select("question_id", turn_id="evidence").explode("turn_id", empty_as_null=True)
    wanted = wanted.drop_nulls().unique(maintain_order=True)
    return wanted.join(
        turns.select("turn_id", turn_text="text"), on="turn_id", how="left", maintain_order="left"
    )


def _check_contexts(context: pl.DataFrame, questions: pl.DataFrame) -> None:
    without = questions.join(context, left_on="question_id", right_on="query_id", how="anti")
    if without.height:
        raise FrameError(
            f"context: no item with query_id {without['question_id'][0]!r}, "
            "expected the context of every question"
        )


def _by_question(
    questions: pl.DataFrame, by_turn: pl.DataFrame, sourced: pl.DataFrame, wanted: pl.DataFrame
) -> pl.DataFrame:
    unknown = wanted.group_by("question_id").agg(unknown=pl.col("turn_text").null_count().cast(pl.Int64))
    shares = by_turn.group_by("question_id").agg(
        evidence=pl.len().cast(pl.Int64),
        verbatim=pl.col("verbatim").mean(),
        verbatim_all=pl.col("verbatim").all(),
    )
    texts = dict(sourced.group_by("query_id").agg("text").iter_rows())
    joined = (
        questions.select("question_id", "category", "answer")
        .join(shares, on="question_id", how="left", maintain_order="left")
        .join(unknown, on="question_id", how="left", maintain_order="left")
        .with_columns(pl.col("evidence", "unknown").fill_null(0))
    )
    excluded, met = [], []
    for question_id, answer, evidence in joined.select("question_id", "answer", "evidence").iter_rows():
        reason = answer_excluded(answer) if evidence else "no evidence"
        excluded.append(reason)
        met.append(
            None if reason else any(contains_answer(each, answer) for each in texts.get(question_id, ()))
        )
    return joined.select(
        "question_id", "category", "evidence", "unknown", "verbatim", "verbatim_all"
    ).with_columns(
        pl.Series("answer", met, dtype=pl.Boolean), pl.Series("excluded", excluded, dtype=pl.String)
    )


def _summary(by_question: pl.DataFrame) -> pl.DataFrame:
    rows = []
    for measure, met, all_met in (("verbatim", "verbatim", "verbatim_all"), ("answer", "answer", "answer")):
        counted = by_question.filter(pl.col(met).is_not_null())
        weighted = (pl.col(met).cast(pl.Float64) * pl.col("evidence")).sum() / pl.col("evidence").sum()
        rows.append(
            counted.select(
                pl.lit(measure).alias("measure"),
                pooled=pl.when(pl.len() > 0).then(weighted),
                all_met=pl.col(all_met).cast(pl.Float64).mean(),
                evidence_turns=pl.col("evidence").sum(),
                unknown=pl.lit(by_question["unknown"].sum(), dtype=pl.Int64),
                questions=pl.len().cast(pl.Int64),
                excluded=pl.lit(by_question.height - counted.height, dtype=pl.Int64),
            )
        )
    return pl.concat(rows)
