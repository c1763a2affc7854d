"""What a trigger decides while a dialogue grows, at a cost a turn that does not grow with the dialogue."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.growing_array import GrowingArray
from hydralab.core.percentile import causal_percentile
from hydralab.frames import empty
from hydralab.schemas import SCHEMAS
from hydralab.signals import Shift, ShiftRaw, Signal, compute_signals, get_signal, prior
from hydralab.signals.shift import LEAST
from hydralab.triggers.evaluating import Dialogue, Fires, evaluate
from hydralab.triggers.forms import Named, Segmenter
from hydralab.triggers.placing import place_all, place_spans
from hydralab.triggers.thresholds import check_thresholds
from hydralab.triggers.tree import AllOf, AnyOf, Comparison, Cue, Not, Placed, Trigger
from hydralab.triggers.tree_needs import lookahead_of, nodes, signals_read

__all__ = ["GrowingBoundaries", "can_grow"]

MANY = 64
"""From so many new rows on, ranks are taken of all at once."""

Vectors = NDArray[np.float32]


def can_grow(trigger: Trigger, signals: Mapping[str, Signal]) -> bool:
    """Tell whether all that a trigger is made of can be told of the newest turns alone.

    It can of comparisons of bounded signals that say how far back they look, of cues, and of segmenters with a
    growing form. Other functions, and expressions, may look back to the first turn.

    >>> from hydralab.triggers import col, default_trigger, expr
    >>> can_grow(default_trigger(), {}), can_grow(expr(pl.col("tokens").cum_sum() > 9, lookahead=0), {})
    (True, False)
    """
    for node in nodes(trigger):
        if isinstance(node, Comparison):
            signal = get_signal(node.signal, signals)
            bounded = signal.range is not None and bool(np.isfinite(signal.range).all())
            if not bounded or (_memory(signal) is None and type(signal) is not Shift):
                return False
        elif isinstance(node, Named):
            form = node.form
            if not isinstance(form, Segmenter) or form.growing is None or node.reads:
                return False
        elif not isinstance(node, AllOf | AnyOf | Not | Cue | Placed):
            return False
    return lookahead_of(trigger, signals) != "all"


class GrowingBoundaries:
    """The boundaries of one dialogue by one trigger: those of `find_boundaries` with ``closed=False``, as turns come.

    Parameters
    ----------
    trigger
        One that `can_grow`.
    signals
        Column → signal that it may name.

    >>> from hydralab.triggers import cue
    >>> from hydralab.frames import build
    >>> rows = [{"dialogue_id": "a", "turn_id": f"a:{i}", "position": i, "round": i, "role": "user", "text": text,
    ...          "tokens": 2} for i, text in enumerate(["你好", "另外，预算呢？"])]
    >>> found = GrowingBoundaries(cue("另外"), {})
    >>> blank = np.zeros((2, 4), np.float32)
    >>> turns = build("turns", rows)
    >>> [found.extend(turns.head(end), blank[:end])["position"].to_list() for end in (1, 2)]
    [[], [1]]
    """

    def __init__(self, trigger: Trigger, signals: Mapping[str, Signal]) -> None:
        check_thresholds(trigger, signals)
        self._trigger = trigger
        self._root = trigger.trigger if isinstance(trigger, Placed) else trigger
        self._delay = int(lookahead_of(trigger, signals))
        named = {name: get_signal(name, signals) for name in signals_read(trigger)}
        self._ranges = {name: signal.range for name, signal in named.items()}
        self._columns = {name: _Column(name, signal) for name, signal in named.items()}
        self._functions = {node: _Function(node) for node in nodes(self._root) if isinstance(node, Named)}
        self._fires = GrowingArray((), np.bool_)
        self._scores = GrowingArray((), np.float64)
        self._start = 0
        """The first row of the open span."""

    def extend(self, turns: pl.DataFrame, vectors: Vectors) -> pl.DataFrame:
        """Return the boundaries that were decided since the last call.

        Parameters
        ----------
        turns, vectors
            All turns of the dialogue so far, from position 0 on, and their unit rows.
        """
        known, done = max(turns.height - self._delay, 0), len(self._fires)
        for function in self._functions.values():
            function.extend(turns, vectors)
        if known <= done:
            return empty("boundaries")
        for column in self._columns.values():
            column.extend(turns, vectors, known)
        fires, scores = self._evaluated(turns, vectors, done, known)
        self._fires.extend(fires)
        self._scores.extend(scores)
        return self._cut(turns, done, known)

    def _evaluated(self, turns: pl.DataFrame, vectors: Vectors, done: int, known: int) -> Fires:
        """Return fires and scores of newly decided rows; a cue looks back to the round before."""
        first = int(turns["round"].search_sorted(turns["round"][done] - 1, "left"))
        window = turns[first:known].with_columns(
            pl.Series(name, column.values.rows[first:known], nan_to_null=True)
            for name, column in self._columns.items()
        )
        told: dict[Trigger, Fires] = {
            node: function.rows(first, known) for node, function in self._functions.items()
        }
        dialogue = Dialogue(window, vectors[first:known], self._ranges)
        fires, scores = evaluate(self._root, dialogue, told)
        return fires[done - first :].copy(), scores[done - first :].copy()

    def _cut(self, turns: pl.DataFrame, done: int, known: int) -> pl.DataFrame:
        """Return the boundaries that newly decided rows bring."""
        trigger = self._trigger
        start, undecided = self._start, turns.height - known
        fires = np.append(self._fires.rows[start:], np.zeros(undecided, dtype=bool))
        scores = np.append(self._scores.rows[start:], np.zeros(undecided))
        if isinstance(trigger, Placed):
            allowed = np.ones(len(fires), dtype=bool)
            if trigger.align == "round":
                allowed[1:] = np.diff(turns["round"][start:].to_numpy()) != 0
            allowed[0] = False
            cuts = place_spans(
                fires,
                scores,
                allowed,
                min_turns=trigger.min_turns,
                max_turns=trigger.max_turns,
                known=known - start,
                delay=self._delay,
            )
            rows, decided = cuts.rows + start, cuts.decided + start
            self._start = int(rows[-1]) if rows.size else start
        else:
            cuts = place_all(fires, known=known - start, delay=self._delay)
            rows, decided = cuts.rows + start, cuts.decided + start
            # The row before the next one to be decided opens the stretch, as the first row is never a boundary.
            self._start = max(known - 1, 0)
        return pl.DataFrame(
            {
                "dialogue_id": [turns["dialogue_id"][0]] * rows.size,
                "position": rows,
                "trigger": [repr(trigger)] * rows.size,
                "score": self._scores.rows[rows],
                "decided_at": decided,
            },
            schema=dict(SCHEMAS["boundaries"]),
        )


class _Column:
    """The values of a signal, those that no later turn can change."""

    def __init__(self, name: str, signal: Signal) -> None:
        self._name = name
        self._ranked = type(signal) is Shift
        self._signal = ShiftRaw(signal.window, signal.lag) if isinstance(signal, Shift) else signal
        self._prior = prior(signal.prior, signal.window, signal.lag) if isinstance(signal, Shift) else None
        self._raw = GrowingArray((), np.float64)
        self._sorted: list[float] = []
        self.values = GrowingArray((), np.float64)

    def extend(self, turns: pl.DataFrame, vectors: Vectors, known: int) -> None:
        """Compute the values of rows up to `known`."""
        done = len(self.values)
        first = max(done - int(_memory(self._signal) or 0), 0)
        own = vectors[first:] if self._signal.needs_vectors else None
        found = compute_signals(turns[first:], own, {self._name: self._signal}, closed=False)[self._name]
        fresh = found.fill_null(float("nan")).to_numpy()[done - first : known - first].copy()
        if not self._ranked:
            self.values.extend(fresh)
            return
        self._raw.extend(fresh)
        if len(fresh) >= MANY or len(self._sorted) < LEAST:
            every = np.asarray(causal_percentile(self._raw.rows, self._prior, least=LEAST))
            self.values.extend(every[done:].copy())
            self._sorted = sorted(self._raw.rows[~np.isnan(self._raw.rows)].tolist())
            return
        self.values.extend([self._rank(value) for value in fresh.tolist()])

    def _rank(self, value: float) -> float:
        """Return the share of earlier values that are smaller, once there are enough."""
        if np.isnan(value):
            return value
        share = bisect_left(self._sorted, value) / len(self._sorted)
        insort(self._sorted, value)
        return share


class _Function:
    """The fires and scores of a segmenter, by its growing form."""

    def __init__(self, node: Named) -> None:
        form = node.form
        assert isinstance(form, Segmenter)
        assert form.growing is not None
        self._grow = form.growing(**node.settings)
        self._fires = GrowingArray((), np.bool_)
        self._scores = GrowingArray((), np.float64)

    def extend(self, turns: pl.DataFrame, vectors: Vectors) -> None:
        """Take the rows that are decided now."""
        fires, scores = self._grow(turns, vectors)
        self._fires.extend(fires.copy())
        self._scores.extend(scores.copy())

    def rows(self, first: int, stop: int) -> Fires:
        """Return fires and scores of some rows."""
        return self._fires.rows[first:stop], self._scores.rows[first:stop]


def _memory(signal: Any) -> int | None:
    """Return how many turns before a turn have a say in its value; None where it doesn't say."""
    memory = getattr(signal, "memory", None)
    return None if memory is None else int(memory)
