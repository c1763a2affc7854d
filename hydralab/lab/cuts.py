"""Where the dialogues of a lab are cut: by triggers, and by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import polars as pl

from hydralab.checkpoints import edit_checkpoint, extract_checkpoints
from hydralab.frames import build, event
from hydralab.lab.materials import Materials
from hydralab.lab.placed import Placed, Placement
from hydralab.lab.timelines import Timelines
from hydralab.triggers import Trigger, default_trigger, find_boundaries
from hydralab.triggers.facts import signals_read

__all__ = ["Cuts"]

Progress = Callable[[Sequence[str]], Iterable[str]]
"""Goes through names, with a progress bar where they are many."""


class Cuts:
    """Boundaries and checkpoints of a lab's dialogues; every change of them drops the timelines made of them."""

    def __init__(self, materials: Materials, timelines: Timelines, progress: Progress) -> None:
        self._materials = materials
        self._timelines = timelines
        self._progress = progress
        self.placed = Placed(materials.holder, materials.settings)
        self.placed.reach_the_ends(materials.corpus.turns, materials.tokenizer)
        if materials.left_with_another_encoder:
            self.note_stale(materials.names, "another encoder")

    def boundaries(self, name: str, trigger: Trigger) -> pl.DataFrame:
        """Return where a trigger cuts a dialogue that is over."""
        return find_boundaries(
            trigger,
            self._materials.turns(name),
            self._materials.vectors(name),
            signals=self._materials.signals(),
            encoder=self._materials.encoder.name,
        )

    def checkpoints(self, names: Sequence[str], trigger: Trigger | None = None) -> list[pl.DataFrame]:
        """Return the checkpoints of dialogues, placed anew by a trigger, or where there are none yet."""
        missing = [name for name in names if not self.placed.of("checkpoints", name).height]
        wanted = missing if trigger is None else names
        if wanted:
            self._place(wanted, default_trigger() if trigger is None else trigger)
        return [self.placed.of("checkpoints", name) for name in names]

    def change(
        self, name: str, change: Callable[..., pl.DataFrame], *arguments: Any, **named: Any
    ) -> pl.DataFrame:
        """Mark, merge or split by hand; returns the checkpoints of the dialogue."""
        (rows,) = self.checkpoints([name])
        turns = self._materials.turns(name)
        changed = change(rows, turns, *arguments, tokenizer=self._materials.tokenizer, **named)
        self.placed.recut(name, changed)
        self._timelines.forget(name)
        return self.placed.of("checkpoints", name)

    def edit(self, name: str, checkpoint_id: str, columns: dict[str, Any]) -> pl.DataFrame:
        """Write columns of a checkpoint by hand; returns the checkpoints of the dialogue."""
        (rows,) = self.checkpoints([name])
        changed = edit_checkpoint(rows, checkpoint_id, tokenizer=self._materials.tokenizer, **columns)
        self.placed.rewrite(name, changed, checkpoint_id)
        self._timelines.forget(name)
        return changed

    def signals_changed(self, changed: set[str]) -> None:
        """Drop what was made of signals, and say which checkpoints were placed by those that changed."""
        self._timelines.forget()
        if changed:
            reading = [name for name in self._materials.names if self._reads(name, changed)]
            self.note_stale(reading, "signals given anew")

    def note_stale(self, names: Sequence[str], why: str) -> None:
        """Say that the checkpoints of dialogues were placed under other circumstances, and how to place them anew."""
        stale = [name for name in names if self.placed.of("checkpoints", name).height]
        detail = f"{why}: the checkpoints are those placed before; lab.checkpoints(lab.trigger(…), …) places them anew"
        rows = [event("checkpoints", "ok", dialogue_id=name, detail=detail) for name in stale]
        self._materials.journal.note(build("events", rows))

    def _place(self, names: Sequence[str], trigger: Trigger) -> None:
        placements = {}
        for name in self._progress(names):
            boundaries = self.boundaries(name, trigger)
            turns = self._materials.turns(name)
            checkpoints = extract_checkpoints(turns, boundaries, tokenizer=self._materials.tokenizer)
            placements[name] = Placement(trigger, boundaries, checkpoints)
        self.placed.place(placements)
        for name in names:
            self._timelines.forget(name)

    def _reads(self, name: str, signals: set[str]) -> bool:
        """Tell whether what is placed in a dialogue was placed by a trigger that reads one of these signals."""
        if not self.placed.of("checkpoints", name).height:
            return False
        return not signals.isdisjoint(signals_read(self.placed.trigger(name)))
