"""From a tree to Polars: one expression for where it fires and one for its score."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping

import polars as pl

from hydralab.errors import HydralabError
from hydralab.signals.base import Range
from hydralab.triggers.forms import Named
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.tree import AllOf, AnyOf, Comparison, Cue, Not, Trigger, Wrapped

__all__ = ["compile_trigger", "rank_column"]

COMPARE = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}

Compiled = tuple[pl.Expr, pl.Expr]
"""Where a tree fires (Boolean, null where unknown), and its score (0 to 1, null where unknown)."""


def rank_column(signal: str) -> str:
    """Return the column that holds an unbounded signal's rank among its earlier values."""
    return f"rank of {signal}"


def compile_trigger(
    node: Trigger, ranges: Mapping[str, Range], columns: Mapping[Trigger, tuple[str, str]]
) -> Compiled:
    """Return the expressions of a node over the columns of one dialogue.

    Parameters
    ----------
    node
        A tree without `.place()`.
    ranges
        Signal → range. A signal with a bounded range scores by its place in it, another one by the
        rank in its `rank_column`.
    columns
        Node of a function or a state machine → names of the columns with its fires and scores,
        computed before.

    Notes
    -----
    Unknown values follow three-valued logic: what depends on one is unknown, also under `~`, and at
    the root unknown doesn't fire and scores 0.
    """
    match node:
        case Comparison():
            return _comparison(node, ranges.get(node.signal))
        case Cue():
            fires = _cue(node)
            return fires, fires.cast(pl.Float64)
        case Wrapped():
            return node.expression, node.expression.cast(pl.Float64)
        case Named() | StateMachine():
            fires_name, score_name = columns[node]
            return pl.col(fires_name), pl.col(score_name)
        case Not():
            fires, score = compile_trigger(node.part, ranges, columns)
            # Joined parts score 0 for what is unknown, which must not become 1 here.
            return ~fires, pl.when(fires.is_not_null()).then(1 - score)
        case AllOf() | AnyOf():
            compiled = [compile_trigger(part, ranges, columns) for part in node.parts]
            fires_of = [fires for fires, _ in compiled]
            scores = [score.fill_null(0.0) for _, score in compiled]
            if isinstance(node, AllOf):
                return pl.all_horizontal(fires_of), pl.min_horizontal(scores)
            return pl.any_horizontal(fires_of), pl.max_horizontal(scores)
    raise HydralabError(f"{node!r} can't stand inside a trigger; .place() stands once, at the root")


def _comparison(node: Comparison, span: Range) -> Compiled:
    signal = pl.col(node.signal)
    if span is None or not all(map(math.isfinite, span)):
        share = pl.col(rank_column(node.signal))
    else:
        share = ((signal - span[0]) / (span[1] - span[0])).clip(0.0, 1.0)
    score = share if node.operator in (">", ">=") else 1 - share
    return COMPARE[node.operator](signal, node.threshold), score


def _cue(node: Cue) -> pl.Expr:
    found = pl.col("text").str.contains(f"(?i){node.pattern}")
    if node.role is not None:
        found = found & (pl.col("role") == node.role)
    if node.cut == "before":
        return found
    starts_round = pl.col("round") != pl.col("round").shift(1)
    return starts_round & found.any().over("round").shift(1)
