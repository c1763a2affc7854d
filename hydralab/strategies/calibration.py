"""How likely a candidate is to hold what a query asks for, by its score columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.logistic import fit_logistic, sigmoid
from hydralab.errors import HydralabError
from hydralab.recall import SCORE_COLUMNS

__all__ = ["CALIBRATED", "SHARE", "Calibration", "evidence_chance", "fit_calibration"]

SHARE = "share"
"""The score as a share of the best candidate's: a column beside those of recall."""

UNWEIGHED = ("recency", "graph", "parts", "rerank")

CALIBRATED = (*(name for name in SCORE_COLUMNS if name not in UNWEIGHED), SHARE)
"""The columns that a calibration weighs. Not how new an item is: in gold questions that is how they were made.
Nor what is known only where it is asked for: the graph, the parts of a query, a second model."""

RIDGE = 0.3


@dataclass(frozen=True)
class Calibration:
    """A logistic regression over `CALIBRATED`: from a candidate's columns to its chance of being evidence."""

    constant: float
    weights: Mapping[str, float]

    def chance(self, candidates: pl.DataFrame) -> NDArray[np.float64]:
        """Return the chance of each candidate, float64 (n,).

        Parameters
        ----------
        candidates
            A candidates table; a score column that is missing counts as 0.
        """
        shared = _with_share(candidates)
        reached = np.full(shared.height, self.constant)
        for name, weight in self.weights.items():
            if name in shared.columns:
                reached += weight * shared[name].fill_null(0).to_numpy()
        return np.asarray(sigmoid(reached))


def evidence_chance(candidates: pl.DataFrame) -> NDArray[np.float64]:
    """Return the chance that each candidate is evidence, by the shipped calibration of its kind.

    Rounds are read as turns are, and facts and passages of documents as checkpoints, which are texts that stand
    for others, too.

    Parameters
    ----------
    candidates
        A candidates table: query_id, kind, score, and the score columns; of each query all kinds.

    Returns
    -------
    array
        Float64 (n,), 0 to 1.

    Notes
    -----
    calibration.json says what it was fitted on and how well it holds; `hydralab bench calibration` measures it.

    >>> from hydralab.frames import build
    >>> row = {"query_id": "q", "dialogue_id": "d", "kind": "turn"}
    >>> best = dict.fromkeys(SCORE_COLUMNS, 0.8)
    >>> rows = [{**row, "item_id": "a", "score": 0.9, **best}, {**row, "item_id": "b", "score": 0.1}]
    >>> (evidence_chance(build("candidates", rows)) > 0.5).tolist()
    [True, False]
    """
    as_turn, shared = candidates["kind"].is_in(["turn", "round"]).to_numpy(), _with_share(candidates)
    shipped = _shipped()
    return np.where(as_turn, shipped["turn"].chance(shared), shipped["checkpoint"].chance(shared))


def fit_calibration(candidates: pl.DataFrame, labels: Sequence[bool] | NDArray[np.bool_]) -> Calibration:
    """Fit a calibration, its weights held at 0 or above.

    Parameters
    ----------
    candidates
        Candidates of one kind, of many queries; their column `share` where it is not to be taken among these.
    labels
        Which of them are evidence.

    Raises
    ------
    HydralabError
        All of them are evidence, or none is.
    """
    known = np.asarray(labels, dtype=np.float64)
    if not 0 < known.sum() < len(known):
        raise HydralabError(
            f"fit_calibration: {int(known.sum())} of {len(known)} candidates are evidence, "
            "expected some that are and some that aren't"
        )
    columns = _with_share(candidates).select(CALIBRATED).fill_null(0.0).to_numpy().astype(np.float64)
    weights, constant = fit_logistic(columns, known, ridge=RIDGE, bounded=True)
    held = {name: weight for name, weight in zip(CALIBRATED, weights.tolist(), strict=True) if weight > 0}
    return Calibration(constant, held)


def _with_share(candidates: pl.DataFrame) -> pl.DataFrame:
    if SHARE in candidates.columns:
        return candidates
    best = (
        pl.col("score").max().over("query_id") if "query_id" in candidates.columns else pl.col("score").max()
    )
    share = pl.when(best > 0).then(pl.col("score") / best).otherwise(0.0)
    return candidates.with_columns(share.alias(SHARE))


@cache
def _shipped() -> dict[str, Calibration]:
    text = files("hydralab.strategies").joinpath("calibration.json").read_text(encoding="utf-8")
    kinds: dict[str, Any] = json.loads(text)["kinds"]
    return {kind: Calibration(each["constant"], each["weights"]) for kind, each in kinds.items()}
