"""From the tables of boundaries and gold to boolean arrays on gaps, one rule for both.

A boundary's position is the first turn of the new span, so position p lies on the gap between the
turns at p − 1 and p. A boundary at a turn that isn't there, or at a dialogue's first turn, is an error.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import FrameError, HydralabError, check_value, unknown_name
from hydralab.frames import validate
from hydralab.metrics.windows import Gaps

__all__ = ["boundary_gaps", "chosen_gold"]


def boundary_gaps(
    boundaries: pl.DataFrame, turns: pl.DataFrame, *, table: str = "boundaries"
) -> dict[str, Gaps]:
    """Return for each dialogue of `turns` which of its gaps have a boundary.

    Parameters
    ----------
    boundaries
        Boundaries or gold table, or any frame with dialogue_id and position. Rows of other dialogues
        are passed over.
    turns
        Turns table.
    table
        What an error calls the marks.

    Returns
    -------
    dict
        dialogue_id → bool (turns of the dialogue − 1,), in the order of `turns`.

    Raises
    ------
    FrameError
        A position that no turn has, or that the dialogue's first turn has.

    >>> from hydralab.frames import build
    >>> turns = build("turns", [
    ...     dict(dialogue_id="a", turn_id=f"a:{i}", position=i, round=0, role="user", text="", tokens=0)
    ...     for i in range(4)])
    >>> boundary_gaps(build("gold", [dict(dialogue_id="a", position=2)]), turns)["a"].tolist()
    [False, True, False]
    """
    marked = _positions(boundaries)
    nothing = np.empty(0, dtype=np.int64)
    return {
        dialogue_id: _gaps(marked.get(dialogue_id, nothing), positions, f"{table}: dialogue {dialogue_id!r}")
        for dialogue_id, positions in _positions(turns).items()
    }


def chosen_gold(gold: pl.DataFrame, turns: pl.DataFrame, annotator: str | None) -> pl.DataFrame:
    """Return the gold boundaries to score against; those of several annotators only when asked for.

    Parameters
    ----------
    gold
        Gold table.
    turns
        Turns table; gold of other dialogues is left out.
    annotator
        The name of one annotator, "each" for all of them, "majority" for the boundaries that more than
        half of a dialogue's annotators marked, None where every dialogue has one annotator.

    Raises
    ------
    HydralabError
        A dialogue has several annotators and `annotator` is None, or no annotator has that name.
    """
    check_value("annotator", annotator, "str | None")
    dialogues = turns["dialogue_id"].unique()
    gold = validate("gold", gold).filter(pl.col("dialogue_id").is_in(dialogues.implode()))
    if annotator == "each":
        return gold
    if annotator == "majority":
        return _majority(gold)
    if annotator is not None:
        known = gold["annotator"].drop_nulls().unique().to_list()
        if annotator not in known:
            raise unknown_name("annotator", annotator, [*known, "each", "majority"])
        return gold.filter(pl.col("annotator") == annotator)
    shared = gold.group_by("dialogue_id", maintain_order=True).agg(
        pl.col("annotator").unique(maintain_order=True)
    )
    for dialogue_id, names in shared.filter(pl.col("annotator").list.len() > 1).iter_rows():
        listed = ", ".join(repr(name) for name in names)
        raise HydralabError(
            f"gold: dialogue {dialogue_id!r} has {len(names)} annotators ({listed}); "
            "expected annotator= one of them, 'each' or 'majority'"
        )
    return gold


def _majority(gold: pl.DataFrame) -> pl.DataFrame:
    annotators = gold.group_by("dialogue_id").agg(pl.col("annotator").n_unique().alias("annotators"))
    votes = gold.group_by("dialogue_id", "position", maintain_order=True).agg(pl.len().alias("votes"))
    agreed = votes.join(annotators, on="dialogue_id", maintain_order="left").filter(
        2 * pl.col("votes") > pl.col("annotators")
    )
    return agreed.select("dialogue_id", "position", pl.lit("majority").alias("annotator"))


def _positions(frame: pl.DataFrame) -> dict[str, NDArray[np.int64]]:
    parts = frame.select("dialogue_id", "position").partition_by(
        "dialogue_id", as_dict=True, maintain_order=True
    )
    return {str(key[0]): part["position"].to_numpy() for key, part in parts.items()}


def _gaps(marks: NDArray[np.int64], positions: NDArray[np.int64], what: str) -> Gaps:
    rows = np.searchsorted(positions, marks)
    misplaced = marks[(rows == 0) | (positions[np.minimum(rows, len(positions) - 1)] != marks)]
    if len(misplaced):
        raise FrameError(
            f"{what}: boundary at position {misplaced[0]}, expected the position of one of its turns "
            f"after the first, {positions[0]} to {positions[-1]}"
        )
    gaps = np.zeros(len(positions) - 1, dtype=np.bool_)
    gaps[rows - 1] = True
    return gaps
