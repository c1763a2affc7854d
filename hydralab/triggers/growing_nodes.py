"""Functions and state machines while a dialogue grows: each goes on from where it stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy

import numpy as np
import polars as pl

from hydralab.core.growing_array import GrowingArray
from hydralab.frames import SCHEMAS
from hydralab.triggers.evaluating import Fires
from hydralab.triggers.forms import Named, Segmenter, StepTrigger
from hydralab.triggers.growing_signals import GrowingSignals, Vectors
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.running import continue_machine, run_steps
from hydralab.triggers.tree import Trigger

__all__ = ["GrowingMachine", "GrowingSegmenter", "GrowingSteps", "machines_of"]


def machines_of(trigger: Trigger) -> Iterator[StateMachine]:
    """Yield the state machines of a tree, those in the conditions of another before it."""
    for part in trigger.parts:
        yield from machines_of(part)
    if isinstance(trigger, StateMachine):
        yield trigger


class _Decided:
    """Fires and scores of the rows that are decided."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Have none decided."""
        self._fires = GrowingArray((), np.bool_)
        self._scores = GrowingArray((), np.float64)

    def __len__(self) -> int:
        return len(self._fires)

    def take(self, fires: Fires) -> None:
        """Append what the next rows give."""
        self._fires.extend(fires[0].copy())
        self._scores.extend(fires[1].copy())

    def rows(self, first: int, stop: int) -> Fires:
        """Return fires and scores of some rows."""
        return self._fires.rows[first:stop], self._scores.rows[first:stop]


class GrowingSegmenter(_Decided):
    """A segmenter by its growing form."""

    def __init__(self, node: Named, form: Segmenter) -> None:
        super().__init__()
        assert form.growing is not None
        self._grow = form.growing(**node.settings)

    def extend(self, turns: pl.DataFrame, vectors: Vectors) -> None:
        """Take the rows that are decided now, given all so far."""
        self.take(self._grow(turns, vectors))


class GrowingSteps(_Decided):
    """A function that goes turn by turn: its state stands at the next turn."""

    def __init__(self, node: Named, form: StepTrigger) -> None:
        super().__init__()
        self._node, self._form = node, form
        self._state = deepcopy(form.init)
        self._columns = {*SCHEMAS["turns"], *node.reads}

    def extend(self, turns: pl.DataFrame, vectors: Vectors, signals: GrowingSignals, known: int) -> None:
        """Go through the next rows up to `known`, given all turns so far."""
        done = len(self)
        rows = turns[done:known].with_columns(signals.columns(done, known))
        rows = rows.select(name for name in rows.columns if name in self._columns)
        try:
            fires, self._state = run_steps(
                self._node, self._form, self._state, rows, vectors[done:known], first=done
            )
        except BaseException:
            # The step that failed has perhaps changed the state: all rows are gone through again the next time.
            self.clear()
            self._state = deepcopy(self._form.init)
            raise
        self.take(fires)


class GrowingMachine(_Decided):
    """A state machine: its state stands at the next turn."""

    def __init__(self, machine: StateMachine) -> None:
        super().__init__()
        self._machine = machine
        self._state = machine.states[0]

    def extend(self, conditions: Sequence[Fires], first: int) -> None:
        """Go on over fires and scores of its conditions, which start at row `first`."""
        skipped = len(self) - first
        fresh = [(fires[skipped:], scores[skipped:]) for fires, scores in conditions]
        fires, self._state = continue_machine(self._machine, fresh, self._state)
        self.take(fires)
