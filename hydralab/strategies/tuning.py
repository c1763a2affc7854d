"""Tuning a blend: weights for the score columns, from gold questions or from what a model said of answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.logistic import fit_logistic
from hydralab.errors import FrameError, HydralabError, check_kind
from hydralab.frames import check_table
from hydralab.recall import SCORE_COLUMNS, weighted

__all__ = ["TunedBlend", "judged_items", "tune_blend"]

RIDGE = 0.1
MOST_BELOW = 30
"""So many of the best items that are no evidence stand against each that is: those it competes with."""


@dataclass(frozen=True)
class TunedBlend:
    """Weights that were fitted, and what they were fitted on.

    Attributes
    ----------
    weights
        Score column → weight, those above 0, summing to 1.
    queries, pairs
        Queries that told something, and pairs of an item that is evidence and one that isn't.
    ordered, ordered_before
        The share of pairs that the weights put in the right order, and that the score they came with did.
    """

    weights: Mapping[str, float]
    queries: int
    pairs: int
    ordered: float
    ordered_before: float

    @property
    def blend(self) -> pl.Expr:
        """The expression that `hl.Recall(blend=…)` takes."""
        return weighted(self.weights)


def tune_blend(items: pl.DataFrame, *, ridge: float = RIDGE) -> TunedBlend:
    """Fit non-negative weights of the score columns that put evidence before the rest, query by query.

    Parameters
    ----------
    items
        A row an item that was recalled: query_id, evidence (Boolean), score columns; `score` where it is known.
        `hl.gold_items(run)` makes it of gold questions; a table of verdicts is read by `judged_items`.
    ridge
        How strongly weights are held near 0; the more, the less few queries can do.

    Returns
    -------
    TunedBlend
        Its `blend` goes into `hl.Recall(blend=…)`; `hl.Hydration(least=…)` is to be chosen anew for it.

    Raises
    ------
    HydralabError
        The table is neither, or no query has both an item that is evidence and one that isn't.

    Notes
    -----
    Pairwise logistic regression (Burges et al. 2005): the likelihood that of each pair within a query the evidence
    has the higher score, each query weighing the same.

    >>> items = pl.DataFrame({
    ...     "query_id": ["q"] * 3, "evidence": [True, False, False],
    ...     "dense": [0.9, 0.4, 0.5], "lexical": [0.2, 0.6, 0.1],
    ... })
    >>> tune_blend(items).weights
    {'dense': 1.0}
    """
    check_kind("tune_blend: items", items, pl.DataFrame, "a table of verdicts, or of recalled items")
    rows = judged_items(items) if "item_scores" in items.columns else items
    missing = [name for name in ("query_id", "evidence") if name not in rows.columns]
    names = [name for name in SCORE_COLUMNS if name in rows.columns]
    if missing or not names:
        raise FrameError(
            f"tune_blend: a table with {', '.join(rows.columns[:12])}, expected query_id, evidence and score columns"
        )
    differences, shares, before = _pairs(rows, names)
    if not len(differences):
        raise HydralabError(
            f"tune_blend: of {rows['query_id'].n_unique()} queries none has both an item that is evidence and one "
            "that isn't, so there is nothing to tell apart"
        )
    labels = np.ones(len(differences))
    raw, _ = fit_logistic(differences, labels, counts=shares, ridge=ridge, bounded=True, intercept=False)
    total = float(raw.sum())
    if total <= 0:
        raise HydralabError(
            "tune_blend: no score column puts evidence before the rest, so no blend of them can"
        )
    weights = {
        name: round(weight, 4)
        for name, weight in zip(names, (raw / total).tolist(), strict=True)
        if weight > 0
    }
    return TunedBlend(
        weights={name: weight for name, weight in weights.items() if weight},
        queries=round(float(shares.sum())),
        pairs=len(differences),
        ordered=float(((differences @ raw) > 0).astype(float) @ shares / shares.sum()),
        ordered_before=float((before > 0).astype(float) @ shares / shares.sum()),
    )


def judged_items(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Return the items that verdicts tell of, with their scores, and whether they were evidence.

    Of a context that sufficed, those are evidence whose words the answer uses, and the others not. Of one that
    did not suffice none is. Verdicts that failed tell nothing.

    Parameters
    ----------
    verdicts
        Rows of the table `verdicts`.

    Returns
    -------
    DataFrame
        query_id, item_id, evidence, and the score columns.
    """
    check_table("verdicts", verdicts)
    told = verdicts.filter(pl.col("sufficient").is_not_null())
    rows: list[dict[str, Any]] = []
    for verdict in told.iter_rows(named=True):
        used = set(verdict["used_ids"] or ()) if verdict["sufficient"] else set()
        scored = zip(verdict["item_ids"] or (), json.loads(verdict["item_scores"] or "[]"), strict=True)
        rows += [
            # The same message may be asked again and again: each time is a query of its own.
            {"query_id": verdict["verdict_id"], "item_id": item, "evidence": item in used, **scores}
            for item, scores in scored
            if scores
        ]
    if not rows:
        return pl.DataFrame(
            schema={
                "query_id": pl.String,
                "item_id": pl.String,
                "evidence": pl.Boolean,
                **dict.fromkeys(SCORE_COLUMNS, pl.Float64),
            }
        )
    return pl.from_dicts(rows, infer_schema_length=None)


def _pairs(
    rows: pl.DataFrame, names: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the differences of evidence and the rest, what share of a query each is, and that of `score`."""
    differences, shares, before = [], [], []
    scored = rows.with_columns(pl.col(names).fill_null(0.0).cast(pl.Float64))
    if "score" not in scored.columns:
        scored = scored.with_columns(score=pl.mean_horizontal(names))
    for part in scored.partition_by("query_id"):
        evidence = part.filter("evidence")
        rest = part.filter(~pl.col("evidence")).sort("score", descending=True).head(MOST_BELOW)
        count = evidence.height * rest.height
        if not count:
            continue
        good, bad = (each.select(*names, "score").to_numpy() for each in (evidence, rest))
        apart = (good[:, None, :] - bad[None, :, :]).reshape(count, -1)
        differences.append(apart[:, :-1])
        before.append(apart[:, -1])
        shares.append(np.full(count, 1 / count))
    if not differences:
        return np.empty((0, len(names))), np.empty(0), np.empty(0)
    return np.concatenate(differences), np.concatenate(shares), np.concatenate(before)
