"""How well the score columns tell evidence from the rest: the calibration of recall, cross-validated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.benchmarks.budget import timelines
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.readers import example, examples, read_all
from hydralab.recall import Recall
from hydralab.replay.evidence import recalled_for
from hydralab.strategies import Hydration
from hydralab.strategies.calibration import SHARE, fit_calibration

__all__ = ["gold_candidates", "measure_calibration"]

KINDS = ("turn", "checkpoint")
FOLDS = 5
BINS = 10


def measure_calibration(
    sets: Mapping[str, Path] | None = None, *, encoder: str = "use", progress: bool = False
) -> pl.DataFrame:
    """Measure the calibration in five folds of questions, and between the languages.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the bundled dialogues when None.

    Returns
    -------
    DataFrame
        kind, split ("5 folds", "zh to en", "en to zh": fitted on one, measured on the other), candidates,
        evidence (candidates that are), auc, brier, brier_of_the_mean (of always saying the mean), ece (ten bins of
        equal size).
    """
    found = gold_candidates(sets, encoder, progress=progress)
    return pl.DataFrame(
        {"kind": kind, "split": split, **_scores(chances, labels)}
        for kind in KINDS
        for split, chances, labels in _splits(found.filter(pl.col("kind") == kind))
    )


def gold_candidates(
    sets: Mapping[str, Path] | None = None, encoder: str = "use", *, progress: bool = False
) -> pl.DataFrame:
    """Return the candidates of all gold questions, of all kinds.

    With `set`; `share`, the score as a share of the best; `evidence`, whether it is or stands for any.
    """
    from tqdm.auto import tqdm

    paths = {name: example(name) for name in examples()} if sets is None else sets
    parts = []
    for name, path in tqdm(paths.items(), disable=not progress, unit="set"):
        for questions, timeline in timelines(read_all(path), Hydration(), encoder):
            share = pl.col("score") / pl.col("score").max().over("query_id")
            parts.append(recalled_for(questions, timeline).with_columns(share.alias(SHARE), set=pl.lit(name)))
    return pl.concat(parts)


def _splits(
    candidates: pl.DataFrame,
) -> Iterator[tuple[str, NDArray[np.float64], NDArray[np.bool_]]]:
    folds = candidates["query_id"].rank("dense") % FOLDS
    chances = np.empty(candidates.height)
    for fold in range(FOLDS):
        held = (folds == fold).to_numpy()
        if held.any():
            chances[held] = _carried(candidates.filter(~held), candidates.filter(held))
    yield f"{FOLDS} folds", chances, candidates["evidence"].to_numpy()
    for source, target in (("zh", "en"), ("en", "zh")):
        fitted, measured = (candidates.filter(pl.col("set").str.ends_with(each)) for each in (source, target))
        if fitted.height and measured.height:
            yield f"{source} to {target}", _carried(fitted, measured), measured["evidence"].to_numpy()


def _carried(fitted: pl.DataFrame, measured: pl.DataFrame) -> NDArray[np.float64]:
    return fit_calibration(fitted, fitted["evidence"].to_numpy()).chance(measured)


def _scores(chances: NDArray[np.float64], labels: NDArray[np.bool_]) -> dict[str, float | int]:
    mean = float(labels.mean())
    bins = np.array_split(np.argsort(chances, kind="stable"), BINS)
    gaps = [abs(float(chances[rows].mean() - labels[rows].mean())) * len(rows) for rows in bins if len(rows)]
    return {
        "candidates": len(labels),
        "evidence": int(labels.sum()),
        "auc": round(_auc(chances, labels), 4),
        "brier": round(float(((chances - labels) ** 2).mean()), 5),
        "brier_of_the_mean": round(mean * (1 - mean), 5),
        "ece": round(sum(gaps) / len(labels), 5),
    }


def _auc(chances: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Return how often an item that is evidence has the higher chance than one that isn't; a tie is half."""
    ranks = pl.Series(chances).rank("average").to_numpy()
    positive = int(labels.sum())
    over = ranks[labels].sum() - positive * (positive + 1) / 2
    return float(over / (positive * (len(labels) - positive)))


BENCHES.add(
    "calibration",
    Bench(
        measure_calibration,
        lambda: {"recall": Recall(), "hydration": Hydration()},
        "how well score columns tell evidence from the rest, cross-validated",
    ),
)
