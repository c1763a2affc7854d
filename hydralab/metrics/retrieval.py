"""Recall, reciprocal rank and NDCG of ranked ids, each under its own name.

`recall_any`, `recall_all` and `recall_proportional` differ wherever a question has more than one gold
id. A question without gold has no recall: NaN here, excluded and counted in `score_retrieval`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.frames import validate

__all__ = [
    "RetrievalScores",
    "ndcg",
    "ndcg_longmemeval",
    "recall_all",
    "recall_any",
    "recall_proportional",
    "reciprocal_rank",
    "score_ranked",
    "score_retrieval",
]


def recall_any(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 when at least one gold id is among the first k, else 0; NaN without gold.

    Parameters
    ----------
    ranked
        Ids, best first; an id that comes again counts at its first place only.
    gold
        The ids to be found.
    k
        How many ids are looked at, at least 1.

    >>> recall_any(["a", "b", "c"], {"c", "z"}, 3)
    1.0
    """
    hits = _ranks(ranked, gold, k)
    return float(len(hits) > 0) if gold else float("nan")


def recall_all(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 when every gold id is among the first k, else 0; NaN without gold.

    Parameters are those of `recall_any`.

    >>> recall_all(["a", "b", "c"], {"c", "z"}, 3)
    0.0
    """
    hits = _ranks(ranked, gold, k)
    return float(len(hits) == len(set(gold))) if gold else float("nan")


def recall_proportional(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the share of the gold ids that are among the first k; NaN without gold.

    Parameters are those of `recall_any`.

    >>> recall_proportional(["a", "b", "c"], {"c", "z"}, 3)
    0.5
    """
    hits = _ranks(ranked, gold, k)
    return len(hits) / len(set(gold)) if gold else float("nan")


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """Return 1 / rank of the first gold id, 0 where none is ranked; NaN without gold.

    The mean over questions is MRR.

    >>> reciprocal_rank(["a", "b", "c"], {"c", "z"})
    0.3333333333333333
    """
    if not gold:
        return float("nan")
    hits = _ranks(ranked, gold, max(1, len(ranked)))
    return 1 / hits[0] if hits else 0.0


def ndcg(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return NDCG@k with gains 0 and 1: Σ 1/log2(1 + rank) of the gold ids found, over the best there is.

    Parameters are those of `recall_any`.

    References
    ----------
    Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20, 2002.

    >>> ndcg(["a", "b"], {"b"}, 2)
    0.6309297535714575
    """
    hits = _ranks(ranked, gold, k)
    if not gold:
        return float("nan")
    best = np.arange(1, min(k, len(set(gold))) + 1)
    return float((1 / np.log2(1 + np.array(hits))).sum() / (1 / np.log2(1 + best)).sum())


def ndcg_longmemeval(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return NDCG@k as LongMemEval's code computes it: ranks 1 and 2 count 1, rank i 1/log2(i); NaN without gold.

    Parameters are those of `recall_any`.

    References
    ----------
    Wu et al.: LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory. ICLR 2025; its
    discount is that of Järvelin and Kekäläinen (2000) with base 2.

    >>> ndcg_longmemeval(["a", "b"], {"b"}, 2)
    1.0
    """
    hits = _ranks(ranked, gold, k)
    if not gold:
        return float("nan")
    best = np.arange(1, min(k, len(set(gold))) + 1)
    return float(_discounts(np.array(hits, dtype=np.int64)).sum() / _discounts(best).sum())


AT_K: Mapping[str, Callable[[Sequence[str], Collection[str], int], float]] = MappingProxyType(
    {
        "recall_any": recall_any,
        "recall_all": recall_all,
        "recall_proportional": recall_proportional,
        "ndcg": ndcg,
        "ndcg_longmemeval": ndcg_longmemeval,
    }
)
"""The measures that have a depth, by name."""


@dataclass(frozen=True)
class RetrievalScores:
    """What `score_retrieval` found.

    Attributes
    ----------
    questions
        A row a question with gold: question_id, category, gold (ids to be found), mrr, and for each k
        recall_any@k, recall_all@k, recall_proportional@k, ndcg@k, ndcg_longmemeval@k.
    means
        A row a category and, first, one for all (category null): the number of questions, how many were
        excluded for want of gold, and the means.
    """

    questions: pl.DataFrame
    means: pl.DataFrame


def score_retrieval(
    candidates: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    ks: Sequence[int] = (5, 10, 25),
    gold: str = "evidence",
    kind: str | None = "turn",
) -> RetrievalScores:
    """Score ranked candidates against the gold ids of each question.

    Parameters
    ----------
    candidates
        Candidates table whose query_id is a question_id; the order is that of `rank`, then of rows. A
        question without candidates found nothing.
    questions
        Questions table.
    ks
        The depths to look at.
    gold
        The column of `questions` with the ids that `item_id` is compared with: "evidence" for turns,
        "evidence_sessions" for sessions.
    kind
        Only candidates of this kind take ranks, and those that tell no kind: where gold ids are turns, a round, a
        checkpoint or a fact among the candidates can't be right. None for candidates of every kind.

    Raises
    ------
    HydralabError
        `gold` is no column of ids, a k is under 1, or no candidate is of that kind.

    >>> from hydralab.frames import build
    >>> asked = build("questions", [
    ...     dict(question_id="q1", dialogue_id="a", text="?", evidence=["a:1", "a:2"]),
    ...     dict(question_id="q2", dialogue_id="a", text="?", evidence=[])])
    >>> found = build("candidates", [dict(query_id="q1", item_id="a:2", rank=1)])
    >>> score_retrieval(found, asked, ks=[5]).means.select("questions", "excluded", "recall_any@5").row(0)
    (1, 1, 1.0)
    """
    validate("candidates", candidates)
    order = _of_kind(candidates, kind).sort("rank", nulls_last=True, maintain_order=True)
    ranked = dict(order.group_by("query_id", maintain_order=True).agg("item_id").iter_rows())
    return score_ranked(ranked, questions, ks=ks, gold=gold)


def _of_kind(candidates: pl.DataFrame, kind: str | None) -> pl.DataFrame:
    if kind is None:
        return candidates
    chosen = candidates.filter(pl.col("kind").is_null() | (pl.col("kind") == kind))
    if candidates.height and not chosen.height:
        present = ", ".join(map(repr, candidates["kind"].unique().sort()))
        raise HydralabError(f"score_retrieval: no candidate of kind {kind!r}, expected one of {present}")
    return chosen


def score_ranked(
    ranked: Mapping[str, Sequence[str]],
    questions: pl.DataFrame,
    *,
    ks: Sequence[int] = (5, 10, 25),
    gold: str = "evidence",
) -> RetrievalScores:
    """Score ranked ids, question id → ids, best first, as `score_retrieval` does a table of candidates.

    >>> from hydralab.frames import build
    >>> asked = build("questions", [dict(question_id="q1", dialogue_id="a", text="?", evidence=["a:1"])])
    >>> score_ranked({"q1": ["a:2", "a:1"]}, asked, ks=[1, 5]).means.select("mrr", "recall_any@1").row(0)
    (0.5, 0.0)
    """
    if gold not in ("evidence", "evidence_sessions"):
        raise HydralabError(f"gold is {gold!r}, expected 'evidence' or 'evidence_sessions'")
    validate("questions", questions)
    rows = []
    for question_id, category, ids in questions.select("question_id", "category", gold).iter_rows():
        gold_ids, items = set(ids or ()) - {None}, ranked.get(question_id, [])
        scores = {f"{name}@{k}": measure(items, gold_ids, k) for k in ks for name, measure in AT_K.items()}
        mrr = reciprocal_rank(items, gold_ids)
        rows.append((question_id, category, len(gold_ids), mrr, *scores.values()))
    names = ["mrr", *(f"{name}@{k}" for k in ks for name in AT_K)]
    schema = {
        "question_id": pl.String,
        "category": pl.String,
        "gold": pl.Int64,
        **dict.fromkeys(names, pl.Float64),
    }
    scored = pl.DataFrame(rows, schema=schema, orient="row")
    has_gold = pl.col("gold") > 0
    summary = [
        has_gold.sum().cast(pl.Int64).alias("questions"),
        (~has_gold).sum().cast(pl.Int64).alias("excluded"),
        *(pl.col(name).filter(has_gold).mean() for name in names),
    ]
    overall = scored.select(pl.lit(None, dtype=pl.String).alias("category"), *summary)
    by_category = (
        scored.filter(pl.col("category").is_not_null()).group_by("category").agg(summary).sort("category")
    )
    return RetrievalScores(scored.filter(has_gold), pl.concat([overall, by_category]))


def _ranks(ranked: Sequence[str], gold: Collection[str], k: int) -> list[int]:
    if k < 1:
        raise HydralabError(f"k is {k}, expected at least 1")
    wanted = set(gold)
    return [rank for rank, item in enumerate(list(dict.fromkeys(ranked))[:k], start=1) if item in wanted]


def _discounts(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    return 1 / np.log2(np.maximum(ranks, 2))
