"""From a trigger and turns to the boundaries table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, unknown_name
from hydralab.frames import SCHEMAS, check_table, empty
from hydralab.signals import DEFAULT_SIGNALS, SIGNALS, Signal, compute_signals, default_signals, get_signal
from hydralab.signals.base import Range
from hydralab.signals.compute import check_vectors, dialogue_slices
from hydralab.triggers.evaluating import Dialogue, evaluate
from hydralab.triggers.parsing import parse_trigger
from hydralab.triggers.placing import Cuts, place_all, place_spans
from hydralab.triggers.thresholds import check_thresholds
from hydralab.triggers.tree import Placed, Trigger
from hydralab.triggers.tree_needs import lookahead_of, signals_read

__all__ = ["boundaries_table", "cuts_of", "dialogue_boundaries", "find_boundaries", "resolve_trigger"]

Signals = Mapping[str, Signal] | pl.DataFrame | None


def resolve_trigger(trigger: Any) -> Trigger:
    """Return a trigger given as itself, by a registered name, or by its text.

    Raises
    ------
    HydralabError
        Nothing of the three; a signal alone is none.

    >>> resolve_trigger("every"), resolve_trigger("hl.col.shift > 0.8")
    (hl.get_trigger('every'), hl.col.shift > 0.8)
    """
    if isinstance(trigger, Trigger):
        return trigger
    if isinstance(trigger, str):
        return parse_trigger(trigger)
    raise HydralabError(
        f"trigger: got {trigger!r}, expected a trigger such as hl.col.shift > 0.8, a registered name or a text"
    )


def find_boundaries(
    trigger: Trigger | str,
    turns: pl.DataFrame,
    vectors: NDArray[np.float32] | None = None,
    *,
    signals: Signals = None,
    closed: bool = True,
    encoder: str = "use",
) -> pl.DataFrame:
    """Return where a trigger starts new spans.

    Parameters
    ----------
    trigger
        A trigger, a registered name, or a trigger's text.
    turns
        The turns table of one or more dialogues, each in one piece, in order of position.
    vectors
        Float32 (n, d), unit rows, aligned with `turns`; needed where the trigger or a signal it reads is
        computed from them.
    signals
        A signals table that has what the trigger reads (missing columns are computed), or column name →
        signal, or None: the default signals. A table must have been computed with the same `closed`.
    closed
        Whether the dialogues are over. If not, only what is decided by the last turn is returned, and a
        longer dialogue adds to it but changes nothing: a boundary is never withdrawn.
    encoder
        Name of the encoder of the vectors; it chooses the prior of the default signals.

    Returns
    -------
    pl.DataFrame
        A boundaries table: position of the first turn of each new span (never the dialogue's first turn), the
        trigger, its score from 0 to 1, and `decided_at`: the position of the turn at which that was known,
        the boundary's plus the trigger's look-ahead (for a span cut at its longest, its last turn's plus it), and
        at most the last turn.

    Raises
    ------
    HydralabError
        An unknown signal, a threshold outside its range, missing vectors, or rows that don't fit or stand out of order.

    >>> from hydralab.frames import build
    >>> rows = [{"dialogue_id": "a", "turn_id": f"a:{i}", "position": i, "round": i, "role": "user", "text": text,
    ...          "tokens": 2} for i, text in enumerate(["你好", "另外，预算呢？"])]
    >>> find_boundaries("hl.cue('另外')", build("turns", rows))["position"].to_list()
    [1]
    """
    trigger = resolve_trigger(trigger)
    if signals is not None and not isinstance(signals, Mapping):
        check_table("signals", signals)
    declared = signals if isinstance(signals, Mapping) else default_signals(encoder)
    check_thresholds(trigger, declared)
    lookahead = lookahead_of(trigger, declared)
    if vectors is not None:
        check_vectors(vectors, turns)
    if lookahead == "all" and not closed:
        return empty("boundaries")
    columns = _signal_columns(trigger, turns, vectors, signals, declared, closed)
    ranges = {column.name: _range(column.name, declared) for column in columns}
    with_signals = turns.with_columns(columns)
    parts = []
    for rows in dialogue_slices(turns):
        dialogue = Dialogue(with_signals[rows], None if vectors is None else vectors[rows], ranges)
        delay = dialogue.turns.height if lookahead == "all" else int(lookahead)
        parts.append(dialogue_boundaries(trigger, dialogue, delay, closed=closed))
    return pl.concat(parts) if parts else empty("boundaries")


def dialogue_boundaries(trigger: Trigger, dialogue: Dialogue, delay: int, *, closed: bool) -> pl.DataFrame:
    """Return the boundaries of one dialogue, whose fires are decided so many rows later."""
    turns = dialogue.turns
    root = trigger.trigger if isinstance(trigger, Placed) else trigger
    fires, scores = evaluate(root, dialogue)
    known = turns.height if closed else max(0, turns.height - delay)
    cuts = cuts_of(trigger, turns["round"], fires, scores, known=known, delay=delay)
    positions = turns["position"].to_numpy()
    return boundaries_table(
        trigger, turns["dialogue_id"][0], positions[cuts.rows], scores[cuts.rows], positions[cuts.decided]
    )


def cuts_of(
    trigger: Trigger,
    rounds: pl.Series,
    fires: NDArray[np.bool_],
    scores: NDArray[np.float64],
    *,
    known: int,
    delay: int,
) -> Cuts:
    """Return where spans start among rows that begin with the start of one.

    Parameters
    ----------
    rounds, fires, scores
        An entry a row.
    known, delay
        As in `place_spans`.
    """
    if not isinstance(trigger, Placed):
        return place_all(fires, known=known, delay=delay)
    allowed = np.ones(fires.size, dtype=bool)
    if trigger.align == "round":
        allowed[1:] = np.diff(rounds.to_numpy()) != 0
    allowed[0] = False
    return place_spans(
        fires,
        scores,
        allowed,
        min_turns=trigger.min_turns,
        max_turns=trigger.max_turns,
        known=known,
        delay=delay,
    )


def boundaries_table(
    trigger: Trigger,
    dialogue_id: str,
    positions: NDArray[np.int64],
    scores: NDArray[np.float64],
    decided_at: NDArray[np.int64],
) -> pl.DataFrame:
    """Return a boundaries table of one dialogue and one trigger."""
    return pl.DataFrame(
        {
            "dialogue_id": [dialogue_id] * positions.size,
            "position": positions,
            "trigger": [repr(trigger)] * positions.size,
            "score": scores,
            "decided_at": decided_at,
        },
        schema=dict(SCHEMAS["boundaries"]),
    )


def _signal_columns(
    trigger: Trigger,
    turns: pl.DataFrame,
    vectors: NDArray[np.float32] | None,
    given: Signals,
    declared: Mapping[str, Signal],
    closed: bool,
) -> list[pl.Series]:
    """Take the signals that a trigger reads from the table given, and compute the others."""
    names = signals_read(trigger)
    table = given if isinstance(given, pl.DataFrame) else None
    present = (
        _aligned(table, turns, [name for name in names if name in table.columns]) if table is not None else []
    )
    missing = [name for name in names if table is None or name not in table.columns]
    declared_names = {
        *declared,
        *DEFAULT_SIGNALS,
        *SIGNALS,
        *(table.columns[2:] if table is not None else ()),
    }
    for name in missing:
        if name not in declared_names:
            raise unknown_name("signal", name, declared_names)
    computed = compute_signals(
        turns, vectors, {name: get_signal(name, declared) for name in missing}, closed=closed
    )
    return [*present, *(computed[name] for name in missing)]


def _aligned(table: pl.DataFrame, turns: pl.DataFrame, names: list[str]) -> list[pl.Series]:
    keys = ["dialogue_id", "position"]
    if not table.select(keys).equals(turns.select(keys)):
        table = turns.select(keys).join(table, on=keys, how="left", maintain_order="left")
    return [table[name].cast(pl.Float64).fill_nan(None) for name in names]


def _range(name: str, declared: Mapping[str, Signal]) -> Range:
    is_declared = name in declared or name in DEFAULT_SIGNALS or name in SIGNALS
    return get_signal(name, declared).range if is_declared else None
