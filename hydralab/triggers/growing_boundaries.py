"""What a trigger decides while a dialogue grows, at a cost a turn that does not grow with the dialogue."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from hydralab.core.growing_array import GrowingArray
from hydralab.frames import empty
from hydralab.signals import Signal
from hydralab.triggers.evaluating import Dialogue, Fires, evaluate
from hydralab.triggers.finding import boundaries_table, cuts_of
from hydralab.triggers.forms import Named, Segmenter, StepTrigger
from hydralab.triggers.growing_nodes import GrowingMachine, GrowingSegmenter, GrowingSteps, machines_of
from hydralab.triggers.growing_signals import GrowingSignals, Vectors, signals_grow
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.thresholds import check_thresholds
from hydralab.triggers.tree import AllOf, AnyOf, Comparison, Cue, Not, Placed, Trigger
from hydralab.triggers.tree_needs import Node, lookahead_of, nodes

__all__ = ["GrowingBoundaries", "can_grow"]


def can_grow(trigger: Trigger, signals: Mapping[str, Signal]) -> bool:
    """Tell whether all that a trigger is made of can be told of the newest turns alone.

    It can of comparisons of signals that say how far back they look, of cues, of functions that go turn by turn, of
    machines of these, and of segmenters with a growing form. Other functions, and expressions, may look back to the
    first turn.

    >>> from hydralab.triggers import col, default_trigger, expr
    >>> can_grow(default_trigger(), {}), can_grow(col.gap_seconds > 3600, {})
    (True, True)
    >>> can_grow(expr(pl.col("tokens").cum_sum() > 9, lookahead=0), {})
    False
    """
    if not all(_can_grow_node(node) for node in nodes(trigger)):
        return False
    return signals_grow(trigger, signals) and lookahead_of(trigger, signals) != "all"


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
        self._signals = GrowingSignals(trigger, signals)
        forms = {node: node.form for node in nodes(self._root) if isinstance(node, Named)}
        self._segmenters = {
            node: GrowingSegmenter(node, form) for node, form in forms.items() if isinstance(form, Segmenter)
        }
        self._steps = {
            node: GrowingSteps(node, form) for node, form in forms.items() if isinstance(form, StepTrigger)
        }
        self._machines = {machine: GrowingMachine(machine) for machine in machines_of(self._root)}
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
        for segmenter in self._segmenters.values():
            segmenter.extend(turns, vectors)
        if known <= done:
            return empty("boundaries")
        self._signals.extend(turns, vectors, known)
        for steps in self._steps.values():
            steps.extend(turns, vectors, self._signals, known)
        fires, scores = self._evaluated(turns, vectors, done, known)
        self._fires.extend(fires)
        self._scores.extend(scores)
        return self._cut(turns, known)

    def _evaluated(self, turns: pl.DataFrame, vectors: Vectors, done: int, known: int) -> Fires:
        """Return fires and scores of newly decided rows; a cue looks back to the round before."""
        first = int(turns["round"].search_sorted(turns["round"][max(done - 1, 0)], "left"))
        window = turns[first:known].with_columns(self._signals.columns(first, known))
        dialogue = Dialogue(window, vectors[first:known], self._signals.ranges)
        decided: dict[Trigger, Fires] = {
            node: function.rows(first, known)
            for node, function in {**self._segmenters, **self._steps}.items()
        }
        for machine, growing in self._machines.items():
            growing.extend([evaluate(part, dialogue, decided) for part in machine.parts], first)
            decided[machine] = growing.rows(first, known)
        fires, scores = evaluate(self._root, dialogue, decided)
        return fires[done - first :].copy(), scores[done - first :].copy()

    def _cut(self, turns: pl.DataFrame, known: int) -> pl.DataFrame:
        """Return the boundaries that newly decided rows bring."""
        start, undecided = self._start, turns.height - known
        fires = np.append(self._fires.rows[start:], np.zeros(undecided, dtype=bool))
        scores = np.append(self._scores.rows[start:], np.zeros(undecided))
        cuts = cuts_of(
            self._trigger, turns["round"][start:], fires, scores, known=known - start, delay=self._delay
        )
        rows = cuts.rows + start
        if not isinstance(self._trigger, Placed):
            # The row before the next one to be decided opens the stretch, as the first row is never a boundary.
            self._start = max(known - 1, 0)
        elif rows.size:
            self._start = int(rows[-1])
        return boundaries_table(
            self._trigger, turns["dialogue_id"][0], rows, self._scores.rows[rows], cuts.decided + start
        )


def _can_grow_node(node: Node) -> bool:
    if isinstance(node, Named):
        form = node.form
        return isinstance(form, StepTrigger) or (
            isinstance(form, Segmenter) and form.growing is not None and not node.reads
        )
    return isinstance(node, AllOf | AnyOf | Not | Comparison | Cue | Placed | StateMachine)
