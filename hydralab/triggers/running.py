"""Running what a tree can't be compiled to: registered functions and state machines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.triggers.forms import Named, SignalFunction, StepTrigger
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.tree import Trigger

__all__ = ["continue_machine", "run_form", "run_machine", "run_steps"]

Fires = tuple[NDArray[np.bool_], NDArray[np.float64]]


def run_form(
    node: Named, turns: pl.DataFrame, vectors: NDArray[np.float32] | None
) -> Fires | Trigger | pl.Expr:
    """Call a registered function on one dialogue.

    Parameters
    ----------
    node
        Names the function and its parameters.
    turns
        The turns of one dialogue with the signals that the function reads.
    vectors
        Float32 (n, d), or None.

    Returns
    -------
    tuple, Trigger or pl.Expr
        Fires and scores of every turn, or what the function made to be computed.
    """
    form = node.form
    if form.needs_vectors and vectors is None:
        raise HydralabError(
            f"trigger {node.name!r} is computed from vectors, and none were given; pass vectors="
        )
    if isinstance(form, SignalFunction):
        result = _called(node, turns, form.function, turns)
        return result if isinstance(result, (Trigger, pl.Expr)) else _columns(node, result, turns)
    if isinstance(form, StepTrigger):
        return run_steps(node, form, deepcopy(form.init), turns, vectors)[0]
    given = vectors if form.needs_vectors else None
    return _columns(node, _called(node, turns, form.function, turns, given), turns)


def run_machine(machine: StateMachine, conditions: Sequence[Fires]) -> Fires:
    """Go through a dialogue with a machine, given the fires and scores of its conditions."""
    return continue_machine(machine, conditions, machine.states[0])[0]


def continue_machine(machine: StateMachine, conditions: Sequence[Fires], state: str) -> tuple[Fires, str]:
    """Go through a stretch of turns with a machine that is in a state; return the state after it too.

    One step a transition taken, not a turn: the next turn at which a condition that leads out of the
    present state holds is found by bisection.
    """
    rows = [np.flatnonzero(fires).tolist() for fires, _ in conditions]
    n = conditions[0][0].size if conditions else 0
    fires, scores = np.zeros(n, dtype=bool), np.zeros(n)
    at = 0
    while at < n:
        leaving = [i for i, (source, _, _) in enumerate(machine.transitions) if source == state]
        if not leaving:
            break
        nexts = [_next(rows[i], at, n) for i in leaving]
        row = min(nexts)
        stop = min(row + 1, n)
        scores[at:stop] = np.max([conditions[i][1][at:stop] for i in leaving], axis=0)
        if row < n:
            fires[row] = True
            state = machine.transitions[leaving[nexts.index(row)]][1]
        at = stop
    return (fires, scores), state


def _next(rows: Sequence[int], at: int, otherwise: int) -> int:
    place = bisect_left(rows, at)
    return rows[place] if place < len(rows) else otherwise


def run_steps(
    node: Named,
    form: StepTrigger,
    state: Any,
    turns: pl.DataFrame,
    vectors: NDArray[np.float32] | None,
    *,
    first: int = 0,
) -> tuple[Fires, Any]:
    """Go through a stretch of turns, the first of which is row `first`; return the state after it too."""
    fires, scores = np.zeros(turns.height, dtype=bool), np.zeros(turns.height)
    for i, row in enumerate(turns.iter_rows(named=True)):
        if form.needs_vectors and vectors is not None:
            row["vector"] = vectors[i]
        answer = _called(node, turns, form.function, state, row)
        if not isinstance(answer, tuple) or len(answer) != 3 or not _is_number(answer[2]):
            raise HydralabError(
                f"trigger {node.name!r}: turn {first + i}: got {answer!r}, expected (state, fire, score)"
            )
        state, fires[i], scores[i] = answer
    return (fires, scores), state


def _called(node: Named, turns: pl.DataFrame, function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments, **node.settings)
    except HydralabError:
        raise
    except Exception as error:
        raise HydralabError(
            f"trigger {node.name!r} raised {type(error).__name__} in dialogue {turns['dialogue_id'][0]!r}: {error}"
        ) from error


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.bool_)


def _columns(node: Named, result: Any, turns: pl.DataFrame) -> Fires:
    """Read what a function gave: positions, a Boolean column, (fires, scores), or a boundaries table."""
    positions = turns["position"].to_numpy()
    if isinstance(result, pl.DataFrame):
        if "position" not in result.columns:
            raise HydralabError(
                f"trigger {node.name!r}: a table without the column 'position', expected a boundaries table"
            )
        score = result["score"] if "score" in result.columns else pl.Series([1.0] * result.height)
        return _at(node, positions, result["position"].to_numpy(), score.fill_null(1.0).to_numpy())
    if isinstance(result, tuple) and len(result) == 2 and np.ndim(result[0]) == 1:
        fires, scores = (np.asarray(part) for part in result)
        if fires.shape != positions.shape or scores.shape != positions.shape:
            raise HydralabError(
                f"trigger {node.name!r}: {fires.shape} fires and {scores.shape} scores for {turns.height} turns"
            )
        return fires.astype(bool), scores.astype(np.float64)
    values = np.asarray(result.fill_null(False) if isinstance(result, pl.Series) else result)
    if values.dtype == bool:
        if values.shape != positions.shape:
            raise HydralabError(
                f"trigger {node.name!r}: {values.shape} values for {turns.height} turns, expected one a turn"
            )
        return values, values.astype(np.float64)
    if values.ndim != 1:
        raise HydralabError(
            f"trigger {node.name!r}: got {type(result).__name__}, expected positions, a Boolean column, "
            "(fires, scores) or a boundaries table"
        )
    return _at(node, positions, values, np.ones(values.size))


def _at(node: Named, positions: NDArray[Any], cuts: NDArray[Any], scores: NDArray[Any]) -> Fires:
    fires, score = np.zeros(positions.size, dtype=bool), np.zeros(positions.size)
    if cuts.size:
        if not np.issubdtype(cuts.dtype, np.integer) or not np.isin(cuts, positions).all():
            raise HydralabError(
                f"trigger {node.name!r}: boundaries {cuts[:5].tolist()}…, expected positions of turns of the dialogue"
            )
        rows = np.searchsorted(positions, cuts)
        fires[rows], score[rows] = True, scores
    return fires, score
