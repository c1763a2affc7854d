"""Where a trigger fires on one dialogue, and its score at every turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.percentile import causal_percentile
from hydralab.errors import HydralabError, unknown_name
from hydralab.frames import SCHEMAS
from hydralab.signals.base import Range
from hydralab.triggers.compiling import compile_trigger, rank_column
from hydralab.triggers.forms import Named
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.running import run_form, run_machine
from hydralab.triggers.tree import Comparison, Placed, Trigger
from hydralab.triggers.tree_needs import nodes

NONE: Mapping[Trigger, Any] = MappingProxyType({})

__all__ = ["Dialogue", "Fires", "evaluate", "is_bounded"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Fires = tuple[Bools, Floats]
"""Whether a new span may start at each turn, and how much speaks for it, from 0 to 1."""


@dataclass(frozen=True)
class Dialogue:
    """One dialogue as a trigger sees it.

    Attributes
    ----------
    turns
        Its turns, with a Float64 column a signal (null where unknown), and the ranks that are known already.
    vectors
        Float32 (n, d), or None.
    ranges
        Signal → range, of the signals that declare one.
    """

    turns: pl.DataFrame
    vectors: NDArray[np.float32] | None
    ranges: Mapping[str, Range]


def evaluate(trigger: Trigger, dialogue: Dialogue, known: Mapping[Trigger, Fires] = NONE) -> Fires:
    """Return where a tree without `.place()` fires, and its scores: bool (n,) and float64 (n,).

    Parameters
    ----------
    known
        Fires and scores of functions and machines that need not be run again.
    """
    if isinstance(trigger, Placed):
        raise HydralabError(f"{trigger!r} inside a trigger: .place() stands once, at the root")
    columns: dict[Trigger, tuple[str, str]] = {}
    added: list[pl.Series] = []
    for node in _run_first(trigger):
        if isinstance(node, (Named, StateMachine)) and node not in columns:
            columns[node] = (f"fires {len(columns)}", f"score {len(columns)}")
            fires, scores = known[node] if node in known else _run(node, dialogue)
            added += [pl.Series(columns[node][0], fires), pl.Series(columns[node][1], scores)]
    added += _ranks(trigger, dialogue)
    frame = dialogue.turns.with_columns(added)
    fire, score = compile_trigger(trigger, dialogue.ranges, columns)
    fired, score_at = _select(frame, fire, score, trigger)
    return fired.to_numpy(), score_at.fill_nan(0.0).clip(0.0, 1.0).to_numpy()


def _run_first(trigger: Trigger) -> list[Trigger]:
    """List the functions and machines of a tree; a machine's conditions are its own affair."""
    if isinstance(trigger, (Named, StateMachine)):
        return [trigger]
    return [node for part in trigger.parts for node in _run_first(part)]


def _run(node: Named | StateMachine, dialogue: Dialogue) -> Fires:
    if isinstance(node, StateMachine):
        return run_machine(node, [evaluate(part, dialogue) for part in node.parts])
    columns = {*SCHEMAS["turns"], *node.reads}
    own = replace(
        dialogue, turns=dialogue.turns.select(name for name in dialogue.turns.columns if name in columns)
    )
    result = run_form(node, own.turns, own.vectors)
    if isinstance(result, Trigger):
        return evaluate(result, own)
    if isinstance(result, pl.Expr):
        return _run_expression(result, node, own.turns)
    return result


def _run_expression(expression: pl.Expr, node: Trigger, turns: pl.DataFrame) -> Fires:
    fires, scores = _select(turns, expression, expression, node)
    return fires.to_numpy(), scores.to_numpy()


def _ranks(trigger: Trigger, dialogue: Dialogue) -> list[pl.Series]:
    names = {node.signal for node in nodes(trigger) if isinstance(node, Comparison)}
    unbounded = [name for name in sorted(names) if not is_bounded(dialogue.ranges.get(name))]
    return [
        pl.Series(rank_column(name), causal_percentile(_values(dialogue.turns, name)), nan_to_null=True)
        for name in unbounded
        if rank_column(name) not in dialogue.turns.columns
    ]


def is_bounded(span: Range) -> bool:
    """Tell whether a signal has a lowest and a highest value, so that its place between them is a score.

    >>> is_bounded((0.0, 1.0)), is_bounded((0.0, float("inf"))), is_bounded(None)
    (True, False, False)
    """
    return span is not None and bool(np.isfinite(span).all())


def _values(turns: pl.DataFrame, name: str) -> Floats:
    return turns[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _select(
    turns: pl.DataFrame, fires: pl.Expr, score: pl.Expr, trigger: Trigger
) -> tuple[pl.Series, pl.Series]:
    """Return where an expression is true and the values of another; unknown is false, and 0."""
    try:
        columns = turns.with_columns(fires.alias("fires"), score.cast(pl.Float64).alias("score"))
    except pl.exceptions.ColumnNotFoundError as error:
        missing = str(error).split("\n")[0].strip('"').removeprefix('unable to find column "').split('"')[0]
        raise unknown_name("column", missing, turns.columns) from error
    except pl.exceptions.PolarsError as error:
        raise HydralabError(f"{trigger!r} can't be computed: {error}") from error
    if columns.schema["fires"] != pl.Boolean:
        raise HydralabError(f"{trigger!r}: gives {columns.schema['fires']}, expected a Boolean a turn")
    return columns["fires"].fill_null(False), columns["score"].fill_null(0.0)
