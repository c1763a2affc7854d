"""Score a boundaries table against a gold table: a row a dialogue, the means, and the floors beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import polars as pl

from hydralab.errors import HydralabError, check_value
from hydralab.frames import check_table, validate
from hydralab.metrics.boundaries import f1_rows, score_rows, tolerance_f1_rows
from hydralab.metrics.floors import FLOORS, floor_rows
from hydralab.metrics.marks import boundary_gaps, chosen_gold
from hydralab.metrics.similarity import similarity_rows
from hydralab.metrics.windows import Gaps, window_errors

__all__ = ["SegmentationScores", "score_boundaries"]

MEASURES = ("pk", "window_diff", "f1", "tolerance_f1", "boundary_similarity", "score")
METHODS = ("predicted", *FLOORS)

SCORED = {
    "dialogue_id": pl.String,
    "annotator": pl.String,
    "turns": pl.Int64,
    "gold": pl.Int64,
    "method": pl.String,
    "predicted": pl.Int64,
    **dict.fromkeys(MEASURES, pl.Float64),
}


@dataclass(frozen=True)
class SegmentationScores:
    """What `score_boundaries` found.

    Attributes
    ----------
    dialogues
        A row a dialogue (and annotator): dialogue_id, annotator, turns, gold and predicted (numbers of
        boundaries), pk, window_diff, f1, tolerance_f1, boundary_similarity, score, ratio (null where gold has
        none).
    means
        A row a method: "predicted", then the floors "none", "every", "every_n", "random". dialogues
        counts those scored, uncut those of them without a gold boundary, whose F1 is `zero_division` at
        best; gold and predicted are sums and ratio is theirs; the measures are means over dialogues.
    floors
        A row a dialogue (and annotator) and floor, with the columns of `dialogues` and method; those of "random"
        are means over its draws.
    """

    dialogues: pl.DataFrame
    means: pl.DataFrame
    floors: pl.DataFrame


def score_boundaries(
    boundaries: pl.DataFrame,
    gold: pl.DataFrame,
    turns: pl.DataFrame,
    *,
    convention: str = "superdialseg",
    tolerance: int = 1,
    annotator: str | None = None,
    seeds: int = 20,
    zero_division: float = 0.0,
) -> SegmentationScores:
    """Score predicted boundaries on every dialogue of `turns`, with the floors beside.

    Parameters
    ----------
    boundaries
        Boundaries table of one trigger. `position` is the first turn of the new span.
    gold
        Gold table. A dialogue without a gold boundary counts as one span.
    turns
        Turns table; says which dialogues are scored and how long they are.
    convention
        Whose Pk and WindowDiff the columns hold, see `pk`. `score` is always SuperDialseg's.
    tolerance
        How many gaps off `tolerance_f1` allows.
    annotator
        Needed where several annotators marked a dialogue: the name of one; "each" to score against
        every one and take a dialogue's mean first; "majority" for the boundaries that more than half of
        a dialogue's annotators marked. Who marked nothing in a dialogue leaves no trace in its gold.
    seeds
        Random predictions a dialogue behind the floor "random".
    zero_division
        The F1 where neither side has a boundary, see `boundary_f1`.

    Raises
    ------
    FrameError
        A boundary at a turn that is not there, or at the first turn of a dialogue.
    HydralabError
        Boundaries of several triggers, or several annotators and no word which of them counts.

    >>> from hydralab.frames import build
    >>> turns = build("turns", [
    ...     dict(dialogue_id="a", turn_id=f"a:{i}", position=i, round=0, role="user", text="", tokens=0)
    ...     for i in range(8)])
    >>> gold = build("gold", [dict(dialogue_id="a", position=4)])
    >>> guess = build("boundaries", [dict(dialogue_id="a", position=4, trigger="t")])
    >>> score_boundaries(guess, gold, turns).means.select("method", "f1", "score").rows()[:2]
    [('predicted', 1.0, 1.0), ('none', 0.0, 0.35714285714285715)]
    """
    check_table("turns", turns)
    check_value("score_boundaries: seeds", seeds, "int")
    check_value("score_boundaries: zero_division", zero_division, "float", least=0)
    _check_one_trigger(validate("boundaries", boundaries), turns)
    predicted = boundary_gaps(boundaries, turns)
    rows: list[tuple[Any, ...]] = []
    for dialogue_id, name, truth in _gold_sides(chosen_gold(gold, turns, annotator), turns):
        kinds, floors = floor_rows(truth, seeds=seeds, salt=crc32(dialogue_id.encode()))
        guesses = np.concatenate([predicted[dialogue_id][None], floors])
        pk, window_diff = window_errors(guesses, truth, convention=convention)
        f1 = f1_rows(guesses, truth, zero_division=zero_division)
        near = tolerance_f1_rows(guesses, truth, tolerance=tolerance, zero_division=zero_division)
        similar = similarity_rows(guesses, truth)
        score = score_rows(guesses, truth, zero_division=zero_division)
        same = (dialogue_id, name, len(truth) + 1, int(truth.sum()))
        counts = guesses.sum(axis=-1)
        columns = (each.tolist() for each in (counts, pk, window_diff, f1, near, similar, score))
        rows += [(*same, *row) for row in zip(["predicted", *kinds], *columns, strict=True)]
    return _summed_up(pl.DataFrame(rows, schema=SCORED, orient="row"))


def _check_one_trigger(boundaries: pl.DataFrame, turns: pl.DataFrame) -> None:
    here = boundaries.filter(pl.col("dialogue_id").is_in(turns["dialogue_id"].unique().implode()))
    names = here["trigger"].unique(maintain_order=True).to_list()
    if len(names) > 1:
        listed = ", ".join(repr(name) for name in names[:3])
        raise HydralabError(f"boundaries: {len(names)} triggers ({listed}), expected the boundaries of one")


def _gold_sides(gold: pl.DataFrame, turns: pl.DataFrame) -> list[tuple[str, str | None, Gaps]]:
    marked_by = gold.select("dialogue_id", "annotator").unique(maintain_order=True)
    pairs = turns.select("dialogue_id").unique(maintain_order=True)
    pairs = pairs.join(marked_by, on="dialogue_id", how="left", maintain_order="left_right")
    sides = {
        name: boundary_gaps(gold.filter(pl.col("annotator").eq_missing(name)), turns, table="gold")
        for name in pairs["annotator"].unique()
    }
    return [(dialogue_id, name, sides[name][dialogue_id]) for dialogue_id, name in pairs.iter_rows()]


def _summed_up(scored: pl.DataFrame) -> SegmentationScores:
    ratio = (pl.col("predicted") / pl.when(pl.col("gold") > 0).then("gold")).alias("ratio")
    means = (
        scored.group_by("method", "dialogue_id")
        .agg(pl.col("gold", "predicted", *MEASURES).mean())
        .group_by("method")
        .agg(
            pl.len().cast(pl.Int64).alias("dialogues"),
            (pl.col("gold") == 0).sum().cast(pl.Int64).alias("uncut"),
            pl.col("gold", "predicted").sum(),
            pl.col(MEASURES).mean(),
        )
    )
    ordered = pl.DataFrame({"method": METHODS}).join(means, on="method", how="left", maintain_order="left")
    dialogues = scored.filter(pl.col("method") == "predicted").drop("method")
    floors = (
        scored.filter(pl.col("method") != "predicted")
        .group_by("dialogue_id", "annotator", "turns", "method", maintain_order=True)
        .agg(pl.col("gold", "predicted", *MEASURES).mean())
    )
    return SegmentationScores(*(each.with_columns(ratio) for each in (dialogues, ordered, floors)))
